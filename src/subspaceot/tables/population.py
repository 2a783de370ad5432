"""What there is to say of the populations: a confidence interval, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..runtime.digits import number

if TYPE_CHECKING:
    from ..inference.interval_result import FeatureInterval, Intervals

LEVEL = 0.95  # of confidence, where nothing else is asked for


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """What the samples say about the distance of the populations."""

    found: "Intervals | None"
    reason: str | None  # why there is no interval
    rows: tuple[int, int] = (0, 0)  # that were used

    @property
    def title(self) -> str:
        """What the interval is called."""
        level = LEVEL if self.found is None else self.found.level
        return f"{100.0 * level:.4g}% confidence interval"

    def row(self) -> tuple[str, str, str] | None:
        """Return name, number and remark of the line that tells the interval."""
        if self.found is None or self.found.low is None or self.found.high is None:
            return None
        low, high = (number(float(np.sqrt(end)), 4) for end in (self.found.low, self.found.high))
        learned = f"in {self.found.k} learned direction{'s' * (self.found.k > 1)}"
        return "W of the populations", number(self._distance, 4), f"{self.title} {low} to {high}, {learned}"

    def remark(self) -> str:
        """Return what the interval is for, or why there is none."""
        if self.found is None:
            return f"No confidence interval for the populations: {self.reason}"
        n, m = self.rows
        return (
            f"The confidence interval is for W along what one half of {n:,} and {m:,} rows learns and the other half "
            f"measures."
        )

    def shares(self, columns: Sequence[str], names: Sequence[str]) -> list[str]:
        """Return the confidence interval for the share of some of the columns as text; nothing without an interval."""
        return [_share(row) for row in self.features(columns, names)]

    def as_json(self, columns: list[str], names: tuple[str, ...]) -> dict[str, Any]:
        """Return what the JSON object says of the populations."""
        features = self.features(columns, names)
        return {
            "population_reason": self.reason,
            "population_level": LEVEL,
            "population_estimate": None if self.found is None else self.found.estimate,
            "population_low": None if self.found is None else self.found.low,
            "population_high": None if self.found is None else self.found.high,
            "population_share_lows": [row.low for row in features],
            "population_share_highs": [row.high for row in features],
        }

    def features(self, columns: Sequence[str], names: Sequence[str]) -> "list[FeatureInterval]":
        """Return the rows of some of the columns, whose `names` are those of all."""
        if self.found is None:
            return []
        by_name = dict(zip(names, self.found.features, strict=True))
        return [by_name[column] for column in columns]

    @property
    def _distance(self) -> float:
        """The estimate, not squared."""
        return 0.0 if self.found is None or self.found.estimate is None else float(np.sqrt(self.found.estimate))


def _share(row: "FeatureInterval") -> str:
    if row.low is None or row.high is None:
        return "not identified"
    return f"{row.low:.1%} to {row.high:.1%}"
