"""An exact test of whether two samples come from one law."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ..core import validate
from ..core.columns import Labels
from ..runtime.isolation import isolated
from ..runtime.parallel import Workers, find_workers, progress_bar
from ..runtime.types import Array, Mask, PairOfLabels, PointsLike, Seed, Weights
from .labellings import Labellings, standardised, stream
from .statistic import NAMES, Pool, Statistic
from .two_sample_result import Component, TwoSampleTest

LEAST_POINTS = 4  # a side: of fewer labellings than 70 hardly any would be extreme
CONSTANTS = 99  # labellings whose mean and deviation standardise a sequential test, and that serve nothing else
EXCEEDANCES = 20  # after which a sequential test stops (Besag & Clifford 1991): p is then known to about a fifth
_CHUNK = 25  # labellings that one worker is given at once
_SAME = 1e-9  # relative: what rounding may add to the statistic of a labelling that is the observed one mirrored


@isolated
def two_sample_test(
    X: PointsLike,
    Y: PointsLike,
    a: Weights = None,
    b: Weights = None,
    *,
    n_permutations: int = 999,
    units: PairOfLabels = None,
    strata: PairOfLabels = None,
    sequential: bool = False,
    rng: Seed = 0,
    n_jobs: int | None = None,
    progress: bool = False,
) -> TwoSampleTest:
    """Return the p-value of an exact permutation test of whether two samples come from one law.

    The statistic is the largest of four, each standardised by its own mean and deviation over the observed and all
    permuted labellings: the max-sliced distance P_1^2, which sees shifts and spreads along one direction; P_1^2 of the
    samples each whitened on its own, which sees shape alone; the operator norm of the difference of covariances; and
    the largest |log| of their generalised eigenvalues, which sees correlations in directions of little variance.

    Parameters
    ----------
    X, Y : array_like or table (n, d), (m, d)
        At least 4 points each. The columns of two tables are matched by name.
    a, b : array_like (n,), (m,), optional
        Weights, which travel with their points: the test is exact if pairs (x, weight) are exchangeable. Weights that
        sum to 1 on both sides are shares of each sample; all others are counts in one common unit.
    n_permutations : int
        How many random labellings the observed one is compared with, at least 19. Where there are no more labellings
        than that, each is taken once.
    units : pair of arrays of labels (n,), (m,), optional
        Rows with the same label, such as cells of one donor, change sides together; at least 2 units a side.
    strata : pair of arrays of labels (n,), (m,), optional
        Labels change places within each stratum only, such as a batch; each has rows on both sides.
    sequential : bool
        Stop as soon as 20 permutations exceed the observed value, with a p-value that stays valid. The constants then
        come from a first batch of 99 permutations that is discarded.
    rng : int or numpy.random.Generator
        Of the labellings. The same seed gives the same numbers whatever `n_jobs` is.
    n_jobs : int, optional
        Processes, -1 for one per core; or those of `joblib.parallel_config`.
    progress : bool
        Show on stderr how many labellings are finished.

    Returns
    -------
    TwoSampleTest
        `p_value`, its `monte_carlo_error`, `statistic`, `null`, `components` and `directions`.

    Notes
    -----
    p = (1 + exceedances) / (1 + n_permutations) is exact for any number of permutations if points, or units within
    strata, are exchangeable: rows that depend on each other need `units`. With more than 1,000 rows a side, directions
    are searched on 1,000 random rows of each and measured on all; shape is measured on the 1,000. Beyond 500 dimensions
    the 500 leading principal directions of the pooled sample are used.

    Examples
    --------
    >>> import numpy as np, subspaceot as sot
    >>> X, Y = np.random.default_rng(0).standard_normal((2, 60, 5))
    >>> test = sot.two_sample_test(X, 2.0 * Y, n_permutations=99)
    >>> test.p_value
    0.01
    >>> test.leading.name in ("covariance", "variance ratio")
    True
    """
    n_permutations = validate.as_permutations(n_permutations)
    sequential = validate.as_flag(sequential, "sequential")
    sample = Sample.of(X, Y, a, b, units, strata)
    search = Search.of(sample, rng, n_jobs, validate.as_flag(progress, "progress"))
    return search.test(n_permutations, sequential=sequential)


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """Two samples that were found valid, without the points of no weight, and how they may be dealt out anew."""

    X: Array  # (n, d)
    Y: Array  # (m, d)
    a: Array  # (n,) in one unit with b
    b: Array  # (m,)
    labels: Labels | None  # of the d columns
    labellings: Labellings

    @classmethod
    def of(cls, X: PointsLike, Y: PointsLike, a: Any, b: Any, units: Any, strata: Any) -> "Sample":
        """Return the caller's data; every mistake in it is raised here."""
        points_X, points_Y = validate.as_named_pair(X, Y)
        n, m = len(points_X), len(points_Y)
        a, b = validate.as_comparable_weights(a, b, n, m)
        unit, stratum = validate.as_groups(units, n, m, "units"), validate.as_groups(strata, n, m, "strata")
        if unit is not None:
            validate.require_units(unit, n, units)
        if stratum is not None:
            validate.require_strata(stratum, unit, n, strata)
        validate.require_enough_points(int((a > 0.0).sum()), int((b > 0.0).sum()), LEAST_POINTS, "a permutation test")
        massive = np.concatenate([a, b]) > 0.0
        in_X, in_Y = massive[:n], massive[n:]
        unit, stratum = (
            None if group is None else np.unique(group[massive], return_inverse=True)[1] for group in (unit, stratum)
        )
        labellings = Labellings.of(int(in_X.sum()), int(in_Y.sum()), unit, stratum)
        return cls(points_X.values[in_X], points_Y.values[in_Y], a[in_X], b[in_Y], points_X.labels, labellings)

    @property
    def pool(self) -> Pool:
        """Both samples as one."""
        return Pool.of(self.X, self.Y, self.a, self.b, self.labellings.smallest_side)


