"""Where Omega changes its directions among many: Newton's step for its few columns, by conjugate gradients.

Omega = F F^T, with as many columns as it has eigenvalues. To second order f_reg(F + C) gains <V | C C^T>, less what the
eigenvalues that are 1 lose, less what the plan saves by changing: entropic, its sensitivity to the costs has a closed
form. A subspace of Omega, this step and the leading eigenvectors of V has 10 to 30 directions. Subspaces that only
grow end with all of them, and their eigenvectors take most of the time (n = 100 to 1e-3: 4.7 to 0.3 s for d = 250,
k = 2 < k* = 4; 15 to 1 s for d = 10,000, k = k* = 2; 25 to 2 s for one Gaussian in d = 200).
"""

import numpy as np

from ...core import fantope
from ...core.coupling import Coupling
from ...core.moments import displacement, displacement_times
from ...core.problem import Problem
from ...linalg.conjugate_gradients import conjugate_gradients
from ...linalg.forcing import FORCING
from ...runtime.types import Array
from ..directions import MAX_DIRECTIONS, Spectrum, united
from .model import CurvatureModel
from .point import Point, ascend
from .subspace import Subspace

_RANK_TOL = 1e-6  # eigenvalues of Omega nearer to 0 or 1 than this are 0 or 1


def newton_step(point: Point, spectrum: Spectrum, reg: float, tol: float, model: CurvatureModel) -> Point:
    """Return a better point, in a subspace of Omega, its Newton step and V's leading eigenvectors.

    `model` learns from it.
    """
    problem, plan = point.subspace.problem, point.transport.plan
    w, inner = np.linalg.eigh(point.omega)
    nonzero = w > _RANK_TOL
    U = np.linalg.qr(point.subspace.Q @ inner[:, nonzero])[0]
    factor = _Factor(problem, plan, U, np.minimum(w[nonzero], 1.0), reg)
    C = factor.newton_direction()
    subspace = Subspace.of(problem, _span(U, C, spectrum.vectors[:, : problem.k + 1]))
    model.seen_from(subspace.Q.T @ point.subspace.Q)
    here, move = _moved(point, subspace, factor.F, C)
    if not float(np.sum(here.V * move)) > 0.0:
        return here
    better = ascend(here, move, reg, tol)
    model.learn(better.omega - here.omega, here.V - better.V)
    return better if better.transport.value >= point.transport.value else here


def _span(U: Array, C: Array, leading: Array) -> Array:
    """Return an orthonormal basis of Omega's directions, of its Newton step and of V's leading eigenvectors."""
    size = float(np.linalg.norm(C))
    return united(U, np.hstack([C / size, leading]) if size > 0.0 else leading)


def _moved(point: Point, subspace: Subspace, F: Array, C: Array) -> tuple[Point, Array]:
    """Return the point as seen in another subspace, and the way there from F F^T to (F + C)(F + C)^T."""
    problem, Q, X, Y = subspace.problem, subspace.Q, subspace.inner.X, subspace.inner.Y
    before, ahead = Q.T @ F, Q.T @ (F + C)
    omega = fantope.project(before @ before.T, problem.k)
    plan = point.transport.plan.T
    transported = plan @ X
    V = displacement(Y, X, plan, transported)
    move = fantope.project(ahead @ ahead.T, problem.k) - omega
    eigenvalues, cost = np.asarray(np.linalg.eigvalsh(V), dtype=np.float64), float(np.sum(omega * V))
    here = Point(subspace, omega, V, cost, eigenvalues, point.transport, transported)
    return here, move


