"""The four statistics of one labelling: each sees what the others miss."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.linalg

from ...runtime.types import Array, Indices, Mask
from .max_sliced import Sides, max_sliced, normalised
from .pool import Pool
from .whitening import Whitening

Found: TypeAlias = tuple[float, Array]  # a statistic, and the direction in which it is largest

NAMES = ("max-sliced distance", "whitened max-sliced distance", "covariance", "variance ratio")
WHITENED = (NAMES[1], NAMES[3])  # those whose directions are weights of the whitened features

SEARCH_ROWS = 1000  # of each side: ascents see at most so many, what they find is measured on all


@dataclass(frozen=True, eq=False, slots=True)
class Components:
    """The statistics of a labelling, and for each the direction in which it is largest."""

    values: Array  # (4,)
    directions: tuple[Array, ...]  # four, each in the coordinates of the pool, not normalised


class Statistic:
    """Computes the four components of any labelling of a pooled sample."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self._whitened = pool, pool.whitened
        w = pool.w / pool.w.sum()
        self._total = (pool.Z.T * w) @ pool.Z

    def at(self, in_X: Mask, rng: np.random.Generator) -> Components:
        """Return the components for a labelling; `rng` is its own stream, so that all labellings are treated alike."""
        pool = self.pool
        if pool.trivial:
            nothing = np.zeros(pool.Z.shape[1])
            return Components(np.zeros(len(NAMES)), (nothing,) * len(NAMES))
        w = normalised(pool.w, in_X)
        rows = _searched(in_X, rng)
        share = float(pool.w[in_X].sum() / pool.w.sum())
        sliced, covariance = self._raw(Sides(pool.Z, w, in_X), share, rows)
        shape, ratio = self._white(Sides(self._whitened, w, in_X), share, rows)
        found = (sliced, shape, covariance, ratio)
        return Components(np.array([value for value, _ in found]), tuple(u for _, u in found))

    def _raw(self, sides: Sides, share: float, rows: Indices | None) -> tuple[Found, Found]:
        """Return P_1^2, and the operator norm of the difference of covariances, each with its direction."""
        mean, second = _moments(sides)
        apart = mean / (1.0 - share)  # of both means, as that of the pool is 0
        cov_X = second - np.outer(mean, mean)
        cov_Y = (self._total - share * second) / (1.0 - share) - np.outer(mean - apart, mean - apart)
        values, vectors = _ends(cov_X - cov_Y)
        largest = int(np.argmax(np.abs(values)))
        candidates = [vectors.T]
        length = float(np.linalg.norm(apart))
        if length > 0.0:
            candidates.append(apart[None, :] / length)
        search = None if rows is None else sides.part(rows)
        found = max_sliced(sides, np.ascontiguousarray(np.vstack(candidates)), search)
        return found, (float(abs(values[largest])), vectors[:, largest])

    def _white(self, sides: Sides, share: float, rows: Indices | None) -> tuple[Found, Found]:
        """Return P_1^2 of the samples each whitened on its own, and the largest |log| ratio of variances."""
        whitening = Whitening.of(*_moments(sides), share, self.pool.ridge)
        white = whitening.applied(sides if rows is None else sides.part(rows))
        cost, u = max_sliced(white, _shape_candidates(white))
        ratio, axis = whitening.largest_ratio
        to_pool = self.pool.scales[:, None] * whitening.axes
        return (cost, to_pool @ u), (ratio, to_pool[:, axis])


def _moments(sides: Sides) -> tuple[Array, Array]:
    """Return the mean (r,) and the second moments (r, r) of X."""
    Z, w = sides.Z[sides.in_X], sides.w[sides.in_X]
    second: Array = (Z.T * w) @ Z
    return w @ Z, second


def _ends(difference: Array) -> tuple[Array, Array]:
    """Return the two smallest and the two largest eigenvalues of a symmetric matrix with their vectors, or all."""
    r = len(difference)
    if r <= 4:
        values, vectors = np.linalg.eigh(difference)
        return values, vectors
    ends = [
        scipy.linalg.eigh(difference, subset_by_index=part, check_finite=False) for part in ([0, 1], [r - 2, r - 1])
    ]
    return np.concatenate([values for values, _ in ends]), np.hstack([vectors for _, vectors in ends])


def _shape_candidates(white: Sides) -> Array:
    """Return unit vectors (., q) in which whitened samples differ most in their fourth or their third moments."""
    Z = white.Z
    signed = np.where(white.in_X, white.w, -white.w) * np.einsum("ij,ij->i", Z, Z)
    candidates = _ends((Z.T * signed) @ Z)[1].T
    third = signed @ Z
    length = float(np.linalg.norm(third))
    return np.ascontiguousarray(np.vstack([candidates, third / length]) if length > 0.0 else candidates)


def _searched(in_X: Mask, rng: np.random.Generator) -> Indices | None:
    """Return the rows that ascents see, at most SEARCH_ROWS of each side at random; None for all."""
    sides = np.flatnonzero(in_X), np.flatnonzero(~in_X)
    if max(len(rows) for rows in sides) <= SEARCH_ROWS:
        return None
    return np.concatenate([rng.choice(rows, min(len(rows), SEARCH_ROWS), replace=False) for rows in sides])
