"""Where Omega turns in many dimensions: Newton's step for its few directions, by conjugate gradients.

Omega = F F^T, with as many columns as it has eigenvalues. To second order f_reg(F + C) gains what V pulls at C, less
what the eigenvalues that are 1 lose by turning away, less what the plan saves by giving way: entropic, its answer to
other costs has a closed form. A room of Omega, this step and the leading eigenvectors of V has 10 to 30 directions.
Rooms that only grow end with all of them, and their eigenvectors take most of the time (n = 100 to 1e-3: 4.7 to 0.3 s
for d = 250, k = 2 < k* = 4; 15 to 1 s for d = 10,000, k = k* = 2; 25 to 2 s for one Gaussian in d = 200).
"""

from dataclasses import replace

import numpy as np

from ...core import fantope
from ...core.coupling import Coupling
from ...core.moments import displacement, displacement_times
from ...core.problem import Problem
from ...runtime.types import Array
from ..directions import Spectrum, united
from .model import CurvatureModel
from .point import Point, line_search
from .subspace import Room

_THERE = 1e-6  # smaller eigenvalues of Omega are 0 here; those that have just begun to rise are drawn along
_PRECISE = 0.3  # of the slope: how well Newton's equation is solved; better does not pay
_STEPS = 40  # of conjugate gradients, at most
_RIDGE = 1e-12  # of the largest weight: parts of a plan that hardly touch have potentials of their own


def turned(point: Point, spectrum: Spectrum, reg: float, precision: float, model: CurvatureModel) -> Point:
    """Return a better point, in a room of Omega, its turn and what V as a whole asks for first; `model` learns it."""
    problem, plan = point.room.problem, point.transport.plan
    w, inner = np.linalg.eigh(point.omega)
    there = w > _THERE
    factor = _Factor(problem, plan, np.linalg.qr(point.room.Q @ inner[:, there])[0], np.minimum(w[there], 1.0), reg)
    C = factor.newton_step()
    new = spectrum.vectors[:, : problem.k + 1]
    size = float(np.linalg.norm(C))
    room = Room.of(problem, united(factor.U, np.hstack([C / size, new]) if size > 0.0 else new))
    Q, X, Y = room.Q, room.inner.X, room.inner.Y
    model.seen_from(Q.T @ point.room.Q)
    F, ahead = Q.T @ factor.F, Q.T @ (factor.F + C)
    omega = fantope.project(F @ F.T, problem.k)
    carried = plan.T @ X
    here = replace(point, room=room, omega=omega, V=displacement(Y, X, plan.T, carried), carried=carried)
    move = fantope.project(ahead @ ahead.T, problem.k) - omega
    if not float(np.sum(here.V * move)) > 0.0:
        return here
    better = line_search(here, move, reg, precision)
    model.learn(better.omega - omega, here.V - better.V)
    return better if better.transport.value >= point.transport.value else here


