"""What `intervals` returns."""

from dataclasses import dataclass

from ..core.shown import Shown
from ..runtime.types import Array


@dataclass(frozen=True, slots=True)
class FeatureInterval:
    """The share of the squared distance that one column contributes, with its confidence interval."""

    name: str
    share: float  #: estimate, 0..1, without the noise of the learned subspace
    low: float | None  #: None where the subspace is not identified
    high: float | None
    identified: bool  #: whether the learned subspace is clearly better than the next direction


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Intervals(Shown):
    """Estimate and confidence interval for the squared distance of two populations, and for the share of each feature.

    The population value is the mean over `bases` of W^2 between both populations projected onto each of them.
    """

    k: int  #: dimension of the subspace
    level: float  #: of confidence
    estimate: float | None  #: of the squared distance, without `noise`; None where there is no interval
    low: float | None  #: end of the confidence interval, squared
    high: float | None
    standard_error: float | None  #: mean over the halves
    noise: float | None  #: what sampling adds to W^2 of the halves, which is subtracted; mean over the halves
    reason: str | None  #: why there is no interval; None where there is one
    features: tuple[FeatureInterval, ...]  #: one row per column; empty where there is no interval
    simultaneous: bool  #: whether the intervals of all features hold together
    bases: Array  #: (2 n_splits, d, k) the learned subspaces
    units: tuple[int, int] | None = None  #: how many units there are on each side; None where each row is one
    selected: str | None = None  #: what `select_k` found, where it chose k

    def __repr__(self) -> str:
        """The interval of the distance, then one line for each of the features with the largest shares."""
        if self.low is None or self.high is None:
            return f"Intervals({self._k}: no confidence interval. {self.reason})"
        percent = f"{100.0 * self.level:g} %"
        head = (
            f"Intervals({self._k}: squared distance {self.estimate:.4g}, {percent} confidence interval "
            f"[{self.low:.4g}, {self.high:.4g}]"
        )
        largest = sorted(self.features, key=lambda row: -row.share)[:_SHOWN]
        together = ", simultaneous" if self.simultaneous else ""
        title = f"share of the largest of {len(self.features)} features, {percent} confidence interval{together}:"
        return "\n  ".join([f"{head};", title, *map(_line, largest)]) + ")"

    @property
    def _k(self) -> str:
        """The number of directions, and where it comes from."""
        return f"k={self.k}" if self.selected is None else f"k={self.k}, {self.selected}"


_SHOWN = 5  # features in the repr


def _line(row: FeatureInterval) -> str:
    """Return one feature as text."""
    interval = "not identified" if row.low is None or row.high is None else f"[{row.low:.3f}, {row.high:.3f}]"
    return f"{row.name}  {row.share:.3f}  {interval}"
