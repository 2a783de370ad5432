"""Random parts of samples."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..runtime.types import Indices
from ..tables.preparing.sample import Sample
from ..tables.thinning import Side, thinned
from ._errors import BadInput
from ._print import note

__all__ = ["Sample", "drawn", "part_of_each"]


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
