"""What all answers in a notebook are made of: a head line, remarks, tables, things side by side."""

from collections.abc import Sequence

from ..plotting.canvas import as_label
from ..svg import Markup, joined, tag

_QUIET = "opacity:0.75;margin:2px 0"
_CELL = "text-align:{};padding:1px 12px 1px 0;white-space:nowrap;background:transparent;border:0"
_SHORT = 40  # characters of a name


def card(*parts: str) -> str:
    """Return the whole of an answer."""
    return str(tag("div", *parts, style="font-size:13px;line-height:1.5;padding:4px 0;max-width:900px"))


def head(title: str, value: str, range_: str = "") -> Markup:
    """Return the most important line: what it is, its value in large letters, and what is known about it."""
    return tag(
        "div",
        tag("span", f"{title} ", style="opacity:0.75"),
        tag("b", value, style="font-size:18px"),
        tag("span", f"  {range_}"),
        style="margin:2px 0",
    )


def remark(*parts: str) -> Markup:
    """Return a line of smaller importance."""
    return tag("div", *parts, style=_QUIET)


def beside(*parts: str) -> Markup:
    """Return parts side by side, one below the other where they do not fit."""
    boxes = (tag("div", part, style="margin:0 28px 4px 0") for part in parts if part)
    return tag("div", *boxes, style="display:flex;flex-wrap:wrap;align-items:flex-start;margin-top:6px")


def name(text: str, longest: int = _SHORT) -> Markup:
    """Return a name from data, its end cut off where it is long, whatever the direction of its script."""
    shown = as_label(text, longest)
    return tag("bdi", shown, title=text)


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    """Return a table, its first column to the left and numbers to the right."""
    head_row = tag("tr", *(tag("th", title, style=_style(at)) for at, title in enumerate(titles)))
    body = (tag("tr", *(tag("td", cell, style=_style(at)) for at, cell in enumerate(row))) for row in rows)
    return tag("table", tag("thead", head_row), tag("tbody", *body), style="border-collapse:collapse;margin:0")


def confidence(level: float, low: float, high: float) -> str:
    """Return a confidence interval in words."""
    return f"{100.0 * level:g}% confidence interval of the populations {low:.4g} to {high:.4g}"


def legend(entries: Sequence[tuple[str, str]]) -> Markup:
    """Return names with the colours of their samples."""
    keys = (
        joined([tag("span", "● ", style=f"color:{colour}"), tag("span", name(text), style="margin-right:12px")])
        for text, colour in entries
    )
    return tag("div", *keys, style="font-size:12px")


def _style(at: int) -> str:
    return _CELL.format("left" if at == 0 else "right")
