"""What was made of tables: which rows and columns are compared, what was left out and why, what looks odd."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.table import Table
from ...runtime.lines import Line, Text, count

SHOWN = 8  # columns of a list, in a sentence


class Reason(enum.Enum):
    """Why a column is not compared, as a clause after "left out, "."""

    NOT_IN_ALL = "as not every table has them"
    NO_NAME = "as they have no name"
    ASKED = "as asked for"
    TIMES = "as they are dates or times"
    NO_NUMBERS = "as they are not numbers"
    NO_VALUES = "as a table has no value in them"
    TOO_MANY = "as they have too many categories, or too few rows for each"
    CONSTANT = "as they are constant"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A column that is not compared."""

    name: str
    reason: Reason
    detail: str = ""  # what the name is followed by, such as a table it is in, or an entry that is no number


@dataclass(frozen=True, slots=True)
class SampleReport:
    """What was made of the rows of one sample."""

    name: str
    rows: int  # in the table
    kept: int  # compared
    missing: Mapping[str, int]  # column -> missing or infinite values, of the columns that have any


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What `prepare` made of tables: an object to print, and its parts."""

    samples: tuple[SampleReport, ...]
    columns: tuple[str, ...]  # that are compared, in order
    left_out: tuple[LeftOut, ...]
    encoded: Mapping[str, tuple[str, ...]]  # column -> its categories
    missing: str  # what was done with missing values: "drop", "error", "mean" or "median"
    scale: str | None
    scales: tuple[float, ...]  # what each column was divided by
    warnings: tuple[str, ...]  # what looks odd, in sentences
    unlabelled: int = 0  # rows without a value in the column that splits one table

    def notes(self) -> list[str]:
        """Return what was left out or changed, but for what was asked for, and what looks odd, in clauses."""
        reasons = [reason for reason in Reason if reason is not Reason.ASKED]
        return [*self._columns_left_out(reasons), *self._encodings(), *self._rows_left_out(), *self.warnings]

    def lines(self) -> list[Line]:
        """Return the whole report."""
        sizes = [f"{sample.name}: {count(sample.kept, 'row')}" for sample in self.samples]
        lines = [Line(f"{', '.join(sizes)}; {count(len(self.columns), 'column')}", bold=True)]
        lines.append(Line(f"compared: {listed(self.columns)}"))
        if self.scale is not None:
            lines.append(Line("each column was divided by its standard deviation over all samples"))
        return [*lines, *(Line(note) for note in [*self._columns_left_out([Reason.ASKED]), *self.notes()])]

    def table(self) -> Table:
        """Return one row per column of the tables: its name, whether it is compared, why not, missing values."""
        rows = [(name, True, "", scale) for name, scale in zip(self.columns, self.scales, strict=True)]
        rows += [(column.name, False, column.reason.value + column.detail, float("nan")) for column in self.left_out]
        titles = {"name": 0, "compared": 1, "left_out": 2, "divided_by": 3}
        columns: dict[str, Any] = {title: [row[j] for row in rows] for title, j in titles.items()}
        for sample in self.samples:
            columns[f"missing_{sample.name}"] = [sample.missing.get(row[0], 0) for row in rows]
        return Table(columns)

    def __str__(self) -> str:
        return str(Text(self.lines()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return Text(self.lines())._repr_html_()

    def _columns_left_out(self, reasons: Iterable[Reason]) -> Iterable[str]:
        """Yield a clause for each reason."""
        for reason in reasons:
            columns = [column for column in self.left_out if column.reason is reason]
            if columns and reason is Reason.NOT_IN_ALL:
                for where in dict.fromkeys(column.detail for column in columns):
                    yield f"left out, {reason.value}: {listed([c.name for c in columns if c.detail == where])}{where}"
            elif columns:
                names = listed([f"{column.name!r}{column.detail}" for column in columns], quoted=False)
                yield f"left out, {reason.value}: {names}{_ADVICE.get(reason, '')}"

    def _encodings(self) -> Iterable[str]:
        for column, categories in self.encoded.items():
            yield f"{column!r} became {count(len(categories), 'indicator column')}, one for each category"

    def _rows_left_out(self) -> Iterable[str]:
        if self.unlabelled:
            yield f"left out {count(self.unlabelled, 'row')} without a group"
        for sample in self.samples:
            if sample.kept < sample.rows:
                lost = count(sample.rows - sample.kept, "row")
                yield f"left out {lost} of {sample.rows} of {sample.name} with missing values"
            elif sample.missing and self.missing != "drop":
                cells = count(sum(sample.missing.values()), "missing value")
                yield f"filled in {cells} of {sample.name}, each with the {self.missing} of its column over all rows"


_ADVICE = {Reason.TIMES: "; to compare them, turn them into numbers, such as days since the first"}


def listed(names: Sequence[str], *, quoted: bool = True) -> str:
    """Return names with commas between, the first few of many."""
    shown = ", ".join(repr(name) if quoted else name for name in names[:SHOWN])
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
