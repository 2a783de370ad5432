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
from ..core.moments import MANY, displacement, displacement_times
from ..core.problem import Problem
from ..linalg.eigenpairs import leading_eigenpairs
from ..runtime.types import Array

MAX_DIRECTIONS = 40  # of a working subspace: beyond it dense algebra costs more than transport does

_ALL_FROM = 0.7  # of all directions: a larger subspace saves nothing
_NEAR = 0.4  # of V's k-th eigenvalue: smaller ones down to this may yet rise above it
_MARGIN = 8  # directions beyond k that are kept in any case, so that an eigenvalue can rise unseen in none of them

_INDEPENDENT = float(np.sqrt(np.finfo(float).eps))  # directions shorter than this are rounding of others


@dataclass(frozen=True, eq=False, slots=True)
class Spectrum:
    """The leading eigenpairs of a displacement matrix, largest first: computed once, asked for many things."""

    values: Array  # (count,)
    vectors: Array  # (r, count)
    k: int

    @classmethod
    def of(cls, V: Array, k: int) -> "Spectrum":
        """Return all the eigenpairs that may matter."""
        values, vectors = fantope.leading_eigenpairs(V, min(len(V), k + MAX_DIRECTIONS))
        return cls(values[::-1], vectors[:, ::-1], k)

    @classmethod
    def of_plan(cls, problem: Problem, plan: Coupling, precision: float = 0.0, near: Array | None = None) -> "Spectrum":
        """Return those of a plan's displacement matrix, the sum of the k largest to `precision` where there are many.

        `near` (r, count) are the eigenvectors of a matrix like this one.
        """
        if problem.r < max(MANY, 2 * (problem.k + MAX_DIRECTIONS)):
            return cls.of(displacement(problem.X, problem.Y, plan), problem.k)

        def times(B: Array) -> Array:
            return displacement_times(problem.X, problem.Y, plan, problem.X @ B, problem.Y @ B)

        anywhere = np.random.default_rng(0).standard_normal((problem.r, problem.k + _MARGIN))
        if near is not None:
            known = min(near.shape[1], anywhere.shape[1])
            anywhere[:, :known] = near[:, :known]
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

    @property
    def near(self) -> Array:
        """The eigenvectors that a near optimal V may yet ask for, or all axes where that is most of them."""
        return _or_all(self.vectors[:, : self.near_count])

    @property
    def near_count(self) -> int:
        """How many eigenvectors those are."""
        return max(self.k + _MARGIN, int(np.count_nonzero(self.values >= _NEAR * self.values[self.k - 1])))

    @property
    def first(self) -> Array:
        """The eigenvectors that a subspace grows by."""
        return self.vectors[:, : self.k + _MARGIN]


def around(omega: SoftProjector, V: Spectrum) -> Array:
    """Return directions that hold Omega and all that a displacement matrix, near optimal, may still ask for."""
    return united(omega.support, V.near)


def seen(Q: Array, V: Array, k: int) -> Array:
    """Return the leading eigenvectors (r, .) of the part V (q, q) of a matrix that lies in the span of `Q`."""
    return Q @ fantope.leading_vectors(V, min(len(V), k + MAX_DIRECTIONS))


def united(Q: Array, U: Array) -> Array:
    """Return an orthonormal basis of the span of `Q` (orthonormal) and `U`, whose first columns are those of `Q`."""
    if Q.shape[1] == len(Q):
        return np.eye(len(Q))
    outside = U - Q @ (Q.T @ U)
    outside -= Q @ (Q.T @ outside)
    vectors, sizes, _ = np.linalg.svd(outside, full_matrices=False)
    return _or_all(np.hstack([Q, vectors[:, sizes > _INDEPENDENT]]))


def beside(Q: Array, U: Array) -> Array:
    """Return an orthonormal basis of what `U` adds to the span of `Q` (orthonormal)."""
    for _ in range(2):
        U = U - Q @ (Q.T @ U)
        U = U / np.maximum(np.linalg.norm(U, axis=0), np.finfo(float).tiny)
    vectors, sizes, _ = np.linalg.svd(U, full_matrices=False)
    return vectors[:, sizes > _INDEPENDENT]


def _or_all(Q: Array) -> Array:
    r = len(Q)
    return np.eye(r) if Q.shape[1] > _ALL_FROM * r else Q
