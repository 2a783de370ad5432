"""Masses matched in order on the line, and the potentials of that match."""

from ..runtime.compiled import compiled
from ..runtime.types import Array, Indices


@compiled
def merge(
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
    """Fill in the n + m - 1 cells of the staircase from the sorted points, each with the mass that it carries.

    What is left of a point is kept to twice the working precision: small weights come out right beside large ones.
    """
    n, m = len(by_x), len(by_y)
    p, q = 0, 0
    left, left_low, right, right_low = a[by_x[0]], a_low[by_x[0]], b[by_y[0]], b_low[by_y[0]]
    for t in range(n + m - 1):
        rows[t], columns[t] = by_x[p], by_y[q]
        difference = right - left
        rest = difference - right
        # right - left with its rounding error, by Knuth's two-sum
        low = ((right - (difference - rest)) - (left + rest)) + (right_low - left_low)
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


@compiled
def climb_stairs(
    rows: Indices, columns: Indices, mass: Array, x: Array, y: Array, p: float, f: Array, g: Array
) -> float:
    """Fill in potentials that equal |x_i - y_j|^p in the cells of the staircase; return the sum of the costs looked at.

    From cell to cell one potential changes, by the change of the cost. Where both masses end at once, the cell between
    carries nothing: either corner would do, and the mean of both keeps potentials small.
    """
    total_f = rest_f = total_g = rest_g = 0.0
    cost = abs(x[rows[0]] - y[columns[0]]) ** p
    looked: float = cost
    total_g = cost
    f[rows[0]], g[columns[0]] = 0.0, cost
    last = len(rows) - 1
    t = 0
    while t < last:
        by_row = rows[t + 1] != rows[t]
        corner = t + 2 <= last and mass[t + 1] == 0.0 and (rows[t + 2] != rows[t + 1]) != by_row
        if corner:
            x_here, y_here, x_next, y_next = x[rows[t]], y[columns[t]], x[rows[t + 2]], y[columns[t + 2]]
            one, other, end = abs(x_next - y_here) ** p, abs(x_here - y_next) ** p, abs(x_next - y_next) ** p
            step_f = 0.5 * ((one - cost) + (end - other))
            step_g = 0.5 * ((end - one) + (other - cost))
            looked += one + other + end
            t += 2
        else:
            end = abs(x[rows[t + 1]] - y[columns[t + 1]]) ** p
            step_f = end - cost if by_row else 0.0
            step_g = 0.0 if by_row else end - cost
            looked += end
            t += 1
        s = total_f + step_f
        v = s - total_f
        rest_f += (total_f - (s - v)) + (step_f - v)
        total_f = s
        s = total_g + step_g
        v = s - total_g
        rest_g += (total_g - (s - v)) + (step_g - v)
        total_g = s
        f[rows[t]], g[columns[t]] = total_f + rest_f, total_g + rest_g
        cost = end
    return looked
