"""What a person wants to know about a comparison, read from two results. Nothing is solved here."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.rounding import down, up
from ..features import means
from ..projected_result import ProjectedResult
from ..result import Result
from .parts import Parts

_ROOT = 1e-15  # what a root of any power may be off by, relatively


def are_same(result: Result) -> bool:
    """Return whether both samples are one and the same measure: only then is a distance proven to be 0."""
    return result.upper == 0.0


def share_of(result: Result, W: Result) -> float | None:
    """Return S_k^2 / W^2, at most 1 as S_k <= W; None where both samples are the same."""
    return None if are_same(W) else min(1.0, result.cost / W.cost)


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One column and what it has to do with the distance."""

    name: str
    share: float  # of the cost, 0..1
    mean_X: float
    mean_Y: float


@dataclass(frozen=True, slots=True, eq=False)
class Displacement:
    """How far one point of the first sample is transported, and where most of it goes."""

    i: int  # its row in X
    length: float  # root of its mean squared distance d_Omega^2 to its images, or of that of another power
    j: int  # the row in Y that takes the largest part of it
    part: float  # how much of it, 0..1


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """A result beside the Wasserstein distance W of the same samples, where that is known."""

    result: Result
    W: Result | None
    names: Sequence[str]  # of the d columns

    @property
    def distance_interval(self) -> tuple[float, float]:
        """Certified bounds of the distance, the roots of those of its power."""
        if self.same:
            return 0.0, 0.0
        lower, upper = self.result.lower, self.result.upper
        if self.power == 2.0:
            return max(down(math.sqrt(lower)), 0.0), up(math.sqrt(upper))
        return lower ** (1.0 / self.power) * (1.0 - _ROOT), upper ** (1.0 / self.power) * (1.0 + _ROOT)

    @property
    def power(self) -> float:
        """The power of the distance that the cost is."""
        return self.result.p if isinstance(self.result, ProjectedResult) else 2.0

    @property
    def symbol(self) -> str:
        """The letter of the distance, with its k."""
        return f"{'P' if isinstance(self.result, ProjectedResult) else 'S'}_{self.result.k}"

    @property
    def same(self) -> bool:
        """Whether both samples are one and the same measure."""
        return are_same(self.result)

    @property
    def explained(self) -> float | None:
        """S_k^2 / W^2, at most 1 as S_k <= W; None where both samples are the same, or W is not known."""
        return None if self.W is None else share_of(self.result, self.W)

    @property
    def explained_interval(self) -> tuple[float, float] | None:
        """Certified bounds of S_k^2 / W^2; None where both samples are the same, or W is not known."""
        if self.same or self.W is None:
            return None
        low = max(0.0, down(self.result.lower / self.W.upper))
        return low, min(1.0, up(self.result.upper / self.W.lower)) if self.W.lower > 0.0 else 1.0

    def features(self, count: int) -> list[Feature]:
        """Return the columns with the largest shares of the cost, largest first; those without any are left out."""
        share = self.result.feature_share
        chosen = [int(p) for p in np.argsort(-share, kind="stable")[:count] if share[p] > 0.0]
        mean_X, mean_Y = means(self.result)
        return [Feature(self.names[p], float(share[p]), float(mean_X[p]), float(mean_Y[p])) for p in chosen]

    def displacements(self, count: int) -> list[Displacement]:
        """Return the largest displacements of the first sample, largest first; points without mass are left out."""
        cost, frame, parts = self.result.point_cost, self.result.problem.frame, Parts.of(self.result)
        chosen = [int(i) for i in np.argsort(-cost, kind="stable") if frame.rows[i]][:count]
        largest = []
        for i in chosen:
            ((j, part),) = parts.largest(i)
            largest.append(Displacement(i, max(float(cost[i]), 0.0) ** (1.0 / self.power), j, part))
        return largest
