"""Loops over the rows of a block: which cell each falls into, and the sums of the cells."""

from ..runtime.compiled import compiled
from ..runtime.types import Array, Indices


@compiled
def add_rows(
    points: Array,
    seen: Array,
    weights: Array,
    axes: Indices,
    thresholds: Array,
    mass: Array,
    sums: Array,
    low: Array,
    high: Array,
) -> None:
    """Add each row (d,) with its weight to the cell that the splits give for the row as seen through Omega (q,).

    Inner node i of the tree has the children 2 i + 1, at or below its threshold, and 2 i + 2. A weight of None is an
    empty array. Rows without weight are in no cell.
    """
    inner, uniform = len(axes), len(weights) == 0
    for i in range(len(points)):
        weight = 1.0 if uniform else weights[i]
        if weight == 0.0:
            continue
        node = 0
        while node < inner:
            node = 2 * node + (1 if seen[i, axes[node]] <= thresholds[node] else 2)
        cell = node - inner
        mass[cell] += weight
        for p in range(points.shape[1]):
            sums[cell, p] += weight * points[i, p]
        for p in range(seen.shape[1]):
            low[cell, p] = min(low[cell, p], seen[i, p])
            high[cell, p] = max(high[cell, p], seen[i, p])
