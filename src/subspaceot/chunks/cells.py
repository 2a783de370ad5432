"""The second pass: sums over the cells into which the rows fall, seen through Omega."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from ..core.nearest import Tree
from ..core.rounding import UNIT, gamma
from ..runtime.isolation import isolated
from ..runtime.types import Array, Indices
from .block import Block, Coordinates

SHELLS = 3  # cells of a leaf of the splits; `_cell_kernels.py` says which rows are in which


@dataclass(frozen=True, eq=False, slots=True)
class Splits:
    """A balanced binary tree of splits: each row falls into one of its leaves, and there into one of a few cells.

    Cells far out keep outliers, which a sample does not show, from making the box of a leaf large.
    """

    axes: Indices  # (inner,) along which each inner node splits
    thresholds: Array  # (inner,) at or below which the first child is
    middle: Array  # (leaves, q) of the box around the sample of each leaf
    half: Array  # (leaves, q) half its extent

    @classmethod
    def of(cls, points: Array, count: int) -> "Splits":
        """Return splits into `count` leaves, a power of two, or fewer, that hold about as many of the points (s, q)."""
        count = min(count, 2 ** int(np.log2(len(points))))
        tree = Tree.of(points, leaf=max(1, -(-len(points) // count)))
        inner = np.arange(len(tree.bounds) // 2)
        axes = np.argmax(tree.high[inner] - tree.low[inner], axis=1)
        low, high = tree.low[len(inner) :], tree.high[len(inner) :]
        least = 1e-3 * float((tree.high[0] - tree.low[0]).max()) + np.finfo(float).tiny  # a leaf may hold one point
        return cls(axes, tree.high[2 * inner + 1, axes], 0.5 * (low + high), np.maximum(0.5 * (high - low), least))

    def __len__(self) -> int:
        return SHELLS * len(self.middle)


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """How a pass looks at rows: coordinates, a factor L of Omega, and the cells of each side."""

    coordinates: Coordinates
    factor: Array  # (d, q)
    splits: Splits
    moments: bool  # whether second moments are summed up too: they are the same in every pass


@dataclass(frozen=True, eq=False, slots=True)
class CellSums:
    """What a pass knows of the cells. Two of them add up to one of all their rows."""

    rows: int
    mass: Array  # (C,) sums of weights
    sums: Array  # (C, d) of weight times point
    low: Array  # (C, q) the box of a cell as seen through Omega
    high: Array  # (C, q)
    moment: Array | None  # (d, d) sum of weight times point times its transpose
    uniform: bool = True  # whether masses are numbers of rows, which are exact
    block: int = 0  # rows of the largest block
    blocks: int = field(default=0)  # how many were added

    @classmethod
    def none(cls, view: View) -> "CellSums":
        """Return the sums of no rows."""
        count, (d, q) = len(view.splits), view.factor.shape
        low = np.full((count, q), np.inf)
        moment = np.zeros((d, d)) if view.moments else None
        return cls(0, np.zeros(count), np.zeros((count, d)), low, -low, moment)

    @classmethod
    @isolated
    def of(cls, blocks: Iterable[Block], view: View) -> "CellSums":
        """Return the sums of all blocks of a piece."""
        sums = cls.none(view)
        for block in blocks:
            sums = sums._with(block, view)
        return sums

    def _with(self, block: Block, view: View) -> "CellSums":
        """Return the sums with those of a block, which are written into these."""
        from . import _cell_kernels as kernels  # numba takes a third of a second to import

        points = view.coordinates.inside(block.points)
        weights = np.empty(0) if block.weights is None else block.weights
        # A block is summed up by itself, so that errors grow with its rows and with the number of blocks only.
        mass, sums = np.zeros_like(self.mass), np.zeros_like(self.sums)
        splits = view.splits
        kernels.add_rows(
            *(points, points @ view.factor, weights, splits.axes, splits.thresholds, splits.middle, splits.half),
            *(mass, sums, self.low, self.high),
        )
        np.add(self.mass, mass, out=self.mass)
        np.add(self.sums, sums, out=self.sums)
        if self.moment is not None:
            weighted = points if block.weights is None else points * block.weights[:, None]
            self.moment.__iadd__(weighted.T @ points)
        return replace(
            self,
            rows=self.rows + len(block),
            uniform=self.uniform and block.weights is None,
            block=max(self.block, len(block)),
            blocks=self.blocks + 1,
        )

    def plus(self, other: "CellSums") -> "CellSums":
        """Return the sums of the rows of both."""
        moment = None if self.moment is None or other.moment is None else self.moment + other.moment
        return CellSums(
            self.rows + other.rows,
            self.mass + other.mass,
            self.sums + other.sums,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
            moment,
            self.uniform and other.uniform,
            max(self.block, other.block),
            self.blocks + other.blocks,
        )

    @property
    def operations(self) -> float:
        """How many roundings in a row any of the sums has seen, at most."""
        return float(self.block + self.blocks + 4)

    @property
    def occupied(self) -> "CellSums":
        """The cells that hold mass."""
        kept = self.mass > 0.0
        return replace(self, mass=self.mass[kept], sums=self.sums[kept], low=self.low[kept], high=self.high[kept])


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """One measure as its cells know it, all of them with mass, in the coordinates of the pass."""

    mass: Array  # (C,)
    mean: Array  # (C, d)
    centre: Array  # (C, q) of each cell as seen through Omega: about the mean
    low: Array  # (C, q) the box of what the points of a cell are beyond its centre, rounding included
    high: Array  # (C, q)
    moment: Array  # (d, d) the mean of x x^T
    size: float  # its trace, about: the mean of |x|^2
    operations: float  # roundings in a row that a sum has seen
    mass_error: float  # relative, of each share of the mass

    @classmethod
    def of(cls, sums: CellSums, moment: Array, factor: Array, reach: float) -> "Side":
        """Return the measure; `reach` bounds the norms of its points."""
        sums = sums.occupied
        mean = sums.sums / sums.mass[:, None]
        centre = mean @ factor
        beyond = gamma(len(factor) + 8.0) * float(np.linalg.norm(factor)) * reach
        low, high = sums.low - centre, sums.high - centre
        error = 4.0 * UNIT * (np.abs(sums.low) + np.abs(sums.high) + np.abs(centre)) + 2.0 * beyond
        moment = moment / float(sums.mass.sum())
        return cls(
            sums.mass,
            mean,
            centre,
            low - error,
            high + error,
            moment,
            float(np.trace(moment)),
            sums.operations,
            0.0 if sums.uniform else 2.0 * gamma(sums.operations + 4.0),
        )

    def __len__(self) -> int:
        return len(self.mass)
