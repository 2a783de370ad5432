"""The smallest entries of each row and column, in one compiled pass: a third of the time of two partial sorts."""

import numpy as np

from .._compiled import compiled
from .._types import Array, Indices, Mask


@compiled
def insert(value: float, place: int, values: Array, places: Indices) -> None:
    """Put `value` and its place into a list of the smallest, sorted, whose last entry goes."""
    at = len(values) - 1
    while at > 0 and values[at - 1] > value:
        values[at], places[at] = values[at - 1], places[at - 1]
        at -= 1
    values[at], places[at] = value, place


@compiled
def mark_nearest(costs: Array, in_row: int, in_column: int, mask: Mask) -> None:
    """Mark the `in_row` smallest entries of each row and the `in_column` smallest of each column."""
    n, m = costs.shape
    row_values, row_places = np.empty(in_row), np.zeros(in_row, np.int64)
    column_values, column_places = np.full((m, in_column), np.inf), np.zeros((m, in_column), np.int64)
    worst = np.full(m, np.inf)  # of each column's list, side by side
    for i in range(n):
        row_values[:] = np.inf
        for j in range(m):
            cost = costs[i, j]
            if cost < row_values[in_row - 1]:
                insert(cost, j, row_values, row_places)
            if cost < worst[j]:
                insert(cost, i, column_values[j], column_places[j])
                worst[j] = column_values[j, in_column - 1]
        for place in row_places:
            mask[i, place] = True
    for j in range(m):
        for place in column_places[j]:
            mask[place, j] = True
