"""All pairs of many points, in single precision and never in memory: minima of costs and sums of kernels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..runtime.types import Array, Indices

Single = NDArray[np.float32]

_MULTIPLE = 8  # to which coordinates are padded with zeros: what the loops take at once
ROWS = 4096  # that go past the tiles at once, where something of each pair of a row and a tile is kept
_UNIT = 2.0**-24  # unit roundoff of single precision
_LARGEST, _SMALLEST = 1e15, 1e-12  # sizes of data for which single precision is used: their squares are no extremes


@dataclass(frozen=True, eq=False, slots=True)
class Tiles:
    """Points (m, q) in single precision, in tiles that hold one coordinate after the other."""

    points: Single  # (tiles, p, size), zero where there is no point
    count: int  # m

    @classmethod
    def of(cls, points: Array) -> "Tiles":
        """Return the tiles of the points."""
        from . import _tile_kernels as kernels  # numba takes a third of a second to import

        m, size = len(points), kernels.SIZE
        tiles = -(-m // size)
        rows = np.zeros((tiles * size, _padded(points.shape[1])), dtype=np.float32)
        rows[:m, : points.shape[1]] = points
        ordered = np.ascontiguousarray(rows.reshape(tiles, size, -1).transpose(0, 2, 1))
        return cls(ordered, m)

    def offsets(self, values: Array, fill: float) -> Single:
        """Return a number of each point (m,), in tiles; `fill` where there is no point."""
        tiles, _, size = self.points.shape
        out = np.full(tiles * size, fill, dtype=np.float32)
        out[: self.count] = values
        return out.reshape(tiles, size)


def rows_of(points: Array) -> Single:
    """Return points (n, q) in single precision, padded for the tiles of others."""
    rows = np.zeros((len(points), _padded(points.shape[1])), dtype=np.float32)
    rows[:, : points.shape[1]] = points
    return rows


def minimum(X: Array, Y: Array, g: Array) -> Array | None:
    """Return min_j |x_i - y_j|^2 - g_j (n,), exact but for the rounding of the differences.

    Single precision says in which tiles the least may be, with its rounding errors counted; there double precision
    decides. None where the data are no numbers for single precision.
    """
    from . import _tile_kernels as kernels

    shifts = np.einsum("ij,ij->i", Y, Y) - g
    margins = _margins(X, Y, shifts, _padded(X.shape[1]))
    if margins is None:
        return None
    tiles, rows = Tiles.of(-2.0 * Y), rows_of(X)
    offsets = tiles.offsets(shifts, np.inf)
    least, nearest = np.empty(len(X)), np.empty(len(X), dtype=np.intp)
    X, Y = np.ascontiguousarray(X), np.ascontiguousarray(Y)
    for first in range(0, len(X), ROWS):
        part = slice(first, first + ROWS)
        near = np.empty((len(rows[part]), len(tiles.points)), dtype=np.float32)
        kernels.minima(rows[part], tiles.points, offsets, near)
        kernels.refine(X[part], Y, g, near, margins[part], least[part], nearest[part])
    return least


def nearest(X: Array, Y: Array, g: Array, count: int) -> Indices | None:
    """Return rows j (n, count) with about the smallest |x_i - y_j|^2 - g_j, ascending; None as for `minimum`."""
    from . import _tile_kernels as kernels

    shifts = np.einsum("ij,ij->i", Y, Y) - g
    if _margins(X, Y, shifts, _padded(X.shape[1])) is None:
        return None
    tiles, rows = Tiles.of(-2.0 * Y), rows_of(X)
    offsets = tiles.offsets(shifts, np.inf)
    places = np.zeros((len(X), min(count, len(Y))), dtype=np.intp)
    X, Y = np.ascontiguousarray(X), np.ascontiguousarray(Y)
    for first in range(0, len(X), ROWS):
        part = slice(first, first + ROWS)
        near = np.empty((len(rows[part]), len(tiles.points)), dtype=np.float32)
        kernels.minima(rows[part], tiles.points, offsets, near)
        kernels.several(X[part], Y, g, near, places[part])
    return places


def _margins(X: Array, Y: Array, shifts: Array, p: int) -> Array | None:
    """Return twice what rounding to single precision may change in shifts_j - 2 <x_i, y_j>, for each row (n,).

    Conversions, products and sums: no more than p + 12 roundings of terms whose magnitudes sum up to what is here.
    """
    radii = np.sqrt(np.einsum("ij,ij->i", X, X))
    reach, level = float(np.sqrt(np.einsum("ij,ij->i", Y, Y).max())), float(np.abs(shifts).max())
    scale = max(float(radii.max()), reach, float(np.sqrt(level)))
    if not _SMALLEST < scale < _LARGEST:
        return None
    margins: Array = 2.02 * (p + 12.0) * _UNIT * (2.0 * radii * reach + level) + 1e-30 * scale
    return margins


def _padded(count: int) -> int:
    return -(-count // _MULTIPLE) * _MULTIPLE