@dataclass(frozen=True, eq=False, slots=True)
class Search:
    """Who computes the statistics of which labellings."""

    sample: Sample
    pool: Pool
    entropy: int
    workers: Workers
    progress: bool

    @classmethod
    def of(cls, sample: Sample, rng: Any, n_jobs: Any, progress: bool) -> "Search":
        """Return a search with a seed of its own and the caller's workers."""
        entropy = int(validate.as_rng(rng).integers(2**63))
        return cls(sample, sample.pool, entropy, find_workers(validate.as_jobs(n_jobs)), progress)

    def test(self, n_permutations: int, *, sequential: bool = False) -> TwoSampleTest:
        """Return the test against so many random labellings, or against all where there are no more."""
        if self.sample.labellings.count <= n_permutations + 1:
            return self.exhaustive()
        return self.sequential(n_permutations) if sequential else self.random(n_permutations)

    def random(self, count: int) -> TwoSampleTest:
        """Return the test against so many random labellings."""
        drawn = np.vstack(list(self._values(range(1, count + 1))))
        return self._test(drawn, np.vstack([self._observed, drawn]), standard_error=True)

    def exhaustive(self) -> TwoSampleTest:
        """Return the test against all other labellings, each once: nothing in it is random."""
        drawn = self._enumerated()
        return self._test(drawn, np.vstack([self._observed, drawn]), standard_error=False)

    def sequential(self, most: int) -> TwoSampleTest:
        """Return the test against random labellings until enough of them exceed the observed value.

        p = exceedances / labellings where it stopped, else (1 + exceedances) / (1 + labellings): both are valid.
        """
        constants = np.vstack(list(self._values(range(1, CONSTANTS + 1))))
        observed = _score(self._observed, constants)[0]
        drawn: list[Array] = []
        exceeding = 0
        for values in self._values(range(CONSTANTS + 1, CONSTANTS + 1 + most), few=True):
            above = np.cumsum(at_least(_score(values, constants), observed)) + exceeding
            if above[-1] >= EXCEEDANCES:
                last = int(np.argmax(above >= EXCEEDANCES)) + 1
                return self._test(np.vstack([*drawn, values[:last]]), constants, standard_error=True, stopped=True)
            exceeding = int(above[-1])
            drawn.append(values)
        return self._test(np.vstack(drawn), constants, standard_error=True)

    @property
    def _observed(self) -> Array:
        """The components (1, q) of the labelling that was observed."""
        return values_of(self.pool, self.sample.labellings, self.entropy, [0])

    def _values(self, indices: range, *, few: bool = False) -> Iterator[Array]:
        """Yield components (., q) of random labellings in order; with `few`, as few at once as keep all workers busy.

        What comes does not depend on the workers.
        """
        chunks = [list(indices[i : i + _CHUNK]) for i in range(0, len(indices), _CHUNK)]
        tasks = iter((self.pool, self.sample.labellings, self.entropy, chunk) for chunk in chunks)
        with progress_bar(len(indices), self.progress, "labelling", "test") as finished:
            done = 0
            while group := list(islice(tasks, max(1, self.workers.at_once) if few else None)):
                before = done

                def tell(count: int, before: int = before) -> None:
                    if finished is not None:
                        finished(min(before + count * _CHUNK, len(indices)))

                for values in self.workers.map(values_of, group, tell):
                    done += len(values)
                    yield values

    def _enumerated(self) -> Array:
        """Return the components of all labellings but the observed one."""
        statistic = Statistic(self.pool)
        masks = self.sample.labellings.others()
        return np.array([statistic.at(mask, stream(self.entropy, i + 1)).values for i, mask in enumerate(masks)])

    def _test(self, drawn: Array, reference: Array, *, standard_error: bool, stopped: bool = False) -> TwoSampleTest:
        """Return the answer, from the components of the labellings that were drawn and what standardises them."""
        found = Statistic(self.pool).at(self.sample.labellings.in_X, stream(self.entropy, 0))
        observed, null = _score(found.values[None, :], reference)[0], _score(drawn, reference)
        B, exceeding = len(drawn), int(at_least(null, observed).sum())
        p = exceeding / B if stopped else (1 + exceeding) / (1 + B)
        own = (1 + np.sum(at_least_each(drawn, found.values), axis=0)) / (1 + B)
        scores = standardised(found.values[None, :], reference)[0]
        labellings = self.sample.labellings
        pairs = 2 if labellings.symmetric else 1
        return TwoSampleTest(
            p_value=p,
            monte_carlo_error=float(np.sqrt(p * (1.0 - p) / B)) if standard_error else 0.0,
            smallest_p=max(1.0 / (1 + B), pairs / labellings.count) if standard_error else pairs / labellings.count,
            statistic=float(observed),
            null=null,
            components=tuple(
                Component(name, float(value), float(score), float(p_own), self.pool.lift(u))
                for name, value, score, p_own, u in zip(NAMES, found.values, scores, own, found.directions, strict=True)
            ),
            exhaustive=not standard_error,
            columns=None if self.sample.labels is None else tuple(map(str, self.sample.labels)),
            sizes=(len(self.sample.X), len(self.sample.Y)),
        )


def values_of(pool: Pool, labellings: Labellings, entropy: int, indices: list[int]) -> Array:
    """Return the components (., q) of some labellings; number 0 is the observed one."""
    statistic = Statistic(pool)
    rows = []
    for index in indices:
        rng = stream(entropy, index)
        mask: Mask = labellings.in_X if index == 0 else labellings.draw(rng)
        rows.append(statistic.at(mask, rng).values)
    return np.array(rows)


def at_least(null: Array, observed: float) -> Mask:
    """Return which values are at least the observed one, but for rounding."""
    enough: Mask = null >= observed - _SAME * max(1.0, abs(observed))
    return enough


def at_least_each(null: Array, observed: Array) -> Mask:
    """Return which components (., q) are at least the observed ones (q,), but for rounding."""
    enough: Mask = null >= observed - _SAME * np.abs(observed)
    return enough


def _score(values: Array, reference: Array) -> Array:
    """Return the statistic (.,): the largest standardised component."""
    scores: Array = standardised(values, reference).max(axis=1)
    return scores
