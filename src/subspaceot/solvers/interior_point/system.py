"""The linear system of one interior-point step, factored once and solved twice."""

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from ...core.coupling import Sparse
from ...core.rounding import UNIT
from ...linalg.cholesky import CholeskyFactor
from ...linalg.workspace import Workspace
from ...runtime.types import Array


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


class Graph:
    """The pairs (i, j) on which a sparse plan may live, with what depends on them alone."""

    def __init__(self, mask: NDArray[np.bool_]) -> None:
        self.n, self.m = mask.shape
        self.rows, self.columns = np.nonzero(mask)
        first = np.concatenate([[0], np.cumsum(np.count_nonzero(mask, axis=1))])
        self._plan = scipy.sparse.csr_array((np.ones(len(self.rows)), self.columns, first), shape=mask.shape)

    def row_sums(self, x: Array) -> Array:
        """Return the sums of x (e,) over the pairs of each row."""
        sums: Array = np.bincount(self.rows, x, self.n).astype(np.float64, copy=False)
        return sums

    def column_sums(self, x: Array) -> Array:
        """Return the sums of x (e,) over the pairs of each column."""
        sums: Array = np.bincount(self.columns, x, self.m).astype(np.float64, copy=False)
        return sums

    def product(self, x: Array, Y: Array) -> Array:
        """Return x (e,), as an (n, m) matrix, times Y (m, .)."""
        self._plan.data = x
        product: Array = self._plan @ Y
        return product

    def coupling(self, x: Array) -> Sparse:
        """Return x (e,) as masses."""
        plan = self._plan
        return Sparse(scipy.sparse.csr_array((x, plan.indices, plan.indptr), shape=plan.shape))

    def dense(self, x: Array) -> Array:
        """Return x as an (n, m) array that vanishes off the graph."""
        A = np.zeros((self.n, self.m))
        A[self.rows, self.columns] = x
        return A


class NewtonSystem:
    """The normal equations in (f, g, Omega) for pair weights w > 0 and a curvature of Omega's own.

    minimise over (df, dg, dO) with trace dO = 0:
        sum_e w_e (df_i + dg_j + 2 x.dO.y)^2 / 2 + dO.curvature.dO / 2 - right-hand side
    The cost of a pair is x.dO.x - 2 x.dO.y + y.dO.y, but its outer terms go with the potentials: df and dg lack them.
    So a product as large as the points, not the pairs, forms the block of Omega (two thirds of the time of a whole
    solution at r = 30). df is eliminated first, its block is diagonal; what is left has size m + q.

    What does not depend on w is computed once, and all steps work in the same workspace.
    """

    def __init__(self, graph: Graph, X: Array, Y: Array, workspace: Workspace) -> None:
        coordinates = SymmetricCoordinates(X.shape[1])
        n, m, q = graph.n, graph.m, len(coordinates.weight)
        self._graph, self._X, self._Y, self._coordinates = graph, X, Y, coordinates
        self._squares = np.ascontiguousarray((X[:, coordinates.I] * X[:, coordinates.J]).T)
        self._trace = np.concatenate([np.zeros(m), coordinates.vector(np.eye(coordinates.r))])
        self._spread, self._coupling = workspace.array("spread", n, q), workspace.array("coupling", m, q)
        self._fourth = workspace.array("fourth", q, q)
        self._factor = CholeskyFactor(m + q, workspace)
        self._diagonal = self._factor.S.ravel()[: m * (m + q) : m + q + 1]  # of the block of g

    def factor(self, w: Array, curvature: tuple[Array, Array, Array, Array]) -> None:
        """Prepare for `solve` with these weights (e,), and the T, P, Z, R of `fill_block`."""
        from ._system_kernels import add_transpose, fill_block, gather  # numba takes a third of a second to import

        graph, X, Y, coordinates = self._graph, self._X, self._Y, self._coordinates
        weight, m, S = coordinates.weight, graph.m, self._factor.S
        rows = graph.row_sums(w)
        self._root = np.sqrt(rows)
        # The coupling of df with dg, over the root of df's block; that with dO is 2 x.dO.mean.
        self._half = w / self._root[graph.rows]
        self._means = means = graph.product(w, Y) / rows[:, None]
        # Without df, pairs count by how much their y differs from the mean of their row.
        centred = Y[graph.columns] - means[graph.rows]
        self._spread.fill(0.0)
        self._coupling.fill(0.0)
        S[:m, :m] = 0.0
        gather(graph.rows, graph.columns, w, self._half, X, centred, self._spread, self._coupling, S)
        np.multiply(self._coupling.T, weight[:, None], out=S[m:, :m])
        np.matmul(self._squares, self._spread, out=self._fourth)
        add_transpose(self._fourth)
        place = coordinates.I, coordinates.J, coordinates.place
        fill_block(self._fourth, *curvature, *place, weight, S[m:, m:])
        columns = graph.column_sums(w)
        # The potentials have one free constant; the ridge fixes it without touching the step. Each column has its own:
        # a common one would hold those of next to no mass where they are, and what they lack with them.
        self._diagonal += (1.0 + len(S) * UNIT) * columns
        self._factor.factor()
        self._response = self._factor.solve(self._trace)

    def solve(self, rhs_f: Array, rhs_g: Array, rhs_omega: Array) -> tuple[Array, Array, Array, float]:
        """Return df, dg, dO (r, r) and the multiplier ds of trace dO = 0."""
        X, means, graph, m = self._X, self._means, self._graph, self._graph.m
        mixed = (X.T * rhs_f) @ means
        rhs_f = rhs_f / self._root
        rhs_g = rhs_g - graph.column_sums(self._half * rhs_f[graph.rows])
        rhs = np.concatenate([rhs_g, self._coordinates.vector(rhs_omega - mixed - mixed.T)])
        x = self._factor.solve(rhs)
        ds = float(self._trace @ x / (self._trace @ self._response))
        x -= ds * self._response
        dg, omega = x[:m], self._coordinates.matrix(x[m:])
        coupled = graph.row_sums(self._half * dg[graph.columns])
        df = (rhs_f - coupled) / self._root - 2.0 * np.einsum("ij,ij->i", X @ omega, means)
        return df, dg, omega, ds
