"""The first pass: how many rows, where they lie, and a random sample of them."""

from dataclasses import dataclass

import numpy as np

from ..core import validate
from ..runtime.types import Array, Indices
from .block import Block
from .source import Piece


@dataclass(frozen=True, eq=False, slots=True)
class Scan:
    """What the first pass knows of some rows. Two of them add up to one of all their rows."""

    rows: int  # those without weight included
    weight: float
    low: Array  # (d,) smallest value of each column
    high: Array  # (d,)
    keys: Array  # (s,) the random keys of the sample, ascending: the smallest of all rows
    sample: Array  # (s, d)

    @classmethod
    def of_block(cls, block: Block, size: int, rng: np.random.Generator) -> "Scan":
        """Return that of one block. Keys are exponential, divided by the weight: the sample is drawn in proportion."""
        keys = rng.standard_exponential(len(block))
        points, weight = block.points, float(len(block))
        if block.weights is not None:
            massive = block.weights > 0.0
            keys, points, weights = keys[massive], points[massive], block.weights[massive]
            keys, weight = keys / weights, float(weights.sum())
        kept = _smallest(keys, size)
        nothing = np.full(points.shape[1], np.inf)
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (nothing, -nothing)
        return cls(len(block), weight, low, high, keys[kept], points[kept])

    def plus(self, other: "Scan", size: int) -> "Scan":
        """Return that of the rows of both, with a sample of so many at most."""
        keys, sample = np.concatenate([self.keys, other.keys]), np.concatenate([self.sample, other.sample])
        kept = _smallest(keys, size)
        return Scan(
            self.rows + other.rows,
            self.weight + other.weight,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
            keys[kept],
            sample[kept],
        )


@dataclass(frozen=True, slots=True)
class ScanOf:
    """What a scan is asked for."""

    d: int
    size: int  # of the sample of a piece
    seed: tuple[int, ...]
    name: str  # of the source, for messages
    labels: tuple[str, ...] | None

    def of_piece(self, piece: Piece, number: int) -> Scan:
        """Return that of all blocks of a piece; a value that is not finite is an error that names its file and row."""
        rng = np.random.default_rng((*self.seed, number))
        nothing = np.full(self.d, np.inf)
        scan = Scan(0, 0.0, nothing, -nothing, np.empty(0), np.empty((0, self.d)))
        for block in piece.blocks():
            validate.require_finite_rows(
                *(block.points, block.weights, self.name, block.file, block.first, self.labels)
            )
            scan = scan.plus(Scan.of_block(block, self.size, rng), self.size)
        return scan


def _smallest(keys: Array, size: int) -> Indices:
    """Return where the smallest keys are, ascending, `size` of them at most."""
    if len(keys) <= size:
        return np.argsort(keys, kind="stable")
    few = np.argpartition(keys, size)[:size]
    return few[np.argsort(keys[few], kind="stable")]
