"""The linear system of one interior-point step, factored once and solved twice."""

import numpy as np
import scipy.linalg
import scipy.sparse

from .._types import Array


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
        return D[:, self.I] * D[:, self.J] * self.weight

    def sandwich(self, A: Array, B: Array) -> Array:
        """Return the matrix (q, q) of the map H -> (A H B + B H A) / 2 for symmetric A, B."""
        I, J = self.I, self.J
        K = A[np.ix_(I, I)] * B[np.ix_(J, J)]
        K += A[np.ix_(I, J)] * B[np.ix_(J, I)]
        K += A[np.ix_(J, I)] * B[np.ix_(I, J)]
        K += A[np.ix_(J, J)] * B[np.ix_(I, I)]
        K += K.T.copy()
        K *= 0.125 * self.weight
        K *= self.weight[:, None]
        return K


class Graph:
    """The pairs (i, j) on which a sparse plan may live, with what depends on them alone."""

    def __init__(self, rows: Array, columns: Array, n: int, m: int) -> None:
        self.rows, self.columns, self.n, self.m = rows, columns, n, m
        e = len(rows)
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
    df is eliminated first, its block is diagonal; what is left is one Cholesky factor of size m + q.
    """

    def __init__(self, graph: Graph, squares: Array, w: Array, curvature: Array, trace: Array) -> None:
        self._rows = graph.row_sums(w)
        weighted = w[:, None] * squares
        self._coupling = np.hstack([graph.dense(w), -graph.row_sums(weighted)])  # (n, m + q)
        m, q = graph.m, len(trace)
        S = np.zeros((m + q, m + q))
        S[:m, m:] = -graph.column_sums(weighted)
        S[m:, m:] = squares.T @ weighted + curvature
        columns = graph.column_sums(w)
        # The potentials have one free constant; the ridge fixes it without touching the step.
        S[np.arange(m), np.arange(m)] = columns * (1.0 + 1e-12) + 1e-13 * columns.max()
        half = self._coupling / np.sqrt(self._rows)[:, None]
        S -= half.T @ half
        self._factor = scipy.linalg.cho_factor(S, lower=False, overwrite_a=True, check_finite=False)
        self._m = m
        self._trace = np.concatenate([np.zeros(m), trace])
        self._response = self._solve(self._trace)

    def solve(self, rhs_f: Array, rhs_g: Array, rhs_omega: Array) -> tuple[Array, Array, Array, float]:
        """Return df, dg, dO and the multiplier ds of trace dO = 0."""
        rhs = np.concatenate([rhs_g, rhs_omega]) - (rhs_f / self._rows) @ self._coupling
        x = self._solve(rhs)
        ds = float(self._trace @ x / (self._trace @ self._response))
        x -= ds * self._response
        df = (rhs_f - self._coupling @ x) / self._rows
        return df, x[: self._m], x[self._m :], ds

    def _solve(self, rhs: Array) -> Array:
        x: Array = scipy.linalg.cho_solve(self._factor, rhs, check_finite=False)
        return x
