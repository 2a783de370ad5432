"""One table split by a column into several."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import validate
from ...core.columns import require_unique
from ...core.validate import Words
from .table import RawTable


def split(
    table: RawTable, group: str, drop: bool, words: Words, *, pair: bool = False, only: Sequence[str] = ()
) -> tuple[list[RawTable], int]:
    """Return the rows of each value of a column, the one that comes first in the table first; and how many have none.

    Rows without a value are left out where `drop` says so, and refused elsewhere; `pair` asks for exactly two values.
    Of `only`, values as text, come those groups alone, in this order.
    """
    validate.require_column(table.columns, group, words.group, table.name)
    labels = table.labels(group)
    missing = np.array([label is None or label != label for label in labels])
    if not drop:
        validate.require_labelled(int(missing.sum()), group, table.name, words)
    rows: dict[Any, list[int]] = {}
    for row in np.flatnonzero(~missing):
        rows.setdefault(labels[row], []).append(int(row))
    if only:
        validate.require_values(only, list(map(str, rows)), group, table.name, words)
        rows = {value: rows[value] for name in only for value in rows if str(value) == name}
    require = validate.require_two_groups if pair else validate.require_several_groups
    require(list(rows), group, words)
    require_unique(tuple(rows), words.group)
    full = [f"{group} = {value}" for value in rows]
    parts = [
        table.part(np.array(kept), name, name if pair else str(value))
        for (value, kept), name in zip(rows.items(), full, strict=True)
    ]
    return parts, int(missing.sum())
