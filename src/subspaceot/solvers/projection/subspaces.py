"""Maximisation over k-dimensional subspaces, by an unconstrained method.

A cost that depends on the span of a basis only is a smooth function of all (r, k) matrices of full rank, and its
gradient is orthogonal to the matrix itself. So an ordinary quasi-Newton method with its own line search maximises it.
"""

from collections.abc import Callable

import numpy as np

from ...linalg.lbfgs import minimise
from ...runtime.types import Array

MAX_STEPS = 2000  # of one search, against endless ones: ascents take 10 to 40, the plane takes some hundred angles

_LARGEST_TANGENT = np.finfo(float).eps ** -0.5  # the basis itself would be lost in the Gram matrix of a longer one


def maximise(cost: Callable[[Array], tuple[float, Array]], U: Array, *, size: float, tol: float) -> tuple[Array, Array]:
    """Return an orthonormal basis (r, k) with the projected gradient there of `cost`, about `tol` times its `size`.

    `cost` takes an orthonormal basis to its cost and a gradient (r, k) in it, of which the part within the span is
    ignored. A step that gains less than `tol`^2 of the size, what a gradient of `tol` is worth, is the last one.
    """
    best_cost, G = cost(U)
    best = U, projected(U, G)
    # The first step has length 1 in the scaled variable, and is one of power iteration if the plan stays as it is: the
    # gradient of trace U^T V U is 2 V U.
    scale = float(np.linalg.norm(best[1])) / (2.0 * size)
    if not scale > 0.0:
        return best
    start = -best_cost / size, -scale * best[1].ravel() / size

    def negated(scaled_tangent: Array) -> tuple[float, Array]:
        nonlocal best, best_cost
        tangent = scale * scaled_tangent.reshape(U.shape)
        if not float(np.linalg.norm(tangent)) < _LARGEST_TANGENT:  # a model that rounding has misled
            return np.inf, np.zeros_like(scaled_tangent)
        # Tangents are orthogonal to the basis, so that the sum is never near singular, and Cholesky's factor is exact:
        # a tenth of the time of all that is not transport, compared to QR.
        A = U + tangent
        inverse = np.linalg.inv(np.linalg.cholesky(A.T @ A))
        Q = A @ inverse.T
        value, G = cost(Q)
        gradient = projected(Q, G)
        if value > best_cost:
            best, best_cost = (Q, gradient), value
        return -value / size, -scale * (gradient @ inverse).ravel() / size

    minimise(negated, *start, steps=MAX_STEPS, gtol=scale * tol, ftol=tol**2)
    return best


def projected(U: Array, G: Array) -> Array:
    """Return the part of `G` (r, k) that leaves the span of `U`."""
    outside: Array = G - U @ (U.T @ G)
    return outside
