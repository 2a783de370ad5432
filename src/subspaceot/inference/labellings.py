"""The ways to deal the pooled points out to X and Y that are equally likely if both samples have one law."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from ..runtime.types import Array, Indices, Mask


@dataclass(frozen=True, eq=False, slots=True)
class Labellings:
    """All labellings in which every stratum keeps its numbers of units on each side; a unit moves as a whole."""

    in_X: Mask  # (N,) the rows of X as observed
    unit: Indices  # (N,) the number 0, 1, ... of the unit of each row
    strata: tuple[Indices, ...]  # the units of each stratum

    @classmethod
    def of(cls, n: int, m: int, units: Indices | None, strata: Indices | None) -> "Labellings":
        """Return the labellings of n + m rows; `units` and `strata` (n + m,) number both, a unit is in one stratum."""
        unit = np.arange(n + m) if units is None else units
        stratum = np.zeros(n + m, dtype=np.intp) if strata is None else strata
        of_unit = np.zeros(unit.max() + 1, dtype=np.intp)
        of_unit[unit] = stratum
        parts = tuple(np.flatnonzero(of_unit == s) for s in np.unique(of_unit))
        return cls(np.arange(n + m) < n, unit, parts)

    @property
    def observed(self) -> Mask:
        """Which units are in X (U,)."""
        mask = np.zeros(self.unit.max() + 1, dtype=bool)
        mask[self.unit] = self.in_X
        return mask

    @property
    def count(self) -> int:
        """How many labellings there are, the observed one included."""
        observed = self.observed
        return math.prod(math.comb(len(part), int(observed[part].sum())) for part in self.strata)

    @property
    def symmetric(self) -> bool:
        """Whether X and Y may change places: then labellings come in pairs that every statistic takes for the same."""
        observed = self.observed
        return all(2 * int(observed[part].sum()) == len(part) for part in self.strata)

    @property
    def smallest_side(self) -> int:
        """The least number of rows that a side can have."""
        rows, observed = np.bincount(self.unit), self.observed
        least = [0, 0]
        for part in self.strata:
            sizes = np.sort(rows[part])
            for side, units in enumerate((int(observed[part].sum()), int((~observed[part]).sum()))):
                least[side] += int(sizes[:units].sum())
        return min(least)

    def draw(self, rng: np.random.Generator) -> Mask:
        """Return a random labelling (N,)."""
        chosen = np.zeros(self.unit.max() + 1, dtype=bool)
        observed = self.observed
        for part in self.strata:
            chosen[rng.permutation(part)[: int(observed[part].sum())]] = True
        return chosen[self.unit]

    def others(self) -> Iterator[Mask]:
        """Yield all labellings (N,) but the observed one."""
        observed = self.observed
        choices = (combinations(part.tolist(), int(observed[part].sum())) for part in self.strata)
        for chosen in product(*choices):
            units = np.zeros(len(observed), dtype=bool)
            units[[unit for part in chosen for unit in part]] = True
            if np.any(units != observed):
                yield units[self.unit]


def stream(entropy: int, index: int) -> np.random.Generator:
    """Return the random stream of one labelling: the same whoever computes it, and in which order."""
    return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(index,)))


def standardised(values: Array, reference: Array) -> Array:
    """Return statistics (., q) in standard deviations above the mean of the rows of `reference`, 0 for constants."""
    deviation = reference.std(axis=0)
    centred = values - reference.mean(axis=0)
    scores: Array = np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0.0)
    return scores
