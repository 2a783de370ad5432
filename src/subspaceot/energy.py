"""The energy distance between two weighted samples, without the bias that the size of samples gives it."""

import numpy as np
import scipy.spatial.distance

from .runtime.types import Array

_BLOCK = 1 << 22  # entries of a block of pairwise distances


def energy_distance(X: Array, Y: Array, a: Array, b: Array) -> float:
    """Return 2 E|x - y| - E|x - x'| - E|y - y'| over pairs of different points, drawn by weights of any sum.

    Its expectation is the energy distance of both laws: 0 where they are the same, positive elsewhere. The value of
    samples may so be negative. W^2 of samples has no such property: it grows with the number of dimensions, and what
    moves points together makes it smaller whether that is right or wrong.
    """
    a, b = a / a.sum(), b / b.sum()
    return 2.0 * _mean_distance(X, Y, a, b) - _mean_within(X, a) - _mean_within(Y, b)


def _mean_within(X: Array, a: Array) -> float:
    """Return the mean distance of two different points, 0 of a single one."""
    return _mean_distance(X, X, a, a) / float(1.0 - a @ a) if len(X) > 1 else 0.0


def _mean_distance(X: Array, Y: Array, a: Array, b: Array) -> float:
    """Return sum_ij a_i b_j |x_i - y_j|, from some rows of all pairs at a time."""
    rows = max(1, _BLOCK // len(Y))
    starts = range(0, len(X), rows)
    blocks = (scipy.spatial.distance.cdist(X[i : i + rows], Y) @ b @ a[i : i + rows] for i in starts)
    return float(np.sum(list(blocks)))
