"""Ascent over orthonormal bases U for the projection robust distance, W_p^p(U^T X, U^T Y).

The cost is smoothed by entropy, less at each stage, and climbed by a quasi-Newton method (Lin et al. 2020 climb it with
gradient steps whose length the user tunes). What counts in the end is the exact transport in the basis found.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...core import fantope
from ...core.coupling import Coupling, Dense
from ...core.moments import displacement_times, powers_of_distances
from ...core.problem import Problem
from ...runtime.types import Array
from ...transport import SquaredDistances, Transport, exact_transport, nearby_transport, sinkhorn
from ..potential_drift import potential_within
from ..step import NEGLIGIBLE
from .span import across, climb

_REGS = (0.02, 0.006, 0.002, 0.0006, 0.0002)  # of the cost; stages stop at three times tol
_BLUR = 0.05  # of the cost of independent transport: smooth enough to learn the size of the cost from
_EXACT = 1e-13  # of its value: what exact transport may be off by
_GRADIENT = 0.1  # of tol: relative to the cost, the gradient at which a climb ends


@dataclass(frozen=True, eq=False, slots=True)
class Summit:
    """A basis that no small turn improves, with the exact transport in it."""

    U: Array  # (r, k)
    transport: Transport
    gradient_norm: float  # of the smoothed cost, its part that leaves the span, relative to the cost


def ascend(
    problem: Problem, U: Array, p: float, tol: float, g: Array | None = None, size: float | None = None
) -> Summit:
    """Return the summit above the basis `U`, given a potential `g` (m,) and the `size` of its cost, or neither."""
    slope = _Slope(problem, p, g)
    if size is None:
        slope.climbed(U, reg=_BLUR * slope.cost(U))
        size = slope.cost(U)
    gradient_norm = 0.0
    for share in _REGS:
        if size <= NEGLIGIBLE * problem.spread ** (0.5 * p):  # the measures coincide in this basis: nothing to climb
            break
        smoothed = partial(slope.climbed, reg=share * size)
        U, gradient = climb(smoothed, U, size=size, tol=min(_GRADIENT * tol, 1e-3))
        size = slope.cost(U)
        gradient_norm = float(np.linalg.norm(gradient)) / max(size, np.finfo(float).tiny)
        if share <= 3.0 * tol:
            break
    return Summit(U, in_basis(problem, U, p, slope.g), gradient_norm)


def summit_at(problem: Problem, U: Array, p: float) -> Summit:
    """Return the basis `U` as it is, with the gradient of its exact plan."""
    transport = in_basis(problem, U, p)
    slope = across(U, _gradient(problem, U, transport.plan, p))
    return Summit(U, transport, float(np.linalg.norm(slope)) / max(transport.value, np.finfo(float).tiny))


def in_basis(problem: Problem, U: Array, p: float, g: Array | None = None) -> Transport:
    """Return the exact transport between the projections onto `U`; a potential `g` (m,) from nearby speeds it up."""
    C = powers_of_distances(problem.X @ U, problem.Y @ U, p)
    if g is None:
        return exact_transport(C, problem.a, problem.b)
    return nearby_transport(C, problem.a, problem.b, g, tol=_EXACT)


def basis_with_mean(problem: Problem, V: Array) -> Array:
    """Return the basis of the difference of the means and the k - 1 directions beside it that carry most of V.

    Projecting onto it keeps the means, which must differ, as far apart as they are: its cost is no less than that.
    """
    difference = problem.a @ problem.X - problem.b @ problem.Y
    first = difference[:, None] / np.linalg.norm(difference)
    beside = V - first @ (first.T @ V)
    beside -= (beside @ first) @ first.T
    others = fantope.leading_vectors(fantope.symmetric(beside), problem.k - 1)
    Q: Array = np.linalg.qr(np.hstack([first, others]))[0]
    return Q


class _Slope:
    """The smoothed cost of bases; each transport starts from the last one's potential."""

    def __init__(self, problem: Problem, p: float, g: Array | None) -> None:
        self.problem, self.p, self.g = problem, p, g
        self.plan: Coupling | None = None
        self.potential = np.zeros_like(problem.b)  # of the last plan in its own basis, were it a linear map

    def cost(self, U: Array) -> float:
        """Return what the last plan costs in the basis `U`, the independent one if there is none yet."""
        C = powers_of_distances(self.problem.X @ U, self.problem.Y @ U, self.p)
        return float(self.problem.a @ C @ self.problem.b if self.plan is None else np.sum(self.plan.dense() * C))

    def climbed(self, U: Array, reg: float) -> tuple[float, Array]:
        """Return the smoothed cost of the basis `U`, and its gradient in U."""
        problem, p = self.problem, self.p
        x, y = problem.X @ U, problem.Y @ U
        costs = SquaredDistances(x, y) if p == 2.0 else powers_of_distances(x, y, p)
        g = self.g
        if g is not None and self.plan is not None and p == 2.0:
            # Where g is to be found if the plan stays as it is: 0.92 of the time at n = 300.
            g = g + potential_within(problem, x, y, self.plan.T @ x) - self.potential
        answer = sinkhorn(costs, problem.a, problem.b, reg, g, tol=1e-4)
        carried = answer.plan.T @ x
        self.g, self.plan, self.potential = answer.g, answer.plan, potential_within(problem, x, y, carried)
        if p == 2.0:
            return answer.value, 2.0 * displacement_times(problem.X, problem.Y, answer.plan, x, y, carried)
        return answer.value, _gradient(problem, U, answer.plan, p)


def _gradient(problem: Problem, U: Array, plan: Coupling, p: float) -> Array:
    """Return the gradient (r, k) in U of the cost of `plan`, sum_ij plan_ij |U^T (x_i - y_j)|^p."""
    x, y = problem.X @ U, problem.Y @ U
    if p != 2.0:  # d |z|^p = p |z|^(p - 2) z.dz, taken as 0 where z is 0
        C = powers_of_distances(x, y, p)
        plan = Dense(plan.dense() * np.where(C > 0.0, C, np.inf if p < 2.0 else 0.0) ** (1.0 - 2.0 / p))
    return p * displacement_times(problem.X, problem.Y, plan, x, y)
