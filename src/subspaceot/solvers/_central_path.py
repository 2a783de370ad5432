"""A walk along the central path: Mehrotra's predictor-corrector steps with the HKM direction.

min trace Z + k s   over plans pi >= 0 with marginals a, b and Z >= 0, T = Z + s I - V(pi) >= 0
max a.f + b.g       over Omega, trace k, 0 <= Omega <= I, with slacks <Omega | D_e> - f_i - g_j >= 0

D_e is the square (x_i - y_j)(x_i - y_j)^T of the pair e = (i, j). At the optimum pi * slack = 0, T Omega = 0 and
Z (I - Omega) = 0; on the central path all three equal mu (times I), and the gap is mu times their number.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .. import fantope
from .._types import Array
from ..problem import Problem
from ._newton_system import Graph, NewtonSystem
from ._start import Interior

_TO_BORDER = 0.95  # of the way to the border of the cone
_INSIDE = 0.01  # how far a start is moved inside Omega's constraints, and T and Z inside theirs
_SLACK = 0.005  # of the cost: the least slack of a start


@dataclass(frozen=True, eq=False, slots=True)
class PathPoint:
    """A strictly feasible dual point with a primal point whose marginals may still be a little off."""

    omega: Array  # (r, r)
    f: Array  # (n,)
    g: Array  # (m,)
    slack: Array  # (e,)
    pi: Array  # (e,)
    T: Array  # (r, r)
    Z: Array  # (r, r)
    s: float
    cost: float = np.nan  # trace Z + k s
    gap: float = np.inf  # relative, or the error of the marginals if that is larger

    def moved(self, move: "PathPoint", primal: float, dual: float) -> "PathPoint":
        """Return the point after a step of these lengths."""
        return PathPoint(
            omega=self.omega + dual * move.omega,
            f=self.f + dual * move.f,
            g=self.g + dual * move.g,
            slack=self.slack + dual * move.slack,
            pi=self.pi + primal * move.pi,
            T=self.T + primal * move.T,
            Z=self.Z + primal * move.Z,
            s=self.s + primal * move.s,
        )

    def off(self, plan: Array) -> Interior:
        """Return the point without its graph, which `plan` (n, m) shows."""
        return Interior(plan, self.omega, self.f, self.g, self.T, self.Z, self.s, self.gap)

    def complementarity(self) -> float:
        """Return pi.slack + <T | Omega> + <Z | I - Omega>, the gap of a feasible pair."""
        rest = np.eye(len(self.omega)) - self.omega
        return float(self.pi @ self.slack + np.sum(self.T * self.omega) + np.sum(self.Z * rest))


def begin(problem: Problem, graph: Graph, omega: Array, f: Array, g: Array) -> PathPoint:
    """Return a well centred point near `omega` in F_k and potentials that are feasible for it."""
    r, k = problem.r, problem.k
    size = max(float(problem.a @ f + problem.b @ g), 1e-9 * problem.spread)
    omega = (1.0 - _INSIDE) * omega + _INSIDE * (k / r) * np.eye(r)
    D = problem.X[graph.rows] - problem.Y[graph.columns]
    costs = np.einsum("ei,ei->e", D @ omega, D)
    slack = costs - f[graph.rows] - g[graph.columns]
    down = _SLACK * size - min(0.0, float(slack.min()))
    f, slack = f - down, np.maximum(slack + down, _SLACK * size)  # the maximum only mends rounding of huge costs
    # pi proportional to 1 / slack is what the central path has; a few scalings bring it near its marginals.
    pi = 1.0 / slack
    for _ in range(20):
        pi = pi * (problem.b / graph.column_sums(pi))[graph.columns]
        pi = pi * (problem.a / graph.row_sums(pi))[graph.rows]
    eigenvalues, U = np.linalg.eigh((D.T * pi) @ D)
    s = 0.5 * float(eigenvalues[-k] + eigenvalues[-k - 1])
    below = np.maximum(s - eigenvalues, 0.0) + _INSIDE * s
    above = below - (s - eigenvalues)
    return PathPoint(omega=omega, f=f, g=g, slack=slack, pi=pi, T=(U * below) @ U.T, Z=(U * above) @ U.T, s=s)


def resume(problem: Problem, graph: Graph, at: Interior) -> PathPoint:
    """Return the point `at` on this graph; pairs that are new to it get what they have on the central path."""
    D = problem.X[graph.rows] - problem.Y[graph.columns]
    pi = at.pi[graph.rows, graph.columns]
    slack = np.einsum("ei,ei->e", D @ at.omega, D) - at.f[graph.rows] - at.g[graph.columns]
    known = (pi > 0.0) & (slack > 0.0)
    mu = float(pi[known] @ slack[known]) / max(int(np.count_nonzero(known)), 1)
    least = mu / np.maximum(problem.a, problem.b.min())  # a pair of less slack would carry more than there is
    down = np.zeros(graph.n)
    np.maximum.at(down, graph.rows, least[graph.rows] - slack)
    down = np.where(down > least, down, 0.0)  # only rows in which a pair has no slack at all
    slack = np.maximum(slack + down[graph.rows], 1e-3 * least[graph.rows])
    pi = np.where(pi > 0.0, pi, mu / slack)
    return PathPoint(omega=at.omega, f=at.f - down, g=at.g, slack=slack, pi=pi, T=at.T, Z=at.Z, s=at.s)


def widened(problem: Problem, at: Interior, R: Array) -> Interior:
    """Return `at` in the directions of `problem`, which hold its own as R (r, q); the new ones are near the path.

    There T Omega = mu I: directions in which V is well below s hold next to nothing of Omega. Where V couples old and
    new ones, s is raised until T is positive again. Half the steps of a new beginning, or fewer.
    """
    r, q = R.shape
    if q == r:
        return at
    rows, columns = np.nonzero(at.pi)
    D, pi = problem.X[rows] - problem.Y[columns], at.pi[rows, columns]
    old = D @ R
    slack = np.einsum("ei,ei->e", old @ at.omega, old) - at.f[rows] - at.g[columns]
    mu = float(pi @ slack) / len(pi)
    V, eye = (D.T * pi) @ D, np.eye(r)
    new = np.linalg.svd(R)[0][:, q:]
    eigenvalues, vectors = np.linalg.eigh(new.T @ V @ new)
    new, share = new @ vectors, mu / np.maximum(at.s - eigenvalues, _INSIDE * at.s)
    omega = (1.0 - share.sum() / problem.k) * R @ at.omega @ R.T + (new * share) @ new.T
    Z = fantope.symmetric(R @ at.Z @ R.T + mu * new @ new.T)
    T = Z + at.s * eye - V
    lift = max(0.0, mu - float(np.linalg.eigvalsh(T)[0]))
    return replace(at, omega=fantope.symmetric(omega), T=T + lift * eye, Z=Z, s=at.s + lift)


def walk(problem: Problem, graph: Graph, point: PathPoint, tol: float) -> Iterator[PathPoint]:
    """Yield points along the central path until the relative gap is `tol` or double precision is spent."""
    system = NewtonSystem(graph, problem.X, problem.Y)
    D = problem.X[graph.rows] - problem.Y[graph.columns]
    count = len(graph.rows) + 2 * problem.r
    while True:
        try:
            equations = _Equations(problem, graph, system, D, point)
        except np.linalg.LinAlgError:
            return
        gap = point.complementarity()
        mu = gap / count
        predictor = equations.direction(0.0)
        ahead = point.moved(predictor, *equations.step_lengths(predictor)).complementarity()
        centring = min(1.0, max(0.1, ahead / gap)) ** 3
        corrector = equations.direction(centring * mu, predictor)
        primal, dual = (min(1.0, _TO_BORDER * length) for length in equations.step_lengths(corrector))
        point = equations.measured(point.moved(corrector, primal, dual))
        if not np.isfinite(point.gap):
            return
        yield point
        if point.gap <= tol or max(primal, dual) < 1e-3:
            return


class _Equations:
    """Newton's equations at one point of the path, for any target mu and second-order correction."""

    def __init__(self, problem: Problem, graph: Graph, system: NewtonSystem, D: Array, point: PathPoint) -> None:
        self._problem, self._graph, self._system, self._point = problem, graph, system, point
        self._D = D
        eye = np.eye(problem.r)
        self._missing_a = problem.a - graph.row_sums(point.pi)
        self._missing_b = problem.b - graph.column_sums(point.pi)
        self._missing_V = point.Z + point.s * eye - point.T - (D.T * point.pi) @ D
        self._omega_root, self._rest_root = _inverse_root(point.omega), _inverse_root(eye - point.omega)
        self._T_root, self._Z_root = _inverse_root(point.T), _inverse_root(point.Z)
        self._omega_inverse = fantope.symmetric(self._omega_root.T @ self._omega_root)
        self._rest_inverse = fantope.symmetric(self._rest_root.T @ self._rest_root)
        self._w = point.pi / point.slack
        system.factor(self._w, (point.T, self._omega_inverse, point.Z, self._rest_inverse))

    def step_lengths(self, move: PathPoint) -> tuple[float, float]:
        """Return the longest primal and dual steps, at most 1, that stay inside all cones."""
        at = self._point
        primal = min(_to_border(at.pi, move.pi), _to_edge(self._T_root, move.T), _to_edge(self._Z_root, move.Z))
        dual = min(
            _to_border(at.slack, move.slack),
            _to_edge(self._omega_root, move.omega),
            _to_edge(self._rest_root, -move.omega),
        )
        return min(1.0, primal), min(1.0, dual)

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
        graph, D = self._graph, self._D
        df, dg, omega, ds = self._system.solve(
            self._missing_a - graph.row_sums(pi),
            self._missing_b - graph.column_sums(pi),
            T - Z - self._missing_V + (D.T * pi) @ D,
        )
        slack = np.einsum("ei,ei->e", D @ omega, D) - df[graph.rows] - dg[graph.columns]
        return PathPoint(
            omega=omega,
            f=df,
            g=dg,
            slack=slack,
            pi=pi - self._w * slack,
            T=T - sym(at.T @ omega @ self._omega_inverse),
            Z=Z + sym(at.Z @ omega @ self._rest_inverse),
            s=ds,
        )

    def measured(self, point: PathPoint) -> PathPoint:
        """Return `point` with its gap filled in."""
        cost = float(np.trace(point.Z) + self._problem.k * point.s)
        off = np.abs(self._problem.a - self._graph.row_sums(point.pi)).sum()
        gap = max(point.complementarity() / cost, float(off)) if cost > 0.0 else np.inf
        inside = point.slack.min() > 0.0 and point.pi.min() > 0.0
        values = {name: getattr(point, name) for name in ("omega", "f", "g", "slack", "pi", "T", "Z", "s")}
        return PathPoint(**values, cost=cost, gap=gap if inside else np.nan)


def _inverse_root(A: Array) -> Array:
    """Return R with R A R^T = I; raise LinAlgError where rounding has made A indefinite."""
    return np.asarray(np.linalg.inv(np.linalg.cholesky(A)), dtype=np.float64)


def _to_border(x: Array, dx: Array) -> float:
    """Return the largest step that keeps x + step dx >= 0."""
    steepest = float(np.max(-dx / x))
    return 1.0 / steepest if steepest > 0.0 else np.inf


def _to_edge(root: Array, dA: Array) -> float:
    """Return the largest step that keeps A + step dA positive semidefinite, given R with R A R^T = I."""
    lowest = float(np.linalg.eigvalsh(root @ dA @ root.T)[0])
    return -1.0 / lowest if lowest < 0.0 else np.inf
