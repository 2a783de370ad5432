"""Interpolation between two samples along a transport plan."""

from typing import Any

import numpy as np
import scipy.sparse

from .core import validate
from .runtime.isolation import isolated
from .runtime.types import Array, PointsLike


def interpolate(X: Array, Y: Array, plan: scipy.sparse.csr_array, t: float) -> tuple[Array, Array]:
    """Return support and weights of mu_t = sum_ij plan_ij delta_{(1 - t) x_i + t y_j}, coinciding points merged.

    With an optimal plan this is the geodesic: S_k(mu_s, mu_t) = |t - s| S_k(mu, nu).
    """
    atoms = plan.tocoo()
    massive = atoms.data > 0.0
    i, j, mass = atoms.row[massive], atoms.col[massive], atoms.data[massive]
    points = X[i] if t == 0.0 else Y[j] if t == 1.0 else (1.0 - t) * X[i] + t * Y[j]
    _, first, group = np.unique(points, axis=0, return_index=True, return_inverse=True)
    weights = np.bincount(group.ravel(), mass)
    order = np.argsort(first)  # as they come, not sorted by coordinate
    return points[first[order]], weights[order] / weights.sum()


@isolated
def barycentric(X: PointsLike, Y: PointsLike, plan: Any, t: float) -> Array:
    """Return the n points (1 - t) x_i + t ybar_i, where ybar_i is the mean of the images of x_i under `plan`.

    Parameters
    ----------
    X, Y : array_like (n, d), (m, d)
    plan : array_like or sparse array (n, m)
        A coupling, such as `result.plan` or `result.sparse_plan`. Points without mass stay where they are.
    t : float in [0, 1]

    Examples
    --------
    >>> import numpy as np
    >>> barycentric([[0.0], [1.0]], [[2.0], [4.0]], [[0.25, 0.25], [0.0, 0.5]], 0.5)
    array([[1.5],
           [2.5]])
    """
    X, Y = validate.as_pair(X, Y)
    t = validate.as_fraction(t, "t")
    plan = validate.as_plan(plan, len(X), len(Y))
    mass = np.asarray(plan.sum(axis=1)).ravel()
    massive = mass > 0.0
    images = np.array(X)
    images[massive] = (plan @ Y)[massive] / mass[massive, None]
    points: Array = (1.0 - t) * X + t * images
    return points
