"""Conjugate gradients for unknowns of any shape."""

from collections.abc import Callable

import numpy as np

from ..runtime.types import Array


def conjugate_gradients(
    operator: Callable[[Array], Array],
    rhs: Array,
    *,
    tol: float,
    diagonal: Array | float = 1.0,
    max_steps: int | None = None,
) -> Array:
    """Return x, of the shape of `rhs`, with operator(x) = rhs to a residual of `tol` times the first.

    `operator` is linear, symmetric and positive semidefinite for the inner product sum(x * y); `diagonal` is about its
    diagonal, a preconditioner, whose inverse gives the norm of residuals. Ends after `max_steps`, as many as there are
    unknowns by default, or where the curvature is not positive: at 0 if that is so from the start.
    """
    x, residual = np.zeros_like(rhs), rhs
    step = z = residual / diagonal
    square = first = float(np.vdot(residual, z))
    for _ in range(rhs.size if max_steps is None else max_steps):
        if square <= tol**2 * first:
            break
        image = operator(step)
        curvature = float(np.vdot(step, image))
        if not curvature > 0.0:
            break
        length = square / curvature
        x = x + length * step
        residual = residual - length * image
        z = residual / diagonal
        square, before = float(np.vdot(residual, z)), square
        step = z + (square / before) * step
    return x
