"""Confidence intervals for the distance of two populations, from splits of the samples."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import ndtri, stdtrit

from ..core import validate
from ..core.columns import Points
from ..runtime.isolation import isolated
from ..runtime.parallel import Finished, progress_bar
from ..runtime.types import Array, PairOfLabels, PointsLike, Seed, Weights
from .held_out import HeldOut, lead, learned, measured
from .interval_result import FeatureInterval, Intervals
from .samples import Samples
from .selection import USUAL_LABELLINGS, select_k
from .shares import Shares

LARGEST_K = 3  # with more directions the bias n^(-2/k) of W^2 is no smaller than its standard error n^(-1/2)
GAP_SPLITS = 5  # on which the next direction is looked for, which takes as long as all the rest at k = 1
AGREEMENT = 0.5  # of the loadings of both halves: with less, most of what a half learns is noise


@isolated
def intervals(
    X: PointsLike,
    Y: PointsLike,
    k: int | None = None,
    a: Weights = None,
    b: Weights = None,
    *,
    level: float = 0.95,
    simultaneous: bool = False,
    n_splits: int = 20,
    units: PairOfLabels = None,
    rng: Seed = 0,
    progress: bool = False,
) -> Intervals:
    """Return a confidence interval for the squared distance of two populations, and for the share of each feature.

    One half of each sample learns the subspace U, the other one measures W^2(U^T X, U^T Y) in it; then both change
    places. The estimate is the mean over all halves of `n_splits` random splits, less what sampling adds to W^2. It is
    one of the mean over the same learned subspaces of W^2 between the *populations*. Its standard error is the mean of
    those of the halves, the most that the standard deviation of a mean can be, however the halves are correlated. They
    come from the optimal potentials, the influence function of W^2. The interval is asymptotic, for rows, or `units`,
    that are independent of each other.

    There is none, and `reason` says why, for k > 3, where the bias of order n^(-2/k) prevails; and where the distance
    may be 0, so that the normal limit does not hold: where some half with permuted labels costs as much as halves do on
    average.

    Shares come from the subspaces of both halves of each split, which are learned again each time. Given one direction
    u they would be u_j^2, a constant. Where the best direction outside the learned subspace is as good as its weakest
    one, or halves do not agree, the subspace is not identified, and shares have no interval.

    Parameters
    ----------
    X, Y : array_like (n, d), (m, d)
        Independent rows, at least 8 a side: arrays, or tables whose columns are matched by name.
    k : int, optional
        Dimension of the subspace, 1..d: max-sliced for k = 1, the leading basis of `srw` for k = 2 and 3. By default as
        many directions as `select_k` finds at alpha = 1 - level, at least 1 and at most 3. The interval is one for that
        k: it does not know that k was chosen on the same rows.
    a, b : array_like (n,), (m,), optional
        Weights; uniform by default. A point of weight 2 is one observation that counts twice, not two of them.
    level : float
        Confidence, such as 0.95.
    simultaneous : bool
        Whether the intervals of all features shall hold together, by Sidak's inequality.
    n_splits : int
        Number of random splits, at least 5. Fewer take less time and give wider intervals of the shares.
    units : pair of arrays of labels (n,), (m,), optional
        Rows with the same label, such as cells of one donor, depend on each other: they are in one half together, and a
        standard error is one of sums over units, with Student's quantile for the side that has fewer. At least 8 units
        a side.
    rng : numpy.random.Generator or int
        Generator or seed of the splits.
    progress : bool
        Show on stderr how many splits are done, and the time that is left.

    Returns
    -------
    Intervals
        `estimate`, `low`, `high`, `standard_error`, or a `reason`; and `features`, with `name`, `share`, `low`, `high`
        and `identified` of each column.

    Examples
    --------
    >>> import numpy as np
    >>> import subspaceot as sot
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.standard_normal((2, 400, 5))
    >>> Y[:, 2] += 1.0
    >>> found = sot.intervals(X, Y, k=1)
    >>> found.low < 1.0 < found.high
    True
    >>> max(found.features, key=lambda row: row.share).name
    '2'
    >>> sot.intervals(X[:200], X[200:], k=1).low is None
    True
    """
    X, Y = validate.as_named_pair(X, Y)
    k = None if k is None else validate.as_dimension(k, X.shape[1])
    weights = validate.as_weights(a, len(X), "a", "X"), validate.as_weights(b, len(Y), "b", "Y")
    level, n_splits = validate.as_level(level), validate.as_splits(n_splits)
    simultaneous, rng = validate.as_flag(simultaneous, "simultaneous"), validate.as_rng(rng)
    validate.as_flag(progress, "progress")
    samples = _samples(X, Y, weights, units)
    selected = None
    if k is None:
        k, selected = _selected(X, Y, weights, units, level, rng, progress)
    asked = Asked(k, level, simultaneous, X.names or tuple(str(j) for j in range(X.shape[1])), selected)
    if k > LARGEST_K:
        return asked.refused(np.empty((0, X.shape[1], k)), _too_many_directions(k))
    if k > 1:
        validate.require_memory(len(X) // 2 + 1, len(Y) // 2 + 1, X.shape[1])
    with progress_bar(n_splits, progress, "split", "confidence interval") as finished:
        return _Task(samples, asked, n_splits, rng, finished or (lambda count: None)).result()


def _samples(X: Points, Y: Points, weights: tuple[Array, Array], units: PairOfLabels) -> Samples:
    """Return both samples with their units, enough of them for halves."""
    for side, name, weights_name in zip(weights, "XY", "ab", strict=True):
        validate.require_halves(int(np.count_nonzero(side)), name, weights_name)
    unit = validate.as_groups(units, len(X), len(Y), "units")
    if unit is not None:
        validate.require_units(unit, len(X), units)
    samples = Samples.of(X.values, Y.values, *weights, unit)
    if unit is not None:
        validate.require_halves_of_units(*samples.counts)
    return samples


def _selected(
    X: Points,
    Y: Points,
    weights: tuple[Array, Array],
    units: PairOfLabels,
    level: float,
    rng: np.random.Generator,
    progress: bool,
) -> tuple[int, str]:
    """Return the number of directions that tests find, at least 1, and what they found in words."""
    alpha, most = 1.0 - level, min(X.shape[1], LARGEST_K)
    labellings = max(USUAL_LABELLINGS, math.ceil(1.0 / alpha))  # so many that a test can reject
    test = partial(select_k, alpha=alpha, max_k=most, n_permutations=labellings, progress=progress)
    found = test(X, Y, *weights, units=units, rng=rng)
    return max(found.k, 1), found.summary


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller asked for."""

    k: int
    level: float
    simultaneous: bool
    names: tuple[str, ...]  # of the columns
    selected: str | None

    def refused(self, bases: Array, reason: str) -> Intervals:
        """Return a result without an interval."""
        return Intervals(
            k=self.k,
            level=self.level,
            estimate=None,
            low=None,
            high=None,
            standard_error=None,
            noise=None,
            reason=reason,
            features=(),
            simultaneous=self.simultaneous,
            bases=bases,
            selected=self.selected,
        )


