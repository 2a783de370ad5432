"""Steps along the central path: predictor and corrector with the HKM direction (Mehrotra), centred (Gondzio).

min trace Z + k s   over plans pi >= 0 with marginals a, b and Z >= 0, T = Z + s I - V(pi) >= 0
max a.f + b.g       over Omega, trace k, 0 <= Omega <= I, with slacks <Omega | D_e> - f_i - g_j >= 0

D_e is the square (x_i - y_j)(x_i - y_j)^T of the pair e = (i, j). At the optimum pi * slack = 0, T Omega = 0 and
Z (I - Omega) = 0; on the central path all three equal mu (times I), and the gap is mu times their number.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...core import fantope
from ...core.problem import Problem
from ...linalg.workspace import Workspace
from ...runtime.types import Array
from .iterate import INSIDE, PathPoint
from .system import Graph, NewtonSystem

_TO_BORDER = 0.95  # of the way to the border of the cones (textbooks: 0.9 to 0.9995)


def iterates(
    problem: Problem, graph: Graph, point: PathPoint, tol: float, workspace: Workspace, correctors: int
) -> Iterator[tuple[PathPoint, PathPoint]]:
    """Yield points along the central path until the relative gap is `tol` or double precision is spent.

    With each comes where the full step would have led. That may be outside of the cones, so nothing goes on from
    there, but what it proves once it is brought back is mostly better: three quarters of the gap in the median.

    Steps are lengthened by so many centrality `correctors` at most. Only one iterator at a time may use a `workspace`.
    """
    system = NewtonSystem(graph, problem.X, problem.Y, workspace)
    while True:
        try:
            equations = _Equations(problem, graph, system, point)
        except np.linalg.LinAlgError:
            return
        move, (primal, dual) = equations.step(correctors)
        full = point.moved(move, 1.0, 1.0)
        point = equations.measured(point.moved(move, min(1.0, _TO_BORDER * primal), min(1.0, _TO_BORDER * dual)))
        if not np.isfinite(point.gap):
            return
        yield point, full
        if point.gap <= tol or max(primal, dual) < INSIDE:  # nearer to a border than a start
            return


class _Equations:
    """Newton's equations at one point of the path, for any target mu and second-order correction."""

    def __init__(self, problem: Problem, graph: Graph, system: NewtonSystem, point: PathPoint) -> None:
        self._problem, self._graph, self._system, self._point = problem, graph, system, point
        X, Y, eye = problem.X, problem.Y, np.eye(problem.r)
        self._missing_a = problem.a - graph.row_sums(point.pi)
        self._missing_b = problem.b - graph.column_sums(point.pi)
        V = (X.T * problem.a) @ X + (Y.T * problem.b) @ Y + self._cross_moments(point.pi)  # once the marginals are met
        self._missing_V = point.Z + point.s * eye - point.T - V
        self._cones = _Roots(np.stack([point.omega, eye - point.omega, point.T, point.Z]))
        self._omega_inverse, self._rest_inverse = self._cones.inverses[:2]
        self._w = point.pi / point.slack
        system.factor(self._w, (point.T, self._omega_inverse, point.Z, self._rest_inverse))

    def step(self, correctors: int) -> tuple[PathPoint, tuple[float, float]]:
        """Return a step towards the centring mu (mu_predicted / mu)^3, and its primal and dual lengths."""
        gap, predictor = self._point.complementarity(), self.direction(0.0)
        predicted = self._point.moved(predictor, *_at_most_full(self.step_lengths(predictor))).complementarity()
        mu = gap / (len(self._graph.rows) + 2 * self._problem.r) * min(1.0, max(0.0, predicted / gap)) ** 3
        return self.centred(self.direction(mu, predictor), mu, correctors)

    def step_lengths(self, move: PathPoint) -> tuple[float, float]:
        """Return the longest primal and dual steps that stay inside all cones."""
        at = self._point
        of_omega, of_rest, of_T, of_Z = self._cones.to_edge(np.stack([move.omega, -move.omega, move.T, move.Z]))
        primal = min(_to_border(at.pi, move.pi), of_T, of_Z)
        dual = min(_to_border(at.slack, move.slack), of_omega, of_rest)
        return primal, dual

    def direction(self, mu: float, predictor: PathPoint | None = None) -> PathPoint:
        """Return the step towards complementarity `mu`, less the products of `predictor` where one is given."""
        at, sym = self._point, fantope.symmetric
        pi = mu / at.slack - at.pi
        T = mu * self._omega_inverse - at.T
        Z = mu * self._rest_inverse - at.Z
        if predictor is not None:
            pi -= predictor.pi * predictor.slack / at.slack
            T -= sym(predictor.T @ predictor.omega @ self._omega_inverse)
            Z += sym(predictor.Z @ predictor.omega @ self._rest_inverse)
        return self._towards(pi, T, Z, missing=1.0)

    def centred(self, move: PathPoint, mu: float, correctors: int) -> tuple[PathPoint, tuple[float, float]]:
        """Return a longer step than `move`, if there is one, and its lengths.

        Where after a full step a product would be less than `mu`, it is lifted to it (Gondzio's centrality correctors);
        those that are too large do no harm.
        """
        at, eye = self._point, np.eye(self._problem.r)
        lengths = self.step_lengths(move)
        for _ in range(correctors):
            ahead = at.moved(move, 1.0, 1.0)
            pi = np.maximum(mu - ahead.pi * ahead.slack, 0.0) / at.slack
            T, Z = self._cones.lifts(np.stack([ahead.T @ ahead.omega, ahead.Z @ (eye - ahead.omega)]), mu)
            longer = move.moved(self._towards(pi, T, Z, missing=0.0), 1.0, 1.0)
            longer_lengths = self.step_lengths(longer)
            if sum(_at_most_full(longer_lengths)) <= sum(_at_most_full(lengths)):
                break
            move, lengths = longer, longer_lengths
        return move, lengths

    def _towards(self, pi: Array, T: Array, Z: Array, missing: float) -> PathPoint:
        """Return the step that changes the products by these, times the inverse of slack, Omega and I - Omega.

        It mends a share `missing` of what the point lacks to be feasible.
        """
        at, sym, graph, X, Y = self._point, fantope.symmetric, self._graph, self._problem.X, self._problem.Y
        df, dg, omega, ds = self._system.solve(
            missing * self._missing_a - graph.row_sums(pi),
            missing * self._missing_b - graph.column_sums(pi),
            T - Z - missing * self._missing_V + self._cross_moments(pi),
        )
        x, y = X @ omega, Y @ omega
        slack = -2.0 * np.einsum("ei,ei->e", x[graph.rows], Y[graph.columns]) - df[graph.rows] - dg[graph.columns]
        return PathPoint(
            omega=omega,
            f=df + np.einsum("ij,ij->i", x, X),
            g=dg + np.einsum("ij,ij->i", y, Y),
            slack=slack,
            pi=pi - self._w * slack,
            T=T - sym(at.T @ omega @ self._omega_inverse),
            Z=Z + sym(at.Z @ omega @ self._rest_inverse),
            s=ds,
        )

    def _cross_moments(self, pi: Array) -> Array:
        """Return the part of the displacement matrix of `pi` that is not known from its marginals."""
        mixed = self._problem.X.T @ self._graph.product(pi, self._problem.Y)
        return -mixed - mixed.T

    def measured(self, point: PathPoint) -> PathPoint:
        """Return `point` with its gap filled in."""
        problem, graph = self._problem, self._graph
        cost = point.primal(problem.k)
        off_a, off_b = problem.a - graph.row_sums(point.pi), problem.b - graph.column_sums(point.pi)
        off = float(max(np.abs(off_a).sum(), np.abs(off_b).sum()))
        gap = max(point.complementarity() / cost, off) if cost > 0.0 else np.inf
        inside = point.slack.min() > 0.0 and point.pi.min() > 0.0
        return replace(point, cost=cost, gap=gap if inside else np.nan)


