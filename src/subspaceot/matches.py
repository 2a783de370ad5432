"""Which rows a result matches with which, as a table."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .core.table import Table
from .runtime.blocks import blocks
from .runtime.types import Array, Indices

if TYPE_CHECKING:
    from .result import Result


def match_table(result: "Result") -> Table:
    """Return one row per atom of the sparse plan, row by row of X, the largest mass first.

    `row_X` and `row_Y` are the labels of the rows, or their numbers from 0 on; `mass` is the mass that goes from one to
    the other, `part` that mass as a share of the row of X, and `squared_displacement` their squared distance in Omega.
    """
    atoms = result.sparse_plan.tocoo()
    massive = atoms.data > 0.0
    rows, columns, mass = atoms.row[massive], atoms.col[massive], atoms.data[massive]
    order = np.lexsort((columns, -mass, rows))
    rows, columns, mass = rows[order], columns[order], mass[order]
    frame = result.problem.frame
    of_X, of_Y = (row_labels(index, size) for index, size in zip(frame.index, (frame.n, frame.m), strict=True))
    total = np.bincount(rows, mass, minlength=frame.n)
    return Table(
        {
            "row_X": of_X[rows],
            "row_Y": of_Y[columns],
            "mass": mass,
            "part": mass / total[rows],
            "squared_displacement": _squared_displacements(result, rows, columns),
        }
    )


def row_labels(index: NDArray[Any] | None, size: int) -> NDArray[Any]:
    """Return the labels of so many rows: the caller's, or their numbers from 0 on."""
    return np.arange(size) if index is None else index


def _squared_displacements(result: "Result", rows: Indices, columns: Indices) -> Array:
    """Return |F^T (x_i - y_j)|^2 of some pairs, by differences of points."""
    X, Y, F = result.problem.frame.X, result.problem.frame.Y, result.factor
    squares = np.empty(len(rows))
    for part in blocks(len(rows), X.shape[1]):
        squares[part] = np.square((X[rows[part]] - Y[columns[part]]) @ F).sum(axis=1)
    return squares
