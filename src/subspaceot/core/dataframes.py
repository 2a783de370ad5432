"""Tables with named columns to arrays and labels: pandas, polars, pyarrow and what else narwhals reads.

Narwhals is imported when the first table comes. No value is rounded: what float64 cannot hold exactly is refused.
"""

import reprlib
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..runtime.types import Array
from . import exact_numbers
from .columns import NAMED_IN_MESSAGES, Labels, require_unique

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

# Top-level packages whose objects may be tables or columns.
_LIBRARIES = frozenset(
    ["pandas", "polars", "pyarrow", "modin", "cudf", "dask", "duckdb", "_duckdb", "ibis", "pyspark", "narwhals"]
)


def opened(value: Any, name: str) -> "nw.DataFrame[Any] | nw.Series[Any] | None":
    """Return a table or a column of any library behind one interface; None for everything else."""
    if not any(base.__module__.partition(".")[0] in _LIBRARIES for base in type(value).__mro__):
        return None
    import narwhals
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    value = narwhals.to_native(value, pass_through=True)  # a table of narwhals itself may be of another interface
    if type(value).__name__ == "RecordBatch":  # a table in one piece, which narwhals does not read
        import pyarrow

        value = pyarrow.Table.from_batches([value])
    try:
        table = nw.from_native(value, pass_through=True, allow_series=True)
    except DuplicateError:
        require_unique(getattr(value, "column_names", value.columns), name)
        raise
    if isinstance(table, nw.LazyFrame) and table.implementation.is_duckdb():
        table = table.collect()  # a relation has nothing else to hold its rows
    if isinstance(table, nw.LazyFrame):
        raise TypeError(f"`{name}` must be in memory; got a lazy {type(value).__name__}. {_collect_fix(table, name)}")
    return table if isinstance(table, nw.DataFrame | nw.Series) else None


def is_frame(value: Any, name: str) -> bool:
    """Return whether the value is a table with named columns."""
    table = opened(value, name)
    return table is not None and hasattr(table, "columns")


def row_labels(value: Any, name: str) -> NDArray[Any] | None:
    """Return the labels (n,) of a table's rows; None where it has none, or they count the rows from 0."""
    table = opened(value, name)
    if table is None:
        return None
    import narwhals.stable.v2 as nw

    index = nw.maybe_get_index(table)
    if index is None:
        return None
    labels: NDArray[Any] = np.asarray(index)
    counted = labels.dtype.kind in "iu" and np.array_equal(labels, np.arange(len(labels)))
    return None if counted else labels


def read_frame(frame: "nw.DataFrame[Any]", name: str) -> tuple[Array, Labels]:
    """Return the values (n, d) of a table of numbers without missing ones, and the labels of its columns."""
    labels = tuple(frame.columns)
    require_unique(labels, name)
    values = read_values(frame, name)
    _require_complete(frame, values, labels, name)
    return values, labels


def read_values(frame: "nw.DataFrame[Any]", name: str) -> Array:
    """Return the values (n, d) of a table of numbers, missing ones as NaN."""
    whole = _read_at_once(frame)
    if whole is not None:
        return whole
    values = np.empty(frame.shape)
    columns: Iterable[Any] = frame.iter_columns()
    for j, (label, column) in enumerate(zip(frame.columns, columns, strict=True)):
        values[:, j] = read_column(column, name, label)
    return values


def _read_at_once(frame: "nw.DataFrame[Any]") -> Array | None:
    """Return the values (n, d) of a table of floats, or of integers that are all doubles; None for any other.

    One by one 20,000 columns take seconds.
    """
    import narwhals.stable.v2 as nw

    kinds = set(frame.schema.values())
    kind = next(iter(kinds), None)
    if len(kinds) != 1 or not isinstance(kind, nw.Float64 | nw.Float32 | nw.Int64 | nw.Int32 | nw.Int16 | nw.Int8):
        return None
    values = frame.to_numpy()
    # Objects where pandas mixes its own numbers with those of Arrow, floats where integers have gaps.
    if values.dtype.kind != ("f" if kind.is_float() else "i"):
        return None
    floats = exact_numbers.nearest(values)
    return None if exact_numbers.first_rounded(values, floats) is not None else floats


def read_column(column: "nw.Series[Any]", name: str, label: Hashable = None) -> Array:
    """Return the numbers of a column, missing ones as NaN; `label` is what its table calls it, None for a series."""
    given = column.drop_nulls()
    missing = np.zeros(len(column), bool) if len(given) == len(column) else column.is_null().to_numpy().astype(bool)
    entries = _numeric_entries(column, given, name, label)
    floats = exact_numbers.nearest(entries)
    rounded = exact_numbers.first_rounded(entries, floats)
    if rounded is not None:
        row = int(np.flatnonzero(~missing)[rounded[0]])
        place = f"at position {row}" if label is None else f"in row {row}"
        place += " (counted from 0)" + _of_column(label)
        raise exact_numbers.rounding_error(name, entries[rounded], place, are_points=label is not None)
    values = np.full(len(column), np.nan)
    values[~missing] = floats
    return values


