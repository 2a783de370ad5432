"""Coordinates in which the covariances of both samples are diagonal."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ...runtime.types import Array
from .max_sliced import Sides

# Of the pooled variance: what is left within the sides where their means are far apart, at least.
_LEAST_WITHIN = 1e-6


@dataclass(frozen=True, eq=False, slots=True)
class Whitening:
    """Means and variances of both sides along axes that both covariances have in common."""

    axes: Array  # (q, q) functionals, as columns
    means: tuple[Array, Array]  # (q,) of X and of Y, in the pool's coordinates
    variances: tuple[Array, Array]  # (q,) along each axis, with the ridge

    @classmethod
    def of(cls, mean: Array, second: Array, share: float, ridge: float) -> "Whitening":
        """Return the axes from the mean (q,) and the second moments (q, q) of X, which has this share of the mass.

        The pool has mean 0 and covariance I, so that within the sides it is W = I - s (1 - s) t t^T, t the distance of
        the means and s the share. In the eigenvectors of W^-1/2 S_X W^-1/2 both covariances are diagonal.
        """
        apart = mean / (1.0 - share)
        length = float(np.linalg.norm(apart))
        unit = apart / length if length > 0.0 else apart
        within = max(1.0 - share * (1.0 - share) * length**2, _LEAST_WITHIN)
        root = np.eye(len(mean)) + (within**-0.5 - 1.0) * np.outer(unit, unit)
        inner = root @ (second - np.outer(mean, mean)) @ root
        in_X, Q = scipy.linalg.eigh(inner, driver="evd", check_finite=False)
        in_X = np.maximum(in_X, 0.0)
        in_Y = np.maximum((1.0 - share * in_X) / (1.0 - share), 0.0)
        return cls(root @ Q, (mean, mean - apart), (in_X + ridge, in_Y + ridge))

    @property
    def largest_ratio(self) -> tuple[float, int]:
        """The largest |log| ratio of variances, and the number of its axis."""
        ratios = np.abs(np.log(self.variances[1] / self.variances[0]))
        axis = int(np.argmax(ratios))
        return float(ratios[axis]), axis

    def applied(self, sides: Sides) -> Sides:
        """Return both samples, each centred and whitened on its own."""
        in_X = sides.in_X[:, None]
        centred = sides.Z - np.where(in_X, *self.means)
        return Sides((centred @ self.axes) / np.sqrt(np.where(in_X, *self.variances)), sides.w, sides.in_X)
