"""Columns of different units on one scale."""

from collections.abc import Sequence

import numpy as np

from ._types import Array, Mask

# Of the largest value in a column: a spread below this is rounding, not variation.
_ROUNDING = 1e-12


def standardized(clouds: Sequence[Array], weights: Sequence[Array | None]) -> tuple[list[Array], Mask]:
    """Return the clouds with columns of standard deviation 1 over all of them, and which columns vary at all.

    Every cloud counts the same, however many points it has; within a cloud a point counts by its weight. Columns that
    do not vary are left out, as there is no scale for them.

    Examples
    --------
    >>> import numpy as np
    >>> (X, Y), varies = standardized([np.array([[0.0, 7.0]]), np.array([[4.0, 7.0]])], [None, None])
    >>> X, Y, varies
    (array([[0.]]), array([[2.]]), array([ True, False]))
    """
    means = [np.average(X, axis=0, weights=w) for X, w in zip(clouds, weights, strict=True)]
    centre = np.mean(means, axis=0)
    squares = [np.average((X - centre) ** 2, axis=0, weights=w) for X, w in zip(clouds, weights, strict=True)]
    deviation = np.sqrt(np.mean(squares, axis=0))
    largest = np.max([np.abs(X).max(axis=0) for X in clouds], axis=0)
    varies = deviation > _ROUNDING * largest
    return [X[:, varies] / deviation[varies] for X in clouds], varies
