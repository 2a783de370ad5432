"""What looks odd in columns that are compared: identifiers, dates written as numbers, one scale that hides the rest."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.validate import Words
from ...runtime.digits import number
from ...runtime.types import Array
from ..scaling import pooled_variance
from .report import SampleReport, listed

DOMINANT = 0.9  # of the sum of the variances: where few columns have it, the others hardly count
FEW = 10  # one of so many columns is few
UNEVEN = 0.1  # of the rows of a sample: how much more often than in another a value may be missing
FEWEST_ROWS = 10  # fewer values may well be different, in order, or missing by chance
_DATES = (19_000_101, 21_001_231)  # years 1900 to 2100 as YYYYMMDD
_SECONDS = (946_684_800, 4_102_444_800)  # years 2000 to 2100 in seconds since 1970
_YEARS = (1900, 2100)

_ID = re.compile(r"(^|[\W_])(id|ids|uuid|guid|rowid|userid|zip|plz|postcode|phone)([\W_]|$)", re.IGNORECASE)
_CAMEL_ID = re.compile(r"[a-z]I[Dd]$")
_COUNTER = re.compile(r"(^|[\W_])(index|idx|row|nr|no|num|number|key|code|unnamed: 0)([\W_]|$)", re.IGNORECASE)
_YEAR = re.compile(r"(^|[\W_])(year|years|yr|jahr|annee|année|año|anno)([\W_]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A column that may be no measurement."""

    column: str
    what: str  # a clause

    def sentence(self, words: Words) -> str:
        """Return the warning, with what to do."""
        return f"column {self.column!r} {self.what}; if it is no measurement, leave it out with {words.ignore}"


def odd_columns(names: Sequence[str], tables: Sequence[Array]) -> Iterator[Suspicion]:
    """Yield the columns (n, p) of whole numbers that look like identifiers or dates; missing values are NaN."""
    if sum(map(len, tables)) < FEWEST_ROWS:
        return
    whole = np.all([np.all((np.floor(X) == X) | np.isnan(X), axis=0) for X in tables], axis=0)
    for j in map(int, np.flatnonzero(whole)):
        what = _what_it_looks_like(names[j], [X[~np.isnan(X[:, j]), j] for X in tables])
        if what is not None:
            yield Suspicion(names[j], what)


def dominant_columns(names: Sequence[str], samples: Sequence[Array], weights: Sequence[Array | None]) -> str | None:
    """Return a clause on the few columns whose scale hides all others, if there are such: one, or a tenth of them."""
    variance = pooled_variance(samples, weights)
    order, total = np.argsort(-variance, kind="stable"), float(variance.sum())
    together = np.cumsum(variance[order])
    count = int(np.searchsorted(together, DOMINANT * total)) + 1
    if len(names) < 2 or total == 0.0 or count > max(1, len(names) // FEW):
        return None
    share = number(np.floor(1000.0 * together[count - 1] / total) / 10.0, 3)
    which = listed([names[j] for j in order[:count]])
    have = f"column {which} has" if count == 1 else f"columns {which} have"
    return f"{have} {share} % of the spread of all columns together, so that the others hardly count"


def uneven_gaps(samples: Sequence[SampleReport]) -> Iterator[str]:
    """Yield a clause on each column whose values are missing much more often in one sample than in another."""
    if min(sample.rows for sample in samples) < FEWEST_ROWS:
        return
    for column in dict.fromkeys(name for sample in samples for name in sample.missing):
        shares = [sample.missing.get(column, 0) / sample.rows for sample in samples]
        least, most = int(np.argmin(shares)), int(np.argmax(shares))
        if shares[most] - shares[least] > UNEVEN:
            where = f"{shares[most]:.0%} of {samples[most].name} and {shares[least]:.0%} of {samples[least].name}"
            yield f"column {column!r} has no value in {where}: samples may differ for that reason alone"


def _what_it_looks_like(name: str, columns: Sequence[Array]) -> str | None:
    """Return what whole numbers may be instead of a measurement."""
    pooled = np.concatenate(columns)
    low, high = float(pooled.min()), float(pooled.max())
    shown = f"{int(low)} to {int(high)}"
    if low == high:
        return None
    if _within((low, high), _DATES) and _are_dates(pooled):
        return f"looks like dates written as numbers ({shown})"
    for unit, factor in (("seconds", 1.0), ("milliseconds", 1e3), ("microseconds", 1e6)):
        if _within((low / factor, high / factor), _SECONDS):
            return f"looks like times in {unit} since 1970 ({shown})"
    if _YEAR.search(name) and _within((low, high), _YEARS):
        return f"looks like years ({shown})"
    return _as_identifier(name, columns)


def _as_identifier(name: str, columns: Sequence[Array]) -> str | None:
    """Return why whole numbers may be names of rows."""
    if _ID.search(name) or _CAMEL_ID.search(name):
        return "looks like an identifier, by its name"
    if min(map(len, columns)) < 2 or any(np.ptp(column) < len(column) - 1 for column in columns):
        return None  # so many whole numbers within such a range are not all different
    if any(len(np.unique(column)) < len(column) for column in columns):
        return None
    if _COUNTER.search(name):
        return "looks like an identifier, by its name and as no two rows of a table have the same"
    if all(np.all(np.diff(column) > 0.0) for column in columns):
        return "looks like a row number or an identifier: it rises from row to row"
    return None


def _within(ends: tuple[float, float], limits: tuple[float, float]) -> bool:
    return limits[0] <= ends[0] and ends[1] <= limits[1]


def _are_dates(values: Array) -> bool:
    """Return whether whole numbers, read as YYYYMMDD, have months and days that there are."""
    months, days = values // 100 % 100, values % 100
    return bool(np.all((months >= 1) & (months <= 12) & (days >= 1) & (days <= 31)))
