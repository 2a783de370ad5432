"""The north-west corner rule and the potentials of its plan on the line, in compiled loops."""

from typing import Any

from ..runtime.compiled import compiled, inlined
from ..runtime.types import Array, Indices


@inlined
def two_sum(x: float, y: float) -> Any:
    """X + y as rounded, and its rounding error (Knuth)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


@compiled
def fill_corners(
    by_x: Indices,
    by_y: Indices,
    a: Array,
    a_low: Array,
    b: Array,
    b_low: Array,
    rows: Indices,
    columns: Indices,
    mass: Array,
) -> None:
    """Fill in the n + m - 1 cells, each with the smaller of what is left of its row and of its column.

    What is left of a point is kept to twice the working precision: small weights come out right beside large ones.
    """
    n, m = len(by_x), len(by_y)
    p, q = 0, 0
    left, left_low, right, right_low = a[by_x[0]], a_low[by_x[0]], b[by_y[0]], b_low[by_y[0]]
    for t in range(n + m - 1):
        rows[t], columns[t] = by_x[p], by_y[q]
        difference, low = two_sum(right, -left)
        low += right_low - left_low
        if q == m - 1 or (p < n - 1 and difference + low >= 0.0):
            mass[t] = max(left + left_low, 0.0)
            right, right_low = difference, low
            p += 1
            if p < n:
                left, left_low = a[by_x[p]], a_low[by_x[p]]
        else:
            mass[t] = max(right + right_low, 0.0)
            left, left_low = -difference, -low
            q += 1
            right, right_low = b[by_y[q]], b_low[by_y[q]]


@inlined
def diagonal_step(x: float, y: float, next_x: float, next_y: float, p: float) -> Any:
    """How f and g change from |x - y|^p to |next_x - next_y|^p: the mean over both corners; and the costs there."""
    here, end = abs(x - y) ** p, abs(next_x - next_y) ** p
    one, other = abs(next_x - y) ** p, abs(x - next_y) ** p
    return 0.5 * ((one - here) + (end - other)), 0.5 * ((end - one) + (other - here)), one + other + end


@compiled
def fill_potentials(
    rows: Indices, columns: Indices, mass: Array, x: Array, y: Array, p: float, f: Array, g: Array
) -> float:
    """Fill in potentials that equal |x_i - y_j|^p in the cells of a monotone coupling; return the sum of costs read.

    From cell to cell one potential changes, by the change of the cost. Where both masses end at once, the cell between
    carries nothing: either corner would do, and the mean of both keeps potentials small. Sums are compensated.
    """
    t, i, j = 0, rows[0], columns[0]
    read: float = abs(x[i] - y[j]) ** p
    total_f, rest_f, total_g, rest_g = 0.0, 0.0, read, 0.0
    f[i], g[j] = total_f, total_g
    while t + 1 < len(rows):
        same_row = rows[t + 1] == i
        empty = t + 2 < len(rows) and mass[t + 1] == 0.0 and (rows[t + 2] == rows[t + 1]) != same_row
        t += 2 if empty else 1
        if empty:
            step_f, step_g, costs = diagonal_step(x[i], y[j], x[rows[t]], y[columns[t]], p)
        else:
            costs = abs(x[rows[t]] - y[columns[t]]) ** p
            change = costs - abs(x[i] - y[j]) ** p
            step_f, step_g = (0.0, change) if same_row else (change, 0.0)
        read += costs
        total_f, low = two_sum(total_f, step_f)
        rest_f += low
        total_g, low = two_sum(total_g, step_g)
        rest_g += low
        i, j = rows[t], columns[t]
        f[i], g[j] = total_f + rest_f, total_g + rest_g
    return read
