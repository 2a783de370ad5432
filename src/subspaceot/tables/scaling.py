"""Columns of different units on one scale."""

from collections.abc import Sequence

import numpy as np

from ..runtime.types import Array

# Of the largest value in a column: a spread below this is rounding, not variation.
_ROUNDING = 1e-12


def standardized(
    samples: Sequence[Array], weights: Sequence[Array | None], blocks: Sequence[int] | None = None
) -> tuple[list[Array], Array]:
    """Return the samples with columns of standard deviation 1 over all of them, and the deviations they had (d,).

    Every sample counts the same, however many points it has; within a sample a point counts by its weight. Columns that
    do not vary are left out, as there is no scale for them; their deviation is 0. Columns of one block, (d,) numbers of
    blocks, are divided by the same number, so that their variances sum to 1: together they count as one column.

    Examples
    --------
    >>> import numpy as np
    >>> (X, Y), deviation = standardized([np.array([[0.0, 7.0]]), np.array([[4.0, 7.0]])], [None, None])
    >>> X, Y, deviation
    (array([[0.]]), array([[2.]]), array([2., 0.]))
    """
    variance = pooled_variance(samples, weights)
    largest = np.max([np.abs(X).max(axis=0) for X in samples], axis=0)
    varies = np.sqrt(variance) > _ROUNDING * largest
    if blocks is not None:
        of_column = np.unique(blocks, return_inverse=True)[1]
        variance = np.bincount(of_column, weights=variance).astype(np.float64)[of_column]
    deviation = np.where(varies, np.sqrt(variance), 0.0)
    return [np.ascontiguousarray(X[:, varies] / deviation[varies]) for X in samples], deviation


def pooled_variance(samples: Sequence[Array], weights: Sequence[Array | None]) -> Array:
    """Return the mean squared distance (d,) of the points from the mean of the samples' means, each counting the same.

    Examples
    --------
    >>> import numpy as np
    >>> pooled_variance([np.array([[0.0, 7.0]]), np.array([[4.0, 7.0]])], [None, None])
    array([4., 0.])
    """
    means = [np.average(X, axis=0, weights=w) for X, w in zip(samples, weights, strict=True)]
    centre = np.mean(means, axis=0)
    squares = [np.average((X - centre) ** 2, axis=0, weights=w) for X, w in zip(samples, weights, strict=True)]
    variance: Array = np.mean(squares, axis=0)
    return variance
