"""A table of distances as a heat map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.types import Array
from .canvas import INK, as_label, axes_on, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_UPRIGHT = 4  # characters of a name that fits below its column
_MOST_NUMBERS = 16  # rows up to which every cell holds its number


def draw_heatmap(distance: Array, names: Sequence[str], *, what: str, ax: "Axes | None" = None) -> "Axes":
    """Return axes with the table as coloured cells with their numbers; `what` names the distance and its unit."""
    N = len(names)
    side = float(np.clip(2.4 + 0.62 * N, 4.6, 13.0))
    axes = axes_on(ax, (side + 1.1, side + 0.4))  # a title above
    axes.grid(visible=False)
    off = distance[~np.eye(N, dtype=bool)]
    shown = np.where(np.eye(N, dtype=bool), np.nan, distance)  # zeros would take up most of the range of colours
    image = axes.imshow(shown, cmap="viridis_r", vmin=off.min(), vmax=off.max())
    axes.set_facecolor("#f2f2f2")
    _write_names(axes, [as_label(name) for name in names])
    if N <= _MOST_NUMBERS:
        _write_numbers(axes, shown)
    figure = axes.get_figure(root=True)
    assert figure is not None
    bar = figure.colorbar(image, ax=axes, shrink=0.8, label=what)
    bar.outline.set_visible(False)
    title(axes, "Distances between all pairs", "bold: the nearest in each row" if N <= _MOST_NUMBERS else "")
    return axes


def _write_names(axes: "Axes", names: Sequence[str]) -> None:
    """Write the names beside rows and columns, without the frame and its ticks."""
    if max(map(len, names)) <= _UPRIGHT:
        axes.set_xticks(range(len(names)), names)
    else:
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    for tick in [*axes.get_xticklabels(), *axes.get_yticklabels()]:
        tick.set_parse_math(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=0)


def _write_numbers(axes: "Axes", distance: Array) -> None:
    """Write each distance into its cell, the nearest of each row in bold; the diagonal is NaN."""
    off = distance[~np.isnan(distance)]
    digits, middle = _digits(off), 0.5 * (off.min() + off.max())
    nearest = np.nanargmin(distance, axis=1)
    for (i, j), value in np.ndenumerate(distance):
        text = "0" if i == j else f"{value:.{digits}f}"
        colour = "#888888" if i == j else "white" if value > middle else INK
        weight = "bold" if j == nearest[i] else "normal"
        axes.text(j, i, text, ha="center", va="center", fontsize=9, color=colour, fontweight=weight)


def _digits(values: Array) -> int:
    """Return how many decimals show three digits of the smallest value."""
    positive = values[values > 0.0]
    if not len(positive):
        return 0
    return int(np.clip(2 - np.floor(np.log10(positive.max())), 0, 9))
