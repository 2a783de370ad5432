"""The few directions in which a solver lets Omega live when the data have many.

Restricting Omega to the span of Q (r, q) makes costs and eigenproblems small. Bounds stay global: any Omega in F_k
proves a lower bound, and the upper bound reads the eigenvalues of the whole displacement matrix. Where that matrix
leaves the span, Q grows by its leading eigenvectors.
"""

from dataclasses import dataclass

import numpy as np

from .. import fantope
from .._types import Array

_WORTH = 0.7  # a subspace of more than this share of all directions saves nothing: take them all

_NEAR = 0.4  # eigenvalues of V down to this share of the k-th may yet rise above it,
_MORE = 25  # but no more of them than this are taken at once


@dataclass(frozen=True, eq=False, slots=True)
class Spectrum:
    """The leading eigenpairs of a displacement matrix, largest first: computed once, asked for many things."""

    values: Array  # (count,)
    vectors: Array  # (r, count)
    k: int

    @classmethod
    def of(cls, V: Array, k: int) -> "Spectrum":
        """Return all the eigenpairs that may matter."""
        values, vectors = fantope.leading_eigenpairs(V, min(len(V), k + _MORE))
        return cls(values[::-1], vectors[:, ::-1], k)

    @property
    def top_sum(self) -> float:
        """The sum of the k largest eigenvalues."""
        return float(self.values[: self.k].sum())

    @property
    def near(self) -> Array:
        """The eigenvectors that a near optimal V may yet ask for, or all axes where that is most of them."""
        count = max(self.k + 4, int(np.count_nonzero(self.values >= _NEAR * self.values[self.k - 1])))
        return _or_all(self.vectors[:, :count])

    @property
    def first(self) -> Array:
        """The eigenvectors that a subspace grows by."""
        return self.vectors[:, : self.k + 8]


def around(omega: Array, V: Spectrum) -> Array:
    """Return directions that hold Omega (r, r) and all that a displacement matrix, near optimal, may still ask for."""
    return united(support(omega), V.near)


def support(omega: Array) -> Array:
    """Return orthonormal directions outside of which Omega next to vanishes."""
    eigenvalues, vectors = np.linalg.eigh(omega)
    directions: Array = vectors[:, eigenvalues > 1e-3]
    return directions


def united(Q: Array, U: Array) -> Array:
    """Return an orthonormal basis of the span of `Q` (orthonormal) and `U`, whose first columns are those of `Q`."""
    if Q.shape[1] == len(Q):
        return np.eye(len(Q))
    outside = U - Q @ (Q.T @ U)
    outside -= Q @ (Q.T @ outside)
    vectors, sizes, _ = np.linalg.svd(outside, full_matrices=False)
    return _or_all(np.hstack([Q, vectors[:, sizes > 1e-6]]))


def missing(Q: Array, V: Array, top: float, k: int) -> float:
    """Return by how much `top`, the sum of the k largest eigenvalues of `V`, exceeds what the span of `Q` sees."""
    if Q.shape[1] == len(Q):
        return 0.0
    return top - fantope.top_sum(Q.T @ V @ Q, k)


def _or_all(Q: Array) -> Array:
    r = len(Q)
    return np.eye(r) if Q.shape[1] > _WORTH * r else Q
