"""Axes with ticks at round numbers."""

from .markup import Markup, tag
from .scale import Scale
from .shapes import label, line

_TICK = 4.0  # pixels
_SIZE = 10.0  # pixels of the numbers
_INK = "currentColor"  # of the page around the picture


def bottom_axis(scale: Scale, y: float, *, title: str = "", most: int = 5) -> Markup:
    """Return an axis from left to right at the height `y`, its title below."""
    parts = [line((scale.start, y), (scale.stop, y), _INK)]
    for value, text in scale.ticks(most):
        x = scale.at(value)
        parts += [line((x, y), (x, y + _TICK), _INK), label(x, y + _TICK + _SIZE, text, anchor="middle", size=_SIZE)]
    if title:
        middle = 0.5 * (scale.start + scale.stop)
        parts.append(label(middle, y + _TICK + 2.4 * _SIZE, title, anchor="middle"))
    return tag("g", *parts, opacity=0.75)


def left_axis(scale: Scale, x: float, *, title: str = "", most: int = 5) -> Markup:
    """Return an axis from below to above at `x`, its title over its upper end."""
    parts = [line((x, scale.start), (x, scale.stop), _INK)]
    for value, text in scale.ticks(most):
        y = scale.at(value)
        parts += [
            line((x - _TICK, y), (x, y), _INK),
            label(x - _TICK - 2.0, y + 0.35 * _SIZE, text, anchor="end", size=_SIZE),
        ]
    if title:
        parts.append(label(x - _TICK, min(scale.start, scale.stop) - 0.7 * _SIZE, title))
    return tag("g", *parts, opacity=0.75)
