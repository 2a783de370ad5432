"""What passes between a source and what sums it up: some rows at a time, in coordinates that suit sums."""

from dataclasses import dataclass

import numpy as np

from ..runtime.types import Array


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Some rows of one file or array, as float64, nothing rounded."""

    points: Array  # (r, d)
    weights: Array | None  # (r,); None where all rows weigh the same
    file: str  # where the rows are from, for messages
    first: int  # number of the first of them in there, from 0 on

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, eq=False, slots=True)
class Coordinates:
    """Where sums are taken: x = centre + scale * z. A common shift and a power of two change no proof."""

    centre: Array  # (d,)
    scale: float  # a power of two

    def inside(self, points: Array) -> Array:
        """Return points (r, d) in these coordinates, each entry rounded once."""
        inside = points - self.centre
        inside /= self.scale
        return inside

    @property
    def unit(self) -> float:
        """The caller's squared units in one of ours."""
        return self.scale * self.scale

    def reach(self, low: Array, high: Array) -> float:
        """Return a bound on the norms of all points within a box, in these coordinates."""
        farthest = np.maximum(np.abs(low - self.centre), np.abs(high - self.centre)) / self.scale
        return float(np.linalg.norm(farthest)) * (1.0 + 1e-9)
