"""What a person wants to know about a comparison, in numbers: read from two results, nothing is solved here."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.rounding import down, up
from ..result import Result


def are_same(whole: Result) -> bool:
    """Return whether both samples are one and the same measure: only then is the ordinary distance exactly 0."""
    return whole.upper == 0.0


def share_of(result: Result, whole: Result) -> float | None:
    """Return S_k^2 / W^2, at most 1 as S_k <= W; None where both clouds are the same."""
    return None if are_same(whole) else min(1.0, result.cost / whole.cost)


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One column and what it has to do with the distance."""

    name: str
    share: float  # of the cost, 0..1
    mean_X: float
    mean_Y: float


@dataclass(frozen=True, slots=True, eq=False)
class Mover:
    """One point of the first cloud and where most of it goes."""

    i: int  # its row in X
    move: float  # root of its mean squared distance to its images, as the subspace sees it
    j: int  # the row in Y that takes the largest part of it
    part: float  # how much of it, 0..1


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """A result beside the ordinary distance `whole` of the same clouds."""

    result: Result
    whole: Result
    names: Sequence[str]  # of the d columns

    @property
    def distance_interval(self) -> tuple[float, float]:
        """Certified bounds of S_k, the roots of those of S_k^2."""
        low, high = down(math.sqrt(self.result.lower)), up(math.sqrt(self.result.upper))
        return (0.0, 0.0) if self.result.upper == 0.0 else (max(low, 0.0), high)

    @property
    def same(self) -> bool:
        """Whether both samples are one and the same measure."""
        return are_same(self.whole)

    @property
    def explained(self) -> float | None:
        """S_k^2 / W^2, at most 1 as S_k <= W; None where both clouds are the same."""
        return share_of(self.result, self.whole)

    @property
    def explained_interval(self) -> tuple[float, float] | None:
        """Certified bounds of S_k^2 / W^2; None where both clouds are the same."""
        if self.same:
            return None
        low = max(0.0, down(self.result.lower / self.whole.upper))
        return low, min(1.0, up(self.result.upper / self.whole.lower)) if self.whole.lower > 0.0 else 1.0

    def features(self, count: int) -> list[Feature]:
        """Return the columns with the largest shares of the cost, largest first; those without any are left out."""
        share = self.result.feature_share
        frame = self.result.problem.frame
        chosen = [int(p) for p in np.argsort(-share, kind="stable")[:count] if share[p] > 0.0]
        plan = self.result.plan  # its margins are the weights
        mean_X, mean_Y = plan.sum(axis=1) @ frame.X, plan.sum(axis=0) @ frame.Y
        return [Feature(self.names[p], float(share[p]), float(mean_X[p]), float(mean_Y[p])) for p in chosen]

    def movers(self, count: int) -> list[Mover]:
        """Return the points of the first cloud that move most, farthest first; points without mass are left out."""
        cost, plan = self.result.point_cost, self.result.plan
        chosen = [int(i) for i in np.argsort(-cost, kind="stable") if self.result.problem.frame.rows[i]][:count]
        movers = []
        for i in chosen:
            j = int(np.argmax(plan[i]))
            movers.append(Mover(i, float(np.sqrt(max(cost[i], 0.0))), j, float(plan[i, j] / plan[i].sum())))
        return movers
