"""Where chunks come from: one small protocol for files, arrays and collections."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, Self

from .block import Block

BLOCK_BYTES = 1.6e7  # of a block as float64: it stays in memory four times, and sums over it err by its rows


class Piece(Protocol):
    """A part of the data that one worker reads, in bounded memory; it can be sent to another process."""

    @property
    def can_be_sent(self) -> bool:
        """Whether it is small itself, being the name of data and not the data."""

    @property
    def data(self) -> tuple[Any, ...]:
        """What a cluster computes before the piece can be read; empty for files."""

    @property
    def without_data(self) -> "Piece":
        """The piece as it is sent, without what the cluster computes."""

    def with_data(self, *data: Any) -> "Piece":
        """Return the piece with it again."""

    def blocks(self) -> Iterator[Block]:
        """Yield its rows, some at a time."""


class Whole:
    """A piece for which a cluster has nothing to compute."""

    __slots__ = ()

    @property
    def can_be_sent(self) -> bool:
        """Files are sent by name."""
        return True

    @property
    def data(self) -> tuple[Any, ...]:
        """Nothing."""
        return ()

    @property
    def without_data(self) -> Self:
        """The piece itself."""
        return self

    def with_data(self, *data: Any) -> Self:
        """Return the piece itself."""
        return self


class Source(Protocol):
    """A table of numbers that need not fit into memory."""

    @property
    def name(self) -> str:
        """The argument that it came as."""

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The names of the columns, without that of the weights; None where they have none."""

    @property
    def d(self) -> int:
        """The number of columns, without that of the weights."""

    @property
    def rows(self) -> int | None:
        """The number of rows, where that is known without reading them."""

    @property
    def identity(self) -> dict[str, Any]:
        """What tells this source from others, as plain values: a folder of passes belongs to one pair of sources."""

    def pieces(self) -> Sequence[Piece]:
        """Return all of the data, in order."""

    def with_columns(self, labels: Sequence[str]) -> "Source":
        """Return the same data with the columns in this order; as they are where they have no names."""


def block_rows(d: int) -> int:
    """Return how many rows a block has."""
    return max(256, int(BLOCK_BYTES / (8 * (d + 1))))
