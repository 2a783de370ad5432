"""What a person wants to know about a comparison, read from two results. Nothing is solved here."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.rounding import down, up
from ..result import Result


def are_same(W: Result) -> bool:
    """Return whether both samples are one and the same measure: only then is the Wasserstein distance exactly 0."""
    return W.upper == 0.0


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
    length: float  # root of its mean squared distance d_Omega^2 to its images
    j: int  # the row in Y that takes the largest part of it
    part: float  # how much of it, 0..1


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """A result beside the Wasserstein distance W of the same samples."""

    result: Result
    W: Result
    names: Sequence[str]  # of the d columns

    @property
    def distance_interval(self) -> tuple[float, float]:
        """Certified bounds of S_k, the roots of those of S_k^2."""
        low, high = down(math.sqrt(self.result.lower)), up(math.sqrt(self.result.upper))
        return (0.0, 0.0) if self.result.upper == 0.0 else (max(low, 0.0), high)

    @property
    def same(self) -> bool:
        """Whether both samples are one and the same measure."""
        return are_same(self.W)

    @property
    def explained(self) -> float | None:
        """S_k^2 / W^2, at most 1 as S_k <= W; None where both samples are the same."""
        return share_of(self.result, self.W)

    @property
    def explained_interval(self) -> tuple[float, float] | None:
        """Certified bounds of S_k^2 / W^2; None where both samples are the same."""
        if self.same:
            return None
        low = max(0.0, down(self.result.lower / self.W.upper))
        return low, min(1.0, up(self.result.upper / self.W.lower)) if self.W.lower > 0.0 else 1.0

    def features(self, count: int) -> list[Feature]:
        """Return the columns with the largest shares of the cost, largest first; those without any are left out."""
        share = self.result.feature_share
        frame = self.result.problem.frame
        chosen = [int(p) for p in np.argsort(-share, kind="stable")[:count] if share[p] > 0.0]
        plan = self.result.plan  # its margins are the weights
        mean_X, mean_Y = plan.sum(axis=1) @ frame.X, plan.sum(axis=0) @ frame.Y
        return [Feature(self.names[p], float(share[p]), float(mean_X[p]), float(mean_Y[p])) for p in chosen]

    def displacements(self, count: int) -> list[Displacement]:
        """Return the largest displacements of the first sample, largest first; points without mass are left out."""
        cost, plan = self.result.point_cost, self.result.plan
        chosen = [int(i) for i in np.argsort(-cost, kind="stable") if self.result.problem.frame.rows[i]][:count]
        largest = []
        for i in chosen:
            j = int(np.argmax(plan[i]))
            largest.append(Displacement(i, float(np.sqrt(max(cost[i], 0.0))), j, float(plan[i, j] / plan[i].sum())))
        return largest
