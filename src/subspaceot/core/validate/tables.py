"""Tables as they come, of which a part is compared: what nothing can be made of, and what to do about it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...runtime.lines import count
from ...runtime.types import Array, Mask
from ..columns import listed
from .messages import described

_COUNTED = 12  # columns whose missing values a message counts


@dataclass(frozen=True, slots=True)
class Words:
    """What the caller calls the choices in messages: the arguments of a function, or the options of a command."""

    group: str = "`group`"
    value: str = "`values`"
    weights: str = "`weights`"
    units: str = "`units`"
    strata: str = "`strata`"
    ignore: str = "`ignore`"
    encode: str = "`encode`"
    drop: str = '`missing="drop"`'
    standardize: str = '`scale="standard"`'
    decimal: str = "to be replaced by a point"  # what is to be done with a decimal comma


def as_names(value: Any, name: str) -> tuple[str, ...]:
    """Return names of columns as text: one, or several."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        value = [value]
    names = tuple(str(label) for label in value)
    if not all(names):
        raise ValueError(f"`{name}` must hold names of columns; got an empty one in {described(value)}.")
    return names


def as_several_tables(first: Any, second: Any, group: Any) -> Mapping[str, Any] | None:
    """Return name -> table of several tables; None where a column of one table, `group`, says what belongs where."""
    if group is not None:
        if second is not None or isinstance(first, Mapping):
            raise ValueError("`group` splits one table; got several. Leave out `group`, or pass one table.")
        return None
    if isinstance(first, Mapping):
        if second is not None:
            raise ValueError("`B` must be left out where `A` is a dict of tables. Put all tables into the dict.")
        if len(first) < 2:
            raise ValueError(f"`A` must hold at least two tables where it is a dict; got {len(first)}.")
        return {str(name): table for name, table in first.items()}
    if second is None:
        raise ValueError("`B` must be a second table; got None. Pass it, or `group`, a column that splits `A`.")
    return {"A": first, "B": second}


def require_frame(table: Any, value: object, name: str) -> None:
    """Raise TypeError unless a value was read as a table with named columns."""
    if table is None or not hasattr(table, "columns"):
        raise TypeError(
            f"{name} must be a table with named columns, such as a data frame of pandas or polars; got "
            f"{type(value).__name__}. An array needs no preparing, or becomes a table by `pandas.DataFrame(array)`."
        )


def require_rows(rows: int, name: str) -> None:
    """Raise ValueError where a table is empty."""
    if rows == 0:
        raise ValueError(f"{name} must have at least one row; got none.")


def require_column(columns: Collection[str], column: str, option: str, name: str) -> None:
    """Raise ValueError unless a table has this column."""
    if column not in columns:
        raise ValueError(f"{option} {column!r} names no column of {name}; its columns are {listed(list(columns))}.")


def require_two_groups(values: Sequence[Any], column: str, words: Words) -> None:
    """Raise ValueError unless a column holds exactly two values."""
    if len(values) != 2:
        many = f"it holds {len(values)}: {listed(values)}. Choose two of them with {words.value}"
        found = f"it holds only {listed(values)}" if len(values) < 2 else many
        raise ValueError(
            f"{words.group} needs a column with exactly two different values; in column {column!r} {found}."
        )


def require_values(only: Sequence[str], values: Sequence[str], column: str, name: str, words: Words) -> None:
    """Raise ValueError unless each value that was asked for is in a column."""
    for value in only:
        if value not in values:
            raise ValueError(
                f"{words.value} {value!r} is no value of column {column!r} of {name}; it holds {listed(values)}."
            )


def require_several_groups(values: Sequence[Any], column: str, words: Words) -> None:
    """Raise ValueError unless a column holds at least two values."""
    if len(values) < 2:
        found = listed(values) if values else "none"
        raise ValueError(f"{words.group} needs a column with at least two values; column {column!r} holds {found}.")


def require_readable(names: Sequence[str], unreadable: Mapping[str, str]) -> None:
    """Raise ValueError for the first column whose numbers would be rounded; `unreadable` has the sentences."""
    for name in names:
        if name in unreadable:
            raise ValueError(unreadable[name])


def require_labelled(missing: int, column: str, name: str, words: Words) -> None:
    """Raise ValueError where the column that splits a table has missing values."""
    if missing:
        raise ValueError(
            f"Column {column!r} of {name} has {count(missing, 'missing value')}. Fill them in, or use {words.drop} to "
            f"leave out those rows."
        )


def require_columns(used: Sequence[str], shared: Collection[str], held: Mapping[str, Sequence[str]]) -> None:
    """Raise ValueError where nothing is left to compare; `held` has the columns of each table."""
    if used:
        return
    names = list(held)
    who = " and ".join(names) if len(names) <= 2 else f"The {len(names)} tables"
    what = "share no column of numbers" if shared else "share no column name"
    has = "; ".join(f"{name} has {listed(columns)}" for name, columns in list(held.items())[:2])
    raise ValueError(f"{who} {what}: {has}.")


def require_few_categories(column: str, found: int, most: int, words: Words) -> None:
    """Raise ValueError where a column that was named to be encoded has too many categories."""
    if found > most:
        raise ValueError(
            f"{words.encode} takes columns of at most {most} categories; {column!r} has {found}. Merge rare ones, or "
            f"leave the column out."
        )


def require_complete(counts: Mapping[str, int], rows: int, kept: int, name: str, words: Words, *, drop: bool) -> None:
    """Raise ValueError where values are missing that are not to be, or where leaving out rows would leave none."""
    if kept == rows:
        return
    per_column = [f"{column!r} {number}" for column, number in counts.items() if number]
    shown = ", ".join(per_column[:_COUNTED])
    if len(per_column) > _COUNTED:
        shown += f" and {len(per_column) - _COUNTED} more columns"
    if not drop:
        raise ValueError(
            f"{name} has missing or infinite values: {shown}. Fill them in, use {words.drop} to leave out those rows, "
            f"or {words.ignore} to leave out a column."
        )
    if kept == 0:
        raise ValueError(
            f"Every row of {name} has a missing value; {words.drop} would leave none. Missing values: {shown}. Use "
            f"{words.ignore} to leave out a column."
        )


def require_valid_weights(weights: Array, rows: NDArray[Any], column: str, name: str, words: Words) -> None:
    """Raise ValueError unless weights are at least 0, and one of them positive."""
    if (weights < 0.0).any():
        at = int(np.argmax(weights < 0.0))
        raise ValueError(
            f"{words.weights} {column!r} must not be negative; row {rows[at]} of {name} holds {weights[at]:g}."
        )
    if not (weights > 0.0).any():
        raise ValueError(f"{words.weights} {column!r} must be positive somewhere; all of {name} is 0.")


def require_numeric_weights(numeric: bool, column: str, name: str, words: Words) -> None:
    """Raise ValueError unless the column of weights holds numbers."""
    if not numeric:
        raise ValueError(f"{words.weights} {column!r} must be a column of numbers; in {name} it is not.")


def require_variation(varies: Mask, words: Words) -> None:
    """Raise ValueError where no column varies, so that there is nothing to scale."""
    if not varies.any():
        raise ValueError(f"Every column is constant, so that {words.standardize} has nothing to scale. Leave it out.")


def require_pair(names: Sequence[str], attribute: str) -> None:
    """Raise ValueError where something is asked for that only a pair of samples has."""
    if len(names) != 2:
        raise ValueError(
            f"`{attribute}` is for two samples; there are {len(names)}: {listed(names)}. Use `measures`, which has all."
        )
