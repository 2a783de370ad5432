"""Places for names beside their dots, where they cover neither each other nor other dots, as far as there is space."""

from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np

from ..runtime.types import Array

Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels

_WIDTH = 0.62  # of a letter, of the size of the font: that of a bold sans serif on average
_HEIGHT = 1.15  # of a line
_ANGLES = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
_REACHES = (3.0, 6.0, 12.0, 20.0, 32.0, 48.0, 70.0)  # pixels from dot to name, the nearest tried first
_OVERLAP, _OUTSIDE, _DOT, _FAR = 20.0, 20.0, 0.4, 0.02  # how bad each is: by area, by area, per dot, per pixel


def width_of(text: str, size: float) -> float:
    """Return about how wide a text is in pixels; letters of East Asian scripts take twice the space."""
    return _WIDTH * size * sum(1.7 if ord(letter) > 0x2E80 else 1.0 for letter in text)


def placed(
    dots: Array, texts: Sequence[str], sizes: Sequence[float], frame: Box, *, radius: float = 0.0
) -> list[tuple[float, float]]:
    """Return the left end of the baseline of each text beside its dot; the first texts get the best places.

    Examples
    --------
    >>> placed(np.array([[50.0, 50.0]]), ["a"], [10.0], (0.0, 0.0, 100.0, 100.0))
    [(53.0, 53.0)]
    """
    taken: list[Box] = []
    ends = []
    for dot, text, size in zip(dots, texts, sizes, strict=True):
        width, height = width_of(text, size), _HEIGHT * size
        tried = [
            (_FAR * reach + _penalty(box, taken, dots, frame), box) for reach, box in _boxes(dot, width, height, radius)
        ]
        box = min(tried, key=itemgetter(0))[1]
        taken.append(box)
        ends.append((round(box[0], 1), round(box[3] - 0.24 * height, 1)))
    return ends


def _boxes(dot: Array, width: float, height: float, radius: float) -> Iterator[tuple[float, Box]]:
    """Yield the boxes around a dot that a text may fill, each with its distance from the dot."""
    for reach in _REACHES:
        for angle in _ANGLES:
            x = float(dot[0] + np.cos(angle) * (radius + reach + 0.5 * width) - 0.5 * width)
            y = float(dot[1] - np.sin(angle) * (radius + reach + 0.5 * height) - 0.5 * height)
            yield reach, (x, y, x + width, y + height)


def _penalty(box: Box, taken: Sequence[Box], dots: Array, frame: Box) -> float:
    """Return how much a box covers of texts and dots, and how much of it lies outside the frame."""
    left, top, right, bottom = box
    area = (right - left) * (bottom - top)
    covered = sum(_common(box, other) for other in taken) / area
    outside = 1.0 - _common(box, frame) / area
    inside = (dots[:, 0] > left) & (dots[:, 0] < right) & (dots[:, 1] > top) & (dots[:, 1] < bottom)
    return _OVERLAP * covered + _OUTSIDE * outside + _DOT * float(inside.sum())


def _common(p: Box, q: Box) -> float:
    """Return the common area of two boxes."""
    width, height = min(p[2], q[2]) - max(p[0], q[0]), min(p[3], q[3]) - max(p[1], q[1])
    return max(width, 0.0) * max(height, 0.0)
