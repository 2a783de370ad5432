"""Loops over all pairs of points in single precision, tile by tile: inner products, their minima, exponentials of them.

The points of the second measure lie in tiles (p, SIZE), one coordinate after the other, so that the pairs of a row with
a tile are vector instructions; p is a multiple of 8. A tile stays in the fastest cache while all rows go past it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runtime.compiled import compiled, inlined
from ..runtime.types import Array, Indices

Single = NDArray[np.float32]
f4 = np.float32

SIZE = 256  # columns of a tile: 128 and 512 take a tenth to a third longer in 8 and in 32 directions


@inlined
def inner(x: Single, tile: Single, offsets: Single, own: Any, out: Single) -> None:
    """out_j = own + offsets_j + <x, y_j>, always rounded the same way, whatever other rows come along."""
    for j in range(len(out)):
        out[j] = offsets[j] + own
    for p in range(0, len(x), 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = x[p], x[p + 1], x[p + 2], x[p + 3], x[p + 4], x[p + 5], x[p + 6], x[p + 7]
        for j in range(len(out)):
            first = (x0 * tile[p, j] + x1 * tile[p + 1, j]) + (x2 * tile[p + 2, j] + x3 * tile[p + 3, j])
            second = (x4 * tile[p + 4, j] + x5 * tile[p + 5, j]) + (x6 * tile[p + 6, j] + x7 * tile[p + 7, j])
            out[j] = out[j] + (first + second)


@inlined
def powers(x: Single, bits: NDArray[np.int32], moved: Single, moved_bits: NDArray[np.int32]) -> None:
    """x_j = 2^x_j to 1e-6, with x_j cut off at -120 and 120; `bits` and `moved_bits` are views of x and `moved`.

    2^x = 2^k p(r), as in the exponentials of Sinkhorn's method: k the nearest integer, moved into the exponent.
    """
    for j in range(len(x)):
        y = min(max(x[j], f4(-120.0)), f4(120.0))
        s = y + f4(12582912.0)  # 1.5 * 2^23
        r = y - (s - f4(12582912.0))
        p = f4(1.5353362e-4)
        p = p * r + f4(1.3398874e-3)
        p = p * r + f4(9.6184373e-3)
        p = p * r + f4(5.5503324e-2)
        p = p * r + f4(2.4022651e-1)
        p = p * r + f4(6.9314718e-1)
        x[j] = p * r + f4(1.0)
        moved[j] = s
    for j in range(len(x)):
        bits[j] += moved_bits[j] << np.int32(23)


@compiled
def minima(X: Single, tiles: Single, offsets: Single, out: Single) -> None:
    """out_it = min over the columns j of tile t of offsets_j + <x_i, y_j>."""
    s = np.empty(tiles.shape[2], np.float32)
    for t in range(len(tiles)):
        for i in range(len(X)):
            inner(X[i], tiles[t], offsets[t], f4(0.0), s)
            half = len(s) // 2
            while half >= 1:
                for j in range(half):
                    s[j] = min(s[j], s[j + half])
                half //= 2
            out[i, t] = s[0]


@compiled
def sums(X: Single, own: Single, tiles: Single, offsets: Single, out: Array) -> None:
    """out_i = out_i + sum_j 2^(own_i + offsets_j + <x_i, y_j>)."""
    s, moved = np.empty(tiles.shape[2], np.float32), np.empty(tiles.shape[2], np.float32)
    bits, moved_bits = s.view(np.int32), moved.view(np.int32)
    for t in range(len(tiles)):
        for i in range(len(X)):
            inner(X[i], tiles[t], offsets[t], own[i], s)
            powers(s, bits, moved, moved_bits)
            half = len(s) // 2
            while half >= 1:
                for j in range(half):
                    s[j] = s[j] + s[j + half]
                half //= 2
            out[i] += s[0]


@compiled
def masses(X: Single, own: Single, tile: Single, offsets: Single, out: Array) -> None:
    """out_ij = 2^(own_i + offsets_j + <x_i, y_j>) for one tile: numbers that are the same in every call."""
    s, moved = np.empty(tile.shape[1], np.float32), np.empty(tile.shape[1], np.float32)
    bits, moved_bits = s.view(np.int32), moved.view(np.int32)
    for i in range(len(X)):
        inner(X[i], tile, offsets, own[i], s)
        powers(s, bits, moved, moved_bits)
        row = out[i]
        for j in range(len(s)):
            row[j] = s[j]


@inlined
def insert(values: Array, places: Indices, value: Any, place: int) -> None:
    """Put a value into an ascending list, whose last entry falls out, if it is smaller than that."""
    t = len(values) - 1
    if value < values[t]:
        while t > 0 and values[t - 1] > value:
            values[t], places[t] = values[t - 1], places[t - 1]
            t -= 1
        values[t], places[t] = value, place


@compiled
def several(X: Array, Y: Array, g: Array, near: Single, nearest: Indices) -> None:
    """Fill in the rows j (n, count) with about the smallest |x_i - y_j|^2 - g_j, ascending.

    near (n, tiles) are minima without |x_i|^2: the smallest values are in as many tiles of the smallest minima.
    """
    size, m, count = SIZE, len(Y), nearest.shape[1]
    tiles, least = np.empty(count, np.intp), np.empty(count, np.float64)
    lows = np.empty(count, np.float64)
    for i in range(len(X)):
        lows[:], least[:] = np.inf, np.inf
        for t in range(near.shape[1]):
            insert(lows, tiles, np.float64(near[i, t]), t)
        for s in range(min(count, near.shape[1])):
            for j in range(tiles[s] * size, min((tiles[s] + 1) * size, m)):
                square = 0.0
                for p in range(X.shape[1]):
                    square += (X[i, p] - Y[j, p]) * (X[i, p] - Y[j, p])
                insert(least, nearest[i], square - g[j], j)


@compiled
def refine(X: Array, Y: Array, g: Array, near: Single, margins: Array, least: Array, nearest: Indices) -> None:
    """Fill in min_j |x_i - y_j|^2 - g_j (n,) and where it is, in double precision.

    near (n, tiles) are minima without |x_i|^2, none off by more than half a margin (n,): the least is not in a tile
    whose minimum is above the least one by more than that.
    """
    size, m = SIZE, len(Y)
    for i in range(len(X)):
        threshold = np.inf
        for t in range(near.shape[1]):
            threshold = min(threshold, np.float64(near[i, t]))
        threshold += margins[i]
        best, place = np.inf, 0
        for t in range(near.shape[1]):
            if near[i, t] > threshold:
                continue
            for j in range(t * size, min((t + 1) * size, m)):
                square = 0.0
                for p in range(X.shape[1]):
                    square += (X[i, p] - Y[j, p]) * (X[i, p] - Y[j, p])
                if square - g[j] < best:
                    best, place = square - g[j], j
        least[i], nearest[i] = best, place
