"""Both samples in the optimal plane, with the transport between them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..result import Result
from ..runtime.digits import above, below, number
from ..runtime.types import Array
from ..svg.colours import FIRST, SECOND
from .canvas import FAINT, as_label, legend, name_of, sheet, title

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_LINES = 600  # more of them cannot be told apart
_MOST_IMAGES = 5  # of each sample
_LINE = (0.35, 0.35, 0.4)  # dark grey


def draw_plane(result: Result, names: tuple[str, str], *, unit: str = "units of the data") -> "Figure":
    """Return a scatter plot of both samples in the two leading directions, a line for each atom of the plan.

    Dots have areas in proportion to their weights, lines opacity in proportion to their mass. For k = 1 the second
    axis is the direction that contributes most to the rest of the displacement; it does not count in S_1.
    """
    directions, labels = plane_of(result)
    first, second = map(as_label, names)
    X, Y = result.problem.frame.X @ directions, result.problem.frame.Y @ directions
    figure, axes = sheet(7.4, 6.2)
    hidden = _draw_plan(axes, result, X, Y)
    dots = _draw_samples(axes, result, X, Y)
    (line,) = axes.plot([], [], color=_LINE, linewidth=0.8)
    axes.set_xlabel(f"{labels[0]}, in {unit}")
    axes.set_ylabel(f"{labels[1]}, in {unit}")
    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()
    title(axes, f"Where {first} and {second} differ most", _remark(result, hidden))
    entries = [(dots[0], first), (dots[1], second), (line, "transport plan")]
    legend(axes, entries, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=3)
    return figure


def _draw_plan(axes: "Axes", result: Result, X: Array, Y: Array) -> float:
    """Draw the atoms of the plan that hold most mass, and return the share of the mass that is not drawn."""
    from matplotlib.collections import LineCollection

    atoms = result.sparse_plan.tocoo()
    order = np.argsort(-atoms.data, kind="stable")[:_MOST_LINES]
    mass = atoms.data[order]
    segments = np.stack([X[atoms.row[order]], Y[atoms.col[order]]], axis=1)
    opacity = np.clip(mass / mass.max(), 0.08, 1.0) * np.clip(60.0 / len(mass), 0.22, 0.7)
    axes.add_collection(LineCollection(list(segments), colors=[(*_LINE, o) for o in opacity], linewidths=0.8))
    return float(1.0 - mass.sum() / atoms.data.sum())


def _draw_samples(axes: "Axes", result: Result, X: Array, Y: Array) -> "list[Artist]":
    """Draw the points of both samples."""
    dots: list[Artist] = []
    size = float(np.clip(7000.0 / (len(X) + len(Y)), 9.0, 70.0))
    for points, weights, colour in ((X, result.plan.sum(axis=1), FIRST), (Y, result.plan.sum(axis=0), SECOND)):
        areas = size * np.clip(weights * len(weights), 0.15, 8.0)
        dots.append(axes.scatter(points[:, 0], points[:, 1], areas, color=colour, edgecolors="white", linewidths=0.4))
    return dots


def _remark(result: Result, hidden: float) -> str:
    """Return the distance with its bounds, and how much of the mass the lines show."""
    low, high = np.sqrt(np.maximum([result.lower, result.upper], 0.0))
    remark = f"{name_of(result.k)} = {number(result.distance)}, solver bounds {below(low)} to {above(high)}"
    return remark if hidden <= 0.0005 else f"{remark}; lines show {1.0 - hidden:.0%} of the mass"


def add_images(figure: "Figure", result: Result, images: tuple[Array, Array]) -> None:
    """Draw the images (., rows, columns) of a few outlying points of each sample beside their dots, in place."""
    axes = figure.axes[0]
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


def plane_of(result: Result) -> tuple[Array, tuple[str, str]]:
    """Return two orthonormal directions (d, 2) to draw in, and what to call them."""
    basis, d = result.basis, result.problem.frame.d
    if result.k >= 2:
        return basis[:, :2], ("first direction", "second direction")
    if d == 1:
        return np.hstack([basis, np.zeros((1, 1))]), ("the only column", "nothing")
    V = result.displacement
    P = np.eye(d) - basis @ basis.T
    _, vectors = np.linalg.eigh(P @ V @ P)
    rest = P @ vectors[:, -1]
    if np.linalg.norm(rest) < 0.5:  # no displacement outside the direction: any other will do
        rest = P[:, np.argmax(np.diag(P))]
    rest = rest / np.linalg.norm(rest)
    return np.column_stack([basis[:, 0], rest]), (f"the direction of {name_of(1)}", "next direction, not counted")
