"""The columns that contribute most, as a report shows them."""

from dataclasses import dataclass

import numpy as np

from ..runtime.digits import number
from ..runtime.printable import printable
from ..runtime.types import Array
from ..svg import Markup
from ..tables.comparison import Comparison
from .pictures import distribution_picture, share_bar

MOST_COLUMNS = 12
_LEAST_SHARE = 0.0005  # of a column that is listed: less is printed as 0


@dataclass(frozen=True, slots=True)
class Column:
    """What is said of one column."""

    name: str
    share: float
    bar: Markup
    interval: str  # of the share in the population; empty where none was computed
    identified: bool  # whether there is such an interval
    means: tuple[float, float]  # as they came, not scaled
    low: float  # of both samples
    high: float
    spread: Markup

    @property
    def told(self) -> tuple[str, ...]:
        """The share, both means, and both ends of the values, as text."""
        return (f"{self.share:.1%}", *(number(value, 4) for value in (*self.means, self.low, self.high)))


def called(name: str) -> str:
    """Return what to call a column within a sentence.

    Examples
    --------
    >>> called("mass"), called("7")
    ('mass', 'column 7')
    """
    return f"column {name}" if name.isdecimal() else name


def numbers_of_columns(comparison: Comparison) -> list[int]:
    """Return the numbers of the columns that are listed, the largest shares first; none where nothing is listed."""
    if not comparison.listed or comparison.summary.same:
        return []
    share = comparison.summary.result.feature_share
    return [int(j) for j in np.argsort(-share, kind="stable")[:MOST_COLUMNS] if share[j] >= _LEAST_SHARE]


def columns_of(comparison: Comparison, listed: list[int]) -> list[Column]:
    """Return what is said of the columns with these numbers."""
    if not listed:
        return []
    summary = comparison.summary
    names = [summary.names[j] for j in listed]
    known = comparison.population.features(names, summary.names)
    intervals = [_interval(row.low, row.high) for row in known] or [None] * len(listed)
    texts = comparison.population.shares(names, summary.names) or [""] * len(listed)
    shares = [float(summary.result.feature_share[j]) for j in listed]
    top = max(shares + [high for _, high in (interval for interval in intervals if interval is not None)])
    return [
        _column(comparison, j, interval, text, 1.02 * top)
        for j, interval, text in zip(listed, intervals, texts, strict=True)
    ]


def _column(comparison: Comparison, j: int, interval: tuple[float, float] | None, text: str, top: float) -> Column:
    summary = comparison.summary
    problem, name = summary.result.problem, printable(summary.names[j])
    X, Y = (side[:, j] * comparison.scales[j] for side in problem.frame.massive)
    means = float(problem.a @ X), float(problem.b @ Y)
    low, high = float(min(X.min(), Y.min())), float(max(X.max(), Y.max()))
    share = float(summary.result.feature_share[j])
    told = f"{name}, means {number(means[0], 4)} and {number(means[1], 4)}"
    spread = distribution_picture((X, Y), _normal(problem.a, problem.b), told)
    return Column(
        name, share, share_bar(share, interval, top, name), text, interval is not None, means, low, high, spread
    )


def _normal(a: Array, b: Array) -> tuple[Array, Array]:
    return a / a.sum(), b / b.sum()


def _interval(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)
