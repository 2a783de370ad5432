"""What transport costs: a matrix, or squared distances that are never formed by themselves."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .._types import Array


class Costs(Protocol):
    """Anything that tells (f_i + g_j - C_ij) / reg."""

    def exponents(self, reg: float, f: Array | float, g: Array | float) -> Array:
        """Return (f_i + g_j - C_ij) / reg (n, m), an array of its own."""

    def largest(self) -> float:
        """Return a bound on all costs."""


@dataclass(frozen=True, eq=False, slots=True)
class CostMatrix:
    """Costs as they are."""

    C: Array  # (n, m)

    def exponents(self, reg: float, f: Array | float, g: Array | float) -> Array:
        """Return (f_i + g_j - C_ij) / reg (n, m)."""
        K = self.C * (-1.0 / reg)
        K += g / reg
        K += np.reshape(f, (-1, 1)) / reg
        return K

    def largest(self) -> float:
        """Return the largest cost."""
        return float(self.C.max())


@dataclass(frozen=True, eq=False, slots=True)
class SquaredDistances:
    """C_ij = |x_i - y_j|^2, expanded into one matrix product with the potentials and reg inside.

    A third of the time of the matrix and all that follows it until np.exp.
    """

    X: Array  # (n, q) both clouds centred together: what is small against |x|^2 is lost
    Y: Array  # (m, q)

    def exponents(self, reg: float, f: Array | float, g: Array | float) -> Array:
        """Return (f_i + g_j - C_ij) / reg (n, m)."""
        left = np.column_stack([self.X * (2.0 / reg), (f - _squares(self.X)) / reg, np.ones(len(self.X))])
        right = np.column_stack([self.Y, np.ones(len(self.Y)), (g - _squares(self.Y)) / reg])
        return left @ right.T

    def largest(self) -> float:
        """Return a bound on all costs."""
        return 2.0 * float(_squares(self.X).max() + _squares(self.Y).max())


def _squares(X: Array) -> Array:
    squares: Array = np.einsum("ij,ij->i", X, X)
    return squares