class _Roots:
    """Cholesky's roots of positive definite matrices (., r, r); LinAlgError where rounding has made one indefinite.

    All at once: three quarters of the time that NumPy takes for one after the other.
    """

    def __init__(self, matrices: Array) -> None:
        self._L = np.asarray(np.linalg.cholesky(matrices), dtype=np.float64)
        self._R = np.asarray(np.linalg.inv(self._L), dtype=np.float64)

    @property
    def inverses(self) -> Array:
        """The inverse of each matrix."""
        return fantope.symmetric(_transposed(self._R) @ self._R)

    def to_edge(self, moves: Array) -> list[float]:
        """Return the largest step that each matrix can move by and stay positive semidefinite."""
        lowest = np.linalg.eigvalsh(self._R @ moves @ _transposed(self._R))[:, 0]
        return [-1.0 / float(low) if low < 0.0 else np.inf for low in lowest]

    def lifts(self, products: Array, mu: float) -> Array:
        """Return what added to each B makes the eigenvalues of its product B A at least `mu`, as the root of A shows.

        `products` are those with the first matrices A, or with others near them.
        """
        L, R = self._L[: len(products)], self._R[: len(products)]
        eigenvalues, U = np.linalg.eigh(fantope.symmetric(_transposed(L) @ products @ _transposed(R)))
        missing = np.sqrt(np.maximum(mu - eigenvalues, 0.0))
        W: Array = _transposed(R) @ (U * missing[:, None])
        lifted: Array = W @ _transposed(W)
        return lifted


def _transposed(A: Array) -> Array:
    return A.transpose(0, 2, 1)


def _to_border(x: Array, dx: Array) -> float:
    """Return the largest step that keeps x + step dx >= 0."""
    steepest = float(np.max(-dx / x))
    return 1.0 / steepest if steepest > 0.0 else np.inf


def _at_most_full(lengths: tuple[float, float]) -> tuple[float, float]:
    """Return both lengths, none above 1: a full step meets all linear equations."""
    return min(1.0, lengths[0]), min(1.0, lengths[1])
