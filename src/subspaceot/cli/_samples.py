"""From tables to samples: the columns that count, matched by name, and the rows without gaps."""

import datetime
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core import validate
from ..runtime.types import Array
from ..tables.scaling import standardized
from ._errors import BadInput
from ._files import Table, listed, read_table
from ._print import note
from ._rows import Sample, drawn

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read the files: one field per option."""

    weights: str | None = None
    standardize: bool = False
    drop_missing: bool = False
    ignore: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    separator: str | None = None
    header: bool = True
    units: str | None = None
    strata: str | None = None

    @property
    def labels(self) -> dict[str, str]:
        """Columns of labels, which are no features, by their options."""
        given = {"--units": self.units, "--strata": self.strata}
        return {option: column for option, column in given.items() if column is not None}


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Samples that share their columns."""

    each: tuple[Sample, ...]
    columns: tuple[str, ...]
    scales: tuple[float, ...]  # what each column was divided by; 1 unless they were standardized

    @property
    def d(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def part(self, kept: Sequence[np.ndarray]) -> "Samples":
        """Return some of the rows of each."""
        return replace(self, each=tuple(sample.part(rows) for sample, rows in zip(self.each, kept, strict=True)))


def load_pair(files: Sequence[str], group: str | None, reading: Reading) -> Samples:
    """Return the two samples in two files, or in the two groups of one."""
    if group is None:
        if len(files) != 2:
            raise BadInput(f"Give two files, or one file and --group COLUMN, which splits it; got {len(files)} files.")
        return load(files, reading)
    if len(files) != 1:
        raise BadInput(f"--group splits one file; got {len(files)} files. Leave out --group, or give one file.")
    table = read_table(files[0], separator=reading.separator, header=reading.header)
    return _samples(_split(table, group, reading), replace(reading, ignore=(*reading.ignore, group)))


def load(files: Sequence[str], reading: Reading) -> Samples:
    """Return one sample per file."""
    tables = [read_table(name, separator=reading.separator, header=reading.header) for name in files]
    return _samples(tables, reading)


def _split(table: Table, group: str, reading: Reading) -> list[Table]:
    """Return the two groups of a table, the one that comes first in the file first."""
    _require_column(table, group, "--group")
    labels = table.frame[group]
    missing = int(labels.isna().sum())
    if missing and not reading.drop_missing:
        raise BadInput(
            f"Column {group!r} of {table.name} has {_count(missing, 'missing value')}. Fill them in, or add "
            f"--drop-missing to leave out those rows."
        )
    values = list(dict.fromkeys(labels.dropna()))
    if len(values) != 2:
        found = f"it holds only {values[0]!r}" if len(values) == 1 else f"it holds {len(values)}: "
        found += listed([str(value) for value in values], most=5) if len(values) > 1 else ""
        raise BadInput(f"--group needs a column with exactly two different values; in column {group!r} {found}.")
    parts = [table.frame[labels == value] for value in values]
    if missing:
        note(f"left out {_count(missing, 'row')} of {table.name} without a value in {group!r}")
    return [
        Table(f"{group} = {value}", part, table.nameless if first else 0, table.inexact)
        for value, part, first in zip(values, parts, (True, False), strict=True)
    ]


def _samples(tables: Sequence[Table], reading: Reading) -> Samples:
    for table in tables:
        if table.nameless:
            note(f"left out of {table.name}: {_count(table.nameless, 'column')} without a name")
    options = {"--weights": reading.weights, **reading.labels}
    for option, column in options.items():
        if column is not None:
            for table in tables:
                _require_column(table, column, option)
    for name in reading.ignore:
        if not any(name in table.frame.columns for table in tables):
            raise BadInput(f"--ignore {name!r} names no column of {tables[0].name}; {_columns_of(tables[0])}.")
    columns = _shared_numeric(tables, reading)
    names = _short_names([table.name for table in tables])
    samples = [_sample(name, table, columns, reading) for name, table in zip(names, tables, strict=True)]
    if reading.sample is not None:
        samples = drawn(samples, reading.sample, reading.seed)
    scales = [1.0] * len(columns)
    if reading.standardize:
        samples, columns, scales = _standardized(samples, columns)
    return Samples(tuple(samples), tuple(columns), tuple(scales))


# Columns ------------------------------------------------------------------------------------------------------------


def _shared_numeric(tables: Sequence[Table], reading: Reading) -> list[str]:
    """Return the columns that are numbers in every table, in the order of the first; say what is left out."""
    aside = {*reading.ignore, reading.weights, *reading.labels.values()}
    in_all = set.intersection(*(set(table.frame.columns) for table in tables))
    for table in tables:
        own = [name for name in table.frame.columns if name not in in_all and name not in aside]
        if own:
            note(f"left out, as not every file has them: {listed(own)} of {table.name}")
    text: dict[str, str] = {}
    dates: dict[str, None] = {}
    for table in tables:
        for name in table.frame.columns:
            numbers = name in table.inexact or _is_numeric(table.frame[name])
            if name not in in_all or name in aside or numbers:
                continue
            if _is_date(table.frame[name]):
                dates[name] = None
            else:
                text.setdefault(name, _why_not(table.frame[name]))
    if dates:
        note(
            f"left out, as they are dates or times: {listed(list(dates))}; to compare them, save them as numbers, such "
            f"as days since the first"
        )
    if text:
        note("left out, as they are not numbers: " + ", ".join(f"{name!r}{why}" for name, why in text.items()))
    columns = [name for name in tables[0].frame.columns if name in in_all and name not in {*aside, *dates, *text}]
    if not columns:
        shared = "share no column name" if not in_all else "share no column of numbers"
        held = "; ".join(f"{table.name} has {listed(list(table.frame.columns))}" for table in tables[:2])
        raise BadInput(f"{_names(tables)} {shared}: {held}.")
    return columns


def _is_numeric(column: "pd.Series") -> bool:
    from pandas.api.types import is_complex_dtype, is_numeric_dtype

    return is_numeric_dtype(column.dtype) and not is_complex_dtype(column.dtype)


def _is_date(column: "pd.Series") -> bool:
    """Return whether a column holds dates, times of day or durations."""
    if column.dtype.kind in "Mm":
        return True
    kinds = set(map(type, column.dropna())) if column.dtype == object else set()
    return bool(kinds) and kinds <= {datetime.date, datetime.time, datetime.datetime, datetime.timedelta}


def _why_not(column: "pd.Series") -> str:
    """Return a hint where a column is numbers but for a few entries: one typing error hides the column."""
    import pandas as pd

    given = column.dropna()
    bad = given[pd.to_numeric(given, errors="coerce").isna()]
    if len(bad) == 0 or 2 * len(bad) > len(given):
        return ""
    return f" (row {bad.index[0]} holds {str(bad.iloc[0])!r}; {_count(len(given) - len(bad), 'other')} are numbers)"


# Rows ---------------------------------------------------------------------------------------------------------------


def _sample(name: str, table: Table, columns: list[str], reading: Reading) -> Sample:
    wanted = [*columns, *([reading.weights] if reading.weights is not None else [])]
    for column in wanted:
        if column in table.inexact:
            raise BadInput(_would_round(table, column, reading))
    if reading.weights is not None and not _is_numeric(table.frame[reading.weights]):
        raise BadInput(f"--weights {reading.weights!r} must be a column of numbers; in {table.name} it is not.")
    frame = _without_gaps(table, wanted, reading)
    values = frame[wanted].to_numpy(dtype=np.float64)
    rows = frame.index.to_numpy()
    weights = None
    if reading.weights is not None:
        weights, values = values[:, -1], values[:, :-1]
        _check_weights(weights, rows, reading.weights, table.name)
    try:
        points = validate.as_points(np.ascontiguousarray(values), table.name)
    except ValueError as error:
        raise BadInput(str(error).replace("`", "")) from error
    units, strata = (None if c is None else frame[c].to_numpy(dtype=object) for c in (reading.units, reading.strata))
    return Sample(name, points, weights, rows, units, strata)


def _without_gaps(table: Table, wanted: list[str], reading: Reading) -> "pd.DataFrame":
    """Return the rows in which numbers are finite and labels are there: all, or those that --drop-missing leaves."""
    frame, labels = table.frame, list(reading.labels.values())
    values = frame[wanted].to_numpy(dtype=np.float64, na_value=np.nan)
    finite = np.column_stack([np.isfinite(values), frame[labels].notna().to_numpy(dtype=bool)])
    complete = np.asarray(finite.all(axis=1))
    if not complete.all():
        if not reading.drop_missing:
            counts = (~finite).sum(axis=0)
            per_column = [f"{c!r} {count}" for c, count in zip([*wanted, *labels], counts, strict=True) if count]
            shown = ", ".join(per_column[:12]) + (f" and {len(per_column) - 12} more columns" * (len(per_column) > 12))
            raise BadInput(
                f"{table.name} has missing or infinite values: {shown}. Fill them in, add --drop-missing to leave out "
                f"those rows, or --ignore COLUMN to leave out a column."
            )
        if not complete.any():
            raise BadInput(f"Every row of {table.name} has a missing value; --drop-missing would leave none.")
        note(f"left out {_count(int((~complete).sum()), 'row')} of {len(complete)} of {table.name} with missing values")
        frame = frame[complete]
    return frame


def _would_round(table: Table, column: str, reading: Reading) -> str:
    """Return why a column with integers that are no doubles is refused, and what helps."""
    advice = f"if it is an id, add --ignore {column!r}; otherwise subtract a constant, change the unit"
    return (
        f"Column {column!r} of {table.name} holds integers that double precision would round: {table.inexact[column]}; "
        f"{'change the unit' if column == reading.weights else advice}, or write the numbers with a decimal point to "
        f"have them rounded."
    )


def _check_weights(weights: Array, rows: np.ndarray, column: str, name: str) -> None:
    if (weights < 0.0).any():
        at = int(np.argmax(weights < 0.0))
        raise BadInput(f"--weights {column!r} must not be negative; row {rows[at]} of {name} holds {weights[at]:g}.")
    if not (weights > 0.0).any():
        raise BadInput(f"--weights {column!r} must be positive somewhere; all of {name} is 0.")


def _standardized(samples: list[Sample], columns: list[str]) -> tuple[list[Sample], list[str], list[float]]:
    scaled, deviation = standardized([sample.points for sample in samples], [sample.weights for sample in samples])
    constant = [name for name, scale in zip(columns, deviation, strict=True) if scale == 0.0]
    if len(constant) == len(columns):
        raise BadInput("Every column is constant, so that --standardize has nothing to scale. Leave it out.")
    if constant:
        note(f"left out by --standardize, as they are constant: {listed(constant)}")
    samples = [replace(sample, points=points) for sample, points in zip(samples, scaled, strict=True)]
    kept = [name for name in columns if name not in constant]
    return samples, kept, [float(scale) for scale in deviation if scale > 0.0]


# Words --------------------------------------------------------------------------------------------------------------


def _require_column(table: Table, column: str, option: str) -> None:
    if column not in table.frame.columns:
        raise BadInput(f"{option} {column!r} names no column of {table.name}; {_columns_of(table)}.")


def _columns_of(table: Table) -> str:
    return f"its columns are {listed([str(name) for name in table.frame.columns])}"


def _names(tables: Sequence[Table]) -> str:
    names = [table.name for table in tables]
    return " and ".join(names) if len(names) <= 2 else f"The {len(names)} files"


def _is_plain(name: str) -> bool:
    """Return whether a name is that of a regular file, not of a pipe such as /dev/fd/63, nor a group."""
    return os.path.isfile(name) and not Path(name).is_relative_to("/dev")  # a group may be too long for a path


def _short_names(names: list[str]) -> list[str]:
    """Return the names without folders and endings where that still tells them apart."""
    for part in ("stem", "name"):
        short = [str(getattr(Path(name), part)) if _is_plain(name) else name for name in names]
        if len(set(short)) == len(short):
            return short
    return names


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
