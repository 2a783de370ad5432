"""The smoothed cost f_reg(Omega) = min over plans of <Omega | V> + reg * entropy: one evaluation, and a line search."""

from dataclasses import dataclass, replace

import numpy as np

from ...core import fantope
from ...core.costs import SquaredDistances
from ...core.fantope import SoftProjector
from ...core.moments import displacement, displacement_times
from ...runtime.types import Array
from ...transport import Entropic, Transport
from ..start import potential_drift
from .subspace import Room

_SOFT = 0.1  # how much of k the squares of Omega's eigenvalues may lack: half the time of texts to 1e-3


@dataclass(frozen=True, eq=False, slots=True)
class Point:
    """An Omega with its entropic transport, in the q directions of a room."""

    room: Room
    omega: Array  # (q, q)
    V: Array  # (q, q) displacement matrix of the plan
    cost: float  # <Omega | V>
    eigenvalues: Array  # (q,) of V, ascending
    transport: Transport
    carried: Array  # (m, q) plan^T X

    @property
    def top_sum(self) -> float:
        """The sum of the k largest eigenvalues of V."""
        return float(self.eigenvalues[-self.room.problem.k :].sum())

    @property
    def grows(self) -> bool:
        """Whether the room is to grow at every step: where Omega is nearly a projector, and will stay one."""
        if not self.room.grows(self.eigenvalues):
            return False
        squares = float(np.sum(self.omega * self.omega))  # k for a projector
        return squares >= self.room.problem.k - _SOFT

    @property
    def gap(self) -> float:
        """By how much another Omega could be better at this plan."""
        return self.top_sum - self.cost

    @property
    def soft(self) -> SoftProjector:
        """Omega in all directions."""
        return SoftProjector(self.omega, self.room.Q)

    def ways_out(self) -> tuple[Array | None, float]:
        """Return directions (r, k) for the room to grow by, and about how much they add to `top_sum`, if it grows."""
        return self.room.ways_out(self.V, self.transport.plan, self.carried) if self.grows else (None, 0.0)

    def with_directions(self, U: Array) -> "Point":
        """Return the same point in a room that holds `U` (r, .) too."""
        room = self.room.with_directions(U)
        inner, q = room.inner, len(self.omega)
        x, y, plan = inner.X[:, q:], inner.Y[:, q:], self.transport.plan
        carried = plan.T @ x
        new = displacement_times(inner.X, inner.Y, plan, x, y, carried)
        omega, V = np.zeros((inner.r, inner.r)), np.empty((inner.r, inner.r))
        omega[:q, :q], V[:q, :q] = self.omega, self.V
        V[:q, q:], V[q:, :q], V[q:, q:] = new[:q], new[:q].T, fantope.symmetric(new[q:])
        return replace(self, room=room, omega=omega, V=V, carried=np.hstack([self.carried, carried]))


def evaluate(room: Room, omega: Array, reg: float, g: Array, tol: float) -> Point:
    """Return the point at `omega` (q, q), its transport with columns to `tol`."""
    problem = room.inner
    costs = SquaredDistances(problem.X, problem.Y, omega)
    transport = Entropic(reg, tol).solve(costs, problem.a, problem.b, g)
    carried = transport.plan.T @ problem.X
    V = displacement(problem.Y, problem.X, transport.plan.T, carried)
    eigenvalues = np.asarray(np.linalg.eigvalsh(V), dtype=np.float64)
    return Point(room, omega, V, float(np.sum(omega * V)), eigenvalues, transport, carried)


def line_search(at: Point, move: Array, reg: float, precision: float) -> Point:
    """Return a point along `move` that raises f_reg enough, or where its slope is spent."""
    slope, drift = float(np.sum(at.V * move)), potential_drift(at.room.inner, at.carried, move)
    length = 1.0
    for _ in range(10):
        ahead = evaluate(at.room, at.omega + length * move, reg, at.transport.g + length * drift, precision)
        slope_ahead = float(np.sum(ahead.V * move))
        enough = ahead.transport.value >= at.transport.value + 1e-4 * length * slope
        if enough or abs(slope_ahead) < 0.1 * slope or slope_ahead >= slope:
            break
        length *= float(np.clip(slope / (slope - slope_ahead), 0.1, 0.5))
    return ahead
