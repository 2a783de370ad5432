"""Shortest ways from column to column of an assignment, in a compiled loop."""

from ..runtime.compiled import compiled
from ..runtime.types import Array, Indices, Mask


@compiled
def shorten(
    C: Array, columns: Indices, row_of: Indices, way: Array, least: float, looks: int, queue: Indices, waits: Mask
) -> bool:
    """Lower way_j to the least C_ij - C_i(columns_i) + way_(columns_i) over all rows, until none gains over `least`.

    Returns whether that took no more `looks` at rows: in an optimal assignment no circle gains, but by rounding. All
    rows are in the `queue` at first, and so all `waits` are true.
    """
    n, head, waiting = len(C), 0, len(C)
    for _ in range(looks):
        i = queue[head]
        head, waiting = (head + 1) % n, waiting - 1
        waits[i] = False
        row, start = C[i], way[columns[i]] - C[i, columns[i]]
        for j in range(n):
            if row[j] + start < way[j] - least:
                way[j] = row[j] + start
                if not waits[row_of[j]]:
                    waits[row_of[j]] = True
                    queue[(head + waiting) % n] = row_of[j]
                    waiting += 1
        if waiting == 0:
            return True
    return False
