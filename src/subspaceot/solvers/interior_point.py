"""The last digits: a primal-dual interior-point method on a sparse graph of candidate pairs.

min trace Z + k s   over plans pi >= 0 with marginals a, b and Z >= 0, T = Z + s I - V(pi) >= 0
max a.f + b.g       over Omega, trace k, 0 <= Omega <= I, with slacks <Omega | D_e> - f_i - g_j >= 0

on the pairs e = (i, j) that can carry mass (D_e is the square of x_i - y_j), and in the few directions that Omega can
use. Both restrictions only restrict the search: bounds are taken on all pairs and in all directions, and what they
show to be missing is added. Mehrotra's predictor-corrector with the HKM direction, 10 to 15 steps for six digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from .. import fantope
from .._types import Array
from ..certificate import feasible
from ..moments import cost_matrix, displacement
from ..problem import Problem
from ._newton_system import Graph, NewtonSystem, SymmetricCoordinates
from ._step import Start, Step

_TO_BORDER = 0.95  # of the way to the border of the cone


@dataclass(frozen=True, slots=True)
class InteriorPoint:
    """Settings of the interior-point polish."""

    pairs: int = 10  # candidates per point to begin with
    max_iter: int = 500
    needs_reg: bool = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the iterates."""
        Q = _active_directions(problem, start.omega, start.V)
        omega, g, plan = start.omega, start.g, start.plan
        mask = np.zeros((len(problem.a), len(problem.b)), dtype=bool)
        while True:
            inner = problem.within(Q)
            omega_Q = fantope.project(Q.T @ omega @ Q, problem.k)
            C = cost_matrix(inner.X, inner.Y, fantope.factor(omega_Q))
            f, g = feasible(C, g)
            mask |= _candidates(C - f[:, None] - g, self.pairs)
            rows, columns = np.nonzero(mask)
            graph = Graph(rows, columns, *mask.shape)
            state = _begin(inner, graph, omega_Q, f, g, plan[rows, columns])
            for state in _walk(inner, graph, state, 0.2 * tol):
                pass_plan = graph.dense(state.pi)
                omega = fantope.symmetric(Q @ state.omega @ Q.T)
                yield Step(omega, pass_plan, state.g, 0.0, state.gap, state.gap <= tol)
            g, plan = state.g, pass_plan
            Q = _extended(problem, Q, plan)


@dataclass(frozen=True, eq=False, slots=True)
class _State:
    omega: Array
    f: Array
    g: Array
    slack: Array
    pi: Array
    T: Array
    Z: Array
    s: float
    gap: float


def _candidates(reduced: Array, count: int) -> Array:
    n, m = reduced.shape
    rows = min(count, m) - 1
    columns = min(count, n) - 1
    mask = reduced <= np.partition(reduced, rows, axis=1)[:, rows : rows + 1]
    mask |= reduced <= np.partition(reduced, columns, axis=0)[columns]
    return mask


def _active_directions(problem: Problem, omega: Array, V: Array) -> Array:
    r, k = problem.r, problem.k
    lam, U = np.linalg.eigh(V)
    lam, U = lam[::-1], U[:, ::-1]
    count = max(min(r, k + 4), int(np.count_nonzero(lam >= 0.6 * lam[k - 1])))
    om, W = np.linalg.eigh(omega)
    both = np.hstack([U[:, :count], W[:, om > 1e-3]])
    Q, R, _ = scipy.linalg.qr(both, mode="economic", pivoting=True)
    rank = int(np.count_nonzero(np.abs(np.diag(R)) > 1e-3))
    return np.eye(r) if rank > 0.8 * r else Q[:, :rank]


def _extended(problem: Problem, Q: Array, plan: Array) -> Array:
    if Q.shape[1] == problem.r:
        return Q
    V = displacement(problem.X, problem.Y, plan)
    U = fantope.leading_vectors(V, problem.k + 4)
    both = np.hstack([Q, U - Q @ (Q.T @ U)])
    Qn, R, _ = scipy.linalg.qr(both, mode="economic", pivoting=True)
    rank = int(np.count_nonzero(np.abs(np.diag(R)) > 1e-3))
    return np.eye(problem.r) if rank > 0.8 * problem.r else Qn[:, :rank]


def _begin(problem: Problem, graph: Graph, omega: Array, f: Array, g: Array, pi: Array) -> _State:
    r, k = problem.r, problem.k
    eye = np.eye(r)
    omega = 0.95 * omega + 0.05 * (k / r) * eye
    D = problem.X[graph.rows] - problem.Y[graph.columns]
    costs = np.einsum("ei,ij,ej->e", D, omega, D, optimize=True)
    slack = costs - f[graph.rows] - g[graph.columns]
    size = float(pi @ costs)
    f = f + min(0.0, float(slack.min())) - 0.01 * size
    slack = costs - f[graph.rows] - g[graph.columns]
    pi = np.maximum(pi, 1e-3 / len(pi))
    V = (D.T * pi) @ D
    lam, U = np.linalg.eigh(V)
    s = float(lam[-k])
    Tl = np.maximum(s - lam, 0.0) + 0.05 * s
    T = (U * Tl) @ U.T
    Z = (U * (Tl - (s - lam))) @ U.T
    return _State(omega, f, g, slack, pi, T, Z, s, np.inf)


