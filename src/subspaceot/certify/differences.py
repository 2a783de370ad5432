"""Bounds from differences of points: for answers that are tiny against the spread of the data.

Expanded products lose what is small against |x|^2. A difference x_i - y_j of the caller's own numbers is exact to one
rounding, so squared distances made of it have small relative errors, and so has the displacement matrix of a plan with
few atoms. Potentials are kept small, since f_i + g_j <= C_ij cannot hold to more digits than f_i has.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist

from ..core import fantope
from ..core.certificate import Lower, Upper, cost_of_unplaced, divided
from ..core.coupling import Coupling, Dense, Sparse
from ..core.eigenbounds import top_sum_bound
from ..core.fantope import SoftProjector
from ..core.marginals import Masses, MetCoupling, NearCoupling, unplaced_masses
from ..core.potentials import feasible
from ..core.problem import Problem
from ..core.rounding import UNDERFLOW, UNIT, dot_down, gamma, rounded_down, up
from ..runtime.types import Array, Indices
from ..transport import exact_transport
from .powers import cost_above, power_below, smaller_ceiling

_BLOCK = 1 << 21  # entries of the differences that are formed at once
_RESIDUE = 1e-9  # of the mass that a pair could have: less is left over from rounding onto the marginals
_ROUNDS = 4  # of refinement: each gains at least eight digits, where they are to be had
_CONTRIBUTES = 1e-12  # of the cost: pairs that contribute less do not say how long displacements have to be
_SHARES = (1e-6, 1e-6, 1e-12, 1e-12, 0.0)  # of all mass: pairs that have more say how long displacements have to be
_REFINED = 1e-12  # of the cost: potentials that are better than this are as good as can be
_CUTOFF = 4.0  # times the largest cost of a pair with mass: costs beyond count as this


class Differences:
    """The points of a problem in the caller's axes and our units, with exact transport for squared distances."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.X, self.Y = (Z / problem.frame.scale for Z in problem.frame.massive)
        self.C = cdist(self.X, self.Y, "sqeuclidean") * (1.0 - gamma(self.X.shape[1] + 8.0))

    # --- lower ---------------------------------------------------------------------------------------------------

    def lower_bound(self, factor: Array) -> Lower:
        """Return the best bound that Omega = factor factor^T, (d, q), proves."""
        problem, frame = self.problem, self.problem.frame
        L = divided(factor, frame.k)
        transport = refined_transport(self.costs(L), problem.a, problem.b)
        inside = frame.lower(L)
        soft = SoftProjector(fantope.project(fantope.symmetric(inside @ inside.T), problem.k))
        return Lower(transport.value, soft, transport.f, transport.g, L)

    def costs(self, L: Array) -> Array:
        """Return lower bounds (n, m) of |L^T (x_i - y_j)|^2, each off by a few roundings of its own terms."""
        (n, d), (m, q) = self.X.shape, (len(self.Y), L.shape[1])
        if L.shape == (d, d) and np.array_equal(L, np.eye(d)):
            below: Array = np.maximum(self.C - UNDERFLOW, 0.0)
            return below
        C, magnitudes = np.empty((n, m)), np.abs(L)
        step = max(1, _BLOCK // (m * d))
        for first in range(0, n, step):
            D = (self.X[first : first + step, None] - self.Y).reshape(-1, d)
            length = np.abs(D @ L) - gamma(d + 4.0) * (np.abs(D) @ magnitudes)
            squares = np.square(np.maximum(length, 0.0)).sum(axis=1)
            C[first : first + step] = squares.reshape(-1, m)
        return np.maximum(C * (1.0 - gamma(q + 4.0)) - UNDERFLOW, 0.0)

    def projected_bound(self, factor: Array, p: float) -> tuple[Lower, Coupling]:
        """Return the bound that a basis (d, k) proves for p-th powers, and an optimal plan there."""
        problem, frame = self.problem, self.problem.frame
        L = divided(factor, frame.k)
        C = self.costs(L)
        C = C if p == 2.0 else power_below(C, 0.5 * p)
        transport = refined_transport(C, problem.a, problem.b)
        U = np.linalg.qr(frame.lower(L))[0][:, : problem.k]
        lower = Lower(transport.value, SoftProjector(np.eye(problem.k), U), transport.f, transport.g, L)
        return lower, self.coupled(Dense(transport.plan)).plan

    # --- upper ---------------------------------------------------------------------------------------------------

    def upper_bound(self, plan: Coupling) -> Upper:
        """Return the bound that a coupling near `plan` (n, m) proves."""
        problem = self.problem
        coupling = self.coupled(plan)
        rows, columns, mass = coupling.plan.atoms()
        root = np.sqrt(mass)[:, None] * (self.X[rows] - self.Y[columns])
        # The nonzero eigenvalues of V = root^T root are those of root root^T, which may be the smaller one.
        gram = root.T @ root if root.shape[1] <= len(root) else root @ root.T
        trace = float(np.einsum("ij,ij->", root, root))
        k = min(problem.frame.k, len(gram))
        rounding = math.sqrt(k) * gamma(sum(root.shape) + 8.0) * 2.0 * trace
        top = top_sum_bound(fantope.symmetric(gram), k) + rounding
        displacements = problem.X[rows] - problem.Y[columns]
        return Upper(
            value=up(top * (1.0 + 8.0 * UNIT) + cost_of_unplaced(problem, coupling.unplaced_a, coupling.unplaced_b)),
            plan=coupling.plan,
            V=(displacements.T * mass) @ displacements,
        )

    @cached_property
    def wasserstein_plan(self) -> Coupling:
        """An optimal plan (n, m) for |x_i - y_j|^2."""
        return Dense(refined_transport(self.C, self.problem.a, self.problem.b, self._rough_plan).plan)

    @property
    def wasserstein_cost(self) -> float:
        """About what it costs."""
        return float(np.sum(self._rough_plan * self.C))

    @cached_property
    def _rough_plan(self) -> Array:
        """The plan of one network simplex."""
        return exact_transport(self.C, self.problem.a, self.problem.b).plan.dense()

    def near_part(self, plan: Coupling, reach: float) -> Coupling:
        """Return a plan without the pairs that are farther apart than `reach`."""
        return Dense(np.where(reach * reach >= self.C, plan.dense(), 0.0))

    def ceiling(self, plan: Coupling, p: float) -> Upper:
        """Return what a coupling near `plan` proves for p-th powers of projected distances."""
        squared, coupling = self.upper_bound(plan), self.coupled(plan)
        mass, lengths = self._lengths(coupling.plan)
        lengths *= 1.0 + gamma(self.X.shape[1] + 8.0)
        return smaller_ceiling(squared, cost_above(self.problem, coupling, mass, lengths, p), p)

    def cost(self, plan: Coupling, L: Array | None, p: float) -> float:
        """Return the sum of plan_ij |L^T (x_i - y_j)|^p, L the identity if None; rounding not counted."""
        mass, lengths = self._lengths(plan, L)
        return float(mass @ lengths**p)

    def _lengths(self, plan: Coupling, L: Array | None = None) -> tuple[Array, Array]:
        """Return the masses of pairs and their distances |L^T (x_i - y_j)|, L the identity if None."""
        rows, columns, mass = plan.atoms()
        displacements = self.X[rows] - self.Y[columns]
        return mass, np.linalg.norm(displacements if L is None else displacements @ L, axis=1)

    def top_sum(self, plan: Coupling) -> float:
        """Return the sum of the k largest eigenvalues of a plan's displacement matrix; rounding not counted."""
        rows, columns, mass = plan.atoms()
        root = np.sqrt(mass)[:, None] * (self.X[rows] - self.Y[columns])
        sizes = np.linalg.svd(root, compute_uv=False)
        return float(np.sum(sizes[: self.problem.frame.k] ** 2))

    def longest_displacement(self, plan: Coupling) -> float:
        """Return the longest distance between pairs of a plan, of those that contribute to its cost."""
        rows, columns, mass = plan.atoms()
        costs = self.C[rows, columns]
        contributions = mass * costs
        contributing = contributions > _CONTRIBUTES * contributions.sum()
        return math.sqrt(float(costs[contributing].max(initial=0.0)) or float(costs[mass > 0.0].max(initial=0.0)))

    def coupled(self, plan: Coupling) -> MetCoupling:
        """Return the coupling that keeps what of `plan` is no residue, and couples the rest by exact transport."""
        masses = self.problem.masses
        rows, columns, mass = plan.atoms()
        solid = mass > _RESIDUE * np.minimum(masses.a[rows], masses.b[columns])
        kept = Sparse.of(rows[solid], columns[solid], mass[solid], plan.shape)
        near = NearCoupling(kept, masses)
        left_over = near.solve_forest()
        if left_over is None or not near.meets:
            near = NearCoupling(kept, masses)
            near.shrink()
            for _ in range(_ROUNDS):  # masses too small for one transport beside larger ones are left for the next
                near.add(*self._transported(*near.missing))
            near.pair_off()
            left_over = near.missing
        return MetCoupling(near.plan, *unplaced_masses(*left_over, masses))

    def _transported(self, missing_a: Array, missing_b: Array) -> tuple[Indices, Indices, Array]:
        """Return atoms of an exact transport of small masses, a little less than what is missing."""
        rows, columns = np.flatnonzero(missing_a > 0.0), np.flatnonzero(missing_b > 0.0)
        if not len(rows) or not len(columns):
            return rows[:0], columns[:0], missing_a[:0]
        a, b = missing_a[rows], missing_b[columns]
        plan = exact_transport(self.C[np.ix_(rows, columns)], a / a.sum(), b / b.sum()).plan
        near = NearCoupling(Sparse(plan.sparse()), Masses(a, 0.0 * a, b, 0.0 * b))
        near.solve_forest()
        near.shrink()
        i, j, mass = near.plan.atoms()
        return rows[i], columns[j], mass


@dataclass(frozen=True, eq=False, slots=True)
class Refined:
    """Transport that is optimal to far more digits than one network simplex gives."""

    f: Array  # (n,) f_i + g_j <= C_ij, exactly
    g: Array  # (m,) both as small as they can be
    value: float  # a lower bound of a.f + b.g
    plan: Array  # (n, m)


def refined_transport(C: Array, a: Array, b: Array, plan: Array | None = None) -> Refined:
    """Return transport for the cost `C` (n, m); `plan` is that of one network simplex, if known.

    It is exact to rounding of the largest cost only. So it is called again on the reduced costs, with those cut off
    that are far beyond the largest one of a pair with mass: iterative refinement of a linear program. The first rounds
    look at the heavy pairs alone, as points of next to no weight may be so far away that they hide all others;
    c-transforms give them their own potentials.
    """
    plan = exact_transport(C, a, b).plan.dense() if plan is None else plan
    best, rest = Refined(np.zeros(len(a)), np.zeros(len(b)), 0.0, plan), C
    cost = float(np.sum(plan * C))
    for share in _SHARES:
        far = _CUTOFF * float(rest[best.plan > share].max(initial=0.0))
        answer = exact_transport(np.minimum(rest, far), a, b)
        f, g, value = _made_feasible(C, a, b, best.g + answer.g)
        if value > best.value:
            best = replace(best, f=f, g=g, value=value)
            rest = np.maximum((C - f[:, None]) - g, 0.0)
        plan = answer.plan.dense()
        if (new_cost := float(np.sum(plan * C))) < cost:
            best, cost = replace(best, plan=plan), new_cost
        if best.value >= (1.0 - _REFINED) * cost:
            break
    return best


def _made_feasible(C: Array, a: Array, b: Array, g: Array) -> tuple[Array, Array, float]:
    """Return potentials by c-transforms, rounded down, and a lower bound of their value."""
    f, g = feasible(C, g - _median(g, b))
    f, g = rounded_down(f), rounded_down(g)
    return f, g, dot_down(((a, f), (b, g)))


def _median(values: Array, weights: Array) -> float:
    """Return a weighted median: as a constant it leaves most potentials small."""
    order = np.argsort(values)
    return float(values[order[np.searchsorted(np.cumsum(weights[order]), 0.5 * weights.sum())]])
