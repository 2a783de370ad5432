"""The confidence interval for the distance of the populations, where there is one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..runtime.digits import number
from ._progress import spinner
from ._rows import part_of_each
from ._samples import Reading, Samples

if TYPE_CHECKING:
    from ..inference.interval_result import FeatureInterval, Intervals

LEVEL = 0.95
INTERVAL = f"{LEVEL:.0%} confidence interval"
_MOST_ROWS = 1000  # a side where k > 1: each of 40 halves is a solve, together some 6 s at d = 50


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """What the samples say about the distance of the populations."""

    found: "Intervals | None"
    reason: str | None  # why there is no interval
    rows: tuple[int, int] = (0, 0)  # that were used

    @classmethod
    def of(cls, samples: Samples, k: int, reading: Reading) -> "Population":
        """Return the interval for k directions, or why there is none."""
        from ..core.validate.inference import FEWEST_POINTS
        from ..inference.intervals import LARGEST_K, intervals

        if k > LARGEST_K:
            return cls(None, f"with more than {LARGEST_K} directions its bias exceeds its standard error. Try -k 1.")
        if reading.units is not None:
            return cls(None, "it takes independent rows, and those of one unit are not.")
        if min(_rows_of_mass(sample.weights, len(sample.points)) for sample in samples.each) < FEWEST_POINTS:
            return cls(None, f"it takes at least {FEWEST_POINTS} rows a side.")
        X, Y = _thinned(samples, k, reading.seed).each
        with spinner("confidence interval"):
            found = intervals(X.points, Y.points, k, X.weights, Y.weights, level=LEVEL, rng=reading.seed)
        reason = found.reason
        return cls(found if reason is None else None, reason, (len(X.points), len(Y.points)))

    def row(self) -> tuple[str, str, str] | None:
        """Return name, number and remark of the line that tells the interval."""
        if self.found is None or self.found.low is None or self.found.high is None:
            return None
        low, high = (number(float(np.sqrt(end)), 4) for end in (self.found.low, self.found.high))
        learned = f"in {self.found.k} learned direction{'s' * (self.found.k > 1)}"
        return "W of the populations", number(self._distance, 4), f"{INTERVAL} {low} to {high}, {learned}"

    def remark(self) -> str:
        """Return what the interval is for, or why there is none."""
        if self.found is None:
            return f"No confidence interval for the populations: {self.reason}"
        n, m = self.rows
        return (
            f"The confidence interval is for W along what one half of {n:,} and {m:,} rows learns and the other half "
            f"measures."
        )

    def shares(self, columns: list[str], names: tuple[str, ...]) -> list[str]:
        """Return the confidence interval for the share of some of the columns as text; nothing without an interval."""
        return [_share(row) for row in self._features(columns, names)]

    def as_json(self, columns: list[str], names: tuple[str, ...]) -> dict[str, Any]:
        """Return what the JSON object says of the populations."""
        features = self._features(columns, names)
        return {
            "population_reason": self.reason,
            "population_level": LEVEL,
            "population_estimate": None if self.found is None else self.found.estimate,
            "population_low": None if self.found is None else self.found.low,
            "population_high": None if self.found is None else self.found.high,
            "population_share_lows": [row.low for row in features],
            "population_share_highs": [row.high for row in features],
        }

    @property
    def _distance(self) -> float:
        """The estimate, not squared."""
        return 0.0 if self.found is None or self.found.estimate is None else float(np.sqrt(self.found.estimate))

    def _features(self, columns: list[str], names: tuple[str, ...]) -> "list[FeatureInterval]":
        """Return the rows of some of the columns, whose `names` are those of all."""
        if self.found is None:
            return []
        by_name = dict(zip(names, self.found.features, strict=True))
        return [by_name[column] for column in columns]


def _share(row: "FeatureInterval") -> str:
    if row.low is None or row.high is None:
        return "not identified"
    return f"{row.low:.1%} to {row.high:.1%}"


def _rows_of_mass(weights: "np.ndarray | None", rows: int) -> int:
    return rows if weights is None else int(np.count_nonzero(weights))


def _thinned(samples: Samples, k: int, seed: int) -> Samples:
    """Return the part of the rows that the interval is computed from."""
    from ..tables.thinning import most_rows

    most = most_rows(samples.d)
    return samples.part(part_of_each(samples.each, most if k == 1 else min(most, _MOST_ROWS), seed))
