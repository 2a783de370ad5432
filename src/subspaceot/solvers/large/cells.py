"""Cells: points near each other, seen through Omega, taken for one."""

from dataclasses import dataclass

import numpy as np

from ...core.nearest import Tree
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
        """Return about `count` cells of the points (n, q); each point is one where there are no more of them."""
        tree = Tree.of(points, leaf=max(1, -(-len(points) // count)))
        starts = np.append(tree.leaves[:, 0], len(points)) if len(points) > count else np.arange(len(points) + 1)
        ordered = weights[tree.order]
        mass = np.add.reduceat(ordered, starts[:-1])
        mean = np.add.reduceat(ordered[:, None] * tree.points, starts[:-1], axis=0) / mass[:, None]
        return cls(tree.order, starts, mass, mean)

    @property
    def of_row(self) -> Indices:
        """The cell (n,) of each row."""
        cells = np.empty(len(self.order), dtype=np.intp)
        cells[self.order] = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return cells

    def average(self, values: Array, weights: Array) -> Array:
        """Return the weighted mean (count,) of values (n,) over each cell."""
        return np.add.reduceat((weights * values)[self.order], self.starts[:-1]) / self.mass

    def __len__(self) -> int:
        return len(self.mass)
