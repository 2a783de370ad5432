"""Limited-memory BFGS in NumPy alone.

SciPy's own brings the threads of another BLAS, and both wait for each other: `prw` took twice as long with two threads,
and a tenth longer with one.
"""

from collections import deque
from collections.abc import Callable

import numpy as np

from ..runtime.types import Array

_MEMORY = 10  # pairs of differences
_ENOUGH = 1e-4  # of what the slope promises: a step that gains less is too long,
_STEEP = 0.9  # and one at whose end the slope is still this share of the first is too short
_TRIALS = 20  # of lengths


def minimise(
    function: Callable[[Array], tuple[float, Array]],
    value: float,
    gradient: Array,
    *,
    steps: int,
    gtol: float,
    ftol: float,
) -> Array:
    """Return where a walk downhill from 0 ends, given the value and the gradient there; its first step has length 1.

    It ends where no component of the gradient is larger than `gtol`, or once two steps in a row gain less than `ftol`.
    """
    x, pairs, last_gain = np.zeros_like(gradient), deque[tuple[Array, Array, float]](maxlen=_MEMORY), np.inf
    for _ in range(steps):
        if not np.abs(gradient).max() > gtol:
            break
        way = _direction(gradient, pairs)
        length, ahead, ahead_gradient = _line_search(function, x, way, value, gradient)
        if not ahead < value:
            if not pairs:
                break
            pairs.clear()  # they mislead
            continue
        gain, move, rise = value - ahead, length * way, ahead_gradient - gradient
        x, value, gradient = x + move, ahead, ahead_gradient
        if (curvature := float(move @ rise)) > np.finfo(float).eps * float(rise @ rise):
            pairs.append((move, rise, curvature))
        if max(gain, last_gain) <= ftol:
            break
        last_gain = gain
    return x


def _direction(gradient: Array, pairs: deque[tuple[Array, Array, float]]) -> Array:
    """Return the step to where the gradient would vanish, by the curvature that the pairs have shown."""
    if not pairs:
        return -gradient / np.linalg.norm(gradient)
    way, shares = -gradient, []
    for move, rise, curvature in reversed(pairs):
        shares.append(float(move @ way) / curvature)
        way = way - shares[-1] * rise
    move, rise, curvature = pairs[-1]
    way = way * (curvature / float(rise @ rise))
    for (move, rise, curvature), share in zip(pairs, reversed(shares), strict=True):
        way = way + (share - float(rise @ way) / curvature) * move
    return way


def _line_search(
    function: Callable[[Array], tuple[float, Array]], x: Array, way: Array, value: float, gradient: Array
) -> tuple[float, float, Array]:
    """Return a length along `way` that is neither too long nor too short, with the value and the gradient there."""
    slope, length, shortest, longest = float(gradient @ way), 1.0, 0.0, np.inf
    for _ in range(_TRIALS):
        tried = length
        ahead, ahead_gradient = function(x + length * way)
        if not ahead <= value + _ENOUGH * length * slope:
            longest = length
        elif float(ahead_gradient @ way) < _STEEP * slope:
            shortest = length
        else:
            break
        if longest == np.inf:
            length = 2.0 * shortest
        elif shortest > 0.0:
            length = 0.5 * (shortest + longest)
        else:  # the least point of the parabola through both values with the first slope
            least = -0.5 * slope * length / (ahead - value - slope * length)
            length *= float(np.fmin(np.fmax(least, 0.1), 0.5))  # which pass over what is not a number
    return tried, ahead, ahead_gradient
