"""The words of two texts in their optimal plane."""

from typing import TYPE_CHECKING

import numpy as np

from ..result import Result
from ..text import TextMeasure
from ._canvas import BOTH, FIRST, SECOND, name_of, sheet, title
from ._labels import place_labels
from .plane import plane_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_words(first: TextMeasure, second: TextMeasure, result: Result, *, count: int = 30) -> "Figure":
    """Return the `count` most frequent words of each text, where they lie in the plane of `result`.

    Words of the first text alone are red, of the second alone blue, of both violet; larger means more frequent.
    """
    axes_d, labels = plane_of(result)
    weight: dict[str, float] = {}
    vector = {}
    for measure in (first, second):
        for word, mass, point in zip(measure.words, measure.weights, measure.points, strict=True):
            weight[word] = max(weight.get(word, 0.0), float(mass))
            vector[word] = point
    chosen = sorted({*first.most_frequent(count), *second.most_frequent(count)}, key=lambda word: (-weight[word], word))
    of_first, of_second = set(first.words), set(second.words)
    colours = [BOTH if w in of_first and w in of_second else SECOND if w in of_first else FIRST for w in chosen]
    points = np.array([vector[word] for word in chosen]) @ axes_d
    mass = np.array([weight[word] for word in chosen])
    sizes = 8.0 + 6.0 * np.sqrt(mass / mass.max())

    figure, axes = sheet(9.0, 7.6)
    axes.scatter(points[:, 0], points[:, 1], 14, color=colours, zorder=3)
    for colour, label in ((SECOND, f"in {first.name} only"), (FIRST, f"in {second.name} only"), (BOTH, "in both")):
        axes.scatter([], [], 30, color=colour, label=label)
    axes.set_xlabel(f"{labels[0]}, in units of the word vectors")
    axes.set_ylabel(f"{labels[1]}, same scale")
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    distance = f"{name_of(result.k)} = {result.distance:.4g}"
    remark = f"the {count} most frequent words of each text, larger where more frequent; {distance}"
    title(axes, f"Where {first.name} and {second.name} differ most", remark)
    axes.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=3)
    place_labels(axes, points, chosen, colours, sizes)
    return figure
