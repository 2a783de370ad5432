"""Distances between all pairs, as a heat map or as a map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..runtime.types import Array
from ..tables.mds import metric_mds
from .heatmap import draw_heatmap
from .map import draw_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_pairs(distance: Array, names: Sequence[str], *, kind: str, what: str, ax: "Axes | None" = None) -> "Axes":
    """Return axes with the distances (N, N) as a heat map, or for the kind "map" as places."""
    if kind == "heatmap":
        return draw_heatmap(distance, names, what=what, ax=ax)
    return draw_map(*metric_mds(distance), names, what=what, ax=ax)
