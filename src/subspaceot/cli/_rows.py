"""Samples, and random parts of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..runtime.types import Array, Indices
from ..tables.thinning import Side, thinned
from ._errors import BadInput
from ._print import note


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Weighted points, and the rows of the file that they come from."""

    name: str
    points: Array  # (n, d)
    weights: Array | None  # (n,)
    rows: np.ndarray  # (n,) numbers of the rows in the file, counted from 1
    units: np.ndarray | None = None  # (n,) labels of what moves together in a test
    strata: np.ndarray | None = None  # (n,) labels of what a test permutes within
    drawn_from: int | None = None  # how many rows there were before --sample

    def part(self, kept: np.ndarray) -> "Sample":
        """Return some of the rows."""
        weights, units, strata = (
            None if given is None else given[kept] for given in (self.weights, self.units, self.strata)
        )
        return replace(
            self, points=self.points[kept], weights=weights, rows=self.rows[kept], units=units, strata=strata
        )

    @property
    def of(self) -> int:
        """How many rows there were before any were drawn."""
        return len(self.points) if self.drawn_from is None else self.drawn_from


def drawn(samples: Sequence[Sample], count: int, seed: int) -> list[Sample]:
    """Return at most `count` random rows of each sample, in the order of the file."""
    if all(len(sample.points) <= count for sample in samples):
        note(f"--sample {count} leaves all rows: no file has more")
    sampled = []
    for sample, kept in zip(samples, part_of_each(samples, count, seed), strict=True):
        n = len(sample.points)
        if len(kept) < n:
            note(f"{len(kept)} of {n} rows of {sample.name}, chosen at random (--seed {seed})")
        part = replace(sample.part(kept), drawn_from=n)
        if part.weights is not None and not (part.weights > 0.0).any():
            raise BadInput(f"All rows of {sample.name} that were sampled have weight 0. Use a larger --sample.")
        sampled.append(part)
    return sampled


def part_of_each(samples: Sequence[Sample], most: int, seed: int) -> list[Indices]:
    """Return random rows of each sample, about `most` of it, such that tests of units within strata stay exact."""
    sizes = [len(sample.points) for sample in samples]
    units, strata = _numbered([sample.units for sample in samples]), _numbered([sample.strata for sample in samples])
    sides = [Side(*side) for side in zip(sizes, units, strata, strict=True)]
    return thinned(sides, most, np.random.default_rng(seed))


def _numbered(labels: Sequence[np.ndarray | None]) -> list[Indices | None]:
    """Return the labels of each sample as numbers, the same label as the same number in all of them."""
    numbers: dict[object, int] = {}
    return [
        None if given is None else np.array([numbers.setdefault(label, len(numbers)) for label in given], dtype=np.intp)
        for given in labels
    ]
