"""The linear system of one interior-point step, factored once and solved twice."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from .._types import Array

_BLOCK = 64  # of a triangular substitution


class SymmetricCoordinates:
    """Symmetric (r, r) matrices as vectors (q,), q = r (r + 1) / 2, with the same inner product."""

    def __init__(self, r: int) -> None:
        self.I, self.J = np.triu_indices(r)
        self.weight = np.where(self.I == self.J, 1.0, np.sqrt(2.0))
        self.r = r

    def vector(self, A: Array) -> Array:
        """Return the coordinates of a symmetric matrix."""
        return A[self.I, self.J] * self.weight

    def matrix(self, x: Array) -> Array:
        """Return the symmetric matrix of its coordinates."""
        A = np.empty((self.r, self.r))
        A[self.I, self.J] = A[self.J, self.I] = x / self.weight
        return A

    def squares(self, D: Array) -> Array:
        """Return the coordinates (e, q) of delta delta^T for each row delta of `D` (e, r)."""
        squares = np.empty((len(D), len(self.I)))
        twice = np.sqrt(2.0) * D
        first = 0
        for i in range(self.r):  # row by row of the triangle: a seventh of the time of all at once
            last = first + self.r - i
            np.multiply(D[:, i : i + 1], twice[:, i:], out=squares[:, first:last])
            np.square(D[:, i], out=squares[:, first])
            first = last
        return squares


class Graph:
    """The pairs (i, j) on which a sparse plan may live, with what depends on them alone."""

    def __init__(self, mask: NDArray[np.bool_]) -> None:
        self.n, self.m = mask.shape
        self.rows, self.columns = rows, columns = np.nonzero(mask)
        e = len(rows)
        self._by_row = scipy.sparse.csr_array((np.ones(e), (rows, np.arange(e))), shape=(self.n, e))
        self._by_column = scipy.sparse.csr_array((np.ones(e), (columns, np.arange(e))), shape=(self.m, e))

    def row_sums(self, x: Array, w: Array | None = None) -> Array:
        """Return the sums of x (e,) or (e, q), times w (e,), over the pairs of each row."""
        sums: Array = _weighted(self._by_row, w) @ x
        return sums

    def column_sums(self, x: Array, w: Array | None = None) -> Array:
        """Return the sums of x (e,) or (e, q), times w (e,), over the pairs of each column."""
        sums: Array = _weighted(self._by_column, w) @ x
        return sums

    def sparse(self, x: Array) -> scipy.sparse.csr_array:
        """Return x as an (n, m) matrix that stores the pairs of the graph."""
        return scipy.sparse.csr_array((x, self.columns, self._by_row.indptr), shape=(self.n, self.m))

    def dense(self, x: Array) -> Array:
        """Return x as an (n, m) array that vanishes off the graph."""
        A = np.zeros((self.n, self.m))
        A[self.rows, self.columns] = x
        return A


def _weighted(sums: scipy.sparse.csr_array, w: Array | None) -> scipy.sparse.csr_array:
    """Return the matrix that sums the pairs, each times its weight."""
    if w is None:
        return sums
    return scipy.sparse.csr_array((w[sums.indices], sums.indices, sums.indptr), shape=sums.shape)


class NewtonSystem:
    """The normal equations in (f, g, Omega) for pair weights w > 0 and a curvature of Omega's own.

    `add_curvature` adds that to the lower half of a matrix (q, q); nobody reads the upper half.

    minimise over (df, dg, dO) with trace dO = 0:
        sum_e w_e (df_i + dg_j - <D_e | dO>)^2 / 2 + dO.curvature.dO / 2 - right-hand side
    df is eliminated first, its block is diagonal; what is left has size m + q.

    NumPy's Cholesky and a substitution of our own, not SciPy's: the two packages bring their own BLAS threads, which
    wait for each other when both are used in turn (measured: 24 ms against 5 at size 565).
    """

    def __init__(
        self, graph: Graph, squares: Array, w: Array, add_curvature: Callable[[Array], None], trace: Array
    ) -> None:
        m, q = graph.m, len(trace)
        rows, root = graph.row_sums(w), np.sqrt(w)
        self._root = np.sqrt(rows)
        # The coupling of df with the rest, over the root of df's block: sparse for dg, dense for dO.
        self._half_g = graph.sparse(w / self._root[graph.rows])
        means = graph.row_sums(squares, w) / rows[:, None]
        self._half_O = -self._root[:, None] * means
        # Without df, pairs count by how much they differ from the mean of their row.
        centred = squares - means[graph.rows]
        centred *= root[:, None]
        S = np.zeros((m + q, m + q))
        S[:m, :m] = -(self._half_g.T @ self._half_g).toarray()  # 4 ms against 30 for the dense product at n = 1000
        S[m:, :m] = -graph.column_sums(centred, root).T
        S[m:, m:] = centred.T @ centred  # one symmetric product, at two thirds of the price of another
        add_curvature(S[m:, m:])
        columns = graph.column_sums(w)
        # The potentials have one free constant; the ridge fixes it without touching the step.
        S[np.arange(m), np.arange(m)] += columns + 1e-13 * columns.max()
        self._factor = _Factor(S)
        self._m = m
        self._trace = np.concatenate([np.zeros(m), trace])

    def solve(self, rhs_f: Array, rhs_g: Array, rhs_omega: Array) -> tuple[Array, Array, Array, float]:
        """Return df, dg, dO and the multiplier ds of trace dO = 0."""
        rhs_f = rhs_f / self._root
        rhs = np.concatenate([rhs_g - rhs_f @ self._half_g, rhs_omega - rhs_f @ self._half_O])
        x, response = self._factor.solve(np.stack([rhs, self._trace], axis=1)).T
        ds = float(self._trace @ x / (self._trace @ response))
        x = x - ds * response
        dg, dO = x[: self._m], x[self._m :]
        df = (rhs_f - self._half_g @ dg - self._half_O @ dO) / self._root
        return df, dg, dO, ds


class _Factor:
    """A positive definite matrix, given by its lower half and factored once: half the time of two LU solves."""

    def __init__(self, S: Array) -> None:
        self._S = S
        self._starts = range(0, len(S), _BLOCK)
        self._inverses: list[Any] = []
        try:
            self._L: Any = np.linalg.cholesky(S)
        except np.linalg.LinAlgError:  # definite but for rounding, near the end of the path
            self._L = None
        else:
            self._inverses = [np.linalg.inv(self._L[i : i + _BLOCK, i : i + _BLOCK]) for i in self._starts]

    def solve(self, rhs: Array) -> Array:
        """Return S^-1 rhs (., q), block by block through L and L^T."""
        L = self._L
        if L is None:
            whole = np.tril(self._S) + np.tril(self._S, -1).T
            solution: Array = np.asarray(np.linalg.solve(whole, rhs), dtype=np.float64)
            return solution
        x = rhs.copy()
        for i, inverse in zip(self._starts, self._inverses, strict=True):
            x[i : i + _BLOCK] = inverse @ x[i : i + _BLOCK]
            x[i + _BLOCK :] -= L[i + _BLOCK :, i : i + _BLOCK] @ x[i : i + _BLOCK]
        for i, inverse in zip(reversed(self._starts), reversed(self._inverses), strict=True):
            x[i : i + _BLOCK] -= L[i + _BLOCK :, i : i + _BLOCK].T @ x[i + _BLOCK :]
            x[i : i + _BLOCK] = inverse.T @ x[i : i + _BLOCK]
        return x
