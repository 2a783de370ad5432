"""Text for people as lines: headings, and columns that are aligned."""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .printable import printable


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an answer."""

    text: str = ""
    bold: bool = False  # whether it is a title


class Text:
    """Lines that a prompt, `print` and a notebook show as they are."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = tuple(lines)

    def __str__(self) -> str:
        return "\n".join(printable(line.text) for line in self.lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """The text in letters of one width, titles bold."""
        texts = ((html.escape(printable(line.text)), line.bold) for line in self.lines)
        shown = "\n".join(f"<b>{text}</b>" if bold else text for text, bold in texts)
        return f'<pre style="font-family:monospace;line-height:1.35">{shown}</pre>'  # notebooks have other fonts


def heading(text: str) -> list[Line]:
    """Return the title of a part of the answer, and a blank line before it."""
    return [Line(), Line(text, bold=True)]


def remark_lines(rows: Sequence[tuple[str, str, str]]) -> list[Line]:
    """Return name, number and remark in three columns."""
    return [Line(text) for text in aligned(rows, "<><")]


def table_lines(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Line]:
    """Return a table, its first column to the left and numbers to the right."""
    return [Line(f"  {text}".rstrip()) for text in aligned([titles, *rows], "<" + ">" * (len(titles) - 1))]


def aligned(rows: Sequence[Sequence[str]], sides: Sequence[str]) -> list[str]:
    """Return rows of cells as lines, each column aligned to the left, `<`, or to the right, `>`."""
    shown = [[printable(cell) for cell in row] for row in rows]  # escapes have a width too
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in shown
    ]


def count(n: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count(1, "row"), count(2, "row")
    ('1 row', '2 rows')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
