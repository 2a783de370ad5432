"""The linear system of one interior-point step, factored once and solved twice."""

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
        self.place = np.empty((r, r), dtype=np.int64)  # of an entry among the coordinates
        self.place[self.I, self.J] = self.place[self.J, self.I] = np.arange(len(self.I))

    def vector(self, A: Array) -> Array:
        """Return the coordinates of a symmetric matrix."""
        return A[self.I, self.J] * self.weight

    def matrix(self, x: Array) -> Array:
        """Return the symmetric matrix of its coordinates."""
        A = np.empty((self.r, self.r))
        A[self.I, self.J] = A[self.J, self.I] = x / self.weight
        return A

    def twofold(self, X: Array, Y: Array) -> Array:
        """Return the coordinates (n, q) of x y^T + y x^T for the rows of `X` and `Y` (n, r)."""
        return (X[:, self.I] * Y[:, self.J] + X[:, self.J] * Y[:, self.I]) * self.weight


class Graph:
    """The pairs (i, j) on which a sparse plan may live, with what depends on them alone."""

    def __init__(self, mask: NDArray[np.bool_]) -> None:
        self.n, self.m = mask.shape
        self.rows, self.columns = rows, columns = np.nonzero(mask)
        e = len(rows)
        self._by_row = scipy.sparse.csr_array((np.ones(e), (rows, np.arange(e))), shape=(self.n, e))
        self._by_column = scipy.sparse.csr_array((np.ones(e), (columns, np.arange(e))), shape=(self.m, e))

    def row_sums(self, x: Array) -> Array:
        """Return the sums of x (e,) over the pairs of each row."""
        sums: Array = self._by_row @ x
        return sums

    def column_sums(self, x: Array) -> Array:
        """Return the sums of x (e,) over the pairs of each column."""
        sums: Array = self._by_column @ x
        return sums

    def sparse(self, x: Array) -> scipy.sparse.csr_array:
        """Return x as an (n, m) matrix that stores the pairs of the graph."""
        return scipy.sparse.csr_array((x, self.columns, self._by_row.indptr), shape=(self.n, self.m))

    def dense(self, x: Array) -> Array:
        """Return x as an (n, m) array that vanishes off the graph."""
        A = np.zeros((self.n, self.m))
        A[self.rows, self.columns] = x
        return A


class NewtonSystem:
    """The normal equations in (f, g, Omega) for pair weights w > 0 and a curvature of Omega's own.

    minimise over (df, dg, dO) with trace dO = 0:
        sum_e w_e (df_i + dg_j - <D_e | dO>)^2 / 2 + dO.curvature.dO / 2 - right-hand side
    <D_e | dO> = x.dO.x - 2 x.dO.y + y.dO.y, of which the outer terms go with df and dg, and only -2 x.dO.y couples the
    pairs: a product as large as the points, not the pairs, forms the block of Omega (two thirds of the time of a whole
    solution at r = 30). df is eliminated first, its block is diagonal; what is left has size m + q.

    NumPy's Cholesky and a substitution of our own, not SciPy's: the two packages bring their own BLAS threads, which
    wait for each other when both are used in turn (measured: 24 ms against 5 at size 565).
    """

    def __init__(
        self,
        graph: Graph,
        X: Array,
        Y: Array,
        w: Array,
        coordinates: SymmetricCoordinates,
        curvature: tuple[Array, Array, Array, Array],
    ) -> None:
        from ._curvature import add_blocks, gather  # numba takes a third of a second to import

        self._X, self._Y, self._coordinates = X, Y, coordinates
        n, m, q = graph.n, graph.m, len(coordinates.weight)
        rows = graph.row_sums(w)
        self._root = np.sqrt(rows)
        # The coupling of df with the rest, over the root of df's block: sparse for dg, dense for dO.
        self._half_g = graph.sparse(w / self._root[graph.rows])
        means = (graph.sparse(w) @ Y) / rows[:, None]
        self._half_O = self._root[:, None] * coordinates.twofold(X, means)
        # Without df, pairs count by how much their y differs from the mean of their row.
        centred = Y[graph.columns] - means[graph.rows]
        spread, coupling = np.zeros((n, q)), np.zeros((m, q))
        gather(graph.rows, graph.columns, w, X, centred, spread, coupling)
        S = np.zeros((m + q, m + q))
        S[:m, :m] = -(self._half_g.T @ self._half_g).toarray()  # 4 ms against 30 for the dense product at n = 1000
        S[m:, :m] = (coupling * coordinates.weight).T
        fourth = (X[:, coordinates.I] * X[:, coordinates.J]).T @ spread
        place = coordinates.I, coordinates.J, coordinates.place, coordinates.weight
        add_blocks(fourth, *curvature, *place, S[m:, m:])
        columns = graph.column_sums(w)
        # The potentials have one free constant; the ridge fixes it without touching the step.
        S[np.arange(m), np.arange(m)] += columns + 1e-13 * columns.max()
        self._factor = _Factor(S)
        self._m = m
        self._trace = np.concatenate([np.zeros(m), coordinates.vector(np.eye(coordinates.r))])

    def solve(self, rhs_f: Array, rhs_g: Array, rhs_omega: Array) -> tuple[Array, Array, Array, float]:
        """Return df, dg, dO (r, r) and the multiplier ds of trace dO = 0."""
        X, Y = self._X, self._Y
        rhs_omega = self._coordinates.vector(rhs_omega + (X.T * rhs_f) @ X + (Y.T * rhs_g) @ Y)
        rhs_f = rhs_f / self._root
        rhs = np.concatenate([rhs_g - rhs_f @ self._half_g, rhs_omega - rhs_f @ self._half_O])
        x, response = self._factor.solve(np.stack([rhs, self._trace], axis=1)).T
        ds = float(self._trace @ x / (self._trace @ response))
        x = x - ds * response
        dg, dO = x[: self._m], x[self._m :]
        df = (rhs_f - self._half_g @ dg - self._half_O @ dO) / self._root
        omega = self._coordinates.matrix(dO)
        df += np.einsum("ij,ij->i", X @ omega, X)
        dg = dg + np.einsum("ij,ij->i", Y @ omega, Y)
        return df, dg, omega, ds


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
