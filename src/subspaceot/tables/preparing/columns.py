"""Which columns are compared: those that all tables have, of numbers, or of categories that are to be encoded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core import validate
from ...core.validate import Words
from .kinds import Kind, kinds_of, why_not_numbers
from .report import LeftOut, Reason
from .settings import Settings
from .table import RawTable


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are compared, in the order of the first table, and the others."""

    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    def without(self, columns: Sequence[LeftOut]) -> "Columns":
        """Return the columns with some more of them left out."""
        gone = {column.name for column in columns}
        numbers, categories = (
            tuple(name for name in names if name not in gone) for names in (self.numbers, self.categories)
        )
        return replace(self, numbers=numbers, categories=categories, left_out=(*self.left_out, *columns))


def choose_columns(tables: Sequence[RawTable], settings: Settings, words: Words) -> Columns:
    """Return the columns that are compared, and why others are not."""
    _require_named(tables, settings, words)
    held = [set(table.columns) for table in tables]
    in_all = set.intersection(*held)
    apart = {*settings.aside, *settings.ignore}
    left_out = [
        LeftOut(name, Reason.NOT_IN_ALL, f" of {table.name}")
        for table in tables
        for name in table.columns
        if name not in in_all and name not in apart
    ]
    ignored = dict.fromkeys(name for table in tables for name in table.columns if name in settings.ignore)
    left_out += [LeftOut(name, Reason.ASKED) for name in ignored]
    kinds = [kinds_of(table) for table in tables]
    numbers, categories = [], []
    for name in tables[0].columns:
        if name not in in_all or name in apart:
            continue
        found = {kind[name] for kind in kinds}
        named = not isinstance(settings.encode, bool) and name in settings.encode
        if named or (settings.encodes(name) and found == {Kind.CATEGORIES}):
            categories.append(name)
        elif found == {Kind.NUMBERS}:
            numbers.append(name)
        else:
            left_out.append(_left_out(name, tables, [kind[name] for kind in kinds], words))
    return Columns(tuple(numbers), tuple(categories), tuple(left_out))


def _left_out(name: str, tables: Sequence[RawTable], kinds: Sequence[Kind], words: Words) -> LeftOut:
    """Return a column that all tables have, of these kinds, with the reason why it is not compared."""
    if Kind.NOTHING in kinds:
        return LeftOut(name, Reason.NO_VALUES)
    if set(kinds) == {Kind.TIMES}:
        return LeftOut(name, Reason.TIMES)
    table = next(table for table, kind in zip(tables, kinds, strict=True) if kind is not Kind.NUMBERS)
    return LeftOut(name, Reason.NO_NUMBERS, why_not_numbers(table, name, words))


def _require_named(tables: Sequence[RawTable], settings: Settings, words: Words) -> None:
    """Raise ValueError where a column that was named is in no table, or not in all where it must be."""
    for purpose, column in settings.named:
        for table in tables:
            validate.require_column(table.columns, column, getattr(words, purpose), table.name)
    anywhere = list(dict.fromkeys(name for table in tables for name in table.columns))
    for column in settings.ignore:
        validate.require_column(anywhere, column, words.ignore, tables[0].name)
    if not isinstance(settings.encode, bool):
        for column in settings.encode:
            for table in tables:
                validate.require_column(table.columns, column, words.encode, table.name)
