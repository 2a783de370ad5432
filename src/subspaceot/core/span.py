"""The directions in which points extend: few of them where the space has more dimensions than there are points."""

import math
from dataclasses import dataclass

import numpy as np
import scipy.linalg.lapack

from ..runtime.blocks import blocks
from ..runtime.types import Array
from .eigenbounds import spectral_norm_bound
from .rounding import gamma, up

_FULL_RANK = 1e-10  # of the largest squared spread of a direction: where none has less, the points span the space
_COLUMN_TOL = (
    1e-13  # of a column's norm: what of it may be lost where its points lie in fewer directions than there are
)
_RANK_TOL = 1e-15  # of the largest spread: directions with less are dropped where there are more of them than points

_CHOLESKY_FROM = 300  # points: with fewer, eigenvectors take no time that counts
_MAX_UNEVENNESS = 1e4  # of the spread in different directions: beyond, the factor of Cholesky is inexact


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


@dataclass(frozen=True, eq=False, slots=True)
class Defect:
    """How far the coordinates in a span are from the points, so that no bound forgets it.

    With T the sum of the k largest eigenvalues of a displacement matrix in these coordinates, that of the points
    themselves is at most (sqrt((1 + stretch) T) + residual)^2 + 2 sqrt(k) gram.
    """

    stretch: float = 0.0  # of the basis: |B^T B| - 1
    residual: float = 0.0  # sqrt(2) times the Frobenius norm of Z - (coordinates) B^T
    gram: float = 0.0  # Frobenius norm of Z Z^T - (coordinates) (coordinates)^T

    def top_sum(self, bound: float, k: int) -> float:
        """Return the bound for the points themselves."""
        root = math.sqrt((1.0 + self.stretch) * bound) + self.residual
        return up(up(root * root) + 2.0 * math.sqrt(k) * self.gram)


@dataclass(frozen=True, eq=False, slots=True)
class Reduction:
    """Points in coordinates (., r) of their span."""

    coordinates: Array
    span: Span
    defect: Defect


def spans_all(*measures: tuple[Array, Array]) -> bool:
    """Return whether points (., d) with weights (.,), all together, extend in all directions; no copy of them is made.

    With fewer points than directions it is not asked.
    """
    d = measures[0][0].shape[1]
    if d >= sum(len(points) for points, _ in measures):
        return False
    gram = np.zeros((d, d))
    for points, weights in measures:
        for rows in blocks(*points.shape):
            part = np.sqrt(weights[rows])[:, None] * points[rows]
            gram += part.T @ part
    energy = np.linalg.eigvalsh(gram)
    return bool(energy[0] > _FULL_RANK * energy[-1])


def reduced(Z: Array) -> Reduction | None:
    """Return the points in coordinates of their span; None if that turns out to be the whole space.

    `Z` (n + m, d) holds the points of both samples, centred, each times the root of its mass: a far point of next to no
    mass must not hide directions in which the others differ.
    """
    points, d = Z.shape
    if d < points:
        return _of_flat_points(Z)
    return (_by_cholesky(Z) if points >= _CHOLESKY_FROM else None) or _by_eigenvectors(Z)


def _of_flat_points(Z: Array) -> Reduction | None:
    """Return the answer where points lie in fewer directions than the space has, each column to its own precision."""
    norms = np.linalg.norm(Z, axis=0)
    if not norms.any():  # all points are one: any direction will do
        basis = np.eye(Z.shape[1], 1)
        return Reduction(Z @ basis, Span(basis), Defect())
    scaled = Z / np.where(norms > 0.0, norms, 1.0)
    _, sizes, rows = np.linalg.svd(scaled, full_matrices=False)
    rank = int(np.count_nonzero(sizes > _COLUMN_TOL * sizes[0]))
    if rank == Z.shape[1]:
        return None
    basis = np.linalg.qr(norms[:, None] * rows[:rank].T)[0]
    coordinates = Z @ basis
    residual = Z - coordinates @ basis.T
    if np.any(np.linalg.norm(residual, axis=0) > _COLUMN_TOL * norms):
        return None
    size = float(np.linalg.norm(residual)) + gamma(2.0 * Z.shape[1] + 4.0) * rank * float(np.linalg.norm(Z))
    stretch = max(spectral_norm_bound(basis) - 1.0, 0.0)
    return Reduction(coordinates, Span(basis), Defect(stretch=stretch, residual=up(1.5 * size)))


def _by_cholesky(Z: Array) -> Reduction | None:
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
    if np.trace(gram) * float(np.sum(inverse**2)) > _MAX_UNEVENNESS * len(rest) ** 2:
        return None
    products = Z[last] @ rest.T
    coordinate = products @ inverse.T
    # L is the factor of a matrix within gamma |L| |L^T| of the Gram matrix (Higham, theorem 10.3); the last row is
    # compared.
    off = np.append(products - L @ coordinate, Z[last] @ Z[last] - coordinate @ coordinate)
    error = 2.0 * float(np.linalg.norm(off)) + _rounding_of_gram(Z)
    return Reduction(np.insert(L, last, coordinate, axis=0), Span(rest.T, inverse.T), Defect(gram=up(error)))


def _by_eigenvectors(Z: Array) -> Reduction:
    """Return the answer from the eigenvectors of Z Z^T, or from Z itself where they are too inexact."""
    gram = Z @ Z.T
    energy, U = np.linalg.eigh(gram)
    second = energy[min(1, len(energy) - 1)]  # the first vanishes, as the points are centred
    if second > _FULL_RANK * energy[-1]:
        kept = energy > 0.5 * second
        basis: Array = Z.T @ (U[:, kept] / np.sqrt(energy[kept]))
        # Directions of little spread come out inexact; two Cholesky passes leave them orthonormal to rounding. A tenth
        # of the time of a QR factorisation at d = 20,000.
        for _ in range(2):
            basis = basis @ np.linalg.inv(np.linalg.cholesky(basis.T @ basis)).T
    else:
        Q, R = np.linalg.qr(Z.T)
        rotation, sizes, _ = np.linalg.svd(R)
        kept = sizes > _RANK_TOL * sizes[0]
        basis = Q @ rotation[:, kept] if kept.any() else np.eye(Z.shape[1], 1)
    coordinates = Z @ basis
    error = float(np.linalg.norm(coordinates @ coordinates.T - gram)) + _rounding_of_gram(Z)
    return Reduction(coordinates, Span(basis), Defect(gram=up(error)))


def _rounding_of_gram(Z: Array) -> float:
    """Return how far, in Frobenius norm, products of all pairs of points may be off by rounding."""
    points, d = Z.shape
    return gamma(2.0 * d + 2.0 * points + 16.0) * 2.0 * float(np.einsum("ij,ij->", Z, Z))


def complement(span: Span, count: int) -> Array:
    """Return `count` orthonormal directions (d, count) outside the span, any of them, the same each time."""
    directions = np.random.default_rng(0).standard_normal((len(span.left), count))
    for _ in range(2):
        directions -= span.lift(span.lower(directions))
    Q: Array = np.linalg.qr(directions)[0]
    return Q
