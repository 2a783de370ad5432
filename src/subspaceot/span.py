"""The directions in which points extend: few of them where the space has more dimensions than there are points."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg.lapack

from ._types import Array

# A direction that carries less than this share of the squared spread is dropped from the span: it cannot move a
# squared distance by more than rounding does.
_NO_SPREAD = 1e-14

_MANY = 300  # points: from here on time counts
_EVEN = 1e4  # how much the points may extend in one direction more than in another, or Cholesky's factor is inexact


@dataclass(frozen=True, eq=False, slots=True)
class Span:
    """An orthonormal basis (d, r) as a product that is formed when it is asked for."""

    left: Array  # (d, .)
    right: Array | None = None  # (., r)

    @property
    def basis(self) -> Array:
        """The basis (d, r) itself."""
        return self.left if self.right is None else self.left @ self.right

    def lift(self, Z: Array) -> Array:
        """Return directions (r, q) within the span as directions (d, q)."""
        return self.left @ (Z if self.right is None else self.right @ Z)

    def lower(self, Z: Array) -> Array:
        """Return directions (d, q) in the coordinates (r, q) of the span."""
        inside = self.left.T @ Z
        return inside if self.right is None else self.right.T @ inside


def reduced(Z: Array) -> tuple[Array, Span] | None:
    """Return the points in coordinates (., r) of their span, and the span; None if that is the whole space.

    `Z` (n + m, d) holds the points of both clouds, centred, each times the root of its mass: a far point of next to no
    mass must not hide directions in which the others differ.
    """
    points, d = Z.shape
    if d < points:
        energy = np.linalg.eigvalsh(Z.T @ Z)
        if energy[0] > _NO_SPREAD * energy.sum():
            return None
    elif points >= _MANY:
        answer = _by_points(Z)
        if answer is not None:
            return answer
    basis = _basis(Z)
    return None if basis.shape[1] == d else (Z @ basis, Span(basis))


def _by_points(Z: Array) -> tuple[Array, Span] | None:
    """Return the answer where all points but one, which the centre fixes, are clearly independent; else None.

    Z = L B for the Cholesky factor L of Z Z^T and an orthonormal B, so L holds the coordinates: a ninth of the time of
    the eigenvectors at d = 2,000, n = m = 500.
    """
    last = int(np.argmax(np.einsum("ij,ij->i", Z, Z)))
    rest = np.delete(Z, last, axis=0)
    gram = rest @ rest.T
    try:
        L = np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return None
    inverse, _ = scipy.linalg.lapack.dtrtri(L, lower=1)
    # The mean of 1 / eigenvalue times the mean eigenvalue: far from 1 where some direction is hardly there.
    if np.trace(gram) * float(np.sum(inverse**2)) > _EVEN * len(rest) ** 2:
        return None
    coordinates = np.insert(L, last, (Z[last] @ rest.T) @ inverse.T, axis=0)
    return coordinates, Span(rest.T, inverse.T)


def _basis(Z: Array) -> Array:
    """Return an orthonormal basis (d, r) of the span of the rows."""
    points, d = Z.shape
    by_point = points <= d
    energy, U = np.linalg.eigh(Z @ Z.T if by_point else Z.T @ Z)
    kept = energy > max(_NO_SPREAD * energy.sum(), 0.0)
    if not kept.any():  # all points are one: any direction will do
        return np.eye(d, 1)
    basis: Array = Z.T @ (U[:, kept] / np.sqrt(energy[kept])) if by_point else U[:, kept]
    # Directions of little spread come out inexact; two Cholesky passes leave them orthonormal to rounding. A tenth of
    # the time of a QR factorisation at d = 20,000.
    for _ in range(2):
        basis = basis @ np.linalg.inv(np.linalg.cholesky(basis.T @ basis)).T
    return basis
