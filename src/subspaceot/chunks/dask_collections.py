"""Chunks of Dask arrays and dataframes: their partitions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core import validate
from ..runtime.types import Array
from .block import Block
from .source import Piece, Source, block_rows


@dataclass(frozen=True, eq=False, slots=True)
class PartitionPiece:
    """One partition: a value to be computed, or on the worker that has computed it, the value."""

    part: Any  # an array (r, d) or a table
    weights: Any  # (r,) likewise; None for none, and where a column of the table has them
    number: int
    labels: tuple[str, ...] | None
    weight: str | None
    name: str

    @property
    def can_be_sent(self) -> bool:
        """It is a graph of tasks."""
        return True

    @property
    def data(self) -> tuple[Any, ...]:
        """The partition, and its weights."""
        return self.part, self.weights

    @property
    def without_data(self) -> "PartitionPiece":
        """The piece without them."""
        return replace(self, part=None, weights=None)

    def with_data(self, *data: Any) -> "PartitionPiece":
        """Return the piece with what the cluster has computed."""
        part, weights = data
        return replace(self, part=part, weights=weights)

    def blocks(self) -> Iterator[Block]:
        """Yield the rows as float64."""
        part, weights = (_computed(value) for value in (self.part, self.weights))
        size = block_rows(part.shape[1])
        for first in range(0, len(part), size):
            rows = slice(first, first + size)
            if self.labels is None:
                points = validate.require_doubles(np.ascontiguousarray(part[rows]), self.name, self.file, first)
                w = None if weights is None else np.asarray(weights[rows], dtype=np.float64)
            else:
                table = part.iloc[rows]
                columns = [self._numbers(table[label], first, label) for label in self.labels]
                points = np.ascontiguousarray(np.column_stack(columns))
                w = None if self.weight is None else self._numbers(table[self.weight], first, self.weight)
            yield Block(points, w, self.file, first)

    def _numbers(self, column: Any, first: int, label: str) -> Array:
        """Return a column of a pandas table as float64, nothing rounded."""
        missing = column.isna().to_numpy()
        if missing.any():
            validate.refuse_missing(self.name, self.file, first + int(np.argmax(missing)), label)
        numeric = getattr(column.dtype, "numpy_dtype", None)  # pandas' own types and those of pyarrow
        values = column.to_numpy() if numeric is None else column.to_numpy(dtype=numeric)
        return validate.require_doubles(values, self.name, self.file, first, label)

    @property
    def file(self) -> str:
        """What messages call the partition."""
        return f"partition {self.number} of `{self.name}`"


@dataclass(frozen=True, eq=False, slots=True)
class DaskSource:
    """The rows of a Dask array or dataframe."""

    collection: Any
    weights: Any  # a Dask array (n,) in the same chunks; None for none, and where a column has them
    name: str
    labels: tuple[str, ...] | None
    weight: str | None

    @property
    def d(self) -> int:
        """The number of columns."""
        return int(self.collection.shape[1]) if self.labels is None else len(self.labels)

    @property
    def rows(self) -> int | None:
        """The number of rows, where Dask knows it."""
        if self.labels is not None or np.isnan(self.collection.shape[0]):
            return None
        return int(self.collection.shape[0])

    @property
    def identity(self) -> dict[str, Any]:
        """The names that Dask gives to what is computed the same way."""
        parts = self.collection.npartitions
        names = [getattr(value, "name", getattr(value, "_name", "")) for value in (self.collection, self.weights)]
        frame = None if self.labels is None else self.collection._name
        return {"dask": [str(frame or names[0]), str(names[1])], "parts": parts, "weight": self.weight}

    def pieces(self) -> Sequence[Piece]:
        """Return the partitions."""
        parts = self.collection.to_delayed()
        if self.labels is None:
            parts = parts.ravel().tolist()
        weights = [None] * len(parts) if self.weights is None else self.weights.to_delayed().ravel().tolist()
        return [
            PartitionPiece(part, w, number, self.labels, self.weight, self.name)
            for number, (part, w) in enumerate(zip(parts, weights, strict=True))
        ]

    def with_columns(self, labels: Sequence[str]) -> "DaskSource":
        """Return the same data with the columns in this order."""
        return self if self.labels is None else replace(self, labels=tuple(labels))


def dask_source(value: Any, weights: Any, name: str, weights_name: str) -> Source:
    """Return the source of a Dask array, or of a dataframe, whose columns must be numbers."""
    if hasattr(value, "dtypes"):
        return _frame_source(value, weights, name, weights_name)
    if value.ndim != 2 or value.dtype.kind not in "biuf":
        validate.refuse_array(name, value)
    value = value.rechunk({1: -1})
    if weights is not None:
        if isinstance(weights, str) or getattr(weights, "ndim", 1) != 1:
            fix = "Pass one number per row, or None."
            validate.refuse_weights(weights_name, f"must be an array, as `{name}` has no names of columns", fix)
        import dask.array

        weights = dask.array.asarray(weights).rechunk((value.chunks[0],))
    return DaskSource(value, weights, name, None, None)


def _frame_source(frame: Any, weight: Any, name: str, weights_name: str) -> DaskSource:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    for label, dtype in frame.dtypes.items():
        if not (is_numeric_dtype(dtype) or is_bool_dtype(dtype)) or getattr(dtype, "kind", "f") == "c":
            validate.refuse_kind(name, label, dtype, f"`{name}`")
    frame = frame.rename(columns=str)
    labels = tuple(frame.columns)
    if weight is not None and weight not in labels:
        shown = ", ".join(map(repr, labels[:8]))
        validate.refuse_weights(weights_name, f"names no column: {weight!r}", f"The columns are {shown}.")
    return DaskSource(frame, None, name, tuple(label for label in labels if label != weight), weight)


def _computed(value: Any) -> Any:
    """Return the value itself, computed here where nobody has."""
    return value.compute(scheduler="synchronous") if hasattr(value, "compute") else value
