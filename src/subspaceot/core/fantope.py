"""The set we search: soft projectors of trace k, also called the Fantope.

F_k = {Omega symmetric : 0 <= Omega <= I, trace Omega = k} is the convex hull of the orthogonal projectors onto
k-dimensional subspaces. Projecting onto it and maximising a linear function over it both act on eigenvalues only.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..runtime.types import Array

# Below this dimension NumPy's full solver beats SciPy's partial one, which brings BLAS threads of its own.
_PARTIAL_FROM = 300


@dataclass(frozen=True, eq=False, slots=True)
class SoftProjector:
    """Omega (r, r) = Q inner Q^T, kept in the few directions in which it lives."""

    inner: Array  # (q, q)
    Q: Array | None = None  # (r, q) orthonormal; None for all axes

    @property
    def whole(self) -> Array:
        """Omega itself."""
        return self.inner if self.Q is None else symmetric(self.Q @ self.inner @ self.Q.T)

    @property
    def factor(self) -> Array:
        """L (r, p) with Omega = L L^T."""
        return self._lifted(factor(self.inner))

    @property
    def support(self) -> Array:
        """Orthonormal directions (r, p) outside of which Omega next to vanishes."""
        eigenvalues, vectors = np.linalg.eigh(self.inner)
        return self._lifted(vectors[:, eigenvalues > 1e-3])

    def within(self, Q: Array) -> Array:
        """Return Q^T Omega Q."""
        inside = Q.T if self.Q is None else Q.T @ self.Q
        return inside @ self.inner @ inside.T

    def _lifted(self, directions: Array) -> Array:
        return directions if self.Q is None else self.Q @ directions


def project(A: Array, k: int) -> Array:
    """Return the Euclidean projection of the symmetric matrix `A` (d, d) onto F_k.

    Eigenvalues lambda become clip(lambda - t, 0, 1) with the shift t for which they sum to k; eigenvectors stay.
    Directions clipped to 0 need no eigenvector, so only as many eigenpairs as matter are computed when k << d.
    """
    d = len(A)
    wanted = _enough_pairs(k, d)
    while True:
        eigenvalues, vectors = leading_eigenpairs(A, wanted)
        shift = _shift(eigenvalues, k)
        # A pair left out lies below the last one computed: if that one is clipped to 0, so are they all.
        if wanted == d or eigenvalues[0] <= shift:
            break
        wanted = min(d, 2 * wanted)
    kept = np.clip(eigenvalues - shift, 0.0, 1.0)
    # The shift is as exact as the eigenvalues, which may be large; the trace is made exact where nothing is clipped.
    free = (kept > 0.0) & (kept < 1.0)
    if free.any():
        kept[free] += (k - kept.sum()) / np.count_nonzero(free)
        kept = np.clip(kept, 0.0, 1.0)
    return symmetric((vectors * kept) @ vectors.T)


def maximise(A: Array, k: int) -> tuple[float, Array]:
    """Return max <A | Omega> over F_k and a maximiser: the sum of the k largest eigenvalues, and their projector."""
    eigenvalues, vectors = leading_eigenpairs(A, k)
    return float(eigenvalues.sum()), symmetric(vectors @ vectors.T)


def top_sum(A: Array, k: int) -> float:
    """Return the sum of the k largest eigenvalues of the symmetric matrix `A`."""
    return float(np.linalg.eigvalsh(A)[-k:].sum())


def best_share(V: Array, W: Array, k: int) -> float:
    """Return the share of W in the convex combination with V that has the smallest top-k sum, by golden section."""
    left, right, ratio = 0.0, 1.0, 0.5 * (np.sqrt(5.0) - 1.0)
    for _ in range(25):
        p, q = right - ratio * (right - left), left + ratio * (right - left)
        if top_sum((1.0 - p) * V + p * W, k) < top_sum((1.0 - q) * V + q * W, k):
            right = q
        else:
            left = p
    return 0.5 * (left + right)


def leading_vectors(A: Array, k: int) -> Array:
    """Return the eigenvectors (d, k) of the k largest eigenvalues of the symmetric matrix `A`, largest first."""
    return leading_eigenpairs(A, k)[1][:, ::-1]


def oriented(vectors: Array) -> Array:
    """Return eigenvectors (d, q) with such signs that the largest entry of each column is positive."""
    largest = vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])]
    signed: Array = vectors * np.where(largest < 0.0, -1.0, 1.0)
    return signed


def factor(omega: Array) -> Array:
    """Return L (d, q) with Omega = L L^T, without the directions in which Omega vanishes."""
    eigenvalues, vectors = np.linalg.eigh(omega)
    kept = eigenvalues > 1e-15
    L: Array = vectors[:, kept] * np.sqrt(eigenvalues[kept])
    return L


def symmetric(A: Array) -> Array:
    """Return (A + A^T) / 2, of each matrix (., d, d) where there are several."""
    return 0.5 * (A + A.swapaxes(-1, -2))


def leading_eigenpairs(A: Array, count: int) -> tuple[Array, Array]:
    """Return the `count` largest eigenvalues of `A`, ascending, and their eigenvectors."""
    d = len(A)
    if d < _PARTIAL_FROM or count > d // 4:
        eigenvalues, vectors = np.linalg.eigh(A)
        return eigenvalues[d - count :], vectors[:, d - count :]
    pairs: tuple[Array, Array] = scipy.linalg.eigh(A, subset_by_index=(d - count, d - 1), check_finite=False)
    return pairs


def _enough_pairs(k: int, d: int) -> int:
    """Return how many eigenpairs a projection computes first: some more than k, or all when d is small."""
    return d if d < _PARTIAL_FROM else min(d, 2 * k + 8)


def _shift(eigenvalues: Array, k: int) -> float:
    """Return t with sum clip(lambda - t, 0, 1) = k.

    The sum falls from len(lambda) to 0, linearly between the breakpoints lambda and lambda - 1.
    """
    breakpoints = np.sort(np.concatenate([eigenvalues - 1.0, eigenvalues]))
    sums = np.clip(eigenvalues - breakpoints[:, None], 0.0, 1.0).sum(axis=1)
    right = int(np.searchsorted(-sums, -k))  # the first breakpoint whose sum is <= k
    if right == 0 or sums[right] == k:
        return float(breakpoints[right])
    slope = (sums[right - 1] - sums[right]) / (breakpoints[right] - breakpoints[right - 1])
    return float(breakpoints[right] - (k - sums[right]) / slope)
