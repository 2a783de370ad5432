"""What a two-sample test found, in plain words and in the columns of the tables."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..inference.statistic import NAMES, WHITENED
from ..inference.two_sample_result import TwoSampleTest
from ..runtime.types import Array

KINDS = dict(
    zip(
        NAMES,
        (
            "a shift, or a change of spread, along one direction",
            "a difference of shape along one direction, apart from means and covariances",
            "different covariances: more spread along one direction, or another correlation",
            "a ratio of variances: along one direction one sample spreads more than the other",
        ),
        strict=True,
    )
)


LEAST_WEIGHT = 0.005  # of a column that is listed: less is printed as 0


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and standard deviation of a number in both samples."""

    mean_X: float
    mean_Y: float
    deviation_X: float
    deviation_Y: float

    @classmethod
    def of(cls, x: Array, y: Array, a: Array | None, b: Array | None) -> "Moments":
        """Return the moments of numbers (n,) and (m,) with weights."""
        mean_X, mean_Y = (float(np.average(z, weights=w)) for z, w in ((x, a), (y, b)))
        variances = np.average((x - mean_X) ** 2, weights=a), np.average((y - mean_Y) ** 2, weights=b)
        return cls(mean_X, mean_Y, *(float(np.sqrt(variance)) for variance in variances))


@dataclass(frozen=True, slots=True)
class WeightedColumn:
    """A column, and its weight in the direction that shows the difference best."""

    name: str
    weight: float  # -1..1; squares sum to 1 over the columns
    moments: Moments


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """A test beside the rows that it has seen."""

    test: TwoSampleTest
    X: Array  # (n, d)
    Y: Array  # (m, d)
    a: Array | None
    b: Array | None
    names: Sequence[str]  # of the d columns
    alpha: float

    @property
    def found(self) -> bool:
        """Whether there is a difference at level `alpha`."""
        return self.test.p_value <= self.alpha

    @property
    def kind(self) -> str:
        """What kind of difference shows best."""
        return KINDS[self.test.leading.name]

    @property
    def rescaled(self) -> bool:
        """Whether `weights` are those of columns divided by their standard deviations, because the test divides."""
        return self.test.leading.name in WHITENED

    @property
    def direction(self) -> Array:
        """The direction (d,) that shows the difference best, from X to Y where the means differ."""
        u = self.test.direction
        along = Moments.of(self.X @ u, self.Y @ u, self.a, self.b)
        oriented: Array = -u if along.mean_X > along.mean_Y else u
        return oriented

    @property
    def weights(self) -> Array:
        """Weights (d,) of the columns in the direction, a unit vector."""
        direction = self.direction
        if self.rescaled:
            direction = direction * np.vstack([self.X, self.Y]).std(axis=0)
        length = float(np.linalg.norm(direction))
        unit: Array = direction / length if length > 0.0 else direction
        return unit

    @property
    def along(self) -> Moments:
        """Means and standard deviations along the direction."""
        u = self.direction
        return Moments.of(self.X @ u, self.Y @ u, self.a, self.b)

    def columns(self, count: int) -> list[WeightedColumn]:
        """Return the columns with the largest weights, largest first; those of next to no weight are left out."""
        weights = self.weights
        chosen = [
            int(j) for j in np.argsort(-np.abs(weights), kind="stable")[:count] if abs(weights[j]) >= LEAST_WEIGHT
        ]
        return [
            WeightedColumn(self.names[j], float(weights[j]), Moments.of(self.X[:, j], self.Y[:, j], self.a, self.b))
            for j in chosen
        ]
