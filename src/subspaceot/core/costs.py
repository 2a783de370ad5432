"""What transport costs: a matrix, or squared distances that are never formed by themselves."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..runtime.types import Array


class Costs(Protocol):
    """Anything that tells (f_i + g_j - C_ij) / reg."""

    @property
    def T(self) -> "Costs":
        """The costs (m, n) of the opposite direction."""

    def rows(self, rows: slice) -> "Costs":
        """Return the costs of some points of the first measure."""

    def exponents(self, reg: float, f: Array | float, g: Array | float) -> Array:
        """Return (f_i + g_j - C_ij) / reg (n, m), an array of its own."""

    def matrix(self) -> Array:
        """Return C (n, m), which must fit into memory."""

    def largest(self) -> float:
        """Return a bound on all costs."""


def as_costs(costs: Costs | Array) -> Costs:
    """Return an array (n, m) as costs; costs as they are."""
    return CostMatrix(costs) if isinstance(costs, np.ndarray) else costs


@dataclass(frozen=True, eq=False, slots=True)
class CostMatrix:
    """Costs as they are."""

    C: Array  # (n, m)

    @property
    def T(self) -> "CostMatrix":
        """The transposed matrix."""
        return CostMatrix(self.C.T)

    def rows(self, rows: slice) -> "CostMatrix":
        """Return some rows."""
        return CostMatrix(self.C[rows])

    def exponents(self, reg: float, f: Array | float, g: Array | float) -> Array:
        """Return (f_i + g_j - C_ij) / reg (n, m)."""
        K = self.C * (-1.0 / reg)
        K += g / reg
        K += np.reshape(f, (-1, 1)) / reg
        return K

    def matrix(self) -> Array:
        """Return the matrix itself."""
        return self.C

    def largest(self) -> float:
        """Return the largest cost."""
        return float(self.C.max())


@dataclass(frozen=True, eq=False, slots=True)
class SquaredDistances:
    """C_ij = (x_i - y_j)^T Omega (x_i - y_j), expanded into one matrix product with the potentials and reg inside.

    A third of the time of the matrix and all that follows it until np.exp.
    """

    X: Array  # (n, q) both samples centred together: what is small against |x|^2 is lost
    Y: Array  # (m, q)
    omega: Array | None = None  # (q, q); None for the identity

    @property
    def T(self) -> "SquaredDistances":
        """The distances seen from the other measure."""
        return SquaredDistances(self.Y, self.X, self.omega)

    def rows(self, rows: slice) -> "SquaredDistances":
        """Return the distances of some points of the first measure."""
        return SquaredDistances(self.X[rows], self.Y, self.omega)

    def exponents(self, reg: float, f: Array | float, g: Array | float) -> Array:
        """Return (f_i + g_j - C_ij) / reg (n, m)."""
        (n, q), m = self.X.shape, len(self.Y)
        image_X, image_Y = self._image(self.X), self._image(self.Y)
        left, right = np.empty((n, q + 2)), np.empty((m, q + 2))
        np.multiply(image_X, 2.0 / reg, out=left[:, :q])
        left[:, q] = (f - _products(image_X, self.X)) / reg
        left[:, q + 1] = 1.0
        right[:, :q] = self.Y
        right[:, q] = 1.0
        right[:, q + 1] = (g - _products(image_Y, self.Y)) / reg
        return left @ right.T

    def matrix(self) -> Array:
        """Return the distances, none below 0."""
        C = self.exponents(-1.0, 0.0, 0.0)
        return np.maximum(C, 0.0, out=C)

    def largest(self) -> float:
        """Return a bound on all costs."""
        sizes = (float(_products(self._image(Z), Z).max()) for Z in (self.X, self.Y))
        return 2.0 * sum(sizes)

    def _image(self, Z: Array) -> Array:
        return Z if self.omega is None else Z @ self.omega


def _products(A: Array, B: Array) -> Array:
    products: Array = np.einsum("ij,ij->i", A, B)
    return products
