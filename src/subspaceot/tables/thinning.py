"""A part of the rows for tests, where all of them would take long: random, and such that the test stays exact."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.types import Indices

# Rows times columns of a side: a labelling of so many takes 8 to 15 ms on one core, and k directions take k tests of
# 200 labellings, so that five take at most 15 s. Measured at d = 5, 30, 50, 100, 300 and 500 with 10,000 to 200 rows.
ENTRIES = 75_000
MOST_ROWS, FEWEST_ROWS = 5_000, 200  # a side, whatever the number of columns


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """How the rows of one sample depend on each other."""

    rows: int
    units: Indices | None = None  # (rows,) numbers of units, the same numbers in all samples
    strata: Indices | None = None  # (rows,) numbers of strata


def most_rows(d: int) -> int:
    """Return how many rows a side a test of d columns sees by default.

    Examples
    --------
    >>> [most_rows(d) for d in (2, 50, 100, 20_000)]
    [5000, 1500, 750, 200]
    """
    return min(max(ENTRIES // d, FEWEST_ROWS), MOST_ROWS)


def thinned(sides: Sequence[Side], most: int, rng: np.random.Generator) -> list[Indices]:
    """Return the rows of each sample to keep, about `most` of the largest, ascending.

    Independent rows are drawn within each stratum, in proportion to its rows. Of units the same share is kept in all
    samples, and of every one that is kept the same share of its rows: what is kept of a unit then does not depend on
    its sample, so that units stay exchangeable. No stratum is lost, nor is a unit if there are at most `most` of them.
    """
    if any(side.units is not None for side in sides):
        units = max(len(np.unique(side.units)) for side in sides if side.units is not None)
        rows = max(side.rows for side in sides) if units <= most else 0  # 0: one row of each unit that is kept
        kept = [_of_units(side, most, units, rows, stream) for side, stream in _streams(sides, rng)]
    else:
        kept = [np.concatenate(list(_of_rows(side, most, stream))) for side, stream in _streams(sides, rng)]
    return [np.sort(rows) for rows in kept]


def _streams(sides: Sequence[Side], rng: np.random.Generator) -> Iterator[tuple[Side, np.random.Generator]]:
    return zip(sides, rng.spawn(len(sides)), strict=True)


def _of_rows(side: Side, most: int, rng: np.random.Generator) -> Iterator[Indices]:
    """Yield the rows to keep of each stratum."""
    stratum = np.zeros(side.rows, dtype=np.intp) if side.strata is None else side.strata
    for number in np.unique(stratum):
        yield _part(np.flatnonzero(stratum == number), most, side.rows, rng)


def _of_units(side: Side, most: int, units: int, rows: int, rng: np.random.Generator) -> Indices:
    """Return the rows to keep where the largest sample has so many units and rows."""
    assert side.units is not None
    numbers, first, of_row = np.unique(side.units, return_index=True, return_inverse=True)
    strata = None if side.strata is None else side.strata[first]
    chosen = np.concatenate(list(_of_rows(Side(len(numbers), strata=strata), -(-most * len(numbers) // units), rng)))
    parts = [np.flatnonzero(of_row == unit) for unit in np.sort(chosen)]
    return np.concatenate([_part(part, most, rows, rng) if rows else rng.choice(part, 1) for part in parts])


def _part(members: Indices, most: int, of: int, rng: np.random.Generator) -> Indices:
    """Return a random part of the members, most / of of them rounded up: all where `of` is no more than `most`."""
    if of <= most:
        return members
    kept: Indices = rng.choice(members, -(-most * len(members) // of), replace=False)
    return kept
