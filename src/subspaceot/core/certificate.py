"""The proof: an interval for S_k^2, each end kept with the point that proves it, rounding counted.

Lower: for any Omega in F_k and feasible potentials, f_i + g_j <= d_Omega^2(x_i, y_j), a.f + b.g <= S_k^2.
Upper: for any plan with exact marginals, S_k^2 <= sum of the k largest eigenvalues of its displacement matrix. Plans
of doubles meet them within 4 units in the last place, and the bound counts what an exact coupling may do with the rest.

Both are computed by products of matrices, whose rounding errors are of the size of the data, not of the answer. Each
bound is moved outwards by what they can be, so it is true as it stands. Where the answer is so small that nothing is
left of it, `differences.py` starts again from differences of points. docs/rounding.md derives the constants.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from ..runtime.types import Array
from . import fantope
from .coupling import Coupling
from .eigenbounds import leading_pairs, spectral_norm_bound, top_sum_bound
from .fantope import SoftProjector
from .marginals import met, rounded
from .moments import MANY, displacement
from .nearest import minimum
from .potentials import feasible_between
from .problem import Problem
from .rounding import UNIT, dot_down, dot_up, gamma, up

_FAR_OUTSIDE = (
    1e-11  # of F_k: from here on an Omega is projected, not just divided into F_k: rounding alone leaves less
)

_EIGENVALUES = 16.0  # times r u |V|: what LAPACK's eigenvalues may be off by, for steering only


@dataclass(frozen=True, eq=False, slots=True)
class Lower:
    """A lower bound with its proof."""

    value: float
    soft: SoftProjector  # Omega in F_k
    f: Array  # (n,)
    g: Array  # (m,) f + g <= d_Omega^2
    factor: Array | None = None  # (r, q) with Omega = factor factor^T, if known; (d, q) once proven for the caller

    @property
    def omega(self) -> Array:
        """Omega (r, r); most bounds are bettered before anyone asks, and at r = 1,000 it takes as long as a step."""
        return self.soft.whole


@dataclass(frozen=True, eq=False, slots=True)
class Upper:
    """An upper bound with its proof."""

    value: float
    plan: Coupling  # (n, m) with the weights as marginals
    V: Array  # (r, r) its displacement matrix
    unplaced: tuple[Array, Array] | None = None  # (n,), (m,) mass that an exact coupling may have anywhere, if known
    leading: tuple[Array, Array] | None = None  # V's k + 1 leading eigenpairs, where there are many directions


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

    @property
    def gap(self) -> float:
        """The relative width of the interval."""
        return relative_gap(self.lower.value, self.upper.value)


def relative_gap(lower: float, upper: float) -> float:
    """Return (upper - lower) / upper; 0 for a point, infinite where nothing positive is known from above."""
    if lower == upper:
        return 0.0
    return (upper - lower) / upper if upper > 0.0 else math.inf


# --- solver bounds: true but for the reduction to the span, and for eigenvalues ---------------------------------------


def lower_bound(problem: Problem, omega: SoftProjector, g: Array) -> Lower:
    """Return the bound that `omega` in F_k and any potential `g` (m,) prove, both made feasible."""
    omega, L = _inside(problem, omega)
    f, g, value = proven_value(problem, problem.X, problem.Y, L, g)
    return Lower(value=value, soft=omega, f=f, g=g, factor=L)


def upper_bound(problem: Problem, plan: Coupling, images: Array | None = None) -> Upper:
    """Return the bound that `plan` proves once it is rounded onto its marginals.

    `images` (n, r) are plan Y where that is known and nothing needs to be rounded.
    """
    coupling = rounded(plan, problem.masses)
    V = displacement(problem.X, problem.Y, coupling.plan, images if coupling.plan is plan else None)
    leading = leading_pairs(V, problem.k)
    top = fantope.top_sum(V, problem.k) if leading is None else float(leading[0][1:].sum())
    return Upper(expected_upper(problem, top), coupling.plan, V, (coupling.unplaced_a, coupling.unplaced_b), leading)


def expected_upper(problem: Problem, top: float) -> float:
    """Return what a coupling will prove, given the sum of its V's k largest eigenvalues as LAPACK has it."""
    top = max(top, 0.0) * (1.0 + _EIGENVALUES * UNIT * problem.r * problem.k)
    unplaced = 128.0 * UNIT * 4.0 * problem.spread
    return problem.frame.defect.top_sum(top + rounding_of_upper(problem) + unplaced, problem.frame.k)


def rounding_of_upper(problem: Problem) -> float:
    """Return by how much rounding may have made the sum of V's k largest eigenvalues too small.

    Each entry of V is a sum of products that nearly cancel; in Frobenius norm its error is gamma times the sum of their
    magnitudes, 4 spread, or 12 spread where symmetric products are used, and the sum of k eigenvalues changes by
    sqrt(k) times that.
    """
    operations = len(problem.a) + len(problem.b) + problem.r + 24.0
    magnitudes = (4.0 if problem.r < MANY else 12.0) * problem.spread * (1.0 + 1e-9)
    return up(math.sqrt(problem.k) * gamma(operations) * magnitudes)


def rounding_of_lower(problem: Problem) -> float:
    """Return by how much rounding may lower a lower bound, about."""
    return 4.0 * _rate(problem.frame.d, problem.r, float(problem.k)) * problem.spread


# --- certified bounds: nothing is taken on trust --------------------------------------------------------------------


