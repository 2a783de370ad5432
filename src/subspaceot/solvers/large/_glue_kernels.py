"""From a plan between cells to one between their points, in a compiled loop."""

from ...runtime.compiled import compiled
from ...runtime.types import Array, Indices


@compiled
def glue(
    cells: Indices,
    others: Indices,
    mass: Array,
    starts: Indices,
    other_starts: Indices,
    left: Array,
    right: Array,
    rows: Indices,
    columns: Indices,
    part: Array,
) -> int:
    """Fill in atoms (row, column, mass) that couple the points of each pair of cells in order; return their number.

    `left` (n,) and `right` (m,) are what the points have to give, in the order of the cells; they are used up. Each
    cell goes on where the pair before has left it. A pair ends where its mass is used up, or one of its cells is.
    """
    place, other_place = starts[:-1].copy(), other_starts[:-1].copy()
    count = 0
    for t in range(len(mass)):
        c, e, rest = cells[t], others[t], mass[t]
        while rest > 0.0 and place[c] < starts[c + 1] and other_place[e] < other_starts[e + 1]:
            i, j = place[c], other_place[e]
            moved = min(rest, min(left[i], right[j]))
            rows[count], columns[count], part[count] = i, j, moved
            count += 1
            rest, left[i], right[j] = rest - moved, left[i] - moved, right[j] - moved
            if left[i] <= 0.0:
                place[c] += 1
            if right[j] <= 0.0:
                other_place[e] += 1
    return count
