"""Cells: points near each other, seen through Omega, taken for one."""

from dataclasses import dataclass

import numpy as np

from ...core.nearest.tree import Tree
from ...runtime.types import Array, Indices


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """A partition of weighted points into cells, each a range of an order in which near points are neighbours."""

    order: Indices  # (n,) the rows, cell by cell
    starts: Indices  # (count + 1,) where each cell begins in that order
    mass: Array  # (count,)
    mean: Array  # (count, q) of the points as seen through Omega

    @classmethod
    def of(cls, points: Array, weights: Array, count: int) -> "Cells":
        """Return about `count` cells of the points (n, q), none of more than n / count points."""
        size = max(1, -(-len(points) // count))
        tree = Tree.of(points, leaf=size)
        starts = np.append(tree.leaves[:, 0], len(points))
        ordered = weights[tree.order]
        mass = np.add.reduceat(ordered, starts[:-1])
        mean = np.add.reduceat(ordered[:, None] * tree.points, starts[:-1], axis=0) / mass[:, None]
        return cls(tree.order, starts, mass, mean)

    def __len__(self) -> int:
        return len(self.mass)
