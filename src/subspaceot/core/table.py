"""A small table of results: named columns of numbers or text, without a data frame library."""

import html
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..runtime.digits import number
from ..runtime.lines import aligned
from ..runtime.printable import printable
from . import validate

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

SHOWN = 20  # rows, where a table is shown as text or in a notebook


class Table:
    """Rows with named columns, as methods of results return them.

    `table["share"]` is a column as a NumPy array, `len(table)` the number of rows, and a loop over the table yields one
    dict for each row. `to_pandas()` and `to_polars()` return a data frame.

    Examples
    --------
    >>> table = Table({"name": ["height", "mass"], "share": [0.75, 0.25]})
    >>> table
    name    share
    height   0.75
    mass     0.25
    >>> table["share"].sum(), [row["name"] for row in table]
    (np.float64(1.0), ['height', 'mass'])
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        arrays = {str(name): _column(values) for name, values in columns.items()}
        self._columns: Mapping[str, NDArray[Any]] = MappingProxyType(arrays)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[validate.as_column(name, self.columns, "column")]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns = [_entries(values) for values in self._columns.values()]
        for row in zip(*columns, strict=True):
            yield dict(zip(self._columns, row, strict=True))

    def head(self, count: int = 5) -> "Table":
        """Return the first rows, `count` of them at most."""
        count = validate.as_count(count, "count")
        return Table({name: values[:count] for name, values in self._columns.items()})

    def to_pandas(self) -> "pd.DataFrame":
        """Return the table as a data frame of pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("`to_pandas()` needs pandas. Install it with: pip install pandas") from error
        return pd.DataFrame(dict(self._columns))

    def to_polars(self) -> "pl.DataFrame":
        """Return the table as a data frame of polars."""
        try:
            import polars as pl
        except ImportError as error:
            raise ImportError("`to_polars()` needs polars. Install it with: pip install polars") from error
        return pl.DataFrame({name: _plain(values) for name, values in self._columns.items()})

    def __repr__(self) -> str:
        """The first rows as aligned text; a number that is not known is left blank."""
        cells, numeric = self._cells()
        return "\n".join(aligned(cells, [">" if is_number else "<" for is_number in numeric]) + self._rest())

    def _repr_html_(self) -> str:
        """The first rows for a notebook, every cell escaped."""
        (titles, *rows), numeric = self._cells()
        head = _html_row("th", titles, numeric)
        body = "".join(_html_row("td", row, numeric) for row in rows)
        rest = "".join(f"<p>{html.escape(line)}</p>" for line in self._rest())
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{rest}"

    def _cells(self) -> tuple[list[list[str]], list[bool]]:
        """Return titles and the first rows as text, and which columns are numbers."""
        columns = [[printable(name), *map(_cell, _entries(values[:SHOWN]))] for name, values in self._columns.items()]
        numeric = [values.dtype.kind in "iuf" for values in self._columns.values()]
        return [list(row) for row in zip(*columns, strict=True)], numeric

    def _rest(self) -> list[str]:
        """Return a line that says how many rows are not shown, if any are not."""
        return [f"... and {len(self) - SHOWN:,} more rows"] if len(self) > SHOWN else []


def _column(values: Any) -> NDArray[Any]:
    """Return one column, which nobody can write to: text as Python's strings, so that none is cut off."""
    given = values if isinstance(values, np.ndarray) else _from_list(list(values))
    column = given.astype(object) if given.dtype.kind in "US" else given.copy()
    column.flags.writeable = False
    return column


def _from_list(values: list[Any]) -> NDArray[Any]:
    """Return a list as an array: of numbers where all are, of objects elsewhere."""
    if all(isinstance(value, bool | int | float | np.generic) for value in values):
        return np.array(values)
    column = np.empty(len(values), dtype=object)  # np.array would make a table of tuples
    column[:] = values
    return column


def _entries(values: NDArray[Any]) -> list[Any]:
    """Return the entries of a column as Python's objects; times stay NumPy's, which keep their unit."""
    return list(values) if values.dtype.kind in "mM" else list(values.tolist())


def _html_row(tag: str, cells: list[str], numeric: list[bool]) -> str:
    """Return one row of a table in HTML, numbers to the right."""
    sides = ["right" if is_number else "left" for is_number in numeric]
    filled = (
        f'<{tag} style="text-align:{side};padding:1px 8px">{html.escape(cell)}</{tag}>'
        for side, cell in zip(sides, cells, strict=True)
    )
    return f"<tr>{''.join(filled)}</tr>"


def _plain(values: NDArray[Any]) -> Any:
    """Return a column in a form that polars reads: labels of several kinds as text."""
    if values.dtype != object:
        return values
    entries = values.tolist()
    kinds = {type(entry) for entry in entries}
    return entries if len(kinds) == 1 and not kinds & {tuple} else [str(entry) for entry in entries]


def _cell(value: Any) -> str:
    """Return one entry as text."""
    if isinstance(value, float):
        return "" if value != value else number(value)
    return printable(str(value))
