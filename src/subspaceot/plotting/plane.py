"""Both clouds in the optimal plane, with the transport between them."""

from typing import TYPE_CHECKING

import numpy as np

from ..result import Result
from ..runtime.digits import above, below, number
from ..runtime.types import Array
from .canvas import FAINT, FIRST, SECOND, as_label, legend, name_of, sheet, title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_LINES = 600  # more of them are a grey area


def draw_plane(result: Result, names: tuple[str, str], *, unit: str = "units of the data") -> "Figure":
    """Return a scatter plot of both clouds in the two leading directions, a line for each move of the plan.

    Dots have areas in proportion to their weights, lines opacity in proportion to their mass. For k = 1 the second
    axis is the direction that carries most of what is left of the displacement; it does not count in S_1.
    """
    from matplotlib.collections import LineCollection

    axes_d, labels = plane_of(result)
    first, second = map(as_label, names)
    frame = result.problem.frame
    X, Y = frame.X @ axes_d, frame.Y @ axes_d
    figure, axes = sheet(7.4, 6.2)
    moves, mass, hidden = _moves(result)
    segments = np.stack([X[moves[:, 0]], Y[moves[:, 1]]], axis=1)
    opacity = np.clip(mass / mass.max(), 0.08, 1.0) * _faintness(len(mass))
    axes.add_collection(LineCollection(list(segments), colors=[(0.35, 0.35, 0.4, o) for o in opacity], linewidths=0.8))
    plan = result.plan
    entries = []
    for points, weights, colour, name in (
        (X, plan.sum(axis=1), FIRST, first),
        (Y, plan.sum(axis=0), SECOND, second),
    ):
        size = float(np.clip(7000.0 / (len(X) + len(Y)), 9.0, 70.0))
        sizes = size * np.clip(weights * len(weights), 0.15, 8.0)
        dots = axes.scatter(points[:, 0], points[:, 1], sizes, color=colour, edgecolors="white", linewidths=0.4)
        entries.append((dots, name))
    (line,) = axes.plot([], [], color=(0.35, 0.35, 0.4), linewidth=0.8)
    axes.set_xlabel(f"{labels[0]}, in {unit}")
    axes.set_ylabel(f"{labels[1]}, in {unit}")
    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()
    low, high = np.sqrt(np.maximum([result.lower, result.upper], 0.0))
    remark = f"{name_of(result.k)} = {number(result.distance)}, certainly between {below(low)} and {above(high)}"
    if hidden > 0.0005:
        remark += f"; lines show {1.0 - hidden:.0%} of the mass"
    title(axes, f"Where {first} and {second} differ most", remark)
    legend(axes, [*entries, (line, "where it goes")], loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=3)
    return figure


def add_images(figure: "Figure", result: Result, images: tuple[Array, Array]) -> None:
    """Draw the images (., rows, columns) that a few outlying points of each cloud stand for beside them, in place."""
    from matplotlib.offsetbox import AnnotationBbox, OffsetImage

    axes = figure.axes[0]
    directions, _ = plane_of(result)
    frame = result.problem.frame
    clouds = (frame.X @ directions, frame.Y @ directions)
    centre = np.concatenate(clouds).mean(axis=0)
    reach = 0.13 * float(np.ptp(np.concatenate(clouds), axis=0).max())  # from a dot to its image
    taken: list[Array] = []
    for points, pictures, colour in zip(clouds, images, (FIRST, SECOND), strict=True):
        away = points - centre
        length = np.linalg.norm(away, axis=1)
        places = points + reach * away / np.maximum(length, 1e-300)[:, None]
        shown = 0
        for i in np.argsort(-length, kind="stable"):
            clear = all(np.abs(places[i] - other).max() > 1.4 * reach for other in taken)
            free = np.linalg.norm(np.concatenate(clouds) - places[i], axis=1).min() > 0.45 * reach
            if shown == 5 or not (clear and free):
                continue
            shown += 1
            taken.append(places[i])
            image = OffsetImage(pictures[i], zoom=3.2, cmap="gray_r", interpolation="nearest")
            line = {"arrowstyle": "-", "color": FAINT, "linewidth": 0.8}
            frame_line = {"edgecolor": colour, "linewidth": 1.0}
            place, dot = tuple(places[i]), tuple(points[i])
            axes.add_artist(
                AnnotationBbox(image, dot, xybox=place, pad=0.15, bboxprops=frame_line, arrowprops=line, zorder=4)
            )
    axes.update_datalim([place + side for place in taken for side in (-0.6 * reach, 0.6 * reach)])
    axes.autoscale_view()


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
    if np.linalg.norm(rest) < 0.5:  # nothing moves outside the direction: any other will do
        rest = P[:, np.argmax(np.diag(P))]
    rest = rest / np.linalg.norm(rest)
    return np.column_stack([basis[:, 0], rest]), (f"the direction of {name_of(1)}", "next direction, not counted")


def _moves(result: Result) -> tuple[np.ndarray, Array, float]:
    """Return the pairs (., 2) that carry most mass, their mass, and the share of the mass that is not drawn."""
    atoms = result.sparse_plan.tocoo()
    order = np.argsort(-atoms.data, kind="stable")[:_MOST_LINES]
    mass = atoms.data[order]
    return np.column_stack([atoms.row[order], atoms.col[order]]), mass, float(1.0 - mass.sum() / atoms.data.sum())


def _faintness(lines: int) -> float:
    return float(np.clip(60.0 / lines, 0.22, 0.7))
