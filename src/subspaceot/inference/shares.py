"""The share of each feature, from pairs of subspaces that were learned apart.

Loadings M (d, k) of one half are those of the population plus noise, so squares of them are too large. Products of the
loadings of both halves are not: their noise is independent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from ..runtime.types import Array


@dataclass(frozen=True, eq=False, slots=True)
class Shares:
    """Estimates of the shares, and the standard errors of their roots."""

    share: Array  # (d,) not negative
    root_error: Array  # (d,)
    agreement: float  # of both halves, 1 where they learn the same loadings, about 0 where they learn noise
    n_splits: int

    @classmethod
    def of(cls, pairs: Sequence[tuple[Array, Array]]) -> "Shares":
        """Return the shares from the loadings (d, k) of both halves of each split.

        The standard deviation over halves is that of a whole sample times sqrt(2), so the difference of two halves has
        twice that of a whole sample.
        """
        aligned = [(first, _rotated(second, first)) for first, second in pairs]
        product = np.mean([np.sum(first * second, axis=1) for first, second in aligned], axis=0)
        difference = np.mean([np.mean((first - second) ** 2, axis=1) for first, second in aligned], axis=0)
        agreement = float(product.sum())
        scale = max(agreement, np.finfo(float).tiny)
        return cls(np.maximum(product, 0.0) / scale, np.sqrt(difference / (4.0 * scale)), agreement, len(pairs))

    def interval(self, level: float, *, simultaneous: bool, degrees: int | None = None) -> tuple[Array, Array]:
        """Return the ends (d,) of the intervals, those of all features together by Sidak's inequality if wanted.

        The standard errors have as many degrees of freedom as there are splits, or fewer.
        """
        each = level ** (1.0 / len(self.share)) if simultaneous else level
        reach = stdtrit(self.n_splits if degrees is None else degrees, 0.5 + 0.5 * each) * self.root_error
        root = np.sqrt(self.share)
        return np.maximum(root - reach, 0.0) ** 2, np.minimum((root + reach) ** 2, 1.0)


def _rotated(M: Array, towards: Array) -> Array:
    """Return M (d, k) times the orthogonal matrix that brings it closest to another one: bases have no order."""
    left, _, right = np.linalg.svd(M.T @ towards)
    nearest: Array = M @ (left @ right)
    return nearest
