"""Exact transport on the line, by sorting: no (n, m) array is formed.

The plan that matches both clouds in order is optimal for every convex cost of x_i - y_j. As a path through the sorted
points it steps to the next x or the next y, whichever's mass is used up first.
"""

from dataclasses import dataclass

import numpy as np

from .._types import Array, Indices


@dataclass(frozen=True, eq=False, slots=True)
class Staircase:
    """An optimal plan as n + m - 1 atoms, each one step from the last."""

    rows: Indices  # (n + m - 1,)
    columns: Indices  # (n + m - 1,)
    mass: Array  # (n + m - 1,) some 0: where both masses end at once, the step between them carries nothing


def staircase(x: Array, y: Array, a: Array, b: Array) -> Staircase:
    """Return the plan in order between points `x` (n,), `y` (m,) with weights `a`, `b` of sum 1."""
    by_x, by_y = np.argsort(x, kind="stable"), np.argsort(y, kind="stable")
    ends_x, ends_y = np.cumsum(a[by_x])[:-1], np.cumsum(b[by_y])[:-1]
    ends = np.concatenate([ends_x, ends_y])
    order = np.argsort(ends, kind="stable")  # two sorted runs: merged in linear time
    next_x = order < len(ends_x)
    rows = np.concatenate([[0], np.cumsum(next_x)])
    columns = np.concatenate([[0], np.cumsum(~next_x)])
    mass = np.diff(np.concatenate([[0.0], ends[order], [1.0]]))
    return Staircase(by_x[rows], by_y[columns], np.maximum(mass, 0.0))


def staircase_potentials(stairs: Staircase, x: Array, y: Array, p: float) -> tuple[Array, Array]:
    """Return f (n,) and g (m,), equal to |x_i - y_j|^p along the staircase, hence nowhere above it."""
    rows, columns = stairs.rows, stairs.columns
    cost = np.abs(x[rows] - y[columns]) ** p
    rise = np.diff(cost)
    next_row = np.diff(rows) != 0
    f, g = np.zeros_like(x), np.zeros_like(y)
    # Each step changes one potential, by the change of the cost.
    f[rows] = np.concatenate([[0.0], np.cumsum(np.where(next_row, rise, 0.0))])
    g[columns] = cost[0] + np.concatenate([[0.0], np.cumsum(np.where(next_row, 0.0, rise))])
    return f, g
