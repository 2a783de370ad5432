"""Where a plan moves points: within a subspace, and as a function of where they are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .core.moments import mean_displacements
from .runtime.types import Array, Indices

if TYPE_CHECKING:
    from .result import Result

_NEARBY = 8  # points of the sample that say together where a new one goes: in the mean better than the nearest alone
_SAME = 2.0**20  # coordinates of unit size that differ by less than its inverse are those of one place


@dataclass(frozen=True, eq=False, slots=True)
class Movement:
    """How far a plan moves each point of a sample within a subspace, and a point nearby.

    Rows with equal values move together, by the mean of what the plan does to them.
    """

    basis: Array  # (d, k) orthonormal columns
    centre: Array  # (k,) what is subtracted from coordinates in the subspace, and what they are divided by then
    scale: float
    rows: NDArray[Any]  # (r,) distinct rows of the sample, as bytes and in their order
    steps: Array  # (r, k) how far each of them moves
    places: Array  # (p, k) distinct coordinates in the subspace
    masses: Array  # (p,) of the points there
    means: Array  # (p, k) how far they move, in the mean

    @classmethod
    def of(cls, result: "Result") -> "Movement":
        """Return the movement of X under the plan of a result."""
        problem, basis = result.problem, result.basis
        frame, a = problem.frame, problem.a
        X, Y = frame.centred
        steps = -frame.scale * mean_displacements(X @ basis, Y @ basis, result.coupling) / a[:, None]
        rows, row = np.unique(_as_bytes(frame.massive[0]), return_inverse=True)
        places = np.round(_SAME * (X @ basis)) / _SAME
        _, first, place = np.unique(_as_bytes(places), return_index=True, return_inverse=True)
        return cls(
            basis=basis,
            centre=frame.centre @ basis,
            scale=frame.scale,
            rows=rows,
            steps=_means(row, a, steps),
            places=places[first],
            masses=np.bincount(place, a).astype(np.float64, copy=False),
            means=_means(place, a, steps),
        )

    def moved(self, Z: Array) -> Array:
        """Return points (., d) where they move to."""
        keys = _as_bytes(Z)
        row = np.minimum(np.searchsorted(self.rows, keys), len(self.rows) - 1)
        steps, new = self.steps[row], self.rows[row] != keys
        steps[new] = self._steps_nearby((Z[new] @ self.basis - self.centre) / self.scale)
        moved: Array = Z + steps @ self.basis.T
        return moved

    def _steps_nearby(self, at: Array) -> Array:
        """Return how far new points (., k) move: the mean of places nearby, by mass over squared distance."""
        from scipy.spatial import KDTree  # slow to import

        count = min(_NEARBY, len(self.places))
        distances, near = KDTree(self.places).query(at, k=np.arange(1, count + 1))
        weights = self.masses[near] / np.maximum(distances, 1.0 / _SAME) ** 2
        steps: Array = np.einsum("ij,ijp->ip", weights / weights.sum(axis=1, keepdims=True), self.means[near])
        return steps


def _as_bytes(Z: Array) -> NDArray[Any]:
    """Return each row (n, d) as one value, equal where the numbers are; -0.0 counts as 0.0."""
    rows = np.ascontiguousarray(Z + 0.0)
    return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()


def _means(group: Indices, weights: Array, steps: Array) -> Array:
    """Return the weighted mean of steps (n, k) over each group (n,)."""
    total = np.bincount(group, weights)
    return np.column_stack([np.bincount(group, weights * step) / total for step in steps.T])
