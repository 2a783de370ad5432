"""One line search: backtracking to a length that meets Armijo's condition."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from .forcing import FORCING

P = TypeVar("P")

ARMIJO = 1e-4  # of what the first slope promises: a step that gains less is too long (Nocedal and Wright)
FLAT = FORCING  # of the first slope: nearly at the best length, for values that rounding or an inner tolerance blurs
_SHORTEST = float(np.sqrt(np.finfo(float).eps))  # what shorter steps gain is lost in rounding


@dataclass(frozen=True, eq=False, slots=True)
class Trial(Generic[P]):
    """A function along a line, evaluated at one step length."""

    value: float
    slope: float  # its derivative by the length
    point: P  # what the caller wants to keep of the evaluation


def line_search(
    along: Callable[[float], Trial[P]], value: float, slope: float, *, flat: float = 0.0
) -> tuple[float, Trial[P]]:
    """Return a step length that lowers a function enough, or at whose end it is flat, and the trial there.

    `value` and `slope` < 0 are those at length 0. The first length is 1; the next ones are where the slope would
    vanish, were it linear. A slope of `flat` times the first ends the search where values are not to be relied upon.
    What comes back after too many trials is the shortest of them: the caller sees that its value is no better.
    """
    length = 1.0
    while True:
        trial = along(length)
        enough = trial.value <= value + ARMIJO * length * slope
        if enough or abs(trial.slope) < -flat * slope or length < _SHORTEST:
            return length, trial
        flat_at = length * slope / (slope - trial.slope) if slope != trial.slope else length
        length = min(max(FORCING * length, flat_at), length / 2.0)  # in this order: for what is not a number
