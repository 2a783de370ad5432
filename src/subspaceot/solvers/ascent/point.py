"""The smoothed cost f_reg(Omega) = min over plans of <Omega | V> + reg * entropy: one evaluation, and a line search."""

from dataclasses import dataclass, replace

import numpy as np

from ...core import fantope
from ...core.costs import SquaredDistances
from ...core.fantope import SoftProjector
from ...core.moments import displacement, displacement_times
from ...linalg.line_search import FLAT, Trial, line_search
from ...runtime.types import Array
from ...transport import Entropic, Transport
from ..potential_drift import potential_drift
from .subspace import Subspace

_SOFTNESS = 0.1  # of k: what the squares of Omega's eigenvalues may lack for it to count as a projector


@dataclass(frozen=True, eq=False, slots=True)
class Point:
    """An Omega with its entropic transport, in the q directions of a working subspace."""

    subspace: Subspace
    omega: Array  # (q, q)
    V: Array  # (q, q) displacement matrix of the plan
    cost: float  # <Omega | V>
    eigenvalues: Array  # (q,) of V, ascending
    transport: Transport
    transported: Array  # (m, q) plan^T X

    @property
    def top_sum(self) -> float:
        """The sum of the k largest eigenvalues of V."""
        return float(self.eigenvalues[-self.subspace.problem.k :].sum())

    @property
    def gap(self) -> float:
        """By how much another Omega could be better at this plan."""
        return self.top_sum - self.cost

    @property
    def soft(self) -> SoftProjector:
        """Omega in all directions."""
        return SoftProjector(self.omega, self.subspace.Q)

    @property
    def expands(self) -> bool:
        """Whether the subspace is to grow at every step: where Omega is nearly a projector that changes directions.

        That takes a third to a half of the time; where Omega's eigenvalues change, up to twice as long.
        """
        return self.subspace.may_grow and is_projector(self.omega, self.subspace.problem.k)

    def expansion_directions(self) -> tuple[Array | None, float]:
        """Return directions (r, k) by which the subspace is to grow, and about how much they add to `top_sum`."""
        if not self.expands:
            return None, 0.0
        return self.subspace.expansion_directions(self.V, self.transport.plan, self.transported)

    def with_directions(self, U: Array) -> "Point":
        """Return the same point in a subspace that holds `U` (r, .) too."""
        subspace = self.subspace.with_directions(U)
        inner, q = subspace.inner, len(self.omega)
        x, y, plan = inner.X[:, q:], inner.Y[:, q:], self.transport.plan
        transported = plan.T @ x
        new = displacement_times(inner.X, inner.Y, plan, x, y, transported)
        omega, V = np.zeros((inner.r, inner.r)), np.empty((inner.r, inner.r))
        omega[:q, :q], V[:q, :q] = self.omega, self.V
        V[:q, q:], V[q:, :q], V[q:, q:] = new[:q], new[:q].T, fantope.symmetric(new[q:])
        transported = np.hstack([self.transported, transported])
        return replace(self, subspace=subspace, omega=omega, V=V, transported=transported)


def is_projector(omega: Array, k: int) -> bool:
    """Return whether `omega` (q, q) of trace k is nearly a projector, the squares of whose eigenvalues sum to k."""
    return float(np.sum(omega * omega)) >= k - _SOFTNESS


def evaluate(subspace: Subspace, omega: Array, reg: float, g: Array, tol: float) -> Point:
    """Return the point at `omega` (q, q), its transport with columns to `tol`."""
    problem = subspace.inner
    costs = SquaredDistances(problem.X, problem.Y, omega)
    transport = Entropic(reg, tol).solve(costs, problem.a, problem.b, g)
    transported = transport.plan.T @ problem.X
    V = displacement(problem.Y, problem.X, transport.plan.T, transported)
    eigenvalues = np.asarray(np.linalg.eigvalsh(V), dtype=np.float64)
    return Point(subspace, omega, V, float(np.sum(omega * V)), eigenvalues, transport, transported)


def ascend(at: Point, move: Array, reg: float, tol: float) -> Point:
    """Return a point along `move` that raises f_reg enough, or where its slope is spent."""
    slope, drift = float(np.sum(at.V * move)), potential_drift(at.subspace.inner, at.transported, move)

    def along(length: float) -> Trial[Point]:
        ahead = evaluate(at.subspace, at.omega + length * move, reg, at.transport.g + length * drift, tol)
        return Trial(-ahead.transport.value, -float(np.sum(ahead.V * move)), ahead)

    return line_search(along, -at.transport.value, -slope, flat=FLAT)[1].point
