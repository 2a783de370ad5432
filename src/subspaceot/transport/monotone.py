"""Exact transport on the line, by sorting: no (n, m) array is formed.

The plan that matches both clouds in order is optimal for every convex cost of x_i - y_j. As a path through the sorted
points it steps to the next x or the next y, whichever's mass is used up first.
"""

from dataclasses import dataclass

import numpy as np

from ..core.marginals import Masses
from ..core.rounding import gamma
from ..runtime.types import Array, Indices


@dataclass(frozen=True, eq=False, slots=True)
class Staircase:
    """An optimal plan as n + m - 1 atoms, each one step from the last."""

    rows: Indices  # (n + m - 1,)
    columns: Indices  # (n + m - 1,)
    mass: Array  # (n + m - 1,) some 0: where both masses end at once, the step between them carries nothing


def staircase(x: Array, y: Array, masses: Masses) -> Staircase:
    """Return the plan in order between points `x` (n,), `y` (m,)."""
    from . import _monotone_kernels  # numba takes a third of a second to import

    by_x, by_y = np.argsort(x, kind="stable"), np.argsort(y, kind="stable")
    size = len(x) + len(y) - 1
    rows, columns, mass = np.empty(size, dtype=np.intp), np.empty(size, dtype=np.intp), np.empty(size)
    _monotone_kernels.merge(by_x, by_y, masses.a, masses.a_low, masses.b, masses.b_low, rows, columns, mass)
    return Staircase(rows, columns, mass)


def staircase_potentials(stairs: Staircase, x: Array, y: Array, p: float) -> tuple[Array, Array, float]:
    """Return f (n,) and g (m,), equal to |x_i - y_j|^p along the staircase, hence nowhere above it; and their error.

    Each may be too large by that much, for rounding of the costs along the way.
    """
    from . import _monotone_kernels

    f, g = np.empty_like(x), np.empty_like(y)
    looked = _monotone_kernels.climb_stairs(stairs.rows, stairs.columns, stairs.mass, x, y, float(p), f, g)
    return f, g, gamma(8.0 * (1.0 + p)) * looked
