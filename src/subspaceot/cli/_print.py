"""What is printed: results on stdout, remarks on stderr."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..runtime import lines
from ..runtime.lines import Line
from ._output import print_line
from ._stderr import print_stderr

if TYPE_CHECKING:
    from ..chunks.result import ChunkedResult
    from ..result import Result
    from ._rows import Sample


_NOTES = "subspaceot.notes"  # their place in the `meta` of click's context, which all commands of a call share


def note(text: str) -> None:
    """Say on stderr what was done with the input, and remember it for a report."""
    print_stderr(f"note: {text}")
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta.setdefault(_NOTES, []).append(text)


def notes() -> list[str]:
    """Return what was said so far of what was done with the input."""
    return list(click.get_current_context().meta.get(_NOTES, []))


def print_lines(answer: Iterable[Line]) -> None:
    """Print lines of an answer."""
    for line in answer:
        print_line(line.text, bold=line.bold)


def heading(text: str) -> None:
    """Print the title of a part of the answer."""
    print_lines(lines.heading(text))


def sizes_of(samples: "Sequence[Sample]", d: int) -> str:
    """Return the title of an answer: what is compared, and how much of it."""
    from ..tables.comparison import sizes_text

    return sizes_text([sample.name for sample in samples], [sample.rows for sample in samples], d)


def certified(result: "Result | ChunkedResult") -> dict[str, Any]:
    """Return what every JSON answer says of a distance."""
    return {
        "k": result.k,
        "cost": result.cost,
        "distance": result.distance,
        "lower": result.lower,
        "upper": result.upper,
        "gap": result.gap,
        "status": result.status.name,
    }


def print_rows(rows: Sequence[tuple[str, str, str]]) -> None:
    """Print name, number and remark in three columns."""
    print_lines(lines.remark_lines(rows))


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, its first column to the left and numbers to the right."""
    print_lines(lines.table_lines(titles, rows))
