"""Chunks of Parquet files, folders of them and pyarrow datasets: batches of a few row groups."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import validate
from ..runtime.types import Array
from .block import Block
from .source import Piece, Whole, block_rows

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.dataset

_PIECE_ROWS = 500_000  # of one piece, about: where row groups are small, several of them


@dataclass(frozen=True, eq=False, slots=True)
class FragmentPiece(Whole):
    """Some row groups of a file, or all of a file of another format."""

    fragment: "pyarrow.dataset.Fragment"
    first: int  # number of the first row in the file
    labels: tuple[str, ...]
    weight: str | None
    name: str

    def blocks(self) -> Iterator[Block]:
        """Yield the rows as float64."""
        columns = [*self.labels, *([] if self.weight is None else [self.weight])]
        size, first = block_rows(len(self.labels)), self.first
        # No reading ahead: each batch that waits takes as much memory as a block.
        batches = self.fragment.to_batches(
            columns=columns, batch_size=size, batch_readahead=1, fragment_readahead=0, use_threads=False
        )
        for batch in batches:
            for start in range(0, batch.num_rows, size):  # some formats ignore the size asked for
                part = batch.slice(start, size)
                yield self._block(part, first)
                first += part.num_rows

    def _block(self, batch: "pyarrow.RecordBatch", first: int) -> Block:
        points = np.empty((batch.num_rows, len(self.labels)))
        for j, label in enumerate(self.labels):
            points[:, j] = self._numbers(batch.column(j), first, label)
        weights = None
        if self.weight is not None:
            weights = self._numbers(batch.column(len(self.labels)), first, self.weight)
        return Block(points, weights, self.file, first)

    def _numbers(self, column: "pyarrow.Array", first: int, label: str) -> Array:
        """Return a column as float64, nothing rounded."""
        if column.null_count:
            row = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
            validate.refuse_missing(self.name, self.file, first + row, label)
        values = column.to_numpy(zero_copy_only=False)
        return validate.require_doubles(values, self.name, self.file, first, label)

    @property
    def file(self) -> str:
        """The name of the file."""
        return str(getattr(self.fragment, "path", f"`{self.name}`"))


@dataclass(frozen=True, eq=False, slots=True)
class DatasetSource:
    """The rows of a pyarrow dataset."""

    dataset: "pyarrow.dataset.Dataset"
    name: str
    labels: tuple[str, ...]
    weight: str | None

    @property
    def d(self) -> int:
        """The number of columns."""
        return len(self.labels)

    @property
    def rows(self) -> int:
        """The number of rows, which Parquet files know."""
        return int(self.dataset.count_rows())

    @property
    def identity(self) -> dict[str, Any]:
        """Names, sizes and times of the files, and the columns."""
        files = []
        for path in getattr(self.dataset, "files", []):
            status = os.stat(path) if os.path.exists(path) else None
            files.append([path] if status is None else [path, status.st_size, status.st_mtime_ns])
        return {"files": files, "columns": list(self.labels), "weight": self.weight}

    def pieces(self) -> Sequence[Piece]:
        """Return the row groups of all files."""
        pieces: list[Piece] = []
        for fragment in self.dataset.get_fragments():
            first = 0
            for part, rows in _parts(fragment):
                pieces.append(FragmentPiece(part, first, self.labels, self.weight, self.name))
                first += rows
        return pieces

    def with_columns(self, labels: Sequence[str]) -> "DatasetSource":
        """Return the same data with the columns in this order."""
        return replace(self, labels=tuple(labels))


def dataset_source(dataset: Any, weight: str | None, name: str, weight_name: str) -> DatasetSource:
    """Return the source of a dataset; columns that are no numbers are refused, here and now."""
    for field in dataset.schema:
        if not is_number(field.type):
            validate.refuse_kind(name, field.name, field.type, "the dataset")
    if weight is not None and weight not in dataset.schema.names:
        shown = ", ".join(map(repr, dataset.schema.names[:8]))
        validate.refuse_weights(weight_name, f"names no column: {weight!r}", f"The columns are {shown}.")
    labels = tuple(label for label in dataset.schema.names if label != weight)
    return DatasetSource(dataset, name, labels, weight)


def is_number(kind: Any) -> bool:
    """Return whether a type of Arrow's holds real numbers."""
    import pyarrow.types as types

    return any(test(kind) for test in (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal))


def opened_path(path: str | os.PathLike[str], name: str) -> Any:
    """Return the dataset in a file or folder, or the array in a .npy file."""
    path = os.path.abspath(os.fspath(path))
    if not os.path.exists(path):
        validate.refuse_file(name, path, "does not exist")
    if path.lower().endswith(".npy"):
        return np.load(path, mmap_mode="r")
    if not os.path.isdir(path) and not path.lower().endswith((".parquet", ".pq")):
        validate.refuse_file(name, path, "ends otherwise")
    try:
        import pyarrow
        import pyarrow.dataset
    except ImportError as error:
        raise ImportError("Parquet files need pyarrow. Install it with: pip install 'subspaceot[data]'") from error
    files = _parquet_files(path, name) if os.path.isdir(path) else [path]
    try:
        dataset = pyarrow.dataset.dataset(files, format="parquet")
    except pyarrow.ArrowException as error:
        validate.refuse_file(name, path, f"is no readable Parquet data: {str(error).splitlines()[0]}")
    _require_same_columns(dataset, name)
    return dataset


def _parquet_files(folder: str, name: str) -> list[str]:
    """Return the Parquet files of a folder and its folders, in the order of their names; hidden ones left out."""
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(inner for inner in folders if not inner.startswith((".", "_")))
        found += [
            os.path.join(root, file)
            for file in sorted(files)
            if file.lower().endswith((".parquet", ".pq")) and not file.startswith((".", "_"))
        ]
    if not found:
        validate.refuse_file(name, folder, "is a folder without Parquet files")
    return found


def _require_same_columns(dataset: Any, name: str) -> None:
    """Refuse a folder in which a file has other columns than the first: pyarrow would fill in missing values."""
    for fragment in dataset.get_fragments():
        names = fragment.physical_schema.names
        validate.match_columns(
            dataset.schema.names, names, len(dataset.schema.names), len(names), name, f"{fragment.path}"
        )


def _parts(fragment: Any) -> Iterator[tuple[Any, int]]:
    """Yield parts of a fragment with about so many rows, each with its number of rows."""
    groups = getattr(fragment, "row_groups", None)
    if not groups:  # of another format, or empty
        yield fragment, 0
        return
    chosen: list[int] = []
    rows = 0
    for group in groups:
        chosen.append(group.id)
        rows += group.num_rows
        if rows >= _PIECE_ROWS:
            yield fragment.subset(row_group_ids=chosen), rows
            chosen, rows = [], 0
    if chosen:
        yield fragment.subset(row_group_ids=chosen), rows
