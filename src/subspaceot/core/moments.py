"""The glue between points and matrices: the cost of an Omega, the displacement matrix of a plan."""

import numpy as np
import scipy.sparse

from ..runtime.blocks import blocks
from ..runtime.types import Array, Indices
from .coupling import Coupling, Dense, Sparse

# Atoms a point: a plan with no more is summed atom by atom, from differences of points, which do not cancel.
_FEW = 20

_IN_PARTS = 5_000_000  # coordinates of one sample, 40 MB: from here on copies of them are not made

MANY = 500  # directions: from here on symmetric products, 0.6 of the time of mixed ones at 1,000


def squared_distances(X: Array, Y: Array) -> Array:
    """Return |x_i - y_j|^2 (n, m).

    Expanded into one matrix product, which loses what is small against |x|^2: centre the samples first.
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


def displacement(X: Array, Y: Array, plan: Coupling, images: Array | None = None) -> Array:
    """Return V = sum_ij plan_ij (x_i - y_j)(x_i - y_j)^T (d, d); `images` is plan Y where that is known."""
    if images is None and isinstance(plan, Sparse) and X.size > _IN_PARTS:
        return _displacement_in_parts(X, Y, plan)
    Z, a, b = plan @ Y if images is None else images, plan.row_sums(), plan.column_sums()
    if X.shape[1] < MANY:
        cross = X.T @ Z
        V: Array = (X.T * a) @ X + (Y.T * b) @ Y
        V -= cross
        V -= cross.T
        return V
    # With z_i the mean of x_i's images: the sum of a_i (x_i - z_i)(x_i - z_i)^T - a_i z_i z_i^T and b_j y_j y_j^T.
    a, b = np.sqrt(a)[:, None], np.sqrt(b)[:, None]
    Z = Z / np.maximum(a, np.finfo(float).tiny)  # a point without mass has no images
    displacements, Y = a * X - Z, b * Y
    V = displacements.T @ displacements
    V += Y.T @ Y
    V -= Z.T @ Z
    return V


def _displacement_in_parts(X: Array, Y: Array, plan: Sparse) -> Array:
    """Return V, by the same sums over some points at a time, so that no array as large as the data is made."""
    V = np.zeros((X.shape[1], X.shape[1]))
    for rows in blocks(*X.shape):
        cross = X[rows].T @ (plan.masses[rows] @ Y)
        V -= cross
        V -= cross.T
    for points, weights in ((X, plan.row_sums()), (Y, plan.column_sums())):
        for rows in blocks(*points.shape):
            V += (points[rows].T * weights[rows]) @ points[rows]
    return V


def displacement_times(
    X: Array, Y: Array, plan: Coupling, x: Array, y: Array, transported: Array | None = None
) -> Array:
    """Return V B (d, q) without V, given x = X B and y = Y B; `transported` is plan^T x where that is known."""
    product: Array = X.T @ (plan.row_sums()[:, None] * x - plan @ y)
    product += Y.T @ (plan.column_sums()[:, None] * y - (plan.T @ x if transported is None else transported))
    return product


def mean_displacements(X: Array, Y: Array, plan: Coupling) -> Array:
    """Return the sums over j of plan_ij (x_i - y_j), (n, d)."""
    atoms = _few_atoms(plan)
    if atoms is None:
        means: Array = plan.row_sums()[:, None] * X - plan @ Y
        return means
    rows, columns, mass = atoms
    weighted = scipy.sparse.csr_array((mass, (rows, np.arange(len(rows)))), shape=(len(X), len(rows)))
    means = weighted @ (X[rows] - Y[columns])
    return means


def mean_costs(X: Array, Y: Array, plan: Coupling) -> Array:
    """Return the sums over j of plan_ij |x_i - y_j|^2, (n,)."""
    atoms = _few_atoms(plan)
    if atoms is None and isinstance(plan, Dense):
        costs: Array = np.einsum("ij,ij->i", plan.dense(), squared_distances(X, Y))
        return costs
    if atoms is None:  # products, which cancel, of a plan that is never formed
        products = plan @ np.column_stack([np.sum(Y**2, axis=1), Y])
        costs = plan.row_sums() * np.sum(X**2, axis=1) + products[:, 0] - 2.0 * np.sum(X * products[:, 1:], axis=1)
        return np.maximum(costs, 0.0)
    rows, columns, mass = atoms
    differences = X[rows] - Y[columns]
    costs = np.einsum("ij,ij->i", differences, differences)
    return np.bincount(rows, mass * costs, minlength=len(X)).astype(np.float64)


def _few_atoms(plan: Coupling) -> tuple[Indices, Indices, Array] | None:
    """Return rows, columns and masses of a plan with few atoms; None where there are many."""
    if isinstance(plan, Sparse) or plan.count <= _FEW * sum(plan.shape):
        return plan.atoms()
    return None
