"""The kernel of an entropic plan between many points: computed again for each product, never in memory."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..runtime.types import Array
from .nearest import minimum
from .tiles import ROWS, Single, Tiles, rows_of

_LOG2_E = 1.4426950408889634
_FAINT = 1e-28  # sums from which on the cut-off of single exponentials, 2^-120, does not matter
_ROWS = 1024  # of a block with one tile: 2 MB in double precision


@dataclass(frozen=True, eq=False, slots=True)
class TiledKernel:
    """K_ij = exp((f_i + g_j - |x_i - y_j|^2) / reg) (n, m), about.

    Each mass is computed by the same operations in single precision whenever it is needed, so these are well-defined
    numbers: sums and products of them are as exact as double precision makes those of an array.
    """

    X: Single  # (n, p) points times 2 log2(e) / reg
    own: Single  # (n,) log2(e) (f_i - |x_i|^2) / reg
    tiles: Tiles  # of the points (m, q)
    offsets: Single  # (tiles, size) log2(e) (g_j - |y_j|^2) / reg

    @classmethod
    def of(cls, X: Array, Y: Array, f: Array, g: Array, reg: float) -> "TiledKernel":
        """Return the kernel of potentials f (n,), g (m,) for the points (n, q), (m, q)."""
        rate = _LOG2_E / reg
        tiles = Tiles.of(Y)
        own = (rate * (f - np.einsum("ij,ij->i", X, X))).astype(np.float32)
        offsets = tiles.offsets(rate * (g - np.einsum("ij,ij->i", Y, Y)), 0.0)
        return cls(rows_of(2.0 * rate * X), own, tiles, offsets)

    @property
    def shape(self) -> tuple[int, int]:
        """N and m."""
        return len(self.X), self.tiles.count

    def blocks(self) -> Iterator[tuple[slice, slice, Array]]:
        """Yield rows, columns and their masses; the array is overwritten by the next ones."""
        from . import _tile_kernels as kernels  # numba takes a third of a second to import

        n, m = self.shape
        size = self.offsets.shape[1]
        out = np.empty((min(_ROWS, n), size))
        for first in range(0, n, _ROWS):
            rows = slice(first, min(first + _ROWS, n))
            for t, (tile, offsets) in enumerate(zip(self.tiles.points, self.offsets, strict=True)):
                columns = slice(t * size, min((t + 1) * size, m))
                block = out[: rows.stop - first]
                kernels.masses(self.X[rows], self.own[rows], tile, offsets, block)
                yield rows, columns, block[:, : columns.stop - columns.start]

    def __matmul__(self, B: Array) -> Array:
        """Return K times B (m, c) or (m,)."""
        product = np.zeros((self.shape[0], *B.shape[1:]))
        for rows, columns, masses in self.blocks():
            product[rows] += masses @ B[columns]
        return product

    def transposed_times(self, B: Array) -> Array:
        """Return K^T times B (n, c) or (n,)."""
        product = np.zeros((self.shape[1], *B.shape[1:]))
        for rows, columns, masses in self.blocks():
            product[columns] += masses.T @ B[rows]
        return product


def soft_minimum(X: Array, Y: Array, g: Array, b: Array, reg: float, guess: Array | None = None) -> Array:
    """Return -reg log sum_j b_j exp((g_j - |x_i - y_j|^2) / reg) (n,), in single precision, for positive b (m,).

    A `guess` (n,) of it is taken out of the exponents. Where that is too far off, and without one, the hard minimum
    is: no more than the answer, and no less than that by more than -reg log min b.
    """
    if guess is None:
        guess = minimum(X, Y, g)
    answer = _corrected(X, Y, g, b, reg, guess)
    lost = np.isnan(answer)
    if lost.any():
        least = minimum(X[lost], Y, g)
        answer[lost] = _corrected(X[lost], Y, g, b, reg, least)
        answer[lost] = np.where(np.isnan(answer[lost]), least, answer[lost])
    return answer


def _corrected(X: Array, Y: Array, g: Array, b: Array, reg: float, guess: Array) -> Array:
    """Return the soft minimum where the guess is good enough, NaN elsewhere."""
    from . import _tile_kernels as kernels

    kernel = TiledKernel.of(X, Y, guess, g + reg * np.log(b), reg)
    kernel.offsets.reshape(-1)[len(Y) :] = -np.inf  # where there is no point
    sums = np.zeros(len(X))
    for first in range(0, len(X), ROWS):  # not all at once: between them Ctrl-C is heard
        rows = slice(first, first + ROWS)
        kernels.sums(kernel.X[rows], kernel.own[rows], kernel.tiles.points, kernel.offsets, sums[rows])
    known = (sums > _FAINT) & (sums < 1.0 / _FAINT)
    return np.where(known, guess - reg * np.log(np.where(known, sums, 1.0)), np.nan)
