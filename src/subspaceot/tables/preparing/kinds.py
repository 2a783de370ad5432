"""What the columns of a table hold: numbers, times, categories, nothing, or something else."""

import datetime
import enum
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import exact_numbers
from ...core.validate import Words
from ...runtime.lines import count
from .table import RawTable

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_TIMES = (datetime.date, datetime.time, datetime.datetime, datetime.timedelta)
_DATE = re.compile(r"\s*(\d{4}([/-])\d{1,2}\2\d{1,2}|\d{1,2}([./-])\d{1,2}\3(\d{2}|\d{4}))([T ,]+\d.*)?")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")


class Kind(enum.Enum):
    """What the entries of a column are."""

    NUMBERS = enum.auto()
    TIMES = enum.auto()
    CATEGORIES = enum.auto()
    NOTHING = enum.auto()  # not one entry
    OTHER = enum.auto()


def kinds_of(table: RawTable) -> dict[str, Kind]:
    """Return the kind of each column; of numbers it is not known yet whether there are any."""
    return {name: _kind(table, name, dtype) for name, dtype in table.dtypes().items()}


def _kind(table: RawTable, name: str, dtype: "nw.dtypes.DType") -> Kind:
    import narwhals.stable.v2 as nw

    if name in table.unreadable or dtype.is_numeric() or isinstance(dtype, nw.Boolean):
        return Kind.NUMBERS
    if isinstance(dtype, nw.Datetime | nw.Date | nw.Duration | nw.Time):
        return Kind.TIMES
    if not isinstance(dtype, nw.String | nw.Categorical | nw.Enum | nw.Object | nw.Unknown):
        return Kind.OTHER
    return _kind_of_entries(table.column(name).drop_nulls().to_list())


def _kind_of_entries(entries: list[Any]) -> Kind:
    if not entries:
        return Kind.NOTHING
    types = set(map(type, entries))
    if all(issubclass(kind, _TIMES) for kind in types):
        return Kind.TIMES
    if types == {str}:
        return Kind.TIMES if all(map(_DATE.fullmatch, entries)) else Kind.CATEGORIES
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    if exact_numbers.is_numeric(array):
        return Kind.NUMBERS
    return Kind.OTHER if any(issubclass(kind, complex | list | dict | bytes) for kind in types) else Kind.CATEGORIES


def why_not_numbers(table: RawTable, name: str, words: Words) -> str:
    """Return a hint where a column is numbers but for a few entries: one typing error hides the column."""
    texts = table.texts(name)
    given = [(row, text) for row, text in zip(table.rows, texts, strict=True) if text is not None]
    bad = [(row, text) for row, text in given if not is_number(text)]
    if bad and all(map(_DECIMAL_COMMA.fullmatch, (text for _, text in bad))):
        return f" (row {bad[0][0]} holds {bad[0][1]!r}: a decimal comma, {words.decimal})"
    if not bad or 2 * len(bad) > len(given):
        return ""
    others = count(len(given) - len(bad), "other")
    return f" (row {bad[0][0]} holds {bad[0][1]!r}; {others} are numbers)"


def is_number(text: str) -> bool:
    """Return whether a text stands for a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