def proven(problem: Problem, certificate: Certificate) -> Certificate:
    """Return the certificate for the caller's points, weights and axes, true in exact arithmetic."""
    return Certificate(proven_lower(problem, certificate.lower), proven_upper(problem, certificate.upper))


def proven_lower(problem: Problem, lower: Lower) -> Lower:
    """Return the bound with a factor in the caller's axes."""
    if lower.factor is None:
        lower = lower_bound(problem, lower.soft, lower.g)
    if problem.frame.axes is None or lower.factor is None:
        return lower
    L = divided(problem.frame.lift(lower.factor), problem.frame.k)
    X, Y = problem.frame.centred
    f, g, value = proven_value(problem, X, Y, L, lower.g)
    return replace(lower, f=f, g=g, value=value, factor=L)


def proven_upper(problem: Problem, upper: Upper) -> Upper:
    """Return the bound with a plan whose marginals are the weights to the last digits, what is left of that counted."""
    if upper.unplaced is None:
        coupling = met(upper.plan, problem.masses)
        V = displacement(problem.X, problem.Y, coupling.plan) if coupling.changed else upper.V
        upper = Upper(upper.value, coupling.plan, V, (coupling.unplaced_a, coupling.unplaced_b))
    assert upper.unplaced is not None
    top = top_sum_bound(fantope.symmetric(upper.V), problem.k, upper.leading) + rounding_of_upper(problem)
    value = problem.frame.defect.top_sum(top, problem.frame.k)
    return replace(upper, value=up(value * (1.0 + 16.0 * UNIT) + cost_of_unplaced(problem, *upper.unplaced)))


def cost_of_unplaced(problem: Problem, unplaced_a: Array, unplaced_b: Array) -> float:
    """Return at most what these masses contribute, wherever the exact coupling has them.

    No pair costs more than |x - y|^2 <= 2 |x|^2 + 2 |y|^2.
    """
    X, Y = (problem.X, problem.Y) if problem.frame.axes is None else problem.frame.centred
    terms = (unplaced_a, squares(X)), (unplaced_b, squares(Y))
    return up(2.0 * (1.0 + gamma(problem.frame.d + 8.0)) * dot_up(terms))


def divided(L: Array, k: int) -> Array:
    """Return the factor `L` (d, q), divided if need be until Omega's eigenvalues are at most 1 and its trace at most k.

    A smaller Omega proves less, but what it proves is true: any that is added to it to reach trace k costs no less.
    """
    trace = float(np.einsum("ij,ij->", L, L)) * (1.0 + gamma(L.size + 2.0))
    excess = max(spectral_norm_bound(L), trace / k) * (1.0 + 16.0 * UNIT * (1.0 + math.sqrt(trace)))
    shrunk: Array = L / math.sqrt(excess) if excess > 1.0 else L
    return shrunk


def _inside(problem: Problem, omega: SoftProjector) -> tuple[SoftProjector, Array]:
    """Return `omega`, projected where it is far outside of F_k, and a factor of it (r, q) that is inside."""
    L = omega.factor
    eigenvalues = np.einsum("ij,ij->j", L, L)  # the positive ones, which sum up to k where there are no others
    outside = max(float(eigenvalues.max(initial=0.0)) - 1.0, abs(float(eigenvalues.sum()) - problem.k))
    if not outside <= _FAR_OUTSIDE:
        omega = SoftProjector(fantope.project(omega.inner, problem.k), omega.Q)
        L = omega.factor
    return omega, divided(L, problem.k)


def proven_value(problem: Problem, X: Array, Y: Array, L: Array, g: Array) -> tuple[Array, Array, float]:
    """Return f, g that are feasible for |L^T (x_i - y_j)|^2 of points with rounded coordinates, and what they prove.

    With R_i = |L|_F |x_i|, products and their sums are off by at most rate (R_i + R_j)^2 / 2 <= rate (R_i^2 + R_j^2),
    so each potential pays for its own point.
    """
    f, g = feasible_between(X @ L, Y @ L, g - problem.b @ g)  # a constant is free, but a large one would cost digits
    rate = _rate(X.shape[1], L.shape[1], float(np.einsum("ij,ij->", L, L)))
    f = f - (rate * squares(X) + 4.0 * UNIT * np.abs(f))
    g = g - (rate * squares(Y) + 4.0 * UNIT * np.abs(g))
    return f, g, dot_down(((problem.a, f), (problem.b, g)))


def c_transform(X: Array, Y: Array, L: Array, g: Array) -> Array:
    """Return the largest f (.,) with f_i + g_j <= |L^T (x_i - y_j)|^2 for points with rounded coordinates, about."""
    rate = _rate(X.shape[1], L.shape[1], float(np.einsum("ij,ij->", L, L)))
    f = minimum(X @ L, Y @ L, g + rate * squares(Y)) - rate * squares(X)
    sizes = np.abs(f) + rate * squares(X) + float((np.abs(g) + rate * squares(Y)).max())
    return np.asarray(f - 4.0 * UNIT * sizes, dtype=np.float64)


def _rate(d: int, q: int, trace: float) -> float:
    """Return what rounding may add to a squared distance in q of d directions, as a multiple of |x|^2 + |y|^2."""
    return 2.0 * gamma(2.0 * d + q + 24.0) * trace * (1.0 + 1e-9)


def squares(X: Array) -> Array:
    """Return |x_i|^2 (n,)."""
    sums: Array = np.einsum("ij,ij->i", X, X)
    return sums
