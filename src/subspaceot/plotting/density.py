"""Regions that hold most of a sample, for so many points that dots would be fog."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from ..runtime.types import Array
from ..svg.colours import FIRST, SECOND

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

HELD = (0.95, 0.8, 0.5)  # of the mass of a sample, by the regions from the widest on

_DASHES: tuple[Literal["solid", "dashed"], ...] = ("solid", "dashed")
_CELLS = 128  # of the grid, in each direction
_TAIL = 0.002  # of the mass on each side of each axis: the grid extends from there outwards by a third of its width
_NARROW = 0.6  # of the width for one cluster, as there may be several
_BLUR = (0.8, 6.0)  # cells: the narrowest and the widest smoothing


def draw_regions(axes: "Axes", samples: tuple[Array, Array], weights: tuple[Array, Array]) -> "list[Artist]":
    """Draw the regions of highest density that hold 50, 80 and 95 % of each sample, with full and dashed edges."""
    from matplotlib.lines import Line2D

    edges = [_edges([Z[:, axis] for Z in samples], weights) for axis in (0, 1)]
    middles = [0.5 * (e[1:] + e[:-1]) for e in edges]
    artists: list[Artist] = []
    for points, shares, colour, dashes in zip(samples, weights, (FIRST, SECOND), _DASHES, strict=True):
        density = smoothed(points, shares, edges)
        levels = levels_that_hold(density)
        axes.contourf(*middles, density.T, [*levels, np.inf], colors=[(colour, alpha) for alpha in (0.12, 0.25, 0.4)])
        axes.contour(*middles, density.T, levels, colors=colour, linestyles=dashes, linewidths=1.1)
        artists.append(Line2D([], [], color=colour, linestyle=dashes, linewidth=1.4))
    return artists


def smoothed(points: Array, weights: Array, edges: list[Array]) -> Array:
    """Return the mass of each cell of a grid, blurred by about the rule of Scott (1992)."""
    from scipy.ndimage import gaussian_filter

    counts = np.histogram2d(points[:, 0], points[:, 1], bins=edges, weights=weights)[0]
    mean = weights @ points
    spread = np.sqrt(weights @ np.square(points - mean))
    cells = np.array([e[1] - e[0] for e in edges])
    size = 1.0 / float(np.square(weights).sum())  # n for n equal weights
    width = _NARROW * spread * size ** (-1.0 / 6.0) / cells
    return np.asarray(gaussian_filter(counts, np.clip(width, *_BLUR), mode="constant"))


def levels_that_hold(density: Array) -> list[float]:
    """Return the densities, ascending, above which 95, 80 and 50 % of the mass are."""
    ordered = np.sort(density, axis=None)[::-1]
    held = np.cumsum(ordered) / max(float(ordered.sum()), 1e-300)
    levels = [float(ordered[np.searchsorted(held, share)]) for share in HELD]
    for at in (1, 2):  # of all the mass in one cell they would be one
        levels[at] = max(levels[at], float(np.nextafter(levels[at - 1], np.inf)))
    return levels


def _edges(values: list[Array], weights: tuple[Array, Array]) -> Array:
    """Return the edges of the cells along one axis, which leave out far points of next to no mass."""
    low = min(_quantile(z, w, _TAIL) for z, w in zip(values, weights, strict=True))
    high = max(_quantile(z, w, 1.0 - _TAIL) for z, w in zip(values, weights, strict=True))
    reach = (high - low) / 3.0 or 1.0
    return np.linspace(low - reach, high + reach, _CELLS + 1)


def _quantile(values: Array, weights: Array, share: float) -> float:
    order = np.argsort(values)
    at = min(int(np.searchsorted(np.cumsum(weights[order]), share)), len(values) - 1)
    return float(values[order[at]])