def _numeric_entries(column: "nw.Series[Any]", given: "nw.Series[Any]", name: str, label: Hashable) -> NDArray[Any]:
    """Return the entries that are not missing, all of them real numbers, in the type that the table has for them."""
    import narwhals.stable.v2 as nw

    dtype = column.dtype
    if isinstance(dtype, nw.Datetime | nw.Date | nw.Duration):
        _refuse_times(column, name, label)
    may_be_numeric = dtype.is_numeric() or isinstance(dtype, nw.Boolean | nw.Object | nw.Unknown)
    if len(given) and not may_be_numeric:
        _refuse_kind(column, name, label)
    wide = isinstance(dtype, nw.Int128 | nw.UInt128)  # wider than any integer of NumPy
    entries: NDArray[Any] = np.array(given.to_list(), dtype=object) if wide else given.to_numpy()
    if len(given) and not exact_numbers.is_numeric(entries):
        _refuse_kind(column, name, label)
    return entries


# --- what is refused ----------------------------------------------------------------------------------------------


def _require_complete(frame: "nw.DataFrame[Any]", values: Array, labels: Labels, name: str) -> None:
    """Raise ValueError with the number of missing values of each column, if there are any."""
    counts = np.isnan(values).sum(axis=0)
    if not counts.any():
        return
    holes = np.flatnonzero(counts)
    shown = ", ".join(f"{counts[j]} in column {reprlib.repr(labels[j])}" for j in holes[:NAMED_IN_MESSAGES])
    if len(holes) > NAMED_IN_MESSAGES:
        shown += f", and {counts[holes[NAMED_IN_MESSAGES:]].sum()} in {len(holes) - NAMED_IN_MESSAGES} more columns"
    drop = {"pandas": "dropna()", "polars": "fill_nan(None).drop_nulls()", "pyarrow": "drop_null()"}
    example = drop.get(frame.implementation.value)
    fix = "." if example is None else f", for example with `{name}.{example}`."
    raise ValueError(
        f"`{name}` must not have missing values; got {shown}. Fill them in, or leave out such rows or columns{fix}"
    )


def _refuse_times(column: "nw.Series[Any]", name: str, label: Hashable) -> NoReturn:
    """Raise TypeError for times and durations, whose numbers depend on an origin and a unit."""
    import narwhals.stable.v2 as nw

    here = name if label is None else f"{name}[{label!r}]"
    duration = isinstance(column.dtype, nw.Duration)
    kind = "seconds" if duration else "seconds since one `start` for all samples"
    difference = here if duration else f"({here} - start)"
    example = {
        "pandas": f"{difference} / pandas.Timedelta('1s')",
        "polars": f"{difference}.dt.total_microseconds() / 1e6",
        "pyarrow": f"pyarrow.compute.divide({here}.cast('duration[us]').cast('int64'), 1e6)"
        if duration
        else f"pyarrow.compute.seconds_between(start, {here}.cast('timestamp[us]'))",
    }.get(column.implementation.value)
    raise TypeError(
        f"`{name}` must hold numbers; got{_type_of(column, label)}. Convert it first, for example to {kind}"
        f"{'.' if example is None else f': `{example}`.'}"
    )


def _refuse_kind(column: "nw.Series[Any]", name: str, label: Hashable) -> NoReturn:
    """Raise TypeError for a column that holds something other than numbers."""
    if label is None:
        raise TypeError(f"`{name}` must hold numbers; got{_type_of(column, label)}. Convert its entries first.")
    choose = {
        "pandas": f"{name}.select_dtypes('number')",
        "polars": f"{name}.select(polars.selectors.numeric())",
        "pyarrow": f"{name}.drop_columns([{label!r}])",
    }.get(column.implementation.value)
    fix = "." if choose is None else f", for example with `{choose}`."
    raise TypeError(f"`{name}` must have numeric columns only; got{_type_of(column, label)}. Drop or encode it{fix}")


def _collect_fix(table: "nw.LazyFrame[Any]", name: str) -> str:
    fetch = {"polars": f"`{name}.collect()`", "dask": f"`{name}.compute()`"}.get(table.implementation.value)
    return f"Pass {fetch}." if fetch else "Pass it as a table in memory, for example with `.collect()` or `.arrow()`."


def _type_of(column: "nw.Series[Any]", label: Hashable) -> str:
    native = column.to_native()
    dtype = getattr(native, "dtype", None) or getattr(native, "type", column.dtype)
    return f" {'a column' if label is None else f'column {reprlib.repr(label)}'} of type {dtype}"


def _of_column(label: Hashable) -> str:
    return "" if label is None else f" of column {reprlib.repr(label)}"
