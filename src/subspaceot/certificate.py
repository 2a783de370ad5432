"""The proof: an interval for S_k^2, each end kept with the point that proves it.

Lower: for any Omega in F_k and feasible potentials, f_i + g_j <= d_Omega^2(x_i, y_j), a.f + b.g <= S_k^2.
Upper: for any plan with exact marginals, S_k^2 <= sum of the k largest eigenvalues of its displacement matrix.
"""

from dataclasses import dataclass

import numpy as np

from . import fantope
from ._blocks import blocks
from ._types import Array
from .fantope import SoftProjector
from .moments import cost_matrix, displacement
from .problem import Problem

_OUTSIDE = 1e-9  # how far Omega's eigenvalues may be outside of 0..1, and their sum from k

ATOL = 1e-12  # of the problem's spread: differences below it are rounding


@dataclass(frozen=True, eq=False, slots=True)
class Lower:
    """A lower bound with its proof."""

    value: float
    soft: SoftProjector  # Omega in F_k
    f: Array  # (n,)
    g: Array  # (m,) f + g <= d_Omega^2

    @property
    def omega(self) -> Array:
        """Omega (r, r); most bounds are bettered before anyone asks, and at r = 1,000 it takes as long as a step."""
        return self.soft.whole


@dataclass(frozen=True, eq=False, slots=True)
class Upper:
    """An upper bound with its proof."""

    value: float
    plan: Array  # (n, m) with exact marginals
    V: Array  # (r, r) its displacement matrix


@dataclass(frozen=True, eq=False, slots=True)
class Certificate:
    """An interval for S_k^2 that grows tighter: each end is the best one offered so far."""

    lower: Lower
    upper: Upper

    def improved(self, lower: Lower, upper: Upper) -> "Certificate":
        """Return the certificate that keeps the better of both ends."""
        return Certificate(
            lower=lower if lower.value > self.lower.value else self.lower,
            upper=upper if upper.value < self.upper.value else self.upper,
        )

    @property
    def ends(self) -> tuple[Lower, Upper]:
        """Both bounds."""
        return self.lower, self.upper

    def gap(self, spread: float) -> float:
        """Return the signed relative gap, 0 where the ends agree to rounding."""
        return relative_gap(self.lower.value, self.upper.value, spread)


def relative_gap(lower: float, upper: float, spread: float) -> float:
    """Return (upper - lower) / upper, signed; 0 if the difference is rounding against the spread of the data."""
    if abs(upper - lower) <= ATOL * spread:
        return 0.0
    return (upper - lower) / upper


def lower_bound(problem: Problem, omega: SoftProjector, g: Array) -> Lower:
    """Return the bound that `omega` in F_k and any potential `g` (m,) prove, both made feasible.

    Potentials by c-transforms; `omega`, which should be, by a projection where rounding has led out of F_k.
    """
    L = omega.factor
    eigenvalues = np.einsum("ij,ij->j", L, L)  # the positive ones, which sum up to k where there are no others
    if not (eigenvalues.max(initial=0.0) <= 1.0 + _OUTSIDE and abs(eigenvalues.sum() - problem.k) <= _OUTSIDE):
        omega = SoftProjector(fantope.project(omega.inner, problem.k), omega.Q)
        L = omega.factor
    C = cost_matrix(problem.X, problem.Y, L)
    f, g = feasible(C, g - problem.b @ g)  # a constant is free, but a large one would cost digits
    return Lower(value=float(problem.a @ f + problem.b @ g), soft=omega, f=f, g=g)


def upper_bound(problem: Problem, plan: Array) -> Upper:
    """Return the bound that `plan` proves once it is rounded onto its marginals."""
    plan = rounded(plan, problem.a, problem.b)
    V = displacement(problem.X, problem.Y, plan)
    return Upper(value=fantope.top_sum(V, problem.k), plan=plan, V=V)


def feasible(C: Array, g: Array) -> tuple[Array, Array]:
    """Return potentials with f_i + g_j <= C_ij: one c-transform in each direction, which only raise a.f + b.g."""
    f, raised = np.empty(len(C)), np.full(len(g), np.inf)
    for rows in blocks(C):  # two thirds of the time of all at once at n = m = 1000
        f[rows] = (C[rows] - g).min(axis=1)
        np.minimum(raised, (C[rows] - f[rows, None]).min(axis=0), out=raised)
    return f, raised


def rounded(plan: Array, a: Array, b: Array) -> Array:
    """Return a coupling of `a` and `b` near `plan`: rows and columns scaled down, then the missing mass added."""
    tiny = np.finfo(float).tiny  # for rows and columns that carry nothing yet
    coupling, columns = np.empty_like(plan), np.zeros_like(b)
    down = np.minimum(1.0, a / np.maximum(plan.sum(axis=1), tiny))[:, None]
    for rows in blocks(plan):  # half the time of all at once at n = m = 1000
        columns += np.multiply(plan[rows], down[rows], out=coupling[rows]).sum(axis=0)
    down = np.minimum(1.0, b / np.maximum(columns, tiny))
    missing_b = np.maximum(b - columns * down, 0.0)
    mass = missing_b.sum()
    for rows in blocks(plan):
        block = coupling[rows]
        block *= down
        if mass > 0.0:
            missing_a = np.maximum(a[rows] - block.sum(axis=1), 0.0)
            block += missing_a[:, None] * (missing_b / mass)
    return coupling
