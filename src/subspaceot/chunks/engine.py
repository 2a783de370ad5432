"""What maps a function over the pieces of a source and adds up what it returns: a Dask client, or this process."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from .source import Piece

Sum = TypeVar("Sum")
Done = Callable[[int], object]  # told how many more pieces are finished

_TOGETHER = 8  # sums that one task adds up
_TASKS = 32  # at least, where there are so many pieces: the workers of a small cluster end at about the same time
_RETRIES = 3  # of a task whose worker has died or lost a file


class Engine(Protocol):
    """Who reads the pieces."""

    def total(
        self, function: Callable[[Piece, int], Sum], add: Callable[[Sum, Sum], Sum], pieces: Sequence[Piece], done: Done
    ) -> Sum:
        """Return the sum of what `function` returns for each piece and its number, always in the same order."""


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


class OnCluster:
    """Works on the workers of a Dask client; what a worker that dies has done is done again by others."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def total(
        self, function: Callable[[Piece, int], Any], add: Callable[[Any, Any], Any], pieces: Sequence[Piece], done: Done
    ) -> Any:
        """Return the sum over the pieces: of some of them by one task each, then of these sums, in a tree."""
        from dask import delayed
        from distributed import as_completed

        # Whatever the number of workers is, and whether one dies, sums are added up in the same order.
        together = max(1, min(_TOGETHER, len(pieces) // _TASKS))
        shared = delayed(function)  # a task of its own: sent once, and made again where it is lost
        parts = [
            delayed(_of_piece)(shared, piece.without_data, number, *piece.data) for number, piece in enumerate(pieces)
        ]
        groups = [delayed(_sum_of)(add, parts[i : i + together]) for i in range(0, len(parts), together)]
        futures = self._client.compute(groups, retries=_RETRIES)
        try:
            for future in as_completed(futures):
                future.result() if future.status == "error" else None
                done(min(together, len(pieces) - together * futures.index(future)))
            while len(futures) > 1:
                futures = [
                    self._client.submit(_sum_of, add, futures[i : i + _TOGETHER], pure=False, retries=_RETRIES)
                    for i in range(0, len(futures), _TOGETHER)
                ]
            return futures[0].result()
        except BaseException:
            self._client.cancel(futures)
            raise


def find_engine(pieces: Sequence[Piece]) -> Engine:
    """Return the Dask client that the caller has, or else this process, as for data in its memory."""
    distributed = sys.modules.get("distributed")
    if distributed is None or not all(piece.can_be_sent for piece in pieces):
        return Here()
    try:
        client = distributed.default_client()
    except ValueError:  # there is none
        return Here()
    return OnCluster(client)


def _of_piece(function: Callable[[Piece, int], Any], piece: Any, number: int, *data: Any) -> Any:
    """Return what a function returns for a piece, whose data the cluster has computed."""
    return function(piece.with_data(*data), number)


def _sum_of(add: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    """Return the sum of some sums, in order."""
    total = parts[0]
    for part in parts[1:]:
        total = add(total, part)
    return total