class _Factor:
    """F = U diag(w)^1/2 with Omega = F F^T, and how f_reg changes with it.

    Where an eigenvalue is 1, its column moves across all of those; where it is below, Omega's trace stays. The rest of
    what F can do leaves Omega as it is.
    """

    def __init__(self, problem: Problem, coupling: Coupling, U: Array, w: Array, reg: float) -> None:
        plan = coupling.dense()  # whose change is as large
        self._problem, self._plan, self._reg = problem, plan, reg
        self.U, self.F = U, U * np.sqrt(w)
        self._full = w > 1.0 - _THERE
        self._ones, self._part = U[:, self._full], U[:, ~self._full]
        self._x, self._y = problem.X @ self.F, problem.Y @ self.F
        self._image = displacement_times(problem.X, problem.Y, coupling, self._x, self._y)
        seen = self._ones.T @ self._image[:, self._full]
        # What one more unit of Omega's trace is worth to the eigenvalues that are free; any number where none is.
        free = w[~self._full]
        self._price = float(np.sum((self.F * self._image)[:, ~self._full])) / free.sum() if len(free) else 0.0
        self._excess = fantope.symmetric(seen) - self._price * np.eye(len(seen))
        self._lever = free / (1.0 - free)
        self._a, self._b = plan.sum(axis=1), plan.sum(axis=0)
        self._potentials = _Potentials(plan, self._a, self._b)

    def newton_step(self) -> Array:
        """Return C (r, s) for which the slope is about gone, or as far as f_reg is found to be concave."""
        residual = self._allowed(self._image - self._price * self.F)
        C, step = np.zeros_like(residual), residual
        square = first = float(np.sum(residual * residual))
        for _ in range(_STEPS):
            if square <= _PRECISE**2 * first:
                break
            bent = self._bent(step)
            curvature = float(np.sum(step * bent))
            if not curvature > 0.0:
                # Not concave from the start, far from the best: what V makes of F, a step of the power method.
                C = C if C.any() else step * (np.sum(self.F * self.F) / np.sum(self.F * self._image))
                break
            C = C + square / curvature * step
            residual = residual - square / curvature * bent
            before, square = square, float(np.sum(residual * residual))
            step = residual + square / before * step
        return C

    def _bent(self, C: Array) -> Array:
        """Return by how much the slope falls along C."""
        X, Y = self._problem.X, self._problem.Y
        x, y = X @ C, Y @ C
        costs = np.hstack([self._x, x]) @ (-2.0 * np.hstack([y, self._y]).T)
        costs += 2.0 * np.einsum("ij,ij->i", self._x, x)[:, None]
        costs += 2.0 * np.einsum("ij,ij->i", self._y, y)
        # V times C and the change of V times F in one product; the change of the plan has no marginals.
        plan, change = self._plan, self._reaction(costs)
        bent = self._price * C - X.T @ (self._a[:, None] * x - plan @ y - change @ self._y)
        bent -= Y.T @ (self._b[:, None] * y - plan.T @ x - change.T @ self._x)
        turn = C[:, self._full]
        bent[:, self._full] += (turn + (self._part * self._lever) @ (self._part.T @ turn)) @ self._excess
        return self._allowed(bent)

    def _reaction(self, costs: Array) -> Array:
        """Return how the plan changes with the costs, its potentials following: -plan (costs - f - g) / reg."""
        weighted = self._plan * costs
        f, g = self._potentials.of(weighted.sum(axis=1), weighted.sum(axis=0))
        change: Array = f[:, None] + g
        change *= self._plan
        change -= weighted
        change /= self._reg
        return change

    def _allowed(self, C: Array) -> Array:
        """Return the part of C that moves Omega and keeps its trace."""
        C = C - self._ones @ (self._ones.T @ C)
        F = self.F[:, ~self._full]
        if F.size:
            C[:, ~self._full] -= F * (np.sum(F * C[:, ~self._full]) / np.sum(F * F))
        return np.asarray(C, dtype=np.float64)


class _Potentials:
    """What potentials add to a plan's marginals: f_i a_i + sum_j plan_ij g_j and sum_i f_i plan_ij + g_j b_j."""

    def __init__(self, plan: Array, a: Array, b: Array) -> None:
        # Those of the larger measure are eliminated, which leaves equations as many as the smaller one has points.
        self._turned = len(a) < len(b)
        self._plan, large, small = (plan.T, b, a) if self._turned else (plan, a, b)
        self._large = np.maximum(large, np.finfo(float).tiny)
        normal = np.outer(small, small)  # fixes the constant that is free
        normal -= (self._plan.T / self._large) @ self._plan
        normal.flat[:: len(small) + 1] += small + _RIDGE * small.max()
        self._inverse = np.linalg.inv(normal)

    def of(self, rows: Array, columns: Array) -> tuple[Array, Array]:
        """Return f and g that add so much to the rows and columns."""
        large, small = (columns, rows) if self._turned else (rows, columns)
        y = self._inverse @ (small - self._plan.T @ (large / self._large))
        x = (large - self._plan @ y) / self._large
        return (y, x) if self._turned else (x, y)
