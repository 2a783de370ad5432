"""One table as it came: columns of any kind, rows with gaps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core import dataframes, validate
from ...core.columns import require_unique
from ...runtime.types import Array, Indices, Mask

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


@dataclass(frozen=True, slots=True, eq=False)
class RawTable:
    """A table of any library, its columns called by text."""

    name: str  # in messages
    sample: str  # what its rows are called in answers
    frame: "nw.DataFrame[Any]"
    rows: NDArray[Any]  # (n,) labels
    position: Mapping[str, int]  # of each column
    unreadable: Mapping[str, str] = field(default_factory=dict)  # columns that would be rounded, with the sentence

    @classmethod
    def of(cls, value: Any, name: str, sample: str, unreadable: Mapping[str, str] | None = None) -> "RawTable":
        """Return a table that a caller has passed."""
        frame: Any = dataframes.opened(value, name)
        validate.require_frame(frame, value, f"`{name}`")
        require_unique(frame.columns, name)
        validate.require_rows(len(frame), f"`{name}`")
        rows = dataframes.row_labels(value, name)
        position = {str(label): j for j, label in enumerate(frame.columns)}
        labels = np.arange(len(frame)) if rows is None else rows
        return cls(name, sample, frame, labels, position, unreadable or {})

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.position)

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> "nw.Series[Any]":
        """Return one column."""
        column: nw.Series[Any] = self.frame[:, self.position[name]]
        return column

    def dtypes(self) -> "dict[str, nw.dtypes.DType]":
        """Return the type of each column."""
        return dict(zip(self.position, self.frame.schema.values(), strict=True))

    def numbers(self, names: Sequence[str]) -> Array:
        """Return columns (n, p) of numbers, missing ones as NaN; a number that would be rounded is refused."""
        validate.require_readable(names, self.unreadable)
        if not names:
            return np.empty((len(self), 0))
        return dataframes.read_values(self.frame[:, [self.position[name] for name in names]], self.name)

    def texts(self, name: str) -> NDArray[Any]:
        """Return the entries (n,) of a column as text, None where one is missing."""
        column = self.column(name)
        missing = column.is_null().to_list()
        texts = np.empty(len(self), dtype=object)
        texts[:] = [None if gap else str(entry) for entry, gap in zip(column.to_list(), missing, strict=True)]
        return texts

    def labels(self, name: str) -> NDArray[Any]:
        """Return the entries (n,) of a column as they are, None where one is missing."""
        column = self.column(name)
        labels = np.empty(len(self), dtype=object)
        labels[:] = [None if gap else x for x, gap in zip(column.to_list(), column.is_null().to_list(), strict=True)]
        return labels

    def part(self, kept: Mask | Indices, name: str, sample: str) -> "RawTable":
        """Return some of the rows under another name."""
        rows = np.flatnonzero(kept) if kept.dtype == bool else kept
        return replace(self, name=name, sample=sample, frame=self.frame[rows.tolist(), :], rows=self.rows[rows])
