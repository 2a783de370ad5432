"""A balanced k-d tree over weighted points, and the search in it, in compiled loops.

The tree is implicit: node i has the children 2 i + 1 and 2 i + 2, and holds the points order[first_i : last_i]. Each
node knows the box around its points and an affine function that is nowhere below the potential on them.
"""

from typing import Any

import numpy as np

from ...runtime.compiled import compiled, inlined
from ...runtime.types import Array, Indices
from .smallest import insert

UNIT = 2.0**-53
_DEEPEST = 64  # nodes on the way from the root to a leaf and beside it, more than any tree of 64-bit numbers has


@compiled
def split(points: Array, order: Indices, first: int, last: int) -> None:
    """Put the points order[first:last] into two halves, along the axis in which they extend farthest (quickselect)."""
    axis, widest = 0, -1.0
    for p in range(points.shape[1]):
        low, high = points[order[first], p], points[order[first], p]
        for t in range(first + 1, last):
            low, high = min(low, points[order[t], p]), max(high, points[order[t], p])
        if high - low > widest:
            axis, widest = p, high - low
    half, left, right = (first + last) // 2, first, last - 1
    while left < right:
        pivot = points[order[(left + right) // 2], axis]
        i, j = left, right
        while i <= j:
            while points[order[i], axis] < pivot:
                i += 1
            while points[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if half <= j:
            right = j
        elif half >= i:
            left = i
        else:
            break


@compiled
def grow(points: Array, depth: int, order: Indices, bounds: Indices) -> None:
    """Fill in the order of the points, and for each node of the tree the range `bounds` (nodes, 2) that it holds."""
    bounds[0, 0], bounds[0, 1] = 0, len(points)
    for node in range(2**depth - 1):
        first, last = bounds[node]
        split(points, order, first, last)
        half = (first + last) // 2
        bounds[2 * node + 1, 0], bounds[2 * node + 1, 1] = first, half
        bounds[2 * node + 2, 0], bounds[2 * node + 2, 1] = half, last


@compiled
def enclose(points: Array, bounds: Indices, low: Array, high: Array) -> None:
    """Fill in the boxes (nodes, q) of all nodes, from points in the order of the tree."""
    for node in range(len(bounds)):
        first, last = bounds[node]
        for p in range(points.shape[1]):
            low[node, p], high[node, p] = np.inf, -np.inf
            for t in range(first, last):
                low[node, p] = min(low[node, p], points[t, p])
                high[node, p] = max(high[node, p], points[t, p])


@compiled
def fit(points: Array, g: Array, bounds: Indices, slope: Array, offset: Array) -> None:
    """Fill in offset + <slope, y> >= g(y) for each node: the slope by least squares, any would be true."""
    q = points.shape[1]
    gram, right, mean = np.empty((q, q)), np.empty(q), np.empty(q)
    for node in range(len(bounds)):
        first, last = bounds[node]
        count = last - first
        mean[:], level = 0.0, 0.0
        for t in range(first, last):
            level += g[t] / count
            for p in range(q):
                mean[p] += points[t, p] / count
        gram[:], right[:] = 0.0, 0.0
        for t in range(first, last):
            for p in range(q):
                right[p] += (points[t, p] - mean[p]) * (g[t] - level)
                for s in range(p + 1):
                    gram[p, s] += (points[t, p] - mean[p]) * (points[t, s] - mean[s])
        solve(gram, right)
        slope[node] = right
        offset[node] = -np.inf
        for t in range(first, last):
            value, size = g[t], abs(g[t])
            for p in range(q):
                value -= right[p] * points[t, p]
                size += abs(right[p] * points[t, p])
            offset[node] = max(offset[node], value + (q + 2.0) * UNIT * size)


@compiled
def solve(gram: Array, right: Array) -> None:
    """Overwrite `right` (q,) by the solution for the symmetric matrix, a little ridge added; by Cholesky's factor."""
    q, trace = len(right), 0.0
    for p in range(q):
        trace += gram[p, p]
    for p in range(q):
        gram[p, p] += 1e-9 * trace + 1e-300
    for p in range(q):
        for s in range(p + 1):
            total = gram[p, s]
            for t in range(s):
                total -= gram[p, t] * gram[s, t]
            gram[p, s] = np.sqrt(max(total, 1e-300)) if s == p else total / gram[s, s]
    for p in range(q):
        for t in range(p):
            right[p] -= gram[p, t] * right[t]
        right[p] /= gram[p, p]
    for p in range(q - 1, -1, -1):
        for t in range(p + 1, q):
            right[p] -= gram[t, p] * right[t]
        right[p] /= gram[p, p]


@inlined
def node_bound(x: Array, low: Array, high: Array, slope: Array, offset: Array, node: int) -> Any:
    """No more than |x - y|^2 - g(y) is for any y of the node, rounding counted.

    |x - y|^2 - offset - <slope, y> is separable and least where y is x + slope / 2, cut off at the box.
    """
    bound, size = -offset[node], abs(offset[node])
    for p in range(len(x)):
        y = min(max(x[p] + 0.5 * slope[node, p], low[node, p]), high[node, p])
        square, tilt = (x[p] - y) * (x[p] - y), slope[node, p] * y
        bound += square - tilt
        size += square + abs(tilt)
    return bound - (2.0 * len(x) + 8.0) * UNIT * size


@inlined
def value_at(x: Array, points: Array, g: Array, j: int) -> Any:
    """|x - y_j|^2 - g_j, with g last: its size costs one rounding of the value, and none of the sum."""
    square = 0.0
    for p in range(len(x)):
        square += (x[p] - points[j, p]) * (x[p] - points[j, p])
    return square - g[j]


@compiled
def open_node(
    x: Array, low: Array, high: Array, slope: Array, offset: Array, node: int, stack: Indices, waiting: Array
) -> None:
    """Write both children of a node and their bounds to the front of the stack, the better one last."""
    one, other = 2 * node + 1, 2 * node + 2
    bound_one = node_bound(x, low, high, slope, offset, one)
    bound_other = node_bound(x, low, high, slope, offset, other)
    first = 1 if bound_one < bound_other else 0
    stack[first], waiting[first] = one, bound_one
    stack[1 - first], waiting[1 - first] = other, bound_other


@compiled
def search(
    X: Array,
    points: Array,
    g: Array,
    bounds: Indices,
    low: Array,
    high: Array,
    slope: Array,
    offset: Array,
    least: Array,
    nearest: Indices,
) -> None:
    """Fill in min_j |x_i - y_j|^2 - g_j for each row of X, and the place j in the order of the tree where it is.

    A point begins with the place of the one before it: rows that come in the order of a tree are near each other.
    """
    leaves, place = (len(bounds) + 1) // 2, 0
    stack, waiting = np.empty(_DEEPEST, np.intp), np.empty(_DEEPEST)
    for i in range(len(X)):
        best = value_at(X[i], points, g, place)
        stack[0], waiting[0], height = 0, -np.inf, 1
        while height > 0:
            height -= 1
            node = stack[height]
            if waiting[height] >= best:
                continue
            if node < leaves - 1:
                open_node(X[i], low, high, slope, offset, node, stack[height:], waiting[height:])
                height += 2
                continue
            for j in range(bounds[node, 0], bounds[node, 1]):
                value = value_at(X[i], points, g, j)
                if value < best:
                    best, place = value, j
        least[i], nearest[i] = best, place


@compiled
def search_several(
    X: Array,
    points: Array,
    g: Array,
    bounds: Indices,
    low: Array,
    high: Array,
    slope: Array,
    offset: Array,
    least: Array,
    nearest: Indices,
) -> None:
    """Fill in the smallest values (n, count) of |x_i - y_j|^2 - g_j for each row of X, ascending, and their places."""
    leaves, last = (len(bounds) + 1) // 2, least.shape[1] - 1
    stack, waiting = np.empty(_DEEPEST, np.intp), np.empty(_DEEPEST)
    least[:] = np.inf
    for i in range(len(X)):
        stack[0], waiting[0], height = 0, -np.inf, 1
        while height > 0:
            height -= 1
            node = stack[height]
            if waiting[height] >= least[i, last]:
                continue
            if node < leaves - 1:
                open_node(X[i], low, high, slope, offset, node, stack[height:], waiting[height:])
                height += 2
                continue
            for j in range(bounds[node, 0], bounds[node, 1]):
                value = value_at(X[i], points, g, j)
                if value < least[i, last]:
                    insert(value, j, least[i], nearest[i])
