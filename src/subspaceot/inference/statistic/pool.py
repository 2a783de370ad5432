"""Both samples as one, in coordinates that do not know which point came from which."""

from dataclasses import dataclass

import numpy as np

from ...runtime.types import Array, Mask

MOST_DIRECTIONS = 500  # the leading principal directions of the pooled sample, where it extends in more
_RANK_TOL = 1e-12  # of the largest singular value: directions with less are rounding


@dataclass(frozen=True, eq=False, slots=True)
class Pool:
    """The rows of both samples. Everything here is the same for every labelling, so that tests stay exact."""

    Z: Array  # (N, r) centred, in principal coordinates, largest spread first, of size about 1
    w: Array  # (N,) weights, comparable between both samples
    in_X: Mask  # (N,) which rows came from X
    axes: Array  # (d, r) orthonormal: the directions of the coordinates
    scales: Array  # (q,) one over the standard deviation of the first q coordinates, those that are whitened
    ridge: float  # added to covariances of whitened coordinates, whose pooled sample has 1

    @classmethod
    def of(cls, X: Array, Y: Array, a: Array, b: Array, smaller: int) -> "Pool":
        """Return the pooled sample; `smaller` is the number of points of the smaller side.

        With q whitened directions against N points, covariances of one side are far from those of its law where q is
        not small: so there are at most half as many as points of the smaller side, and a ridge of q / N.
        """
        w = np.concatenate([a, b])
        Z = np.vstack([X, Y])
        Z = Z - (w / w.sum()) @ Z
        size = np.abs(Z).max()
        Z /= size if size > 0.0 else 1.0
        energy, axes = _principal(Z, w / w.sum())
        q = max(1, min(len(energy), smaller // 2))
        in_X = np.arange(len(w)) < len(X)
        return cls(np.ascontiguousarray(Z @ axes), w, in_X, axes, energy[:q] ** -0.5, q / len(w))

    @property
    def trivial(self) -> bool:
        """Whether all points are one and the same."""
        return not self.Z.any()

    @property
    def variances(self) -> Array:
        """The variances (r,) of the coordinates, which are not correlated."""
        variances: Array = (self.w / self.w.sum()) @ self.Z**2
        return variances

    @property
    def whitened(self) -> Array:
        """The first q coordinates, each divided by its standard deviation (N, q)."""
        return np.ascontiguousarray(self.Z[:, : len(self.scales)] * self.scales)

    def lift(self, u: Array) -> Array:
        """Return a direction in these coordinates (at most r of them) as a unit vector (d,) of the caller's."""
        vector = self.axes[:, : len(u)] @ u
        length = float(np.linalg.norm(vector))
        unit: Array = vector / length if length > 0.0 else vector
        return unit


def _principal(Z: Array, w: Array) -> tuple[Array, Array]:
    """Return the variances (r,) and the principal directions (d, r) of weighted, centred points; at least one."""
    _, sizes, rows = np.linalg.svd(Z * np.sqrt(w)[:, None], full_matrices=False)
    rank = int(np.count_nonzero(sizes > _RANK_TOL * sizes[0])) if sizes[0] > 0.0 else 0
    kept = min(max(rank, 1), MOST_DIRECTIONS)
    return np.maximum(sizes[:kept], np.finfo(float).tiny ** 0.5) ** 2, rows[:kept].T
