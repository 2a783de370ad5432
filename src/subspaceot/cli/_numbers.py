"""Columns as doubles, and the integers among them that a double cannot hold: they are found before they are rounded.

A double holds every integer up to 2^53 and some beyond. What is written with a decimal point or an exponent stands for
the nearest double, as everywhere; an integer stands for itself.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

EXACT = 2**53  # every integer up to here is a double

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DIGITS = 400  # of an integer: beyond the largest double, and short enough for Python to convert


@dataclass(frozen=True, slots=True)
class Inexact:
    """An integer in a column that no double is equal to."""

    row: int  # counted from 1
    value: int | Decimal

    def __str__(self) -> str:
        digits = str(self.value)
        shown = digits if len(digits) <= 50 else f"{digits[:20]}... ({len(digits)} digits)"
        return f"row {self.row} is {shown}, and the nearest double is {_nearest(self.value):.17g}"


def as_doubles(frame: "pd.DataFrame") -> "tuple[pd.DataFrame, dict[str, Inexact]]":
    """Return the table with its columns of Python's numbers as doubles, and the first inexact integer of each column.

    A column with an inexact integer stays as it is: it may still name groups. So do columns that are not numbers.
    """
    from pandas.api.types import is_integer_dtype

    inexact: dict[str, Inexact] = {}
    frame = frame.copy(deep=False)
    for at, name in enumerate(frame.columns):
        column = frame.iloc[:, at]
        if is_integer_dtype(column.dtype):
            large = ((column > EXACT) | (column < -EXACT)).to_numpy(dtype=bool, na_value=False)
            rows = np.flatnonzero(large)
            found = _first_inexact(zip((rows + 1).tolist(), column.iloc[rows].tolist(), strict=True))
        elif column.dtype == object and _are_numbers(column):
            entries = [None if gap else entry for entry, gap in zip(column, column.isna(), strict=True)]
            found = _first_inexact(enumerate(entries, start=1))
            if found is None:
                frame.isetitem(at, np.array([np.nan if entry is None else float(entry) for entry in entries]))
        else:
            found = None
        if found is not None:
            inexact[name] = found
    return frame, inexact


def from_text(column: "pd.Series") -> "pd.Series | None":
    """Return a column of text as Python's numbers, integers of any length; None where some entry is no number."""
    given = column.dropna()
    numbers = []
    for entry in given:
        number = _number(str(entry))
        if number is None:
            return None
        numbers.append(number)
    result = column.astype(object)
    result[given.index] = numbers
    return result


def _are_numbers(column: "pd.Series") -> bool:
    """Return whether all entries of a column of objects are Python's numbers, at least one of them."""
    kinds = set(map(type, column.dropna()))
    return bool(kinds) and kinds <= {int, float, Decimal}


def _first_inexact(entries: Iterable[tuple[int, Any]]) -> Inexact | None:
    for row, value in entries:
        if _is_integer(value) and _nearest(value) != value:  # Python compares integers and doubles exactly
            return Inexact(row, value)
    return None


def _is_integer(value: Any) -> bool:
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        return isinstance(exponent, int) and exponent >= 0
    return isinstance(value, int)


def _nearest(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _number(text: str) -> int | float | None:
    """Return the number that a text stands for; None where it is no number."""
    text = text.strip()
    if _INTEGER.fullmatch(text) and len(text) <= _DIGITS:
        return int(text)
    if not text.isascii() or "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None
