"""The working subspace: few directions in which an ascent lets Omega live for now, and how they become more.

What a displacement matrix makes of its leading eigenvectors, as far as it leaves the subspace, are the directions in
which the cost rises next: Davidson's method for eigenvectors, here of a matrix that moves along. Adding k of them at
every step takes less than half of the evaluations of asking for more eigenvectors once the subspace is exhausted
(d = 2,000, n = 500).
"""

from dataclasses import dataclass, replace

import numpy as np

from ...core.coupling import Coupling
from ...core.moments import displacement_times
from ...core.problem import Problem
from ...runtime.types import Array
from ..directions import MAX_DIRECTIONS, beside

TRANSPORT_DOMINATES = 60  # pairs of points per squared direction, from which transport costs more than that algebra


def transport_dominates(problem: Problem, directions: int) -> bool:
    """Return whether transport takes longer than all algebra in so many directions."""
    return len(problem.a) * len(problem.b) > TRANSPORT_DOMINATES * max(directions, MAX_DIRECTIONS) ** 2


@dataclass(frozen=True, eq=False, slots=True)
class Subspace:
    """Some directions, and the problem within them."""

    problem: Problem
    Q: Array  # (r, q) orthonormal
    inner: Problem  # in q directions

    @classmethod
    def of(cls, problem: Problem, Q: Array) -> "Subspace":
        """Return the subspace that the columns of `Q` span."""
        return cls(problem, Q, problem.within(Q))

    @property
    def may_grow(self) -> bool:
        """Whether it has directions left to take in, and is small against what transport costs."""
        r, q = self.Q.shape
        return q < r and (q <= MAX_DIRECTIONS or transport_dominates(self.problem, q))

    def expansion_directions(self, V: Array, plan: Coupling, transported: Array) -> tuple[Array, float]:
        """Return directions (r, k) out of the subspace, and about how much they add to the k largest eigenvalues.

        `V` (q, q) is the displacement matrix of `plan`, as seen within, and `transported` (m, q) is plan^T X.
        """
        k, X, Y = self.problem.k, self.inner.X, self.inner.Y
        values, vectors = np.linalg.eigh(V)
        U = vectors[:, -k:]
        image = displacement_times(self.problem.X, self.problem.Y, plan, X @ U, Y @ U, transported @ U)
        outside = image - self.Q @ (self.Q.T @ image)
        below = np.maximum(values[-k:] - values[-k - 1], np.sqrt(np.finfo(float).eps) * values[-1])
        return outside, float(np.sum(np.einsum("ij,ij->j", outside, outside) / below))

    def with_directions(self, U: Array) -> "Subspace":
        """Return the subspace that holds `U` (r, .) too, after the directions that it has."""
        new = beside(self.Q, U)
        X, Y = np.hstack([self.inner.X, self.problem.X @ new]), np.hstack([self.inner.Y, self.problem.Y @ new])
        return Subspace(self.problem, np.hstack([self.Q, new]), replace(self.inner, X=X, Y=Y))
