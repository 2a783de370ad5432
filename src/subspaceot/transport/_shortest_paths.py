"""Shortest paths from column to column of an assignment, in a compiled loop."""

from ..runtime.compiled import compiled
from ..runtime.types import Array, Indices, Mask


@compiled
def shorten(
    C: Array, columns: Indices, row_of: Indices, lengths: Array, least: float, queue: Indices, waits: Mask
) -> bool:
    """Lower length_j to the least C_ij - C_i(columns_i) + length_(columns_i) over all rows, until none gains `least`.

    Bellman and Ford's method with a queue. All rows are in the `queue` at first, and so all `waits` are true. Returns
    whether no row came up more than n times on average: in an optimal assignment no cycle gains, but by rounding.
    """
    n, head, waiting = len(C), 0, len(C)
    for _ in range(n * n):
        i = queue[head]
        head, waiting = (head + 1) % n, waiting - 1
        waits[i] = False
        row, start = C[i], lengths[columns[i]] - C[i, columns[i]]
        for j in range(n):
            if row[j] + start < lengths[j] - least:
                lengths[j] = row[j] + start
                if not waits[row_of[j]]:
                    waits[row_of[j]] = True
                    queue[(head + waiting) % n] = row_of[j]
                    waiting += 1
        if waiting == 0:
            return True
    return False
