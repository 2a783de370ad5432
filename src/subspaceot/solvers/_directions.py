"""The few directions in which a solver lets Omega live when the data have many.

Restricting Omega to the span of Q (r, q) makes costs and eigenproblems small. Bounds stay global: any Omega in F_k
proves a lower bound, and the upper bound reads the eigenvalues of the whole displacement matrix. Where that matrix
leaves the span, Q grows by its leading eigenvectors.
"""

import numpy as np

from .. import fantope
from .._types import Array

_WORTH = 0.7  # a subspace of more than this share of all directions saves nothing: take them all

_NEAR = 0.4  # eigenvalues of V down to this share of the k-th may yet rise above it,
_MORE = 25  # but no more of them than this are taken at once


def leading(V: Array, count: int) -> Array:
    """Return the `count` leading eigenvectors of `V` (r, r), or all axes where that is most of them."""
    return _or_all(fantope.leading_vectors(V, min(count, len(V))))


def around(omega: Array, V: Array, k: int) -> Array:
    """Return directions that hold Omega and all that the displacement matrix V, near optimal, may still ask for."""
    eigenvalues, vectors = np.linalg.eigh(omega)
    energy = np.linalg.eigvalsh(V)[::-1]
    count = max(k + 4, min(k + _MORE, int(np.count_nonzero(energy >= _NEAR * energy[k - 1]))))
    return united(vectors[:, eigenvalues > 1e-3], leading(V, count))


def united(Q: Array, U: Array) -> Array:
    """Return an orthonormal basis of the span of `Q` (orthonormal) and `U`, whose first columns are those of `Q`."""
    if Q.shape[1] == len(Q):
        return np.eye(len(Q))
    outside = U - Q @ (Q.T @ U)
    outside -= Q @ (Q.T @ outside)
    vectors, sizes, _ = np.linalg.svd(outside, full_matrices=False)
    return _or_all(np.hstack([Q, vectors[:, sizes > 1e-6]]))


def missing(Q: Array, V: Array, k: int) -> float:
    """Return by how much the sum of the k largest eigenvalues of `V` exceeds what the span of `Q` sees of it."""
    if Q.shape[1] == len(Q):
        return 0.0
    return fantope.top_sum(V, k) - fantope.top_sum(Q.T @ V @ Q, k)


def _or_all(Q: Array) -> Array:
    r = len(Q)
    return np.eye(r) if Q.shape[1] > _WORTH * r else Q
