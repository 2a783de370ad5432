"""Points with what their columns and rows are called, and how the columns of two tables are matched."""

import reprlib
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..runtime.types import Array

Labels: TypeAlias = tuple[Hashable, ...]  # of columns, as the table has them: pandas allows more than strings

NAMED_IN_MESSAGES = 5  # columns at most


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Points:
    """Points that were found valid, and what their columns and rows are called: every function takes them."""

    values: Array  # (n, d)
    labels: Labels | None = None  # of the d columns; None for an array
    index: NDArray[Any] | None = None  # (n,) labels of the rows; None where they have none but their position
    scales: Array | None = None  # (d,) what the columns were divided by; None where they are as they came

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        n, d = self.values.shape
        return n, d

    @property
    def names(self) -> tuple[str, ...] | None:
        """The labels as text."""
        return None if self.labels is None else tuple(str(label) for label in self.labels)

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The points as an array of NumPy's."""
        return np.array(self.values, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        """How many there are, and their columns."""
        n, d = self.shape
        columns = f"{d} columns" if self.labels is None else f"{d} columns: {listed(self.labels)}"
        return f"Points({n} rows, {columns})"


def reordered(points: Points, labels: Sequence[Hashable], name: str, other: str) -> Points:
    """Return points with their columns in the order of `labels`, those of `other`; those of an array as they are."""
    if points.labels is None or points.labels == tuple(labels):
        return points
    position, wanted = {label: j for j, label in enumerate(points.labels)}, set(labels)
    missing = {f"`{name}`": [label for label in labels if label not in position]}
    missing[other] = [label for label in points.labels if label not in wanted]
    if any(missing.values()):
        lists = "; ".join(f"missing in {where}: {listed(absent)}" for where, absent in missing.items() if absent)
        raise ValueError(
            f"{other} and `{name}` must have the same columns; {lists}. Select or rename columns, or pass arrays "
            f"to match them by position."
        )
    order = [position[label] for label in labels]
    scales = None if points.scales is None else points.scales[order]
    return replace(points, values=np.take(points.values, order, axis=1), labels=tuple(labels), scales=scales)


def listed(labels: Sequence[Hashable]) -> str:
    """Return the first few labels, and how many more there are."""
    shown = ", ".join(reprlib.repr(label) for label in labels[:NAMED_IN_MESSAGES])
    return shown if len(labels) <= NAMED_IN_MESSAGES else f"{shown} and {len(labels) - NAMED_IN_MESSAGES} more"


def require_unique(labels: Sequence[Hashable], name: str) -> None:
    """Raise ValueError where two columns have the same name as text, in which results show them."""
    counts = Counter(str(label) for label in labels)
    if len(counts) < len(labels):
        repeated, count = counts.most_common(1)[0]
        raise ValueError(
            f"`{name}` must have a different name for each column; {reprlib.repr(repeated)} names {count} of them. "
            f"Rename or drop columns."
        )
