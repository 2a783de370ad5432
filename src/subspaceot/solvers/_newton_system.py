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
        # Rows in one piece: sparse products would copy anything else, a tenth of the time of a step.
        return np.ascontiguousarray(D[:, self.I] * D[:, self.J] * self.weight)

    def sandwich(self, A: Array, B: Array) -> Array:
        """Return the matrix (q, q) of the map H -> (A H B + B H A) / 2 for symmetric A, B."""
        i, j = self.I, self.J
        Ai, Aj, Bi, Bj = A[i], A[j], B[i], B[j]  # rows, then columns: three times faster than both at once
        K: Array = Ai.take(i, axis=1) * Bj.take(j, axis=1)
        K += Ai.take(j, axis=1) * Bj.take(i, axis=1)
        K += Aj.take(i, axis=1) * Bi.take(j, axis=1)
        K += Aj.take(j, axis=1) * Bi.take(i, axis=1)
        K *= 0.25 * self.weight
        K *= self.weight[:, None]
        return K


class Graph:
    """The pairs (i, j) on which a sparse plan may live, with what depends on them alone."""

    def __init__(self, mask: NDArray[np.bool_]) -> None:
        self.n, self.m = mask.shape
        self.rows, self.columns = rows, columns = np.nonzero(mask)
        n, m, e = self.n, self.m, len(rows)
        ones, order = np.ones(e), np.arange(e)
        self._by_row = scipy.sparse.csr_array((ones, (rows, order)), shape=(n, e))
        self._by_column = scipy.sparse.csr_array((ones, (columns, order)), shape=(m, e))

    def row_sums(self, x: Array) -> Array:
        """Return the sums of x (e,) or (e, q) over the pairs of each row."""
        sums: Array = self._by_row @ x
        return sums

    def column_sums(self, x: Array) -> Array:
        """Return the sums of x (e,) or (e, q) over the pairs of each column."""
        sums: Array = self._by_column @ x
        return sums

    def dense(self, x: Array) -> Array:
        """Return x as an (n, m) array that vanishes off the graph."""
        A = np.zeros((self.n, self.m))
        A[self.rows, self.columns] = x
        return A


class NewtonSystem:
    """The normal equations in (f, g, Omega) for pair weights w > 0 and a curvature (q, q) of Omega's own.

    minimise over (df, dg, dO) with trace dO = 0:
        sum_e w_e (df_i + dg_j - <D_e | dO>)^2 / 2 + dO.curvature.dO / 2 - right-hand side
    df is eliminated first, its block is diagonal; what is left has size m + q.

    NumPy's Cholesky and a substitution of our own, not SciPy's: the two packages bring their own BLAS threads, which
    wait for each other when both are used in turn (measured: 24 ms against 5 at size 565).
    """

    def __init__(self, graph: Graph, squares: Array, w: Array, curvature: Array, trace: Array) -> None:
        m, q = graph.m, len(trace)
        root = np.sqrt(w)[:, None] * squares  # its Gram matrix is one symmetric product, at two thirds of the price
        self._root = np.sqrt(graph.row_sums(w))
        self._half = np.empty((graph.n, m + q))  # the coupling of df with the rest, over the root of df's block
        self._half[:, :m] = graph.dense(w)
        weighted = w[:, None] * squares
        self._half[:, m:] = -graph.row_sums(weighted)
        self._half /= self._root[:, None]
        S = self._half.T @ self._half
        np.negative(S, out=S)
        cross = graph.column_sums(weighted)
        S[:m, m:] -= cross
        S[m:, :m] -= cross.T
        S[m:, m:] += root.T @ root
        S[m:, m:] += curvature
        columns = graph.column_sums(w)
        # The potentials have one free constant; the ridge fixes it without touching the step.
        S[np.arange(m), np.arange(m)] += columns + 1e-13 * columns.max()
        self._factor = _Factor(S)
        self._m = m
        self._trace = np.concatenate([np.zeros(m), trace])

    def solve(self, rhs_f: Array, rhs_g: Array, rhs_omega: Array) -> tuple[Array, Array, Array, float]:
        """Return df, dg, dO and the multiplier ds of trace dO = 0."""
        rhs_f = rhs_f / self._root
        rhs = np.concatenate([rhs_g, rhs_omega]) - rhs_f @ self._half
        x, response = self._factor.solve(np.stack([rhs, self._trace], axis=1)).T
        ds = float(self._trace @ x / (self._trace @ response))
        x = x - ds * response
        df = (rhs_f - self._half @ x) / self._root
        return df, x[: self._m], x[self._m :], ds


class _Factor:
    """A positive definite matrix, factored once: half the time of two LU solves at size 565."""

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
            solution: Array = np.asarray(np.linalg.solve(self._S, rhs), dtype=np.float64)
            return solution
        x = rhs.copy()
        for i, inverse in zip(self._starts, self._inverses, strict=True):
            x[i : i + _BLOCK] = inverse @ x[i : i + _BLOCK]
            x[i + _BLOCK :] -= L[i + _BLOCK :, i : i + _BLOCK] @ x[i : i + _BLOCK]
        for i, inverse in zip(reversed(self._starts), reversed(self._inverses), strict=True):
            x[i : i + _BLOCK] -= L[i + _BLOCK :, i : i + _BLOCK].T @ x[i + _BLOCK :]
            x[i : i + _BLOCK] = inverse.T @ x[i : i + _BLOCK]
        return x
