"""Weighted points, and the rows of the table that they come from."""

from dataclasses import dataclass, replace

import numpy as np

from ...runtime.types import Array


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Weighted points, and the rows of the table that they come from."""

    name: str
    points: Array  # (n, d)
    weights: Array | None  # (n,)
    rows: np.ndarray  # (n,) labels of the rows; of a file their numbers, counted from 1
    units: np.ndarray | None = None  # (n,) labels of what moves together in a test
    strata: np.ndarray | None = None  # (n,) labels of what a test permutes within
    drawn_from: int | None = None  # how many rows there were before some were drawn

    def part(self, kept: np.ndarray) -> "Sample":
        """Return some of the rows."""
        weights, units, strata = (
            None if given is None else given[kept] for given in (self.weights, self.units, self.strata)
        )
        return replace(
            self, points=self.points[kept], weights=weights, rows=self.rows[kept], units=units, strata=strata
        )

    @property
    def of(self) -> int:
        """How many rows there were before any were drawn."""
        return len(self.points) if self.drawn_from is None else self.drawn_from
