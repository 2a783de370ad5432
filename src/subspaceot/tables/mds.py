"""Points in the plane whose distances resemble a given table: metric multidimensional scaling."""

from typing import Any

import numpy as np

from ..core import validate
from ..core.moments import squared_distances
from ..runtime.types import Array

_STARTS = 8  # random ones; classical scaling alone ended at up to 1.4 times their least squared stress (N = 4 to 30)
_EPS = 1e-9  # relative decrease of the stress at which SMACOF stops
_MAX_ITER = 5000  # of SMACOF from each start; 1e-9 takes some hundred


def metric_mds(D: Any) -> tuple[Array, float]:
    """Return points (N, 2) and their stress, the root of sum (|z_i - z_j| - D_ij)^2 / sum D_ij^2, the least found.

    Runs scikit-learn's SMACOF from classical scaling and from seeded random points. The same table gives the same
    points: they are centred, rotated to their principal axes, and signed so that the point farthest along each axis
    lies on its positive side.

    Parameters
    ----------
    D : array_like (N, N)
        Distances: symmetric, not negative, zero on the diagonal.

    Examples
    --------
    >>> points, stress = metric_mds([[0.0, 3.0, 5.0], [3.0, 0.0, 4.0], [5.0, 4.0, 0.0]])
    >>> stress < 1e-6
    True
    """
    try:
        from sklearn.manifold import smacof  # here, because it takes a second to import
    except ImportError as error:
        raise ImportError("A map needs scikit-learn. Install it with: pip install 'subspaceot[cli]'") from error

    D = validate.as_distances(D, "D")
    scale = float(np.linalg.norm(D))
    if scale == 0.0:
        return np.zeros((len(D), 2)), 0.0
    D = D / scale
    settings = {"eps": _EPS, "max_iter": _MAX_ITER, "normalized_stress": False}
    runs = [
        smacof(D, init=_classical(D), n_init=1, **settings),
        smacof(D, n_init=_STARTS, random_state=0, **settings),
    ]
    points, _ = min(runs, key=lambda run: run[1])
    stress = np.linalg.norm(np.sqrt(squared_distances(points, points)) - D)
    return _upright(scale * points), float(stress)


def _classical(D: Array) -> Array:
    """Return the two leading principal coordinates (N, 2) of the doubly centred squared distances."""
    B = -0.5 * D**2
    B = B - B.mean(axis=0) - B.mean(axis=1)[:, None] + B.mean()
    values, vectors = np.linalg.eigh(0.5 * (B + B.T))
    Z = np.zeros((len(D), 2))
    count = min(2, len(D))
    Z[:, :count] = vectors[:, ::-1][:, :count] * np.sqrt(np.maximum(values[::-1][:count], 0.0))
    return Z


def _upright(Z: Array) -> Array:
    """Return the points in a position that depends on their distances alone."""
    Z = Z - Z.mean(axis=0)
    _, _, axes = np.linalg.svd(Z, full_matrices=False)
    Z = Z @ axes.T
    farthest = Z[np.argmax(np.abs(Z), axis=0), np.arange(Z.shape[1])]
    upright: Array = Z * np.where(farthest < 0.0, -1.0, 1.0)
    return upright
