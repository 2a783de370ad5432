"""What maps a function over the pieces of a source and adds up what it returns."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from .source import Piece

Sum = TypeVar("Sum")
Done = Callable[[int], object]  # told how many more pieces are finished


class Engine(Protocol):
    """Who reads the pieces."""

    def total(
        self, function: Callable[[Piece, int], Sum], add: Callable[[Sum, Sum], Sum], pieces: Sequence[Piece], done: Done
    ) -> Sum:
        """Return the sum of what `function` returns for each piece and its number."""


class Here:
    """Works in this process, one piece after the other."""

    def total(
        self, function: Callable[[Piece, int], Any], add: Callable[[Any, Any], Any], pieces: Sequence[Piece], done: Done
    ) -> Any:
        """Return the sum over the pieces, in order."""
        total = None
        for number, piece in enumerate(pieces):
            part = function(piece, number)
            total = part if total is None else add(total, part)
            done(1)
        return total


def find_engine() -> Engine:
    """Return the Dask client that the caller has, or else this process."""
    return Here()
