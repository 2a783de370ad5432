"""A k-d tree of points, as arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...runtime.types import Array, Indices

LEAF = 16  # points of a leaf, at most: half as many or twice as many take a tenth longer


@dataclass(frozen=True, eq=False, slots=True)
class Tree:
    """Points (m, q) in an order in which each node of a balanced binary tree holds a range of them."""

    order: Indices  # (m,) the rows, in the order of the tree
    points: Array  # (m, q) in that order
    bounds: Indices  # (nodes, 2) first and one past the last place of each node; node i has children 2 i + 1, 2 i + 2
    low: Array  # (nodes, q) the box around the points
    high: Array  # (nodes, q)

    @classmethod
    def of(cls, points: Array, leaf: int = LEAF) -> "Tree":
        """Return the tree whose leaves hold at most so many points, and at least half as many (two for 1)."""
        from . import _tree_kernels as kernels  # numba takes a third of a second to import

        depth = max(0, min(int(np.ceil(np.log2(len(points) / leaf))), int(np.log2(len(points)))))
        nodes = 2 ** (depth + 1) - 1
        order, bounds = np.arange(len(points)), np.empty((nodes, 2), dtype=np.intp)
        points = np.ascontiguousarray(points)
        kernels.grow(points, depth, order, bounds)
        ordered, low, high = points[order], np.empty((nodes, points.shape[1])), np.empty((nodes, points.shape[1]))
        kernels.enclose(ordered, bounds, low, high)
        return cls(order, ordered, bounds, low, high)

    @property
    def leaves(self) -> Indices:
        """The ranges (., 2) of the leaves, in order."""
        return self.bounds[len(self.bounds) // 2 :]

    def least(self, X: Array, g: Array) -> tuple[Array, Indices]:
        """Return min_j |x_i - y_j|^2 - g_j for each row of X (n, q), exactly but for rounding, and the row j of it.

        `g` (m,) are in the order of the caller's rows. Quick where rows of X come in the order of a tree.
        """
        from . import _tree_kernels as kernels

        least, nearest = np.empty(len(X)), np.empty(len(X), dtype=np.intp)
        kernels.search(np.ascontiguousarray(X), *self._with_models(g), least, nearest)
        return least, self.order[nearest]

    def nearest(self, X: Array, g: Array, count: int) -> Indices:
        """Return the rows j (n, count) with the smallest |x_i - y_j|^2 - g_j, ascending; all where there are fewer."""
        from . import _tree_kernels as kernels

        shape = len(X), min(count, len(self.points))
        least, nearest = np.empty(shape), np.zeros(shape, dtype=np.intp)
        kernels.search_several(np.ascontiguousarray(X), *self._with_models(g), least, nearest)
        return self.order[nearest]

    def _with_models(self, g: Array) -> tuple[Any, ...]:
        """Return what a search reads: points, g in the same order, nodes, and affine functions above g on them."""
        from . import _tree_kernels as kernels

        g = g[self.order]
        slope, offset = np.empty_like(self.low), np.empty(len(self.bounds))
        kernels.fit(self.points, g, self.bounds, slope, offset)
        return self.points, g, self.bounds, self.low, self.high, slope, offset
