"""Loops over the rows of a block: which cell each falls into, and the sums of the cells."""

from ..runtime.compiled import compiled
from ..runtime.types import Array, Indices

NEAR, FAR = 2.0, 16.0  # times the half extent of the sample in a leaf: where the second and the third begin


@compiled
def add_rows(
    points: Array,
    seen: Array,
    weights: Array,
    axes: Indices,
    thresholds: Array,
    middle: Array,
    half: Array,
    mass: Array,
    sums: Array,
    low: Array,
    high: Array,
) -> None:
    """Add each row (d,) with its weight to the cell that the splits give for the row as seen through Omega (q,).

    Inner node i of the tree has the children 2 i + 1, at or below its threshold, and 2 i + 2. A leaf has three cells:
    rows about the box of its sample, those farther out, and those far out. No weights are an empty array. Rows without
    weight are in no cell.
    """
    inner, uniform = len(axes), len(weights) == 0
    for i in range(len(points)):
        weight = 1.0 if uniform else weights[i]
        if weight == 0.0:
            continue
        node = 0
        while node < inner:
            node = 2 * node + (1 if seen[i, axes[node]] <= thresholds[node] else 2)
        out, leaf = 0.0, node - inner
        for p in range(seen.shape[1]):
            out = max(out, abs(seen[i, p] - middle[leaf, p]) / half[leaf, p])
        cell = 3 * leaf + (0 if out <= NEAR else 1 if out <= FAR else 2)
        mass[cell] += weight
        for p in range(points.shape[1]):
            sums[cell, p] += weight * points[i, p]
        for p in range(seen.shape[1]):
            low[cell, p] = min(low[cell, p], seen[i, p])
            high[cell, p] = max(high[cell, p], seen[i, p])
