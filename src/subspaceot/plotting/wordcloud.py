"""The words of two texts in their optimal plane."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..result import Result
from ..runtime.types import Array
from ..svg.colours import BOTH, FIRST, SECOND
from ..text import TextMeasure
from ._labels import place_labels
from .canvas import as_label, legend, name_of, sheet, title
from .plane import plane_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_words(first: TextMeasure, second: TextMeasure, result: Result, *, count: int = 30) -> "Axes":
    """Return axes with the `count` most frequent words of each text, where they lie in the plane of `result`."""
    directions, labels = plane_of(result)
    weight: dict[str, float] = {}
    vector: dict[str, Array] = {}
    for measure in (first, second):
        for word, mass, point in zip(measure.words, measure.weights, measure.points, strict=True):
            weight[word] = max(weight.get(word, 0.0), float(mass))
            vector[word] = point
    chosen = sorted({*first.most_frequent(count), *second.most_frequent(count)}, key=lambda word: (-weight[word], word))
    of_first, of_second = set(first.words), set(second.words)
    sides = ["both" if word in of_first & of_second else "first" if word in of_first else "second" for word in chosen]
    points = np.array([vector[word] for word in chosen]) @ directions
    mass = np.array([weight[word] for word in chosen])
    distance = f"{name_of(result.k)} = {result.distance:.4g}"
    remark = f"the {count} most frequent words of each text, larger where more frequent; {distance}"
    return draw_placed_words(chosen, points, sides, mass, (first.name, second.name), labels=labels, remark=remark)


def draw_placed_words(
    words: Sequence[str],
    points: Array,
    sides: Sequence[str],
    weights: Array,
    names: tuple[str, str],
    *,
    labels: tuple[str, str] = ("first direction", "second direction"),
    remark: str = "",
) -> "Axes":
    """Return axes with words at their places (., 2), most important first, larger where their weight is.

    Those of the first text alone (`sides` says "first") are red, of the second alone blue, of "both" violet.
    """
    colours = [{"first": SECOND, "second": FIRST, "both": BOTH}[side] for side in sides]
    first, second = map(as_label, names)
    axes = sheet(9.0, 7.6)
    axes.scatter(points[:, 0], points[:, 1], 14, color=colours, zorder=3)
    kinds = ((SECOND, f"in {first} only"), (FIRST, f"in {second} only"), (BOTH, "in both"))
    entries = [(axes.scatter([], [], 30, color=colour), label) for colour, label in kinds]
    axes.set_xlabel(f"{labels[0]}, in units of the word vectors")
    axes.set_ylabel(f"{labels[1]}, same scale")
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    title(axes, f"Where {first} and {second} differ most", remark)
    legend(axes, entries, loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=3)
    place_labels(axes, points, words, colours, 8.0 + 6.0 * np.sqrt(weights / weights.max()))
    return axes
