"""Two-sample tests of all pairs of many samples."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ..inference.permutation import two_sample_test
from ..runtime.parallel import find_workers, progress_bar
from ..runtime.types import Array
from .holm import holm

LEAST_LABELLINGS = 999

Tested = tuple[Array, Array | None, Any, Any]  # points, weights, labels of units, labels of strata


@dataclass(frozen=True, slots=True, eq=False)
class PairTests:
    """The p-value of each pair, 1 on the diagonal."""

    p_value: Array  # (N, N) of each pair on its own
    corrected: Array  # (N, N) by Holm's method
    n_permutations: int  # the most that a pair was compared with
    alpha: float

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return math.comb(len(self.p_value), 2)

    @property
    def smallest(self) -> float:
        """The smallest corrected p-value that any data could have reached."""
        return self.pairs / (1 + self.n_permutations)


def enough_labellings(count: int, alpha: float) -> int:
    """Return how many labellings let the corrected p-values of so many samples reach `alpha`, at least 999.

    Examples
    --------
    >>> enough_labellings(3, 0.05), enough_labellings(20, 0.05)
    (999, 3799)
    """
    return max(LEAST_LABELLINGS, math.ceil(math.comb(count, 2) / alpha - 1e-9) - 1)


def pair_tests(
    samples: Sequence[Tested], *, alpha: float, n_permutations: int, rng: int, n_jobs: int, progress: bool
) -> PairTests:
    """Return the sequential test of each pair; a pair without a difference stops early."""
    workers = find_workers(n_jobs)
    pairs = list(combinations(range(len(samples)), 2))
    with progress_bar(len(pairs), progress, text="tests") as finished:
        tasks = [(samples[i], samples[j], n_permutations, rng) for i, j in pairs]
        found: list[float] = workers.map(p_value_of, tasks, finished)
    own, corrected = np.eye(len(samples)), np.eye(len(samples))
    rows, columns = np.array(pairs).T
    own[rows, columns] = own[columns, rows] = found
    corrected[rows, columns] = corrected[columns, rows] = holm(found)
    return PairTests(own, corrected, n_permutations, alpha)


def p_value_of(first: Tested, second: Tested, n_permutations: int, rng: int) -> float:
    """Return the p-value of one pair."""
    (X, a, *labels_X), (Y, b, *labels_Y) = first, second
    units, strata = (None if x is None else (x, y) for x, y in zip(labels_X, labels_Y, strict=True))
    test = two_sample_test(
        X, Y, a, b, units=units, strata=strata, n_permutations=n_permutations, sequential=True, rng=rng
    )
    return test.p_value