class _Factor:
    """F = U diag(w)^1/2 with Omega = F F^T, and how f_reg changes with it.

    Where an eigenvalue is 1, its column moves across all of those; where it is below, Omega's trace stays. The rest of
    what F can do leaves Omega as it is. Changes of the plan are arrays (n, m): this method is dense by nature.
    """

    def __init__(self, problem: Problem, coupling: Coupling, U: Array, w: Array, reg: float) -> None:
        plan = coupling.dense()
        self._problem, self._plan, self._reg = problem, plan, reg
        self.U, self.F = U, U * np.sqrt(w)
        self._full = w > 1.0 - _RANK_TOL
        self._ones, self._part = U[:, self._full], U[:, ~self._full]
        self._x, self._y = problem.X @ self.F, problem.Y @ self.F
        self._image = displacement_times(problem.X, problem.Y, coupling, self._x, self._y)
        seen = self._ones.T @ self._image[:, self._full]
        # What one more unit of Omega's trace is worth to the eigenvalues that are free; any number where none is.
        free = w[~self._full]
        self._price = float(np.sum((self.F * self._image)[:, ~self._full])) / free.sum() if len(free) else 0.0
        self._excess = fantope.symmetric(seen) - self._price * np.eye(len(seen))
        self._eigenvalue_coupling = free / (1.0 - free)
        self._a, self._b = plan.sum(axis=1), plan.sum(axis=0)
        self._potentials = _Potentials(plan, self._a, self._b)

    def newton_direction(self) -> Array:
        """Return C (r, s) for which the slope is about gone, or as far as f_reg is found to be concave."""
        slope = self._tangent_projection(self._image - self._price * self.F)
        C = conjugate_gradients(self._hessian_product, slope, tol=np.sqrt(FORCING), max_steps=MAX_DIRECTIONS)
        if not C.any():  # not concave from the start, far from the best: V F, a step of the power method
            C = slope * (np.sum(self.F * self.F) / np.sum(self.F * self._image))
        return C

    def _hessian_product(self, C: Array) -> Array:
        """Return by how much the slope falls along C."""
        X, Y = self._problem.X, self._problem.Y
        x, y = X @ C, Y @ C
        # V times C and the change of V times F in one product; the change of the plan has no marginals.
        plan, change = self._plan, self._plan_sensitivity(self._cost_change(x, y))
        product = self._price * C - X.T @ (self._a[:, None] * x - plan @ y - change @ self._y)
        product -= Y.T @ (self._b[:, None] * y - plan.T @ x - change.T @ self._x)
        rotation = C[:, self._full]
        coupled = rotation + (self._part * self._eigenvalue_coupling) @ (self._part.T @ rotation)
        product[:, self._full] += coupled @ self._excess
        return self._tangent_projection(product)

    def _cost_change(self, x: Array, y: Array) -> Array:
        """Return the derivative (n, m) of all costs along C, given X C and Y C."""
        costs: Array = np.hstack([self._x, x]) @ (-2.0 * np.hstack([y, self._y]).T)
        costs += 2.0 * np.einsum("ij,ij->i", self._x, x)[:, None]
        costs += 2.0 * np.einsum("ij,ij->i", self._y, y)
        return costs

    def _plan_sensitivity(self, costs: Array) -> Array:
        """Return how the plan changes with the costs, its potentials following: -plan (costs - f - g) / reg."""
        weighted = self._plan * costs
        f, g = self._potentials.of(weighted.sum(axis=1), weighted.sum(axis=0))
        change: Array = f[:, None] + g
        change *= self._plan
        change -= weighted
        change /= self._reg
        return change

    def _tangent_projection(self, C: Array) -> Array:
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
        self._transposed = len(a) < len(b)
        self._plan, large, small = (plan.T, b, a) if self._transposed else (plan, a, b)
        self._large = np.maximum(large, np.finfo(float).tiny)
        normal = np.outer(small, small)  # fixes the constant that is free
        normal -= (self._plan.T / self._large) @ self._plan
        # A ridge for parts of a plan that hardly touch, which have potentials of their own.
        normal.flat[:: len(small) + 1] += small + np.finfo(float).eps ** 0.75 * small.max()
        self._inverse = np.linalg.inv(normal)

    def of(self, rows: Array, columns: Array) -> tuple[Array, Array]:
        """Return f and g that add so much to the rows and columns."""
        large, small = (columns, rows) if self._transposed else (rows, columns)
        y = self._inverse @ (small - self._plan.T @ (large / self._large))
        x = (large - self._plan @ y) / self._large
        return (y, x) if self._transposed else (x, y)
