"""Labels that keep clear of each other."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.types import Array
from .canvas import FAINT, any_script, as_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Box = tuple[float, float, float, float]  # left, bottom, right, top, in pixels

_DIRECTIONS = [(np.cos(t), np.sin(t)) for t in np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)]
_REACH = (7.0, 14.0, 24.0, 38.0, 55.0, 75.0)  # points from dot to label, nearest tried first


def place_labels(axes: "Axes", points: Array, labels: Sequence[str], colours: Sequence[str], sizes: Array) -> None:
    """Write each label beside its point, where it covers no earlier label and as few dots as possible.

    Labels come in order of importance: the first gets the best place. One that had to move away gets a thin line.
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    with any_script():
        figure.draw_without_rendering()  # settles the layout, so that data and pixels are in their final relation
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    pixels = axes.transData.transform(points)
    scale = figure.dpi / 72.0
    left, bottom, right, top = axes.get_window_extent(renderer).extents
    frame: Box = (float(left), float(bottom), float(right), float(top))
    taken: list[Box] = []
    for at, (label, colour, size) in enumerate(zip(labels, colours, sizes, strict=True)):
        label = as_label(label)
        text = axes.text(0, 0, label, fontsize=size, parse_math=False)
        with any_script():
            box = text.get_window_extent(renderer)
        text.remove()
        x, y, reach = _best_place(pixels, at, box.width, box.height, scale, taken, frame)
        taken.append((x, y, x + box.width, y + box.height))
        centre = (x + box.width / 2.0 - pixels[at, 0], y + box.height / 2.0 - pixels[at, 1])
        line = {"arrowstyle": "-", "color": FAINT, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 2}
        axes.annotate(
            label,
            tuple(points[at]),
            (centre[0] / scale, centre[1] / scale),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=size,
            color=colour,
            arrowprops=line if reach > _REACH[0] else None,
            zorder=5,
            parse_math=False,
        )


def _best_place(
    pixels: Array,
    at: int,
    width: float,
    height: float,
    scale: float,
    taken: list[Box],
    frame: Box,
) -> tuple[float, float, float]:
    """Return the lower left corner of a label's box, in pixels, and how far it is from its dot."""
    best = (np.inf, 0.0, 0.0, 0.0)
    for reach in _REACH:
        for cosine, sine in _DIRECTIONS:
            x = pixels[at, 0] + cosine * (reach * scale + width / 2.0) - width / 2.0
            y = pixels[at, 1] + sine * (reach * scale + height / 2.0) - height / 2.0
            box, area = (x, y, x + width, y + height), max(width * height, 1.0)
            covered = sum(_overlap(box, other) for other in taken) / area
            inside = (pixels[:, 0] > x) & (pixels[:, 0] < x + width) & (pixels[:, 1] > y) & (pixels[:, 1] < y + height)
            outside = 1.0 - _overlap(box, frame) / area
            penalty = 20.0 * covered + 20.0 * outside + 0.4 * float(inside.sum()) + 0.02 * reach
            if penalty < best[0]:
                best = (penalty, x, y, reach)
    return best[1], best[2], best[3]


def _overlap(p: Box, q: Box) -> float:
    """Return the common area of two boxes."""
    width = min(p[2], q[2]) - max(p[0], q[0])
    height = min(p[3], q[3]) - max(p[1], q[1])
    return max(width, 0.0) * max(height, 0.0)
