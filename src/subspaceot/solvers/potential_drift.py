"""Where the next potential is to be found once Omega, or a basis, has changed."""

import numpy as np

from ..core.problem import Problem
from ..runtime.types import Array


def potential_drift(problem: Problem, transported: Array, move: Array) -> Array:
    """Return how g changes when Omega changes by `move` (r, r) and the plan stays.

    The gradient of g is 2 Omega (y - x(y)), with x(y) the mean of what comes to y: `transported` = plan^T X (m, r) over
    the weights. If x(y) is linear, g changes by a quadratic function of y, which is this one. Where Omega changes its
    directions, an evaluation takes two thirds of the time.
    """
    return _linear_potential(problem, problem.X, problem.Y @ move, problem.Y, transported)


def potential_within(problem: Problem, x: Array, y: Array, transported: Array) -> Array:
    """Return the potential g (m,) of a plan that is a linear map from the points y (m, k) to x (n, k).

    `transported` (m, k) is plan^T x. Between two bases of projection, g changes by the difference.
    """
    return _linear_potential(problem, x, y, y, transported)


def _linear_potential(problem: Problem, x: Array, y_moved: Array, y: Array, transported: Array) -> Array:
    shift = problem.b @ y - problem.a @ x
    means = transported / problem.b[:, None]
    potential: Array = np.einsum("ij,ij->i", y_moved - problem.b @ y_moved, y - means + shift)
    return potential
