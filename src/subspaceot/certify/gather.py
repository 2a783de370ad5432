"""The same question with wide gaps made narrow, for the search only.

Time stamps in seconds lie 86,400 apart, and nobody is carried from one day to another; yet squared distances across
days fill the digits in which the answer lives. In each column, gaps between neighbouring values that are much wider
than mass has to go are cut down to a width that is still prohibitive. Differences within the groups stay as they are,
so plans and directions found for the gathered points are good for the real ones, on which alone they are certified.
"""

import numpy as np

from ..runtime.types import Array

PROHIBITIVE = 16.0  # times the farthest that mass has to go


def gathered(X: Array, Y: Array, farthest: float) -> tuple[Array, Array] | None:
    """Return the points (n, d), (m, d) with narrow gaps; None where there is none to be narrowed.

    `farthest` is the longest distance over which a good plan carries mass.
    """
    width = PROHIBITIVE * farthest
    points = np.concatenate([X, Y])
    order = np.argsort(points, axis=0, kind="stable")
    ascending = np.take_along_axis(points, order, axis=0)
    gaps = np.diff(ascending, axis=0)
    excess = np.where(gaps > width, gaps - width, 0.0)
    if width == 0.0 or not excess.any():
        return None
    # Groups move as a whole: the first value of each goes to its new place, the others keep their distance from it.
    starts = np.vstack([np.zeros_like(ascending[:1], dtype=np.intp), np.cumsum(excess > 0.0, axis=0)])
    near = np.empty_like(points)
    for column in range(points.shape[1]):
        values, group = ascending[:, column], starts[:, column]
        first = np.searchsorted(group, np.arange(group[-1] + 1))
        ends = np.append(first[1:], len(values)) - 1
        extents = values[ends] - values[first]
        places = np.concatenate([[0.0], np.cumsum(extents[:-1] + width)])
        near[order[:, column], column] = places[group] + (values - values[first[group]])
    return near[: len(X)], near[len(X) :]
