"""A better Omega for many points, from transport between some of them.

What some of the points say about Omega is off by a sampling error. Most of it goes away once the displacement matrix V
of all points is known for one Omega: V - V_s, of all points and of the sample, is added to the gradient V_s of the
sample's function, which then is that of all points there, and nearly so elsewhere (Shamir, Srebro & Zhang 2014).
"""

from dataclasses import dataclass

import numpy as np

from ...core import fantope
from ...core.costs import SquaredDistances
from ...core.fantope import SoftProjector
from ...core.moments import displacement
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...linalg.line_search import ARMIJO
from ...runtime.types import Array
from ...transport import Entropic
from .sample import sampled

_EVALUATIONS = 15  # at most: each is entropic transport between some of the points
_COLUMN_TOL = FORCING**2  # of their columns


def corrected(problem: Problem, omega: SoftProjector, V: Array, reg: float, size: int, tol: float) -> SoftProjector:
    """Return an Omega for which k eigenvalues of V hardly sum up to more than <Omega|V>, or to less more than before.

    `V` (r, r) is the displacement matrix for `omega`, entropic with `reg`. Ends where steps promise less than `tol`.
    """
    Q = _directions(problem, omega, V)
    W = omega.within(Q)
    sample = _Sample.of(problem, Q, reg, size)
    shift = Q.T @ V @ Q - sample.at(W, None).gradient
    point, step, length = sample.at(W, shift), problem.k / float(np.trace(V)), 1.0
    for _ in range(_EVALUATIONS):
        ahead = fantope.project(point.omega + step * point.gradient, problem.k) - point.omega
        slope = float(np.sum(ahead * point.gradient))
        if slope <= tol:
            break
        trial = sample.at(point.omega + length * ahead, shift)
        if trial.value < point.value + ARMIJO * length * slope:
            length /= 2
            continue
        step = _next_step(point, trial, step)
        point, length = trial, 1.0
    return SoftProjector(fantope.project(point.omega, problem.k), Q)


@dataclass(frozen=True, eq=False, slots=True)
class _Point:
    """An Omega with the sample's function and its gradient there, corrected."""

    omega: Array  # (q, q)
    value: float
    gradient: Array  # (q, q)


class _Sample:
    """The entropic function of some of the points, in a few directions."""

    def __init__(self, X: Array, Y: Array, a: Array, b: Array, reg: float) -> None:
        self._X, self._Y, self._a, self._b, self._g = X, Y, a, b, np.zeros_like(b)
        self._solver = Entropic(reg, tol=_COLUMN_TOL)

    @classmethod
    def of(cls, problem: Problem, Q: Array, reg: float, size: int) -> "_Sample":
        """Return the sample of a problem, seen in the directions Q (r, q)."""
        (rows, a), (columns, b) = sampled(problem, size)
        return cls(problem.X[rows] @ Q, problem.Y[columns] @ Q, a, b, reg)

    def at(self, omega: Array, shift: Array | None) -> _Point:
        """Return the value and the gradient at an Omega (q, q), with <Omega|shift> and shift added."""
        transport = self._solver.solve(SquaredDistances(self._X, self._Y, omega), self._a, self._b, self._g)
        self._g = transport.g
        V = displacement(self._X, self._Y, transport.plan)
        if shift is None:
            return _Point(omega, transport.value, V)
        return _Point(omega, transport.value + float(np.sum(omega * shift)), V + shift)


def _next_step(point: _Point, trial: _Point, step: float) -> float:
    """Return the step of Barzilai & Borwein (1988): by how far a point moved, over how much the gradient fell."""
    moved = trial.omega - point.omega
    curvature = float(np.sum(moved * (point.gradient - trial.gradient)))
    return float(np.sum(moved * moved)) / curvature if curvature > 0.0 else 2 * step


def _directions(problem: Problem, omega: SoftProjector, V: Array) -> Array:
    """Return orthonormal directions (r, q): those of Omega, and of the largest eigenvalues of V."""
    leading = fantope.leading_vectors(V, min(problem.r, 2 * problem.k))
    Q: Array = np.linalg.qr(np.concatenate([omega.support, leading], axis=1))[0]
    return Q
