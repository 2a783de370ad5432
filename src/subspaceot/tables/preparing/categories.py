"""Categories as indicator columns: 1 where a row has the category, 0 elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...core import validate
from ...core.validate import Words
from ...runtime.types import Array
from .columns import Columns
from .report import LeftOut, Reason
from .rows import Rows
from .settings import Settings

MOST_CATEGORIES = 50  # of one column: each is one more dimension
LEAST_ROWS = 2  # for each category on average, in one table at least: names of rows have fewer


@dataclass(frozen=True, slots=True)
class Features:
    """The coordinates of points: columns of numbers, and one for each category of the others."""

    names: tuple[str, ...]
    blocks: tuple[int, ...]  # of each coordinate: those of one column of categories are in one block
    encoded: dict[str, tuple[str, ...]] = field(default_factory=dict)  # column -> its categories


def few_categories(
    columns: Columns, rows: Sequence[Rows], settings: Settings, words: Words
) -> tuple[Columns, list[Rows]]:
    """Return the columns without those of one category, and of too many; one of too many that was named is refused."""
    lost = []
    for name in columns.categories:
        found = len(_categories(name, rows))
        if found == 1 and not settings.fills:
            lost.append(LeftOut(name, Reason.CONSTANT))
        elif not isinstance(settings.encode, bool):
            validate.require_few_categories(name, found, MOST_CATEGORIES, words)
        elif found > MOST_CATEGORIES or all(LEAST_ROWS * _count(name, each) > len(each.numbers) for each in rows):
            lost.append(LeftOut(name, Reason.TOO_MANY, f" ({found})"))
    gone = {column.name for column in lost}
    return columns.without(lost), [each.without(columns, gone) for each in rows] if gone else list(rows)


def encode(columns: Columns, order: Sequence[str], rows: Sequence[Rows]) -> tuple[Features, list[Array]]:
    """Return the coordinates, in the order of the columns, and the points (n, d) of each table."""
    if not columns.categories:
        return Features(columns.numbers, tuple(range(len(columns.numbers)))), [each.numbers for each in rows]
    names: list[str] = []
    blocks: list[int] = []
    parts: list[list[Array]] = [[] for _ in rows]
    encoded: dict[str, tuple[str, ...]] = {}
    at = {name: j for j, name in enumerate(columns.numbers)}
    for block, column in enumerate(name for name in order if name in at or name in columns.categories):
        if column in at:
            names.append(column)
            blocks.append(block)
            for part, each in zip(parts, rows, strict=True):
                part.append(each.numbers[:, at[column], None])
            continue
        encoded[column] = tuple(_categories(column, rows))
        names += [f"{column}={category}" for category in encoded[column]]
        blocks += [block] * len(encoded[column])
        for part, each in zip(parts, rows, strict=True):
            part.append(np.column_stack([each.texts[column] == category for category in encoded[column]]) * 1.0)
    return Features(tuple(names), tuple(blocks), encoded), [np.hstack(part) for part in parts]


def _count(column: str, rows: Rows) -> int:
    return len(_categories(column, [rows]))


def _categories(column: str, rows: Sequence[Rows]) -> list[str]:
    """Return the categories of a column over all tables, sorted."""
    return sorted({text for each in rows for text in each.texts[column] if text is not None})
