"""Points in the plane whose distances resemble a given table: metric multidimensional scaling."""

from typing import Any

import numpy as np

from ..core import validate
from ..core.moments import squared_distances
from ..runtime.types import Array


def metric_mds(D: Any, *, tol: float = 1e-9, max_iter: int = 5000) -> tuple[Array, float]:
    """Return points (N, 2) and their stress, the root of sum (|z_i - z_j| - D_ij)^2 / sum D_ij^2, smallest nearby.

    Starts from classical scaling and majorises (SMACOF): each step is the Guttman transform of the last points, which
    never raises the stress. Nothing is random; the points are centred, turned to their principal axes, and signed so
    that the point farthest along each axis lies on its positive side.

    Parameters
    ----------
    D : array_like (N, N)
        Distances: symmetric, not negative, zero on the diagonal.
    tol : float
        Relative decrease of the stress at which to stop.
    max_iter : int
        Limit on the steps.

    Examples
    --------
    >>> points, stress = metric_mds([[0.0, 3.0, 5.0], [3.0, 0.0, 4.0], [5.0, 4.0, 0.0]])
    >>> stress < 1e-6
    True
    """
    D = validate.as_distances(D, "D")
    N, total = len(D), float(np.sum(D**2))
    if total == 0.0:
        return np.zeros((N, 2)), 0.0
    Z = _classical(D)
    stress = _stress(Z, D)
    for _ in range(max_iter):
        distances = np.sqrt(squared_distances(Z, Z))
        ratio = np.divide(D, distances, out=np.zeros_like(D), where=distances > 0.0)
        Z = (ratio.sum(axis=1)[:, None] * Z - ratio @ Z) / N
        last, stress = stress, _stress(Z, D)
        if last - stress <= tol * last:
            break
    return _upright(Z), float(np.sqrt(stress / total))


def _classical(D: Array) -> Array:
    """Return the two leading principal coordinates (N, 2) of the doubly centred squared distances."""
    B = -0.5 * D**2
    B = B - B.mean(axis=0) - B.mean(axis=1)[:, None] + B.mean()
    values, vectors = np.linalg.eigh(0.5 * (B + B.T))
    Z = np.zeros((len(D), 2))
    count = min(2, len(D))
    Z[:, :count] = vectors[:, ::-1][:, :count] * np.sqrt(np.maximum(values[::-1][:count], 0.0))
    return Z


def _stress(Z: Array, D: Array) -> float:
    return float(np.sum((np.sqrt(squared_distances(Z, Z)) - D) ** 2))


def _upright(Z: Array) -> Array:
    """Return the points in a position that depends on their distances alone."""
    Z = Z - Z.mean(axis=0)
    _, _, axes = np.linalg.svd(Z, full_matrices=False)
    Z = Z @ axes.T
    farthest = Z[np.argmax(np.abs(Z), axis=0), np.arange(Z.shape[1])]
    upright: Array = Z * np.where(farthest < 0.0, -1.0, 1.0)
    return upright
