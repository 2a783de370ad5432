"""HTML and SVG in which no text from data can become markup."""

import html
from collections.abc import Iterable

from ..runtime.printable import printable


class Markup(str):
    """Text that is markup already. Any other text is data, and `tag` escapes it."""

    __slots__ = ()

    def __html__(self) -> str:
        """What a template of Jinja takes as it is."""
        return str(self)


def tag(name: str, *content: str, **attributes: str | float | None) -> Markup:
    """Return an element; whatever of its content and its attributes is no `Markup` is escaped.

    An underscore in the name of an attribute stands for a hyphen, one at its end for nothing; None leaves it out.

    Examples
    --------
    >>> print(tag("text", "<script>", x=1.0, text_anchor="end", class_=None))
    <text x="1" text-anchor="end">&lt;script&gt;</text>
    """
    shown = [
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value) if isinstance(value, str) else _number(value)}"'
        for key, value in attributes.items()
        if value is not None
    ]
    return Markup(f"<{name}{''.join(shown)}>{joined(content)}</{name}>")


def escaped(text: str) -> Markup:
    """Return a text as markup that shows it, control characters as their escapes; markup as it is."""
    return text if isinstance(text, Markup) else Markup(html.escape(printable(text)))


def joined(parts: Iterable[str]) -> Markup:
    """Return several parts, one after another, each escaped that is no markup."""
    return Markup("".join(map(escaped, parts)))


def picture(width: float, height: float, *content: str, description: str, **attributes: str | float | None) -> Markup:
    """Return a picture of so many pixels, in the text colour of the page around it; `description` is read aloud."""
    return tag(
        "svg",
        tag("title", description),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        width=width,
        height=height,
        role="img",
        **attributes,
    )


def _number(value: float) -> str:
    """Return a number of pixels with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value == value else "0"
