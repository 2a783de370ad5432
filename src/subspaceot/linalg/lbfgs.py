"""Limited-memory BFGS in NumPy alone.

SciPy's own brings the threads of another BLAS, and both wait for each other: `prw` took twice as long with two threads,
and a tenth longer with one.
"""

from collections import deque
from collections.abc import Callable

import numpy as np

from ..runtime.types import Array
from .line_search import Trial, line_search

_MEMORY = 10  # pairs of differences


def minimise(
    function: Callable[[Array], tuple[float, Array]],
    value: float,
    gradient: Array,
    *,
    steps: int,
    gtol: float,
    ftol: float,
) -> Array:
    """Return where a descent from 0 ends, given the value and the gradient there; its first step has length 1.

    It ends where no component of the gradient is larger than `gtol`, or once two steps in a row gain less than `ftol`.
    """
    x, pairs, last_gain = np.zeros_like(gradient), deque[tuple[Array, Array, float]](maxlen=_MEMORY), np.inf
    for _ in range(steps):
        if not np.abs(gradient).max() > gtol:
            break
        direction = _direction(gradient, pairs)
        length, ahead = line_search(_along(function, x, direction), value, float(gradient @ direction))
        if not ahead.value < value:
            if not pairs:
                break
            pairs.clear()  # they mislead
            continue
        gain, move, change = value - ahead.value, length * direction, ahead.point - gradient
        x, value, gradient = x + move, ahead.value, ahead.point
        if (curvature := float(move @ change)) > np.finfo(float).eps * float(change @ change):
            pairs.append((move, change, curvature))
        if max(gain, last_gain) <= ftol:
            break
        last_gain = gain
    return x


def _along(
    function: Callable[[Array], tuple[float, Array]], x: Array, direction: Array
) -> Callable[[float], Trial[Array]]:
    """Return the function along a line, which keeps gradients."""

    def along(length: float) -> Trial[Array]:
        value, gradient = function(x + length * direction)
        return Trial(value, float(gradient @ direction), gradient)

    return along


def _direction(gradient: Array, pairs: deque[tuple[Array, Array, float]]) -> Array:
    """Return the step to where the gradient would vanish, by the curvature that the pairs have shown."""
    if not pairs:
        return -gradient / np.linalg.norm(gradient)
    direction, shares = -gradient, []
    for move, change, curvature in reversed(pairs):
        shares.append(float(move @ direction) / curvature)
        direction = direction - shares[-1] * change
    move, change, curvature = pairs[-1]
    direction = direction * (curvature / float(change @ change))
    for (move, change, curvature), share in zip(pairs, reversed(shares), strict=True):
        direction = direction + (share - float(change @ direction) / curvature) * move
    return direction
