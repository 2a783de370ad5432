"""Bounds for the projection robust distance: p-th powers of distances between projections, rounding counted."""

import numpy as np
from scipy.spatial.distance import cdist

from ..core import fantope
from ..core.certificate import Upper, c_transform, divided, proven_upper, proven_value, squares
from ..core.coupling import Coupling, Sparse
from ..core.marginals import MetCoupling, met
from ..core.moments import displacement
from ..core.potentials import feasible
from ..core.problem import Problem
from ..core.rounding import UNDERFLOW, UNIT, dot_down, dot_up, gamma, rounded_down, up
from ..runtime.types import Array
from ..transport import monotone_coupling, monotone_potentials

_BLOCK = 1 << 22  # entries of a block of pairwise distances, where those of all pairs might not fit
_POWER = 16.0  # u: what a power may be off by, relatively, and as much as its base is off by times its exponent


def projected_bound(problem: Problem, U: Array, g: Array, p: float) -> tuple[float, Array, Array, Array]:
    """Return a lower bound of W_p^p between projections onto U (r, k), feasible potentials and the factor (d, k)."""
    X, Y = problem.frame.centred
    L = divided(problem.frame.lift(U), problem.frame.k)
    if p == 2.0:
        f, g, value = proven_value(problem, X, Y, L, g)
        return value, f, g, L
    f, g = feasible(_powers_below(X, Y, L, p), g - problem.b @ g)
    f, g = rounded_down(f), rounded_down(g)
    return dot_down(((problem.a, f), (problem.b, g))), f, g, L


def power_transform(X: Array, Y: Array, L: Array, g: Array, p: float) -> Array:
    """Return f (.,) with f_i + g_j <= |L^T (x_i - y_j)|^p for points with rounded coordinates."""
    if p == 2.0:
        return c_transform(X, Y, L, g)
    rows = max(1, _BLOCK // len(Y))
    return np.concatenate([_power_transform(X[i : i + rows], Y, L, g, p) for i in range(0, len(X), rows)])


def _power_transform(X: Array, Y: Array, L: Array, g: Array, p: float) -> Array:
    reduced = _powers_below(X, Y, L, p) - g
    f = reduced.min(axis=1)
    return np.asarray(f - 4.0 * UNIT * (np.abs(f) + float(np.abs(g).max())) - UNDERFLOW, dtype=np.float64)


def sliced_bound(problem: Problem, u: Array, p: float) -> tuple[float, Array, Array, Array]:
    """Return the same for one direction u (r,), by sorting."""
    X, Y = problem.frame.centred
    L = divided(problem.frame.lift(u[:, None]), 1)
    x, y = X @ L[:, 0], Y @ L[:, 0]
    f, g, error = monotone_potentials(monotone_coupling(x, y, problem.masses), x, y, p)
    middle = float(problem.b @ g)
    f, g = f + middle, g - middle
    # A distance is at most the sum of both points' own, so its power is off by no more than what each of them pays.
    rate = p * 2.0 ** (p - 1.0) * (1.0 + 1e-9)
    f = rounded_down(f - (error + rate * _blur(X, L) * _reach(X, L) ** (p - 1.0)))
    g = rounded_down(g - (error + rate * _blur(Y, L) * _reach(Y, L) ** (p - 1.0)))
    return dot_down(((problem.a, f), (problem.b, g))), f, g, L


def ceiling(problem: Problem, plan: Coupling, p: float) -> Upper:
    """Return the largest cost that a projection can have, as far as the coupling `plan` proves it."""
    V = displacement(problem.X, problem.Y, plan)
    upper = proven_upper(problem, Upper(fantope.top_sum(V, problem.k), plan, V))
    if p == 2.0:
        return upper
    coupling = met(upper.plan, problem.masses)
    return smaller_ceiling(upper, cost_above(problem, coupling, *_lengths_above(problem, coupling.plan), p), p)


def smaller_ceiling(upper: Upper, own_cost: float, p: float) -> Upper:
    """Return the bound by the k largest eigenvalues of V, to the power p / 2, if p <= 2; or by a coupling's own cost.

    `upper` is that of squares; the smaller one counts.
    """
    value = min(own_cost, power_above(upper.value, 0.5 * p)) if p < 2.0 else own_cost
    return Upper(value, upper.plan, upper.V)


def cost_above(problem: Problem, coupling: MetCoupling, mass: Array, lengths: Array, p: float) -> float:
    """Return an upper bound of the sum of plan_ij |x_i - y_j|^p for the exact coupling next to `coupling`.

    `mass` and `lengths` are those of the pairs of its plan, lengths rounded up.
    """
    # |x - y|^p <= 2^(p - 1) (|x|^p + |y|^p) for masses that may be anywhere.
    size_X, size_Y = (np.sqrt(squares(Z)) for Z in problem.frame.centred)
    anywhere = dot_up(((coupling.unplaced_a, size_X**p), (coupling.unplaced_b, size_Y**p))) * 2.0**p * (1.0 + 1e-9)
    total = float(mass @ lengths**p) * (1.0 + gamma(len(mass) + 8.0) + _POWER * UNIT * (1.0 + p))
    return up(total + anywhere)


def _lengths_above(problem: Problem, plan: Coupling) -> tuple[Array, Array]:
    """Return the masses of pairs and upper bounds of their distances, from points that were rounded when centred."""
    X, Y = problem.frame.centred
    size_X, size_Y = np.sqrt(squares(X)), np.sqrt(squares(Y))
    if isinstance(plan, Sparse):
        rows, columns, mass = plan.atoms()
        lengths = np.linalg.norm(X[rows] - Y[columns], axis=1)
        lengths += 2.0 * UNIT * (size_X[rows] + size_Y[columns])
    else:  # atoms of a dense plan would take three times its memory
        mass, lengths = plan.dense().ravel(), (cdist(X, Y) + 2.0 * UNIT * (size_X[:, None] + size_Y)).ravel()
    lengths *= 1.0 + gamma(X.shape[1] + 8.0)
    return mass, lengths


def power_below(x: Array, p: float) -> Array:
    """Return lower bounds of x^p, 0 <= x."""
    return np.maximum(x**p * (1.0 - _POWER * UNIT * (1.0 + p)) - UNDERFLOW, 0.0)


def power_above(x: float, p: float) -> float:
    """Return an upper bound of x^p, 0 <= x."""
    return up(x**p * (1.0 + _POWER * UNIT * (1.0 + p)))


def _powers_below(X: Array, Y: Array, L: Array, p: float) -> Array:
    """Return lower bounds of |L^T (x_i - y_j)|^p (n, m)."""
    distances = cdist(X @ L, Y @ L) * (1.0 - gamma(L.shape[1] + 8.0))
    distances -= _blur(X, L)[:, None] + _blur(Y, L)
    return power_below(np.maximum(distances, 0.0), p)


def _reach(X: Array, L: Array) -> Array:
    """Return how far from the centre each projection is at most."""
    return np.sqrt(squares(X) * float(np.einsum("ij,ij->", L, L))) * (1.0 + 1e-9)


def _blur(X: Array, L: Array) -> Array:
    """Return how far each projection may be from where it was computed to be."""
    return gamma(len(L) + 8.0) * _reach(X, L)
