"""Chunks of an array: numpy.memmap, a .npy file opened as such, or one in memory."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import validate
from ..runtime.types import Array
from .block import Block
from .source import Piece, Whole, block_rows

_PIECE_BLOCKS = 8  # of one piece: about 100 MB


@dataclass(frozen=True, eq=False, slots=True)
class MappedFile:
    """An array on disk, opened where it is read: what is sent to a worker is its name."""

    path: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    offset: int
    order: str

    @classmethod
    def of(cls, array: NDArray[Any]) -> "MappedFile | None":
        """Return the file behind an array, or None: it may be one in memory, or a view of a part of a file."""
        if not isinstance(array, np.memmap) or array.filename is None or isinstance(array.base, np.memmap):
            return None
        order = "C" if array.flags.c_contiguous else "F"
        return cls(os.path.abspath(str(array.filename)), array.dtype, array.shape, int(array.offset), order)

    def opened(self) -> NDArray[Any]:
        """Return the array."""
        order: Any = self.order
        return np.memmap(self.path, self.dtype, "r", self.offset, self.shape, order)


@dataclass(frozen=True, eq=False, slots=True)
class ArrayPiece(Whole):
    """Some rows of an array."""

    array: NDArray[Any] | MappedFile  # of these rows alone, or the file of all
    weights: NDArray[Any] | None  # of these rows
    first: int
    last: int
    name: str

    @property
    def can_be_sent(self) -> bool:
        """Whether the rows are in a file."""
        return isinstance(self.array, MappedFile)

    def blocks(self) -> Iterator[Block]:
        """Yield the rows as float64."""
        file = f"`{self.name}`"
        if isinstance(self.array, MappedFile):
            file, array = self.array.path, self.array.opened()[self.first : self.last]
        else:
            array = self.array
        step = block_rows(array.shape[1])
        for start in range(0, len(array), step):
            rows = slice(start, start + step)
            points = validate.require_doubles(np.ascontiguousarray(array[rows]), self.name, file, self.first + start)
            weights = None if self.weights is None else self.weights[rows].astype(np.float64)
            yield Block(points, weights, file, self.first + start)


@dataclass(frozen=True, eq=False, slots=True)
class ArraySource:
    """The rows of an array (n, d)."""

    array: NDArray[Any]
    weights: NDArray[Any] | None
    name: str
    labels: tuple[str, ...] | None = None

    @property
    def d(self) -> int:
        """The number of columns."""
        return int(self.array.shape[1])

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.array)

    @property
    def identity(self) -> dict[str, Any]:
        """Shape and type, and the file where there is one; else a hash of some rows."""
        file = MappedFile.of(self.array)
        weighted = self.weights is not None
        if file is None:
            step = max(1, len(self.array) // 1000)
            some = np.ascontiguousarray(self.array[::step])
            return {"shape": list(self.array.shape), "some": some.tobytes().hex()[:4096], "weights": weighted}
        status = os.stat(file.path)
        stamp = [file.path, status.st_size, status.st_mtime_ns, file.offset]
        return {"shape": list(self.array.shape), "file": stamp, "weights": weighted}

    def pieces(self) -> Sequence[Piece]:
        """Return the rows, about 100 MB at a time."""
        step = _PIECE_BLOCKS * block_rows(self.d)
        file, pieces = MappedFile.of(self.array), []
        for first in range(0, max(1, len(self.array)), step):  # one piece of an empty array
            rows = slice(first, min(first + step, len(self.array)))
            weights = None if self.weights is None else self.weights[rows]
            array = self.array[rows] if file is None else file
            pieces.append(ArrayPiece(array, weights, first, rows.stop, self.name))
        return pieces

    def with_columns(self, labels: Sequence[str]) -> "ArraySource":
        """Return the array: its columns have no names."""
        return self


def array_source(array: NDArray[Any], weights: Array | None, name: str) -> ArraySource:
    """Return the source of an array; one that is no table of numbers is refused."""
    if array.ndim != 2 or array.shape[1] == 0 or array.dtype.kind not in "biuf":
        validate.refuse_array(name, array)
    return ArraySource(array, weights, name)
