"""The directions in which an ascent lets Omega live for now, and how they grow where there are many.

What a displacement matrix makes of its leading eigenvectors, as far as it leaves the room, are the directions in which
the cost rises next: Davidson's way to eigenvectors, here of a matrix that moves along. Adding k of them at every step
takes less than half of the evaluations of asking for more eigenvectors once the room is used up (d = 2,000, n = 500).
"""

from dataclasses import dataclass, replace

import numpy as np

from ...core.coupling import Coupling
from ...core.moments import displacement_times
from ...core.problem import Problem
from ...runtime.types import Array
from ..directions import beside, stand_out

WIDE = 40  # directions: a room does not grow beyond it but is turned (`_turn.py`),
_WIDER = 80  # or beyond this, where transport takes longer than eigenvectors of that size (d = 2,000: 0.8 of the time),
LARGE = 100_000  # as it does from so many pairs of points on;
_CLEAR = 0.9  # of V's k-th eigenvalue: nor does it grow where the next is larger, so that Omega is no projector


@dataclass(frozen=True, eq=False, slots=True)
class Room:
    """Some directions, and the problem within them."""

    problem: Problem
    Q: Array  # (r, q) orthonormal
    inner: Problem  # in q directions

    @classmethod
    def of(cls, problem: Problem, Q: Array) -> "Room":
        """Return the room that the columns of `Q` span."""
        return cls(problem, Q, problem.within(Q))

    def grows(self, eigenvalues: Array) -> bool:
        """Return whether it is to grow at every step, given the eigenvalues of a displacement matrix within, ascending.

        Where Omega turns, that takes a third to a half of the time; where its eigenvalues change, up to twice as long.
        """
        r, q = self.Q.shape
        most = _WIDER if len(self.problem.a) * len(self.problem.b) > LARGE else WIDE
        return q < r and q <= most and stand_out(eigenvalues, self.problem.k, _CLEAR)

    def ways_out(self, V: Array, plan: Coupling, carried: Array) -> tuple[Array, float]:
        """Return directions (r, k) out of the room, and about how much they add to the k largest eigenvalues.

        `V` (q, q) is the displacement matrix of `plan`, as seen within, and `carried` (m, q) is plan^T X.
        """
        k, X, Y = self.problem.k, self.inner.X, self.inner.Y
        values, vectors = np.linalg.eigh(V)
        U = vectors[:, -k:]
        image = displacement_times(self.problem.X, self.problem.Y, plan, X @ U, Y @ U, carried @ U)
        outside = image - self.Q @ (self.Q.T @ image)
        below = np.maximum(values[-k:] - values[-k - 1], 1e-3 * values[-1])
        return outside, float(np.sum(np.einsum("ij,ij->j", outside, outside) / below))

    def with_directions(self, U: Array) -> "Room":
        """Return the room that holds `U` (r, .) too, after the directions that it has."""
        new = beside(self.Q, U)
        X, Y = np.hstack([self.inner.X, self.problem.X @ new]), np.hstack([self.inner.Y, self.problem.Y @ new])
        return Room(self.problem, np.hstack([self.Q, new]), replace(self.inner, X=X, Y=Y))
