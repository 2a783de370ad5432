"""Potentials that a cost matrix allows: c-transforms."""

import numpy as np

from ..runtime.blocks import blocks
from ..runtime.types import Array
from .moments import squared_distances
from .nearest import minimum

LARGE_PAIRS = 25_000_000  # from here on no (n, m) array is formed where it can be helped: it takes 200 MB


def row_transform(C: Array, g: Array) -> Array:
    """Return f_i = min_j (C_ij - g_j) (n,), the largest f with f_i + g_j <= C_ij."""
    f: Array = (C - g).min(axis=1)
    return f


def column_transform(C: Array, f: Array) -> Array:
    """Return g_j = min_i (C_ij - f_i) (m,), the largest g with f_i + g_j <= C_ij."""
    g: Array = (C - f[:, None]).min(axis=0)
    return g


def feasible(C: Array, g: Array) -> tuple[Array, Array]:
    """Return potentials with f_i + g_j <= C_ij: one c-transform in each direction, which only raise a.f + b.g."""
    f, raised = np.empty(len(C)), np.full(len(g), np.inf)
    for rows in blocks(*C.shape):  # two thirds of the time of all at once at n = m = 1000
        f[rows] = row_transform(C[rows], g)
        np.minimum(raised, column_transform(C[rows], f[rows]), out=raised)
    return f, raised


def is_large(n: int, m: int) -> bool:
    """Return whether no (n, m) array is to be formed."""
    return n * m > LARGE_PAIRS


def feasible_between(X: Array, Y: Array, g: Array) -> tuple[Array, Array]:
    """Return potentials with f_i + g_j <= |x_i - y_j|^2, the same way; no (n, m) array where it would be large."""
    if is_large(len(X), len(Y)):
        f = minimum(X, Y, g)
        return f, minimum(Y, X, f)
    return feasible(squared_distances(X, Y), g)


def reduced_costs(C: Array, f: Array, g: Array) -> Array:
    """Return C_ij - f_i - g_j (n, m): zero where an optimal plan has mass, and never negative for feasible f, g."""
    reduced = C - f[:, None]
    reduced -= g
    return reduced
