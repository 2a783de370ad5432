"""The glue between points and matrices: the cost of an Omega, the displacement matrix of a plan."""

import numpy as np

from ._types import Array


def squared_distances(X: Array, Y: Array) -> Array:
    """Return |x_i - y_j|^2 (n, m).

    Expanded into one matrix product, which loses what is small against |x|^2: centre the clouds first.
    """
    C = X @ (-2.0 * Y.T)
    C += np.einsum("ij,ij->i", X, X)[:, None]
    C += np.einsum("ij,ij->i", Y, Y)
    return np.maximum(C, 0.0, out=C)


def powers_of_distances(X: Array, Y: Array, p: float) -> Array:
    """Return |x_i - y_j|^p (n, m)."""
    if p == 2.0:
        return squared_distances(X, Y)
    from scipy.spatial.distance import cdist  # slow to import; by differences, as roots of rounding errors would show

    distances: Array = cdist(X, Y)
    return distances**p


def cost_matrix(X: Array, Y: Array, L: Array) -> Array:
    """Return d_Omega^2(x_i, y_j) (n, m) for Omega = L L^T."""
    return squared_distances(X @ L, Y @ L)


def displacement(X: Array, Y: Array, plan: Array) -> Array:
    """Return V = sum_ij plan_ij (x_i - y_j)(x_i - y_j)^T (d, d)."""
    cross = X.T @ (plan @ Y)
    V: Array = (X.T * plan.sum(axis=1)) @ X + (Y.T * plan.sum(axis=0)) @ Y
    V -= cross
    V -= cross.T
    return V
