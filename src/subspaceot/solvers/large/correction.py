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
from ...runtime.types import Array
from ...transport import Entropic
from .sample import sampled

_MORE = 8  # directions beside twice k, of the largest eigenvalues of V, that may join those of Omega
_STEPS = 12  # at most: each is entropic transport between some of the points
_HALVINGS = 6  # of a step before it is given up
_FIRST = 0.1  # length of the first step, in units of 1 / the k-th eigenvalue of V
_COLUMN_TOL = 1e-3  # of the entropic plans of the sample


def corrected(problem: Problem, omega: SoftProjector, V: Array, reg: float, size: int, tol: float) -> SoftProjector:
    """Return an Omega for which k eigenvalues of V hardly sum up to more than <Omega|V>, or to less more than before.

    `V` (r, r) is the displacement matrix for `omega`, entropic with `reg`. Ends where steps promise less than `tol`.
    """
    Q = _directions(problem, omega, V)
    W = omega.within(Q)
    sample = _Sample.of(problem, Q, reg, size)
    shift = Q.T @ V @ Q - sample.at(W, None).gradient
    point, step = sample.at(W, shift), _FIRST / float(np.linalg.eigvalsh(V)[-problem.k])
    for _ in range(_STEPS):
        ahead = fantope.project(point.omega + step * point.gradient, problem.k) - point.omega
        slope = float(np.sum(ahead * point.gradient))
        if slope <= tol:
            break
        trial = _searched(sample, shift, point, ahead, slope)
        if trial is None:
            break
        moved, change = trial.omega - point.omega, point.gradient - trial.gradient
        curvature = float(np.sum(moved * change))
        step = float(np.sum(moved * moved)) / curvature if curvature > 0.0 else 4.0 * step  # Barzilai & Borwein (1988)
        point = trial
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


def _searched(sample: _Sample, shift: Array, point: _Point, ahead: Array, slope: float) -> _Point | None:
    """Return the first of some points ahead, each half as far as the one before, that gains enough."""
    length = 1.0
    for _ in range(_HALVINGS):
        trial = sample.at(point.omega + length * ahead, shift)
        if trial.value >= point.value + 1e-4 * length * slope:
            return trial
        length *= 0.5
    return None


def _directions(problem: Problem, omega: SoftProjector, V: Array) -> Array:
    """Return orthonormal directions (r, q): those of Omega, and of the largest eigenvalues of V."""
    count = min(problem.r, 2 * problem.k + _MORE)
    both = np.concatenate([omega.support, fantope.leading_vectors(V, count)], axis=1)
    vectors, sizes, _ = np.linalg.svd(both, full_matrices=False)
    Q: Array = vectors[:, sizes > 1e-6]
    return Q
