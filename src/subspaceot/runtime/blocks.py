"""Large matrices some rows at a time, so that what is made of them on the way stays in the cache."""

from collections.abc import Iterator

BLOCK_ENTRIES = 65_536  # of a block, half a megabyte


def blocks(n: int, m: int) -> Iterator[slice]:
    """Yield the rows of a matrix (n, m) in slices; one of them where it is small."""
    step = max(1, BLOCK_ENTRIES // max(m, 1))
    for first in range(0, n, step):
        yield slice(first, min(first + step, n))
