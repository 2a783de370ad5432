"""Labels that do not overlap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.types import Array
from .canvas import FAINT, any_script, as_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Box = tuple[float, float, float, float]  # left, bottom, right, top, in pixels

_DIRECTIONS = [(np.cos(t), np.sin(t)) for t in np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)]
_REACH = (7.0, 14.0, 24.0, 38.0, 55.0, 75.0, 100.0)  # points from dot to label, nearest tried first


def place_labels(axes: "Axes", points: Array, labels: Sequence[str], colours: Sequence[str], sizes: Array) -> None:
    """Write each label beside its point, where it covers no earlier label and as few dots as possible.

    Labels come in order of importance: the first gets the best place. One far from its point gets a thin line to it.
    """
    sheet = _Sheet.of(axes, points)
    for at, (label, colour, size) in enumerate(zip(map(as_label, labels), colours, sizes, strict=True)):
        offset, far = sheet.place(at, *sheet.extent(label, size))
        line = {"arrowstyle": "-", "color": FAINT, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 2}
        axes.annotate(
            label,
            tuple(points[at]),
            offset,
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=size,
            color=colour,
            arrowprops=line if far else None,
            zorder=5,
            parse_math=False,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """Dots, and the labels that have a place already, in pixels."""

    axes: "Axes"
    dots: Array  # (n, 2)
    scale: float  # pixels per point of 1/72 inch
    frame: Box
    taken: list[Box]

    @classmethod
    def of(cls, axes: "Axes", points: Array) -> "_Sheet":
        """Return the sheet with its dots and no labels."""
        figure = axes.get_figure(root=True)
        assert figure is not None
        with any_script():
            figure.draw_without_rendering()  # fixes the layout, and with it the pixels of each point
        left, bottom, right, top = map(float, axes.get_window_extent().extents)
        frame: Box = (left, bottom, right, top)
        return cls(axes, axes.transData.transform(points), figure.dpi / 72.0, frame, [])

    def extent(self, label: str, size: float) -> tuple[float, float]:
        """Return width and height of a label."""
        text = self.axes.text(0, 0, label, fontsize=size, parse_math=False)
        with any_script():
            box = text.get_window_extent()
        text.remove()
        return box.width, box.height

    def place(self, at: int, width: float, height: float) -> tuple[tuple[float, float], bool]:
        """Take the best place for a label; return its centre from its dot, in points, and whether it is far off."""
        _, reach, box = min(
            (
                (self._penalty(box, width * height) + 0.02 * reach, reach, box)
                for reach, box in self._boxes(at, width, height)
            ),
            key=itemgetter(0),
        )
        self.taken.append(box)
        x, y = self.dots[at]
        offset = (box[0] + width / 2.0 - x) / self.scale, (box[1] + height / 2.0 - y) / self.scale
        return offset, reach > _REACH[0]

    def _boxes(self, at: int, width: float, height: float) -> Iterator[tuple[float, Box]]:
        """Yield the boxes around a dot that a label may fill, each with its distance from the dot."""
        for reach in _REACH:
            for cosine, sine in _DIRECTIONS:
                x = self.dots[at, 0] + cosine * (reach * self.scale + width / 2.0) - width / 2.0
                y = self.dots[at, 1] + sine * (reach * self.scale + height / 2.0) - height / 2.0
                yield reach, (x, y, x + width, y + height)

    def _penalty(self, box: Box, area: float) -> float:
        """Return how much a box covers of labels and dots, and how much of it lies outside the frame."""
        left, bottom, right, top = box
        area = max(area, 1.0)
        covered = sum(_overlap(box, other) for other in self.taken) / area
        outside = 1.0 - _overlap(box, self.frame) / area
        x, y = self.dots.T
        dots = (x > left) & (x < right) & (y > bottom) & (y < top)
        return 20.0 * covered + 20.0 * outside + 0.4 * float(dots.sum())


def _overlap(p: Box, q: Box) -> float:
    """Return the common area of two boxes."""
    width = min(p[2], q[2]) - max(p[0], q[0])
    height = min(p[3], q[3]) - max(p[1], q[1])
    return max(width, 0.0) * max(height, 0.0)
