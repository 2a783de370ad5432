"""What two cells cost at least, once their affine potentials are taken off, in compiled loops.

A cell has a centre z, a box of offsets and a slope s: f(z + offset) = f_cell + 2 <s, offset>. With D the difference of
two centres, |D + x - y|^2 - 2 <s, x> - 2 <t, y> is a sum over axes of functions of two numbers, each convex, and along
x = y linear: so it is least on one of the four sides of the rectangle, and there at a clipped parabola's vertex.
"""

from typing import Any

import numpy as np

from ..runtime.compiled import compiled, inlined
from ..runtime.types import Array, Indices

UNIT = 2.0**-53


@inlined
def side(D: float, x: float, low: float, high: float, s: float, t: float) -> Any:
    """The least (D + x - y)^2 - 2 s x - 2 t y over y in [low, high]."""
    outside = max(0.0, low - D - x - t, t - (high - D - x))
    return outside * outside - t * t - 2.0 * t * (D + x) - 2.0 * s * x


@inlined
def least_cost(
    centre: Array, low: Array, high: Array, s: Array, centre2: Array, low2: Array, high2: Array, t: Array
) -> Any:
    """No more than the corrected cost of any two points of both cells, rounding counted.

    Each of the few operations errs by u relative to the square of the sum of all sizes.
    """
    total, size = 0.0, 0.0
    for p in range(len(centre)):
        D = centre[p] - centre2[p]
        best = min(
            min(side(D, low[p], low2[p], high2[p], s[p], t[p]), side(D, high[p], low2[p], high2[p], s[p], t[p])),
            min(side(-D, low2[p], low[p], high[p], t[p], s[p]), side(-D, high2[p], low[p], high[p], t[p], s[p])),
        )
        reach = abs(D) + abs(s[p]) + abs(t[p])
        reach += max(-low[p], high[p]) + max(-low2[p], high2[p])
        total += best
        size += reach * reach
    return total - (4.0 * len(centre) + 80.0) * UNIT * size


@inlined
def quick_bound(
    centre: Array, low: Array, high: Array, s: Array, centre2: Array, low2: Array, high2: Array, t: Array
) -> Any:
    """No more than `least_cost` in exact arithmetic: the distance of both boxes, less what slopes may take off."""
    total, size = 0.0, 0.0
    for p in range(len(centre)):
        x, y = max(-low[p], high[p]), max(-low2[p], high2[p])
        D = abs(centre[p] - centre2[p])
        apart = max(0.0, D - x - y)
        total += apart * apart - 2.0 * abs(s[p]) * x - 2.0 * abs(t[p]) * y
        reach = D + abs(s[p]) + abs(t[p]) + x + y
        size += reach * reach
    return total - (4.0 * len(centre) + 80.0) * UNIT * size


@compiled
def all_costs(
    centre: Array, low: Array, high: Array, s: Array, centre2: Array, low2: Array, high2: Array, t: Array, costs: Array
) -> None:
    """Fill in the corrected costs (C, C') of all pairs of cells."""
    for i in range(len(centre)):
        for j in range(len(centre2)):
            costs[i, j] = least_cost(centre[i], low[i], high[i], s[i], centre2[j], low2[j], high2[j], t[j])


@compiled
def some_costs(
    centre: Array,
    low: Array,
    high: Array,
    s: Array,
    centre2: Array,
    low2: Array,
    high2: Array,
    t: Array,
    rows: Indices,
    columns: Indices,
    costs: Array,
) -> None:
    """Fill in the corrected costs of some pairs of cells."""
    for at in range(len(rows)):
        i, j = rows[at], columns[at]
        costs[at] = least_cost(centre[i], low[i], high[i], s[i], centre2[j], low2[j], high2[j], t[j])


@compiled
def transform(
    centre: Array,
    low: Array,
    high: Array,
    s: Array,
    centre2: Array,
    low2: Array,
    high2: Array,
    t: Array,
    g: Array,
    count: int,
    least: Array,
    nearest: Indices,
) -> None:
    """Fill in the smallest corrected costs less g (C, count), ascending, and the cells of the other side they are with.

    Each cell begins with the ones that the cell before it has found: neighbours are near each other.
    """
    last, others = count - 1, len(centre2)
    least[:] = np.inf
    first = 0
    for i in range(len(centre)):
        for step in range(others):
            j = first + step if first + step < others else first + step - others
            bound = quick_bound(centre[i], low[i], high[i], s[i], centre2[j], low2[j], high2[j], t[j]) - g[j]
            if bound - 2.0 * UNIT * abs(bound) >= least[i, last]:
                continue
            value = least_cost(centre[i], low[i], high[i], s[i], centre2[j], low2[j], high2[j], t[j]) - g[j]
            if value < least[i, last]:
                place = last
                while place > 0 and least[i, place - 1] > value:
                    least[i, place], nearest[i, place] = least[i, place - 1], nearest[i, place - 1]
                    place -= 1
                least[i, place], nearest[i, place] = value, j
        first = nearest[i, 0]
