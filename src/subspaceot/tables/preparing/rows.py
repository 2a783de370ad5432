"""The rows of tables as numbers: gaps left out or filled in, categories as indicator columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core import validate
from ...core.validate import Words
from ...runtime.types import Array, Mask
from .columns import Columns
from .report import LeftOut, Reason
from .sample import Sample
from .settings import Settings
from .table import RawTable

NOT_GIVEN = "(missing)"  # the category of rows that have none, where missing values are filled in


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of one table."""

    table: RawTable
    numbers: Array  # (n, p) missing ones NaN
    texts: Mapping[str, NDArray[Any]]  # column of categories -> (n,) text, None where there is none
    labels: Mapping[str, NDArray[Any]]  # "units", "strata" -> (n,)
    weights: Array | None  # (n,)

    @classmethod
    def of(cls, table: RawTable, columns: Columns, settings: Settings, words: Words) -> "Rows":
        """Return all rows of a table."""
        texts = {name: table.texts(name) for name in columns.categories}
        labels = {purpose: table.labels(column) for purpose, column in settings.labels.items()}
        return cls(table, table.numbers(columns.numbers), texts, labels, _weights_of(table, settings, words))

    def empty(self, columns: Columns) -> set[str]:
        """Return the columns that have no value."""
        empty = {name for j, name in enumerate(columns.numbers) if np.isnan(self.numbers[:, j]).all()}
        return empty | {name for name, texts in self.texts.items() if all(text is None for text in texts)}

    def without(self, columns: Columns, gone: set[str]) -> "Rows":
        """Return the rows without some of `columns`."""
        kept = [j for j, name in enumerate(columns.numbers) if name not in gone]
        texts = {name: values for name, values in self.texts.items() if name not in gone}
        return replace(self, numbers=self.numbers[:, kept], texts=texts)

    def gaps(self, columns: Columns, settings: Settings) -> dict[str, Mask]:
        """Return column -> which rows (n,) have no finite value there, of the columns where any has none."""
        bad = ~np.isfinite(self.numbers)
        gaps = {name: bad[:, j] for j, name in enumerate(columns.numbers) if bad[:, j].any()}
        if self.weights is not None and settings.weights is not None:
            gaps[settings.weights] = ~np.isfinite(self.weights)
        for purpose, values in self.labels.items():
            gaps[settings.labels[purpose]] = _are_missing(values)
        gaps |= {name: _are_missing(texts) for name, texts in self.texts.items()}
        return {name: rows for name, rows in gaps.items() if rows.any()}

    def filled(self, values: Array) -> "Rows":
        """Return the rows with missing numbers, not infinite ones, as `values` (p,), and missing categories as one."""
        numbers = np.where(np.isnan(self.numbers), values, self.numbers)
        texts = {name: np.where(_are_missing(given), NOT_GIVEN, given) for name, given in self.texts.items()}
        return replace(self, numbers=numbers, texts=texts)

    def part(self, kept: Mask) -> "Rows":
        """Return some of the rows."""
        return Rows(
            self.table.part(kept, self.table.name, self.table.sample),
            self.numbers[kept],
            {name: values[kept] for name, values in self.texts.items()},
            {purpose: values[kept] for purpose, values in self.labels.items()},
            None if self.weights is None else self.weights[kept],
        )

    def sample(self, points: Array, settings: Settings, words: Words) -> Sample:
        """Return the rows as weighted points; `points` (n, d) are their numbers with categories encoded."""
        rows, weights = self.table.rows, self.weights
        if weights is not None and settings.weights is not None:
            validate.require_valid_weights(weights, rows, settings.weights, self.table.name, words)
        valid = validate.as_points(np.ascontiguousarray(points), self.table.name)
        units, strata = self.labels.get("units"), self.labels.get("strata")
        return Sample(self.table.sample, valid, weights, rows, units, strata)


def without_empty(columns: Columns, rows: Sequence[Rows]) -> tuple[Columns, list[Rows]]:
    """Return the columns that have a value in each table, and the rows with them alone."""
    gone = set.union(*(each.empty(columns) for each in rows))
    lost = [LeftOut(name, Reason.NO_VALUES) for name in (*columns.numbers, *columns.categories) if name in gone]
    return columns.without(lost), [each.without(columns, gone) for each in rows] if gone else list(rows)


def fill(rows: Sequence[Rows], how: str) -> list[Rows]:
    """Return the rows with missing values filled in: by the mean or median of all rows, whichever table they are in.

    The values do not depend on which table a row is in, so that a permutation test stays exact.
    """
    pooled = np.concatenate([each.numbers for each in rows])
    known = np.where(np.isfinite(pooled), pooled, np.nan)
    values = np.nanmean(known, axis=0) if how == "mean" else np.nanmedian(known, axis=0)
    return [each.filled(values) for each in rows]


def _weights_of(table: RawTable, settings: Settings, words: Words) -> Array | None:
    if settings.weights is None:
        return None
    dtype = table.dtypes()[settings.weights]
    numeric = settings.weights in table.unreadable or dtype.is_numeric()
    validate.require_numeric_weights(numeric, settings.weights, table.name, words)
    return table.numbers([settings.weights])[:, 0]


def _are_missing(values: NDArray[Any]) -> Mask:
    return np.fromiter((value is None for value in values), bool, len(values))
