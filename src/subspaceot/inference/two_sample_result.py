"""What a two-sample test says."""

from dataclasses import dataclass

import numpy as np

from ..core.shown import Shown
from ..runtime.types import Array


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """One of the four statistics behind a test."""

    name: str
    value: float  #: in units of the pooled sample: it compares labellings, and is no distance
    score: float  #: standard deviations above the mean over labellings
    p_value: float  #: of this statistic alone; not corrected for there being four
    direction: Array  #: (d,) unit vector in which it is largest


@dataclass(frozen=True, slots=True, eq=False)
class TwoSampleTest(Shown):
    """The answer of `two_sample_test`."""

    p_value: float
    monte_carlo_error: float  #: standard error of p_value over the random labellings; 0 where all were taken
    smallest_p: float  #: that any data could have reached
    statistic: float  #: the largest standardised component
    null: Array  #: (B,) the statistic of the permuted labellings
    components: tuple[Component, ...]
    exhaustive: bool  #: whether all labellings were taken, not random ones
    columns: tuple[str, ...] | None  #: names of the d columns, for tables
    sizes: tuple[int, int]  #: points of positive weight in X and in Y

    @property
    def n_permutations(self) -> int:
        """How many labellings the observed one was compared with."""
        return len(self.null)

    @property
    def leading(self) -> Component:
        """The component that is farthest above its mean: the one that decided."""
        return max(self.components, key=_score)

    @property
    def direction(self) -> Array:
        """The direction (d,) that shows the difference best, a unit vector; noise where p_value is not small."""
        return self.leading.direction

    @property
    def directions(self) -> Array:
        """The direction of each component (4, d)."""
        return np.array([component.direction for component in self.components])

    def __repr__(self) -> str:
        kind = "all labellings" if self.exhaustive else f"{self.n_permutations} random labellings"
        lines = [f"TwoSampleTest: p = {self.p_value:.4g} +- {self.monte_carlo_error:.2g} from {kind}"]
        lines += [f"  {part.name}: score {part.score:.2f}, p = {part.p_value:.4g}" for part in self.components]
        return "\n".join(lines)


def _score(component: Component) -> float:
    return component.score
