"""The same question with wide gaps made narrow, for the search only.

Time stamps in seconds lie 86,400 apart, and no mass goes from one day to another; yet squared distances across days
fill the digits in which the answer lives. In each column, gaps between neighbouring values that are much wider than any
displacement has to be are compressed to a width that is still prohibitive. Differences within the groups stay as they
are, so plans and directions found for the compressed points are good for the real ones, on which alone they are
certified.
"""

import numpy as np

from ..runtime.types import Array, Mask

PROHIBITIVE = 16.0  # times the longest displacement: no good plan has mass across a gap of that width


def compress_gaps(X: Array, Y: Array, longest: float) -> tuple[Array, Array] | None:
    """Return the points (n, d), (m, d) with narrow gaps; None where there is none to be compressed.

    `longest` is the longest displacement of a good plan.
    """
    width = PROHIBITIVE * longest
    points = np.concatenate([X, Y])
    order = np.argsort(points, axis=0, kind="stable")
    ascending = np.take_along_axis(points, order, axis=0)
    wide = np.diff(ascending, axis=0) > width
    if width == 0.0 or not wide.any():
        return None
    compressed = np.empty_like(points)
    for column in range(points.shape[1]):
        compressed[order[:, column], column] = _compressed(ascending[:, column], wide[:, column], width)
    return compressed[: len(X)], compressed[len(X) :]


def _compressed(values: Array, wide: Mask, width: float) -> Array:
    """Return ascending values with all `wide` gaps of the same `width`.

    The first value of each group between such gaps gets its new place, the others keep their distance from it.
    """
    group = np.concatenate([[0], np.cumsum(wide)])
    first = np.searchsorted(group, np.arange(group[-1] + 1))
    ends = np.append(first[1:], len(values)) - 1
    extents = values[ends] - values[first]
    places = np.concatenate([[0.0], np.cumsum(extents[:-1] + width)])
    compressed: Array = places[group] + (values - values[first[group]])
    return compressed
