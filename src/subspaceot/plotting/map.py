"""Measures as places on a map whose distances resemble theirs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.types import Array
from ..svg.colours import FIRST
from ._labels import place_labels
from .canvas import INK, axes_on, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SIZE = (7.0, 6.0)  # inches


def draw_map(points: Array, stress: float, names: Sequence[str], *, what: str, ax: "Axes | None" = None) -> "Axes":
    """Return axes with the points of `mds.metric_mds` with their names; `what` names the distance and its unit."""
    axes = axes_on(ax, SIZE)
    axes.scatter(points[:, 0], points[:, 1], 45, color=FIRST, edgecolors="white", zorder=3)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.15)
    axes.set_xlabel(f"first axis of the map, {what}")
    axes.set_ylabel("second axis, same scale")
    remark = f"two-dimensional metric scaling; distances are off by {stress:.0%} (stress)"
    title(axes, "Near on the map means alike", remark)
    place_labels(axes, points, names, [INK] * len(names), np.full(len(names), 10.0))
    return axes
