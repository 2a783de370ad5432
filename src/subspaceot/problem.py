"""What is asked: two weighted clouds and a dimension k, in coordinates that are pleasant to compute in."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _validate
from ._types import Array, Mask

# A direction that carries less than this share of the squared spread is dropped from the span: it cannot move a
# squared distance by more than rounding does.
_NO_SPREAD = 1e-14


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """How the caller's coordinates and units relate to the problem's: x = centre + scale * span z."""

    n: int  # points of mu, those without mass included
    m: int  # points of nu
    d: int  # the caller's dimension
    k: int  # the caller's k, which may exceed the dimension of the span
    scale: float  # a power of two, so that dividing by it is exact
    span: Array | None  # (d, r) orthonormal; None where the problem uses the caller's axes
    rows: Mask  # (n,) the points of mu that have mass
    columns: Mask  # (m,)
    X: Array  # (n, d) the caller's points, a copy
    Y: Array  # (m, d)
    idle_X: Array  # (., d) points of mu without mass, centred and scaled, otherwise untouched
    idle_Y: Array  # (., d)

    @property
    def unit(self) -> float:
        """The caller's squared units in one of ours."""
        return self.scale * self.scale

    def lift(self, Z: Array) -> Array:
        """Return directions (r, q) of the problem as directions (d, q) of the caller."""
        return Z if self.span is None else self.span @ Z

    def lower(self, Z: Array) -> Array:
        """Return directions (d, q) of the caller as directions (r, q) of the problem."""
        return Z if self.span is None else self.span.T @ Z


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Two clouds, centred together, of unit scale, without massless points, reduced to the span of the data."""

    X: Array  # (n, r) support of mu
    Y: Array  # (m, r) support of nu
    a: Array  # (n,)   weights of mu, positive, sum 1
    b: Array  # (m,)   weights of nu
    k: int  # dimension of the subspace, 1..r
    spread: float  # trace of the pooled second moment, about 1: what differences of bounds are measured against
    frame: Frame

    @property
    def r(self) -> int:
        """The dimension in which the problem is solved."""
        return int(self.X.shape[1])

    def at(self, k: int) -> "Problem":
        """Return the same problem for another k in 1..d."""
        return replace(self, k=min(k, self.r), frame=replace(self.frame, k=k))

    def within(self, Q: Array) -> "Problem":
        """Return the problem projected onto the columns of `Q` (r, q), orthonormal."""
        return replace(self, X=self.X @ Q, Y=self.Y @ Q)

    @classmethod
    def of(cls, X: Any, Y: Any, k: Any, a: Any = None, b: Any = None, *, dense: bool = True) -> "Problem":
        """Return the problem for the caller's data; every mistake in it is raised here, before any work is done.

        `dense` says that (n, m) arrays will be formed, which must fit into memory.
        """
        X, Y = _validate.as_pair(X, Y)
        (n, d), m = X.shape, len(Y)
        k = _validate.as_dimension(k, d)
        a = _validate.as_weights(a, n, "a", "X")
        b = _validate.as_weights(b, m, "b", "Y")
        if dense:
            _validate.require_memory(n, m, d)
        own_X, own_Y = X.copy(), Y.copy()
        rows, columns = a > 0.0, b > 0.0
        idle_X, idle_Y = X[~rows], Y[~columns]
        X, Y, a, b = X[rows], Y[columns], a[rows], b[columns]

        # Centre twice: the second pass removes the rounding of the first when the clouds are far from zero.
        for _ in range(2):
            shift = 0.5 * (a @ X + b @ Y)
            X, Y, idle_X, idle_Y = X - shift, Y - shift, idle_X - shift, idle_Y - shift
        scale = _power_of_two(max(np.abs(X).max(), np.abs(Y).max()))
        X, Y = X / scale, Y / scale
        spread = 0.5 * float(a @ np.einsum("ij,ij->i", X, X) + b @ np.einsum("ij,ij->i", Y, Y))
        unit = _power_of_two(np.sqrt(spread))
        X, Y, scale, spread = X / unit, Y / unit, scale * unit, spread / unit**2
        span = _span(np.concatenate([np.sqrt(a)[:, None] * X, np.sqrt(b)[:, None] * Y]))
        if span is not None:
            X, Y = X @ span, Y @ span
        frame = Frame(
            n=n,
            m=m,
            d=d,
            k=k,
            scale=scale,
            span=span,
            rows=rows,
            columns=columns,
            X=own_X,
            Y=own_Y,
            idle_X=idle_X / scale,
            idle_Y=idle_Y / scale,
        )
        return cls(X=X, Y=Y, a=a, b=b, k=min(k, X.shape[1]), spread=spread, frame=frame)


def _power_of_two(size: float) -> float:
    """Return the power of two nearest to `size` from below, 1 for 0."""
    return 1.0 if size == 0.0 else float(2.0 ** np.floor(np.log2(size)))


def _span(Z: Array) -> Array | None:
    """Return an orthonormal basis (d, r) of the directions in which the points extend, None if that is all of them.

    `Z` (n + m, d) holds the points of both clouds, each times the root of its mass: a far point of next to no mass
    must not hide directions in which the others differ.
    """
    points, d = Z.shape
    if d < points:
        energy = np.linalg.eigvalsh(Z.T @ Z)
        if energy[0] > _NO_SPREAD * energy.sum():
            return None
    by_point = points <= d
    energy, U = np.linalg.eigh(Z @ Z.T if by_point else Z.T @ Z)
    kept = energy > max(_NO_SPREAD * energy.sum(), 0.0)
    if not kept.any():  # all points are one: any direction will do
        return np.eye(d, 1)
    span: Array = Z.T @ (U[:, kept] / np.sqrt(energy[kept])) if by_point else U[:, kept]
    # Directions of little spread come out inexact; two Cholesky passes leave them orthonormal to rounding. A tenth of
    # the time of a QR factorisation at d = 20,000.
    for _ in range(2):
        span = span @ np.linalg.inv(np.linalg.cholesky(span.T @ span)).T
    return None if span.shape[1] == d else span