def _walk(problem: Problem, graph: Graph, state: _State, tol: float) -> Iterator[_State]:
    """Yield ever better centred, ever better primal-dual pairs."""
    a, b, k = problem.a, problem.b, problem.k
    coordinates = SymmetricCoordinates(problem.r)
    vector, matrix = coordinates.vector, coordinates.matrix
    squares = coordinates.squares(problem.X[graph.rows] - problem.Y[graph.columns])
    eye = np.eye(problem.r)
    rows, columns = graph.rows, graph.columns
    count = len(rows) + 2 * problem.r
    sym = fantope.symmetric
    for _ in range(60):
        omega, f, g, slack, pi, T, Z, s = state.omega, state.f, state.g, state.slack, state.pi, state.T, state.Z, state.s
        rest = eye - omega
        mu = (pi @ slack + np.sum(T * omega) + np.sum(Z * rest)) / count
        primal = float(np.trace(Z) + k * s)
        ra, rb = a - graph.row_sums(pi), b - graph.column_sums(pi)
        R = -(T - Z - s * eye + matrix(pi @ squares))
        gap = max(count * mu / primal, np.abs(ra).sum())
        yield replace(state, gap=float(gap))
        if gap <= tol:
            return
        O_inv, R_inv = np.linalg.inv(omega), np.linalg.inv(rest)
        curvature = coordinates.sandwich(T, O_inv) + coordinates.sandwich(Z, R_inv)
        w = pi / slack
        system = NewtonSystem(graph, squares, w, curvature, vector(eye))

        def direction(target, c_pi, c_T, c_Z):
            d_pi = (target - pi * slack - c_pi) / slack
            dT = target * O_inv - T - c_T
            dZ = target * R_inv - Z - c_Z
            rhs_omega = vector(dT - dZ - R + matrix(d_pi @ squares))
            df, dg, dO, ds = system.solve(ra - graph.row_sums(d_pi), rb - graph.column_sums(d_pi), rhs_omega)
            d_omega = matrix(dO)
            d_slack = squares @ dO - df[rows] - dg[columns]
            d_pi = d_pi - w * d_slack
            dT = dT - sym(T @ d_omega @ O_inv)
            dZ = dZ + sym(Z @ d_omega @ R_inv)
            return df, dg, d_omega, ds, d_slack, d_pi, dT, dZ

        def lengths(move):
            _, _, d_omega, _, d_slack, d_pi, dT, dZ = move
            p = min(_to_border(pi, d_pi), _to_border_psd(T, dT), _to_border_psd(Z, dZ))
            d = min(_to_border(slack, d_slack), _to_border_psd(omega, d_omega), _to_border_psd(rest, -d_omega))
            return min(1.0, p), min(1.0, d)

        move = direction(0.0, 0.0, 0.0, 0.0)
        p, d = lengths(move)
        _, _, d_omega, _, d_slack, d_pi, dT, dZ = move
        ahead = ((pi + p * d_pi) @ (slack + d * d_slack) + np.sum((T + p * dT) * (omega + d * d_omega))
                 + np.sum((Z + p * dZ) * (rest - d * d_omega))) / count
        centring = min(1.0, max(ahead / mu, 1e-3 ** (1 / 3)) ** 3)
        move = direction(centring * mu, d_pi * d_slack, sym(dT @ d_omega @ O_inv), -sym(dZ @ d_omega @ R_inv))
        p, d = lengths(move)
        p, d = (min(1.0, _TO_BORDER * x) if x < 1 else 1.0 for x in (p, d))
        df, dg, d_omega, ds, d_slack, d_pi, dT, dZ = move
        omega = omega + d * d_omega
        f, g = f + d * df, g + d * dg
        state = _State(omega, f, g, slack + d * d_slack, pi + p * d_pi, T + p * dT, Z + p * dZ, s + p * ds, np.inf)


def _to_border(x: Array, dx: Array) -> float:
    """Return the largest step that keeps x + step dx >= 0."""
    steepest = float(np.max(-dx / x))
    return 1.0 / steepest if steepest > 0.0 else np.inf


def _to_border_psd(A: Array, dA: Array) -> float:
    """Return the largest step that keeps A + step dA positive semidefinite."""
    L = np.linalg.cholesky(A)
    half = scipy.linalg.solve_triangular(L, dA, lower=True, check_finite=False)
    scaled = scipy.linalg.solve_triangular(L, half.T, lower=True, check_finite=False)
    lowest = float(np.linalg.eigvalsh(scaled)[0])
    return -1.0 / lowest if lowest < 0.0 else np.inf
