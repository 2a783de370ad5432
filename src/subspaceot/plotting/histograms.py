"""Two samples on a line: one histogram above it, the other below."""

from typing import TYPE_CHECKING

import numpy as np

from ..runtime.types import Array
from ..svg.colours import FIRST, SECOND
from .canvas import INK

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_FEWEST, _MOST = 12, 60  # bins


def draw_mirrored(
    axes: "Axes", samples: tuple[Array, Array], weights: tuple[Array, Array], names: tuple[str, str]
) -> "list[tuple[Artist, str]]":
    """Draw the histograms of both samples (n,), (m,), and their means; return the entries of a legend."""
    from matplotlib.ticker import FuncFormatter

    edges = bin_edges(np.concatenate(samples), np.concatenate(weights))
    entries: list[tuple[Artist, str]] = []
    for z, w, colour, sign, name in zip(samples, weights, (FIRST, SECOND), (1.0, -1.0), names, strict=True):
        heights = np.histogram(z, bins=edges, weights=w)[0]
        bars = axes.stairs(sign * heights, edges, fill=True, color=colour, alpha=0.75)
        top = sign * float(heights.max())
        axes.plot([w @ z] * 2, [0.0, 1.08 * top], color=colour, linewidth=1.6, linestyle=(0, (4, 2)))
        entries.append((bars, name))
    (mean,) = axes.plot([], [], color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
    axes.axhline(0.0, color=INK, linewidth=0.9)
    axes.yaxis.set_major_formatter(FuncFormatter(_per_cent))
    axes.set_ylabel("share of each sample")
    return [*entries, (mean, "means")]


def _per_cent(share: float, _: int) -> str:
    """Return a share on either side of the line, and nothing beyond all of a sample."""
    return f"{100.0 * abs(share):.3g}%" if abs(share) <= 1.0 else ""


def bin_edges(values: Array, weights: Array) -> Array:
    """Return the edges of bins as wide as Freedman and Diaconis (1981) say, if that are neither few nor many."""
    order = np.argsort(values)
    held = np.cumsum(weights[order]) / weights.sum()
    first, third = (float(values[order][np.searchsorted(held, share)]) for share in (0.25, 0.75))
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.linspace(low - 0.5, high + 0.5, _FEWEST + 1)
    width = 2.0 * (third - first) / len(values) ** (1.0 / 3.0)
    count = _MOST if width <= 0.0 else int(np.clip(np.ceil((high - low) / width), _FEWEST, _MOST))
    half = 0.5 * (high - low) / (count - 1)
    return np.linspace(low - half, high + half, count + 1)
