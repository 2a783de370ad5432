"""The best direction in the plane, by branch and bound.

h(u) = W_2^2(u^T X, u^T Y). The plan that is optimal along one direction is a plan along all others, so its cost
u^T V u, a sine wave in twice the angle, is nowhere below h and touches it at its own angle. Between two such angles h
lies under the lower of their waves.
"""

import heapq
from dataclasses import dataclass

import numpy as np

from ...core.problem import Problem
from ...core.rounding import gamma
from ...runtime.types import Array
from ...transport import monotone_coupling
from .subspaces import MAX_STEPS


@dataclass(frozen=True, slots=True)
class Wave:
    """The cost of one plan along each direction: mean + cosine * cos(2 theta) + sine * sin(2 theta)."""

    angle: float  # where the plan is optimal
    mean: float
    cosine: float
    sine: float

    def at(self, angle: Array) -> Array:
        """Return the cost along the directions at `angle`."""
        cost: Array = self.mean + self.cosine * np.cos(2.0 * angle) + self.sine * np.sin(2.0 * angle)
        return cost


def best_angle(problem: Problem) -> Array:
    """Return the unit vector u (2,) with the largest W_2^2(u^T X, u^T Y), of all there are, to rounding."""
    first, last = wave_at(problem, 0.0), wave_at(problem, np.pi)
    rounding = gamma(len(problem.a) + len(problem.b))
    best = first
    intervals = [(*_bound_between(first, last), 0, first, last)]  # a heap; numbers decide where bounds are equal
    for count in range(1, MAX_STEPS):
        minus_bound, angle, _, left, right = heapq.heappop(intervals)
        if -minus_bound <= _optimal_cost(best) * (1.0 + rounding):
            break
        middle = wave_at(problem, angle)
        best = max(best, middle, key=_optimal_cost)
        heapq.heappush(intervals, (*_bound_between(left, middle), 2 * count, left, middle))
        heapq.heappush(intervals, (*_bound_between(middle, right), 2 * count + 1, middle, right))
    return np.array([np.cos(best.angle), np.sin(best.angle)])


def wave_at(problem: Problem, angle: float) -> Wave:
    """Return the cost along all directions of the plan that is optimal along the one at `angle`."""
    u = np.array([np.cos(angle), np.sin(angle)])
    plan = monotone_coupling(problem.X @ u, problem.Y @ u, problem.masses)
    displacements = problem.X[plan.rows] - problem.Y[plan.columns]
    (xx, xy), (_, yy) = (displacements.T * plan.mass) @ displacements
    return Wave(angle, 0.5 * (xx + yy), 0.5 * (xx - yy), xy)


def _optimal_cost(wave: Wave) -> float:
    return float(wave.at(np.array(wave.angle)))


def _bound_between(left: Wave, right: Wave) -> tuple[float, float]:
    """Return minus the largest value of the lower of two waves between their angles, and its angle.

    It is at an end, where one of them is largest, or where they cross.
    """
    mean, cosine, sine = left.mean - right.mean, left.cosine - right.cosine, left.sine - right.sine
    phase, amplitude = np.arctan2(sine, cosine), np.hypot(cosine, sine)
    cross = np.arccos(np.clip(-mean / amplitude, -1.0, 1.0)) if amplitude > 0.0 else 0.0
    largest = [np.arctan2(wave.sine, wave.cosine) for wave in (left, right)]
    doubled = np.array([*largest, phase + cross, phase - cross])
    inside = left.angle + np.mod(0.5 * doubled - left.angle, np.pi)
    angles = np.concatenate([[left.angle, right.angle], inside[inside < right.angle]])
    lower = np.minimum(left.at(angles), right.at(angles))
    best = int(np.argmax(lower))
    return -float(lower[best]), float(angles[best])
