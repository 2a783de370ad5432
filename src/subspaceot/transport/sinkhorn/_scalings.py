"""Scalings of the rows and columns of a kernel: Sinkhorn's sweeps, then Newton steps.

All is products with the kernel, an array or anything else that has them, whose precision does not matter here.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...linalg.conjugate_gradients import conjugate_gradients
from ...linalg.forcing import FORCING
from ...linalg.line_search import FLAT, Trial, line_search
from ...runtime.types import Array

_SWEEPS = 8  # plain ones before the first Newton step (4 to 8 do equally well; with none, 2.5 times the time)
_NEWTON_STEPS = 60  # per kernel; convergence is quadratic, a dozen is common
SMALL = 100_000  # entries: kernels up to here are scaled by compiled code, larger ones are BLAS's business
BORDER = float(np.finfo(np.float32).max)  # larger scalings join a new kernel, before the old one loses small entries


class Kernel(Protocol):
    """K_ij >= 0 (n, m), as far as its products go."""

    @property
    def T(self) -> "Kernel":
        """The transposed kernel."""

    def __matmul__(self, v: Array) -> Array:
        """Return sum_j K_ij v_j."""


@dataclass(frozen=True, eq=False, slots=True)
class Scalings:
    """P_ij = u_i K_ij v_j, whose rows sum to a."""

    u: Array  # (n,)
    v: Array  # (m,)
    columns: Array  # (m,) sums of the columns of P
    error: float  # sum of absolute errors of the columns
    largest: float  # of all scalings and their inverses; infinite where a column is empty


def scaled(K: Kernel, a: Array, b: Array, u: Array, columns: Array, *, tol: float, border: float) -> Scalings:
    """Return scalings that bring u_i K_ij v_j towards the marginals a and b.

    To begin with, v = 1, the rows sum to a and the columns to `columns`. Ends at `tol`, the sum of absolute errors of
    the columns, where scalings would leave the border, where rounding lets no step gain, or out of steps.
    """
    dual = _SemiDual(K, a, b, border)
    if isinstance(K, np.ndarray) and K.size <= SMALL:
        dual = _CompiledSemiDual(K, a, b, border)
    at = Scalings(u, np.ones_like(b), columns, float(np.abs(columns - b).sum()), 1.0)
    at = dual.swept(at, tol)
    for _ in range(_NEWTON_STEPS):
        if at.error <= tol:
            break
        trial = dual.newton_step(at, tol)
        ahead = trial.point
        if not ahead.largest < border or (trial.value >= 0.0 and ahead.error >= at.error):
            break
        at = ahead
    return at


class _SemiDual:
    """phi(g) = a.f(g) + b.g of a kernel, concave in the logarithms of its column scalings.

    With P = diag(u) K diag(v), whose rows are exact: gradient b - columns, Hessian -(diag(columns) - P^T diag(1/a) P)
    in units of reg.
    """

    def __init__(self, K: Kernel, a: Array, b: Array, border: float) -> None:
        self.K, self.a, self.b, self.border = K, a, b, border

    def at(self, v: Array) -> Scalings:
        """Return the scalings with these of the columns, cut off at the border; those of the rows follow."""
        v = np.clip(v, 1.0 / self.border, self.border)
        u = self.a / (self.K @ v)
        columns = v * (self.K.T @ u)
        smallest = min(float(u.min()), float(v.min())) if columns.min() > 0.0 else 0.0
        largest = max(float(u.max()), float(v.max()), 1.0 / smallest if smallest > 0.0 else np.inf)
        return Scalings(u, v, columns, float(np.abs(columns - self.b).sum()), largest)

    def swept(self, at: Scalings, tol: float) -> Scalings:
        """Return the scalings after Sinkhorn's sweeps."""
        for _ in range(_SWEEPS):
            if at.error <= tol:
                break
            ahead = self.at(at.v * (self.b / at.columns))
            if not ahead.largest < self.border:
                break
            at = ahead
        return at

    def newton_step(self, at: Scalings, tol: float) -> Trial[Scalings]:
        """Return the scalings after one damped Newton step, with the change of the semi-dual, negated."""
        direction = self.direction(at, max(FORCING, tol / at.error))
        if not np.abs(direction).max() < self.border:  # the equation is singular to rounding: no step gains
            direction = np.zeros_like(direction)
        slope = float((at.columns - self.b) @ direction)
        return line_search(lambda length: self.along(at, direction, length), 0.0, slope, flat=FLAT)[1]

    def along(self, at: Scalings, direction: Array, length: float) -> Trial[Scalings]:
        """Return by how much the semi-dual falls along a direction. It changes by the change of the log scalings."""
        reach = 2.0 * np.log(self.border)  # any farther is outside
        ahead = self.at(at.v * np.exp(np.clip(length * direction, -reach, reach)))
        fall = -float(self.b @ np.log(ahead.v / at.v) + self.a @ np.log(ahead.u / at.u))
        return Trial(fall, float((ahead.columns - self.b) @ direction), ahead)

    def direction(self, at: Scalings, accuracy: float) -> Array:
        """Return a solution of Newton's equation to that share of the gradient, by conjugate gradients."""
        K, v, w = self.K, at.v, at.u * at.u / self.a

        def curvature(q: Array) -> Array:
            product: Array = at.columns * q - v * (K.T @ (w * (K @ (v * q))))
            return product

        return conjugate_gradients(curvature, self.b - at.columns, tol=accuracy, diagonal=at.columns)


class _CompiledSemiDual(_SemiDual):
    """The same for a small array, in compiled loops."""

    def __init__(self, K: Array, a: Array, b: Array, border: float) -> None:
        super().__init__(K, a, b, border)
        self._given = K, K.T.copy(), a, b
        self._work, self._sums = np.empty((4, len(b))), np.empty_like(a)

    def swept(self, at: Scalings, tol: float) -> Scalings:
        """Return the scalings after Sinkhorn's sweeps."""
        from . import _kernels

        u, v, columns = at.u.copy(), at.v.copy(), at.columns.copy()
        state = _kernels.sweep(*self._given, u, v, columns, _SWEEPS, tol, self.border, self._work, self._sums)
        return Scalings(u, v, columns, *state)

    def along(self, at: Scalings, direction: Array, length: float) -> Trial[Scalings]:
        """Return by how much the semi-dual falls along a direction."""
        from . import _kernels

        u, v, columns = np.empty_like(at.u), np.empty_like(at.v), np.empty_like(at.v)
        fall, slope, *state = _kernels.along(*self._given, at.u, at.v, direction, length, self.border, u, v, columns)
        return Trial(fall, slope, Scalings(u, v, columns, *state))

    def direction(self, at: Scalings, accuracy: float) -> Array:
        """Return a solution of Newton's equation to that share of the gradient."""
        from . import _kernels

        _kernels.newton_direction(*self._given, at.u, at.v, at.columns, accuracy, self._work, self._sums)
        return np.asarray(self._work[0])
