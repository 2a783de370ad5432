"""The best direction in the plane, searched to the end.

h(u) = W_2^2(u^T X, u^T Y). The plan that is optimal along one direction is a plan along all others, so its cost
u^T V u, a sine wave in twice the angle, is nowhere below h and touches it at its own angle. Between two such angles h
lies under the lower of their waves.
"""

import heapq
import itertools
from dataclasses import dataclass

import numpy as np

from ...core.problem import Problem
from ...runtime.types import Array
from ...transport import monotone_coupling

_FIRST = 16  # angles to begin with
_ENOUGH = 1e-12  # of the cost
_MOST = 2000  # angles in all; a few hundred is common


@dataclass(frozen=True, slots=True)
class Wave:
    """The cost of one plan along each direction: mean + cosine * cos(2 theta) + sine * sin(2 theta)."""

    angle: float  # where the plan is optimal
    mean: float
    cosine: float
    sine: float

    def at(self, angle: Array) -> Array:
        """Return the cost along the directions at `angle`."""
        height: Array = self.mean + self.cosine * np.cos(2.0 * angle) + self.sine * np.sin(2.0 * angle)
        return height


def best_angle(problem: Problem) -> Array:
    """Return the unit vector u (2,) with the largest W_2^2(u^T X, u^T Y), of all there are, to rounding."""
    angles = np.linspace(0.0, np.pi, _FIRST + 1)
    waves = [wave_at(problem, angle) for angle in angles]
    best = max(waves, key=_own_height)
    ahead: list[tuple[float, float, int]] = []  # (minus the bound, the angle where it is reached, number of the pair)
    pairs: list[tuple[Wave, Wave]] = []

    def push(left: Wave, right: Wave) -> None:
        bound, angle = _highest_between(left, right)
        heapq.heappush(ahead, (-bound, angle, len(pairs)))
        pairs.append((left, right))

    for left, right in itertools.pairwise(waves):
        push(left, right)
    for _ in range(_MOST):
        bound, angle, number = heapq.heappop(ahead)
        if -bound <= _own_height(best) * (1.0 + _ENOUGH):
            break
        left, right = pairs[number]
        middle = wave_at(problem, angle)
        best = max(best, middle, key=_own_height)
        push(left, middle)
        push(middle, right)
    return np.array([np.cos(best.angle), np.sin(best.angle)])


def wave_at(problem: Problem, angle: float) -> Wave:
    """Return the cost along all directions of the plan that is optimal along the one at `angle`."""
    u = np.array([np.cos(angle), np.sin(angle)])
    stairs = monotone_coupling(problem.X @ u, problem.Y @ u, problem.masses)
    moves = problem.X[stairs.rows] - problem.Y[stairs.columns]
    (xx, xy), (_, yy) = (moves.T * stairs.mass) @ moves
    return Wave(angle, 0.5 * (xx + yy), 0.5 * (xx - yy), xy)


def _own_height(wave: Wave) -> float:
    return float(wave.at(np.array(wave.angle)))


def _highest_between(left: Wave, right: Wave) -> tuple[float, float]:
    """Return the largest value of the lower of two waves between their angles, and its angle.

    It is at an end, at the crest of one, or where they cross.
    """
    dm, dc, ds = left.mean - right.mean, left.cosine - right.cosine, left.sine - right.sine
    turn, swing = np.arctan2(ds, dc), np.hypot(dc, ds)
    cross = np.arccos(np.clip(-dm / swing, -1.0, 1.0)) if swing > 0.0 else 0.0
    crests = [np.arctan2(wave.sine, wave.cosine) for wave in (left, right)]
    doubled = np.array([*crests, turn + cross, turn - cross])
    inside = left.angle + np.mod(0.5 * doubled - left.angle, np.pi)
    angles = np.concatenate([[left.angle, right.angle], inside[inside < right.angle]])
    lower = np.minimum(left.at(angles), right.at(angles))
    highest = int(np.argmax(lower))
    return float(lower[highest]), float(angles[highest])
