"""The few directions in which a solver lets Omega live when the data have many.

Restricting Omega to the span of Q (r, q) makes costs and eigenproblems small. Bounds stay global: any Omega in F_k
proves a lower bound, and the upper bound reads the eigenvalues of the whole displacement matrix. Where that matrix
leaves the span, Q grows by its leading eigenvectors.
"""

from dataclasses import dataclass

import numpy as np

from ..core import fantope
from ..core.coupling import Coupling
from ..core.fantope import SoftProjector
from ..core.moments import displacement, displacement_times
from ..core.problem import Problem
from ..linalg.eigenpairs import leading_eigenpairs
from ..runtime.types import Array

_WORTH = 0.7  # a subspace of more than this share of all directions saves nothing: take them all

MANY = 500  # directions: from here on a matrix of them is large

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

    @classmethod
    def of_plan(cls, problem: Problem, plan: Coupling, precision: float = 0.0, near: Array | None = None) -> "Spectrum":
        """Return those of a plan's displacement matrix, the sum of the k largest to `precision` where there are many.

        `near` (r, count) are the eigenvectors of a matrix like this one.
        """
        if problem.r < MANY or problem.k + _MORE > problem.r // 4:
            return cls.of(displacement(problem.X, problem.Y, plan), problem.k)

        def times(B: Array) -> Array:
            return displacement_times(problem.X, problem.Y, plan, problem.X @ B, problem.Y @ B)

        anywhere = np.random.default_rng(0).standard_normal((problem.r, problem.k + _MORE))
        if near is not None:
            anywhere[:, : near.shape[1]] = near
        values, vectors = leading_eigenpairs(times, anywhere, problem.k, precision)
        return cls(values[::-1], vectors[:, ::-1], problem.k)

    def lifted(self, Q: Array) -> "Spectrum":
        """Return the eigenpairs of a part of a matrix, which lies in the span of `Q` (r, q), as those of the whole."""
        return Spectrum(self.values, Q @ self.vectors, self.k)

    @property
    def top_sum(self) -> float:
        """The sum of the k largest eigenvalues."""
        return float(self.values[: self.k].sum())

    @property
    def size(self) -> float:
        """About the Frobenius norm of the matrix."""
        return float(np.linalg.norm(self.values))

    def stands_out(self, share: float) -> bool:
        """Return whether the next eigenvalue is at most this share of the k-th."""
        return stand_out(self.values[::-1], self.k, share)

    @property
    def near(self) -> Array:
        """The eigenvectors that a near optimal V may yet ask for, or all axes where that is most of them."""
        return _or_all(self.vectors[:, : self.near_count])

    @property
    def near_count(self) -> int:
        """How many eigenvectors those are."""
        return max(self.k + 4, int(np.count_nonzero(self.values >= _NEAR * self.values[self.k - 1])))

    @property
    def first(self) -> Array:
        """The eigenvectors that a subspace grows by."""
        return self.vectors[:, : self.k + 8]


def stand_out(eigenvalues: Array, k: int, share: float) -> bool:
    """Return whether the k largest are clear of the others, the next at most this share of the k-th; they ascend."""
    return len(eigenvalues) > k and bool(eigenvalues[-k - 1] <= share * eigenvalues[-k])


def around(omega: SoftProjector, V: Spectrum) -> Array:
    """Return directions that hold Omega and all that a displacement matrix, near optimal, may still ask for."""
    return united(omega.support, V.near)


def seen(Q: Array, V: Array, k: int) -> Array:
    """Return the leading eigenvectors (r, .) of the part V (q, q) of a matrix that lies in the span of `Q`."""
    return Q @ fantope.leading_vectors(V, min(len(V), k + _MORE))


def united(Q: Array, U: Array) -> Array:
    """Return an orthonormal basis of the span of `Q` (orthonormal) and `U`, whose first columns are those of `Q`."""
    if Q.shape[1] == len(Q):
        return np.eye(len(Q))
    outside = U - Q @ (Q.T @ U)
    outside -= Q @ (Q.T @ outside)
    vectors, sizes, _ = np.linalg.svd(outside, full_matrices=False)
    return _or_all(np.hstack([Q, vectors[:, sizes > 1e-6]]))


def beside(Q: Array, U: Array) -> Array:
    """Return an orthonormal basis of what `U` adds to the span of `Q` (orthonormal)."""
    for _ in range(2):
        U = U - Q @ (Q.T @ U)
        U = U / np.maximum(np.linalg.norm(U, axis=0), np.finfo(float).tiny)
    vectors, sizes, _ = np.linalg.svd(U, full_matrices=False)
    return vectors[:, sizes > 1e-6]


def _or_all(Q: Array) -> Array:
    r = len(Q)
    return np.eye(r) if Q.shape[1] > _WORTH * r else Q
