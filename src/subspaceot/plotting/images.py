"""Images of points, drawn beside their dots."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..result import Result
from ..runtime.types import Array
from ..svg.colours import FIRST, SECOND
from .canvas import FAINT
from .plane import plane_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_IMAGES = 5  # of each sample


def add_images(axes: "Axes", result: Result, images: tuple[Array, Array]) -> None:
    """Draw the images (., rows, columns) of a few outlying points of each sample beside their dots, in place."""
    directions, _ = plane_of(result)
    samples = (result.problem.frame.X @ directions, result.problem.frame.Y @ directions)
    reach = 0.13 * float(np.ptp(np.concatenate(samples), axis=0).max())  # from a dot to its image
    taken: list[Array] = []
    for points, pictures, colour in zip(samples, images, (FIRST, SECOND), strict=True):
        for i, place in _free_places(points, np.concatenate(samples), reach, taken):
            taken.append(place)
            _add_image(axes, pictures[i], points[i], place, colour)
    axes.update_datalim([place + side for place in taken for side in (-0.6 * reach, 0.6 * reach)])
    axes.autoscale_view()


def _free_places(points: Array, every: Array, reach: float, taken: list[Array]) -> Iterator[tuple[int, Array]]:
    """Yield up to `_MOST_IMAGES` points, outermost first, and places outwards of them that are free.

    A place is free if it is far from `every` point and from the places `taken`, which may grow meanwhile.
    """
    outwards = points - every.mean(axis=0)
    length = np.linalg.norm(outwards, axis=1)
    places = points + reach * outwards / np.maximum(length, 1e-300)[:, None]
    shown = 0
    for i in np.argsort(-length, kind="stable"):
        clear = all(np.abs(places[i] - other).max() > 1.4 * reach for other in taken)
        if clear and np.linalg.norm(every - places[i], axis=1).min() > 0.45 * reach:
            yield int(i), places[i]
            shown += 1
            if shown == _MOST_IMAGES:
                return


def _add_image(axes: "Axes", picture: Array, dot: Array, place: Array, colour: str) -> None:
    """Draw one image at its place, with a line to its dot."""
    from matplotlib.offsetbox import AnnotationBbox, OffsetImage

    box = AnnotationBbox(
        OffsetImage(picture, zoom=3.2, cmap="gray_r", interpolation="nearest"),
        tuple(dot),
        xybox=tuple(place),
        pad=0.15,
        bboxprops={"edgecolor": colour, "linewidth": 1.0},
        arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.8},
        zorder=4,
    )
    axes.add_artist(box)
