"""Ascent over k-dimensional subspaces, without a manifold in sight.

A cost that depends on the span of a basis only is a smooth function of all (r, k) matrices of full rank: its gradient
is orthogonal to the matrix itself. So an ordinary quasi-Newton method with its own line search climbs it.
"""

from collections.abc import Callable

import numpy as np

from ...linalg.lbfgs import minimise
from ...runtime.types import Array

_STEPS = 200
_NO_GAIN = 1e-9  # of the size: steps that gain less end the climb
_TOO_FAR = 1e6  # radians: the basis itself would be lost in such a turn
_FIRST = 0.6  # of the gradient over the size: the first turn, in radians (without it one of a whole radian comes first,
# and a transport from afar: a fifth of the time of a climb)


def climb(cost: Callable[[Array], tuple[float, Array]], U: Array, *, size: float, tol: float) -> tuple[Array, Array]:
    """Return an orthonormal basis (r, k) with the projected gradient there of `cost`, about `tol` times its `size`.

    `cost` takes an orthonormal basis to its cost and a gradient (r, k) in it, of which the part within the span is
    ignored.
    """
    height, G = cost(U)
    best = U, across(U, G)
    unit = _FIRST * float(np.linalg.norm(best[1])) / size  # the first step has length 1
    if not unit > 0.0:
        return best
    start = -height / size, -unit * best[1].ravel() / size

    def descent(turn: Array) -> tuple[float, Array]:
        nonlocal best, height
        # Steps are orthogonal to the matrix, so that it is never near singular, and Cholesky's factor is exact: a tenth
        # of the time of all that is not transport, compared to QR.
        A = U + unit * turn.reshape(U.shape)
        if not float(np.linalg.norm(turn)) * unit < _TOO_FAR:  # a model that rounding has misled
            return np.inf, np.zeros_like(turn)
        inverse = np.linalg.inv(np.linalg.cholesky(A.T @ A))
        Q = A @ inverse.T
        value, G = cost(Q)
        slope = across(Q, G)
        if value > height:
            best, height = (Q, slope), value
        upwards = slope @ inverse
        return -value / size, -unit * upwards.ravel() / size

    minimise(descent, *start, steps=_STEPS, gtol=unit * tol, ftol=_NO_GAIN)
    return best


def across(U: Array, G: Array) -> Array:
    """Return the part of `G` (r, k) that leaves the span of `U`."""
    projected: Array = G - U @ (U.T @ G)
    return projected
