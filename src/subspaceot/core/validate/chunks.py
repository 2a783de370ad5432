"""Data that come in chunks: what is refused names the file and the row."""

import reprlib
from collections.abc import Hashable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...runtime.types import Array
from .. import exact_numbers
from ..columns import listed
from .magnitudes import LARGEST_VALUE, SMALLEST_RANGE
from .messages import described, nonfinite

_LEAST_MEMORY = 5e7  # bytes: what the solver itself needs is more


def require_finite_rows(
    points: Array, weights: Array | None, name: str, file: str, first: int, labels: Sequence[Hashable] | None
) -> None:
    """Raise ValueError for a value that is not finite, or so large that its square overflows, or no weight."""
    if not (points.size == 0 or max(points.max(), -points.min()) <= LARGEST_VALUE):
        row, column = np.argwhere(~(np.abs(points) <= LARGEST_VALUE))[0]
        raise ValueError(
            f"`{name}` must hold finite values of at most {LARGEST_VALUE:g}; got {nonfinite(points[row, column])} in "
            f"row {first + row} (counted from 0), column "
            f"{described_column(int(column) if labels is None else labels[column])} of {file}. Remove or fill in such "
            f"rows first."
        )
    if weights is not None and not bool((weights >= 0.0).all() and (weights <= LARGEST_VALUE).all()):
        row = int(np.argmin((weights >= 0.0) & (weights <= LARGEST_VALUE)))
        raise ValueError(
            f"The weights of `{name}` must be finite and not negative; got {nonfinite(weights[row])} in row "
            f"{first + row} (counted from 0) of {file}. Use 0 for a row that should not count."
        )


def require_doubles(values: NDArray[Any], name: str, file: str, first: int, column: object = None) -> Array:
    """Return numbers as float64; one that float64 cannot hold exactly is an error that names its file and row."""
    floats = exact_numbers.nearest(values)
    rounded = exact_numbers.first_rounded(values, floats)
    if rounded is not None:
        at = rounded[1] if column is None else column
        place = f"in row {first + rounded[0]} (counted from 0), column {described_column(at)} of {file}"
        raise exact_numbers.rounding_error(name, values[rounded], place, are_points=True)
    return floats


def refuse_missing(name: str, file: str, row: int, column: object) -> NoReturn:
    """Raise ValueError for a value that is missing."""
    raise ValueError(
        f"`{name}` must not have missing values; got one in row {row} (counted from 0), column "
        f"{described_column(column)} of {file}. Remove or fill in such rows first."
    )


def refuse_kind(name: str, column: object, kind: object, where: str) -> NoReturn:
    """Raise TypeError for a column that holds something other than numbers."""
    raise TypeError(
        f"`{name}` must have numeric columns only; got column {described_column(column)} of type {kind} in {where}. "
        f"Drop or encode it, for example with `pyarrow.dataset.dataset(...)` over files without it."
    )


def described_column(column: object) -> str:
    """Return a column's label as messages show it."""
    return str(column) if isinstance(column, int | np.integer) else reprlib.repr(column)


def match_columns(
    names: Sequence[Hashable] | None, others: Sequence[Hashable] | None, d: int, other_d: int, name: str, other: str
) -> None:
    """Raise ValueError unless both have the same columns: by name where both have names, else by number."""
    if names is not None and others is not None:
        missing = {f"`{other}`": [x for x in names if x not in set(others)]}
        missing[f"`{name}`"] = [x for x in others if x not in set(names)]
        if any(missing.values()):
            lists = "; ".join(f"missing in {where}: {listed(absent)}" for where, absent in missing.items() if absent)
            raise ValueError(
                f"`{name}` and `{other}` must have the same columns; {lists}. Rename columns or leave some out."
            )
    elif d != other_d:
        raise ValueError(
            f"`{name}` and `{other}` must have the same number of columns; got `{name}` with {d} and `{other}` with "
            f"{other_d}. Pass the same features, in the same order, in both."
        )


def require_any_rows(rows: int, weight: float, name: str, where: str) -> None:
    """Raise ValueError for data without rows, or without weight."""
    if rows == 0:
        raise ValueError(f"`{name}` must hold at least one row; {where} holds none.")
    if not weight > 0.0:
        raise ValueError(f"The weights of `{name}` must have a positive sum; all of {where} are 0.")


def require_same_rows(before: int, now: int, name: str) -> None:
    """Raise ValueError where data changed while they were read."""
    if before != now:
        raise ValueError(
            f"`{name}` must not change while it is read; it had {before} rows in the first pass and {now} in a later "
            f"one. Start again."
        )


def require_visible_range(size: float) -> None:
    """Raise ValueError for points so near each other that squared distances underflow."""
    if 0.0 < size < SMALLEST_RANGE:
        raise ValueError(
            f"`X` and `Y` must differ by more than {SMALLEST_RANGE:g} somewhere, or squared distances underflow; got "
            f"points within {size:.3g} of each other. Rescale all points by one factor first."
        )


def as_memory(value: float, name: str = "memory") -> float:
    """Return a number of bytes that is enough to work with."""
    if not value >= _LEAST_MEMORY:
        raise ValueError(f"`{name}` must be at least {_LEAST_MEMORY:g} bytes; got {value:g}. Pass 1e9 for 1 GB.")
    return value


def as_number_of_cells(value: int, name: str) -> int:
    """Return a power of two, which a balanced tree of splits has for leaves."""
    if value < 2 or value & (value - 1):
        raise ValueError(f"`{name}` must be a power of two, at least 2; got {value}. Pass 2048.")
    return value


def refuse_array(name: str, value: Any) -> NoReturn:
    """Raise TypeError for what is no table in chunks."""
    raise TypeError(
        f"`{name}` must be a 2-dimensional array, numpy.memmap, a Parquet file or folder, a pyarrow dataset, or a Dask "
        f"array or dataframe; got {described(value)}."
    )


def refuse_file(name: str, path: object, reason: str) -> NoReturn:
    """Raise ValueError for a path that cannot be read as a table."""
    raise ValueError(f"`{name}` must be a Parquet file, a folder of them or a .npy file; {path} {reason}.")


def refuse_weights(name: str, what: str, fix: str) -> NoReturn:
    """Raise ValueError for weights that do not go with the data."""
    raise ValueError(f"`{name}` {what}. {fix}")


def refuse_setting(name: str, value: object, fix: str) -> NoReturn:
    """Raise ValueError for a setting that data in chunks cannot have."""
    raise ValueError(f"`{name}` must be left out for data in chunks; got {described(value)}. {fix}")


def require_here(n_jobs: object, metric: str) -> None:
    """Raise ValueError where pairs of data in chunks are to be solved at the same time, or in a way that needs rows."""
    if n_jobs not in (None, 1):
        refuse_setting("n_jobs", n_jobs, "The workers of a Dask client share each pass.")
    if metric == "prw":
        refuse_setting("metric", metric, 'Pass "srw", which bounds it from above.')


def refuse_folder(folder: object, reason: str) -> NoReturn:
    """Raise ValueError for a folder that belongs to other work."""
    raise ValueError(f"`folder` {folder} {reason}. Pass an empty folder, or the one of the same call.")
