"""What the sums of cells prove about all rows: an interval for S_k^2, rounding counted.

Upper: within each pair of cells the points are coupled independently, so that E[x y^T] is a sum over cells of means.
Lower: potentials that are affine in each cell; offsets from its centre cancel in the mean. docs/large.md has the proof.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..core import fantope
from ..core.coupling import Coupling
from ..core.eigenbounds import top_sum_bound
from ..core.marginals import Masses, met
from ..core.rounding import UNIT, dot_down, dot_up, exact_shares, gamma, up
from ..runtime.types import Array
from .between import Potentials, potentials_between, transport_between
from .cells import Side

_NORM = 1.0 + 1e-6  # what sums of sizes may lose in rounding of their own


@dataclass(frozen=True, eq=False, slots=True)
class Proof:
    """Both bounds of S_k^2 in the coordinates of a pass, each with what proves it."""

    lower: float
    upper: float
    factor: Array  # (d, q) L with Omega = L L^T in F_k
    X: Side
    Y: Side
    potentials: Potentials  # that prove `lower`
    plan: Coupling  # (C, C') that proves `upper`: within each pair of cells, points are coupled independently
    V: Array  # (d, d) its displacement matrix


def prove(X: Side, Y: Side, factor: Array, k: int, g: Array | None = None) -> Proof:
    """Return what the cells of both sides prove for an Omega; `g` (C',) is a potential to begin with, if known."""
    transport = transport_between(X, Y, g)
    masses = Masses(*exact_shares(X.mass / X.mass.max()), *exact_shares(Y.mass / Y.mass.max()))
    coupling = met(transport.plan, masses)
    V = displacement(X, Y, coupling.plan)
    unplaced = coupling.unplaced_a + X.mass_error * masses.a, coupling.unplaced_b + Y.mass_error * masses.b
    upper = top_sum_bound(V, k) + _rounding_of_upper(X, Y, k)
    upper = up(up(max(upper, 0.0)) + _cost_of(unplaced, X, Y))
    potentials = potentials_between(X, Y, transport)
    lower = _lower(X, Y, potentials, masses, factor)
    if not lower > 0.0:
        lower, potentials = 0.0, Potentials.zero(X, Y)
    return Proof(lower, upper, factor, X, Y, potentials, coupling.plan, V)


def displacement(X: Side, Y: Side, plan: Coupling) -> Array:
    """Return V (d, d) of the plan that couples points independently within each pair of cells.

    V = E[x x^T] + E[y y^T] - E[x y^T] - E[y x^T], and of the mixed ones the means of cells are all that is left.
    """
    cross = X.mean.T @ (plan @ Y.mean)
    return fantope.symmetric(X.moment + Y.moment - cross - cross.T)


def _rounding_of_upper(X: Side, Y: Side, k: int) -> float:
    """Return by how much rounding may have made the sum of V's k largest eigenvalues too small."""
    roundings = 4.0 * max(X.operations, Y.operations) + len(X) + len(Y) + 64.0
    return up(math.sqrt(k) * gamma(roundings) * 2.0 * (X.size + Y.size) * _NORM)


def _cost_of(unplaced: tuple[Array, Array], X: Side, Y: Side) -> float:
    """Return at most what these masses of cells add to V, wherever the exact coupling has them."""
    terms = ((mass, np.einsum("ij,ij->i", side.mean, side.mean)) for mass, side in zip(unplaced, (X, Y), strict=True))
    return up(3.0 * _NORM * dot_up(terms))


def _lower(X: Side, Y: Side, potentials: Potentials, masses: Masses, factor: Array) -> float:
    """Return the mean of the potentials over all points, from below."""
    pairs = (masses.a, potentials.f), (masses.b, potentials.g)
    value = dot_down(pairs)
    loss = 0.0
    for side, slopes, (shares, values) in zip((X, Y), (potentials.s, potentials.t), pairs, strict=True):
        # The centre of a cell is its mean but for rounding, so that offsets do not quite cancel.
        steepest = float(np.sqrt(np.einsum("ij,ij->i", slopes, slopes).max()))
        off = gamma(2.0 * side.operations + 2.0 * len(factor) + 16.0) * float(np.linalg.norm(factor))
        loss += 2.0 * steepest * off * math.sqrt(side.size) + 2.0 * side.mass_error * float(shares @ np.abs(values))
    return value - up(loss * _NORM) - 4.0 * UNIT * abs(value)
