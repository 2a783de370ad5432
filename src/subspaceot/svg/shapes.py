"""Lines, bands, dots and texts."""

from collections.abc import Iterable, Sequence

from .markup import Markup, tag

_TEXT = 11.0  # pixels

Point = tuple[float, float]


def polyline(points: Iterable[Point], colour: str, *, width: float = 1.5, dashes: str | None = None) -> Markup:
    """Return a line through the points."""
    path = "M" + "L".join(_pair(point) for point in points)
    return tag("path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes)


def line(start: Point, end: Point, colour: str, *, width: float = 1.0, dashes: str | None = None) -> Markup:
    """Return a line between two points."""
    return polyline((start, end), colour, width=width, dashes=dashes)


def band(low: Sequence[Point], high: Sequence[Point], colour: str, *, opacity: float = 0.25) -> Markup:
    """Return the filled area between two lines with the same x."""
    outline = "M" + "L".join(_pair(point) for point in (*low, *reversed(high))) + "Z"
    return tag("path", d=outline, fill=colour, fill_opacity=opacity)


def dots(points: Iterable[Point], colour: str, *, size: float = 5.0, opacity: float = 1.0) -> Markup:
    """Return round dots of one size, all in one element."""
    path = "".join(f"M{_pair(point)}h0" for point in points)
    return tag("path", d=path, stroke=colour, stroke_width=size, stroke_linecap="round", stroke_opacity=opacity)


def rectangle(x: float, y: float, width: float, height: float, colour: str, *, opacity: float = 1.0) -> Markup:
    """Return a filled rectangle with its upper left corner at (x, y)."""
    return tag("rect", x=x, y=y, width=max(width, 0.0), height=max(height, 0.0), fill=colour, fill_opacity=opacity)


def label(
    x: float, y: float, text: str, *, anchor: str = "start", size: float = _TEXT, colour: str = "currentColor"
) -> Markup:
    """Return a text whose baseline begins at (x, y), or with `anchor` "middle" or "end" is centred or ends there."""
    return tag("text", text, x=x, y=y, text_anchor=anchor, font_size=size, fill=colour)


def _pair(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
