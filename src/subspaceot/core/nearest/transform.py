"""min_j |x_i - y_j|^2 - g_j over all j: by a tree in few dimensions, by tiles of all pairs in more."""

import numpy as np

from ...runtime.blocks import blocks
from ...runtime.types import Array, Indices
from .. import tiles
from ..moments import squared_distances
from .tree import Tree

TREE_DIMENSIONS = 6  # and fewer: beyond them a tree looks at so many leaves that tiles of all pairs are quicker


def minimum(X: Array, Y: Array, g: Array) -> Array:
    """Return min_j |x_i - y_j|^2 - g_j (n,), no (n, m) array formed.

    Exact but for the rounding of the differences; for that of expanded products where numbers are huge or tiny.
    """
    if X.shape[1] > TREE_DIMENSIONS:
        least = tiles.minimum(X, Y, g)
        return _by_blocks(X, Y, g) if least is None else least
    tree, queries = Tree.of(Y), Tree.of(X)
    least = np.empty(len(X))
    least[queries.order] = tree.least(queries.points, g)[0]
    return least


def nearest(X: Array, Y: Array, g: Array, count: int) -> Indices:
    """Return the rows j (n, count) with the smallest |x_i - y_j|^2 - g_j, all where there are fewer.

    In many directions they are so in single precision.
    """
    places = tiles.nearest(X, Y, g, count) if X.shape[1] > TREE_DIMENSIONS else None
    return Tree.of(Y).nearest(X, g, count) if places is None else places


def _by_blocks(X: Array, Y: Array, g: Array) -> Array:
    least = np.empty(len(X))
    for rows in blocks(len(X), len(Y)):
        least[rows] = (squared_distances(X[rows], Y) - g).min(axis=1)
    return least