class _Task:
    """One call of `intervals`."""

    def __init__(
        self, samples: Samples, asked: Asked, n_splits: int, rng: np.random.Generator, finished: Finished
    ) -> None:
        self.samples, self.asked = samples, asked
        self.pairs: list[tuple[HeldOut, HeldOut]] = []
        self.leads: list[tuple[float, float]] = []
        for split in range(n_splits):
            halves = samples.halves(rng)
            first, second = (learned(half, asked.k, rng) for half in halves)
            self.pairs.append((measured(first, halves[1], rng), measured(second, halves[0], rng)))
            if split < GAP_SPLITS:
                self.leads += [lead(first, *halves), lead(second, *halves[::-1])]
            finished(split + 1)

    def result(self) -> Intervals:
        """Return the interval, or why there is none."""
        asked, measurements = self.asked, [at for pair in self.pairs for at in pair]
        bases = np.array([at.subspace.basis for at in measurements])
        cost = float(np.mean([at.transport.cost for at in measurements]))
        noise = float(np.mean([at.noise for at in measurements]))
        error = float(np.mean([at.transport.standard_error for at in measurements]))
        nulls = [at.null_cost for at in measurements]
        if not cost > max(nulls):
            return asked.refused(bases, _may_be_zero(cost, max(nulls)))
        reach = self.quantile * error
        return Intervals(
            k=asked.k,
            level=asked.level,
            estimate=max(cost - noise, 0.0),
            low=max(cost - noise - reach, 0.0),
            high=cost - noise + reach,
            standard_error=error,
            noise=noise,
            reason=None,
            features=self.features(),
            simultaneous=asked.simultaneous,
            bases=bases,
            units=None if self.fewest is None else self.samples.counts,
            selected=asked.selected,
        )

    @property
    def fewest(self) -> int | None:
        """The number of units of the side that has fewer; None where each row is one."""
        return None if self.samples.unit_X is None else min(self.samples.counts)

    @property
    def quantile(self) -> float:
        """How many standard errors an interval of the level reaches: with few units, as many as Student says."""
        upper = 0.5 + 0.5 * self.asked.level
        return float(ndtri(upper) if self.fewest is None else stdtrit(self.fewest - 1, upper))

    def features(self) -> tuple[FeatureInterval, ...]:
        """Return the share of each column with its interval."""
        shares = Shares.of([(first.subspace.loadings, second.subspace.loadings) for first, second in self.pairs])
        degrees = len(self.pairs) if self.fewest is None else min(len(self.pairs), self.fewest - 1)
        low, high = shares.interval(self.asked.level, simultaneous=self.asked.simultaneous, degrees=degrees)
        identified = shares.agreement > AGREEMENT and self.leads_clearly()
        return tuple(
            FeatureInterval(
                name=name,
                share=min(float(shares.share[j]), 1.0),
                low=float(low[j]) if identified else None,
                high=float(high[j]) if identified else None,
                identified=identified,
            )
            for j, name in enumerate(self.asked.names)
        )

    def leads_clearly(self) -> bool:
        """Return whether the subspace is better than the next direction by more than their standard errors."""
        gaps, errors = np.array(self.leads).T
        return bool(np.mean(gaps) > self.quantile * np.mean(errors))


def _too_many_directions(k: int) -> str:
    return (
        f"With k={k} directions, W^2 between samples of n points exceeds that of the populations by about "
        f"n^(-2/{k}), which is more than its standard error. Choose k of at most {LARGEST_K}."
    )


def _may_be_zero(estimate: float, null: float) -> str:
    return (
        f"The squared distance may be 0, where the normal limit does not hold: halves give {estimate:.4g} in the "
        f"learned subspaces, and up to {null:.4g} where their labels are permuted."
    )
