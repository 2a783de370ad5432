"""Large matrices some rows at a time, so that what is made of them on the way stays in the cache."""

from collections.abc import Iterator

from .types import Array

_ENTRIES = 65_536  # of a block, half a megabyte


def blocks(A: Array) -> Iterator[slice]:
    """Yield the rows of `A` (n, m) in slices; one of them where it is small."""
    n, m = A.shape
    step = max(1, _ENTRIES // max(m, 1))
    for first in range(0, n, step):
        yield slice(first, min(first + step, n))
