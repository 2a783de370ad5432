"""Rigorous bounds on eigenvalues: no count of a solver's operations, but a look at what it returned."""

import math

import numpy as np

from ..runtime.types import Array
from . import fantope
from .rounding import gamma, up

_MANY = 100  # directions: from here on a Cholesky factorisation takes less time than a full set of eigenvectors

_NORM = 1.0 + 1e-9  # what a Frobenius norm of up to 4 million entries may lose in its own sum


def leading_pairs(V: Array, k: int) -> tuple[Array, Array] | None:
    """Return the k + 1 largest eigenvalues of `V`, ascending, and their eigenvectors, where that helps a bound."""
    return fantope.leading_eigenpairs(V, k + 1) if len(V) >= _MANY and k < len(V) // 4 else None


def top_sum_bound(V: Array, k: int, leading: tuple[Array, Array] | None = None) -> float:
    """Return an upper bound of the sum of the k largest eigenvalues of the symmetric matrix `V` (r, r).

    The matrix is taken as it is, rounding of its entries not included. `leading` are its leading pairs, where known.
    """
    leading = leading or leading_pairs(V, k)
    if leading is not None:
        bound = _by_cholesky(V, k, *leading)
        if bound is not None:
            return bound
    return _by_residual(V, k)


def spectral_norm_bound(L: Array) -> float:
    """Return an upper bound of the largest eigenvalue of L^T L, by Gershgorin's circles."""
    gram, (r, q) = np.abs(L.T @ L), L.shape
    error = gamma(r + q + 4.0) * math.sqrt(q) * float(np.einsum("ij,ij->", L, L))
    return up(float(gram.sum(axis=1).max(initial=0.0)) + error)


def _by_residual(V: Array, k: int) -> float:
    """Return the bound from V = Q Lambda Q^T + R: the top k of Lambda times |Q^T Q|, plus sqrt(k) |R|_F."""
    r = len(V)
    values, Q = np.linalg.eigh(V)
    size = float(np.abs(values).sum())
    residual = _norm(V - (Q * values) @ Q.T) + gamma(r + 6.0) * 2.0 * size
    orthogonality = _norm(Q.T @ Q - np.eye(r)) + gamma(r + 4.0) * 2.0 * r
    top = math.fsum(np.maximum(values[-k:], 0.0).tolist())
    return up(up(top) * (1.0 + orthogonality) + math.sqrt(k) * residual)


def _by_cholesky(V: Array, k: int, values: Array, U: Array) -> float | None:
    """Return trace Z + k s for a Z >= 0 with Z + s I >= V, which a Cholesky factorisation proves; None if it does not.

    If the factorisation of A - c I runs to its end in floating point for c >= gamma_(r+1) trace A / (1 - gamma_(r+1)),
    then A is positive semidefinite (Rump, Verification of positive definiteness, 2006).
    """
    r = len(V)
    s = max(float(values[0]), 0.0)
    above = np.maximum(values[1:] - s, 0.0)
    roots = U[:, 1:] * np.sqrt(above)
    A = roots @ roots.T
    size = _norm(V) + 2.0 * float(above.sum()) + s  # of all that is added up below, by columns
    A -= V
    A = fantope.symmetric(A)
    trace = abs(float(np.trace(A))) + r * s
    margin = up(gamma(r + 2.0) * 2.0 * trace + gamma(k + 8.0) * 2.0 * size)
    for _ in range(3):
        try:
            np.linalg.cholesky(A + s * np.eye(r))
        except np.linalg.LinAlgError:
            s += 4.0 * margin
            continue
        return up(up(float(np.einsum("ij,ij->", roots, roots)) * (1.0 + gamma(roots.size + 4.0))) + k * (s + margin))
    return None


def _norm(A: Array) -> float:
    return float(np.linalg.norm(A)) * _NORM
