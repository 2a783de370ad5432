"""Exact transport on the line, by sorting: no (n, m) array is formed.

The monotone coupling, which matches both samples in order, is optimal for every convex cost of x_i - y_j. It is the
north-west corner rule for sorted points: from cell to cell it goes on to the next x or to the next y, whichever's mass
is used up first.
"""

from dataclasses import dataclass

import numpy as np

from ..core.marginals import Masses
from ..core.rounding import gamma
from ..runtime.types import Array, Indices


@dataclass(frozen=True, eq=False, slots=True)
class MonotoneCoupling:
    """A plan as n + m - 1 atoms, each in the row or in the column of the last."""

    rows: Indices  # (n + m - 1,)
    columns: Indices  # (n + m - 1,)
    mass: Array  # (n + m - 1,) some 0: where both masses end at once, the cell between carries nothing


def monotone_coupling(x: Array, y: Array, masses: Masses) -> MonotoneCoupling:
    """Return the plan in order between points `x` (n,), `y` (m,)."""
    return north_west_corner(np.argsort(x, kind="stable"), np.argsort(y, kind="stable"), masses)


def north_west_corner(by_x: Indices, by_y: Indices, masses: Masses) -> MonotoneCoupling:
    """Return the plan that fills cells in the given orders of the points, each with as much as both sides have left."""
    from . import _monotone_kernels  # numba takes a third of a second to import

    size = len(by_x) + len(by_y) - 1
    rows, columns, mass = np.empty(size, dtype=np.intp), np.empty(size, dtype=np.intp), np.empty(size)
    weights = masses.a, masses.a_low, masses.b, masses.b_low
    _monotone_kernels.fill_corners(by_x, by_y, *weights, rows, columns, mass)
    return MonotoneCoupling(rows, columns, mass)


def monotone_potentials(plan: MonotoneCoupling, x: Array, y: Array, p: float) -> tuple[Array, Array, float]:
    """Return f (n,) and g (m,), equal to |x_i - y_j|^p along the plan, hence nowhere above it; and their error.

    Each may be too large by that much, for rounding of the costs along the way.
    """
    from . import _monotone_kernels

    f, g = np.empty_like(x), np.empty_like(y)
    costs = _monotone_kernels.fill_potentials(plan.rows, plan.columns, plan.mass, x, y, float(p), f, g)
    return f, g, gamma(8.0 * (1.0 + p)) * costs
