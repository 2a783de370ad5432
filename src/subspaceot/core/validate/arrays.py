"""Whatever holds numbers as a float64 array: the one way in for points, weights and matrices."""

import sys
from typing import Any

from ...runtime.types import Array
from .. import columns, dataframes, exact_numbers


def as_float64(value: object, name: str, expected: str) -> Array:
    """Return anything numeric as a C-ordered float64 array; `expected` completes "must be"."""
    return read(value, name, expected, are_points=False)[0]


def read(value: Any, name: str, expected: str, *, are_points: bool) -> tuple[Array, columns.Labels | None]:
    """Return anything numeric as a C-ordered float64 array, nothing rounded, and the labels of a table's columns."""
    if value is None:
        raise TypeError(f"`{name}` must be {expected}; got None.")
    if _is_sparse(value):
        raise TypeError(
            f"`{name}` must be a dense array; got a scipy.sparse {type(value).__name__}. Pass `{name}.toarray()`."
        )
    table: Any = dataframes.opened(value, name)
    if table is None:
        return exact_numbers.read_array(value, name, expected, are_points=are_points), None
    if hasattr(table, "columns"):
        return dataframes.read_frame(table, name)
    return dataframes.read_column(table, name), None


def _is_sparse(value: object) -> bool:
    """Return whether the value is a scipy.sparse matrix or array, without importing scipy.sparse."""
    sparse = sys.modules.get("scipy.sparse")  # not loaded: nobody can have made one
    return sparse is not None and bool(sparse.issparse(value))
