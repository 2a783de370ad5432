"""Small pictures for notebooks."""

from collections.abc import Sequence

import numpy as np

from ..plotting.histograms import bin_edges
from ..runtime.types import Array
from ..svg import (
    FIRST,
    GREY,
    SECOND,
    Markup,
    Scale,
    band,
    bottom_axis,
    dots,
    label,
    left_axis,
    line,
    picture,
    polyline,
    rectangle,
    tag,
)

_WIDTH, _HEIGHT, _MARGIN = 300.0, 200.0, 8.0  # pixels
_INK = "currentColor"
_SIDE = 260.0  # pixels of a heat map
# Dark blue to yellow, as matplotlib's viridis: even steps of lightness, for colour-blind readers too.
_RAMP = np.array([[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]], dtype=float)


def plane(X: Array, Y: Array) -> Markup:
    """Return both samples (., 2) as dots and squares, on one scale."""
    pooled = np.concatenate([X, Y])
    middle = 0.5 * (pooled.min(axis=0) + pooled.max(axis=0))
    sizes = np.array([_WIDTH - 2.0 * _MARGIN, _HEIGHT - 2.0 * _MARGIN])
    extent = float((np.ptp(pooled, axis=0) / sizes).max()) or 1.0  # units of the data in a pixel
    X, Y = (((Z - middle) / extent) * [1.0, -1.0] + [0.5 * _WIDTH, 0.5 * _HEIGHT] for Z in (X, Y))
    squares = "".join(f"M{x - 2.0:.1f} {y:.1f}h4" for x, y in Y.tolist())
    return picture(
        _WIDTH,
        _HEIGHT,
        tag("rect", x=0.5, y=0.5, width=_WIDTH - 1.0, height=_HEIGHT - 1.0, fill="none", stroke=GREY, opacity=0.5),
        dots([(x, y) for x, y in X.tolist()], FIRST, size=5.0, opacity=0.8),
        tag("path", d=squares, stroke=SECOND, stroke_width=4.0, stroke_opacity=0.8),
        description=f"Both samples in the plane of the two leading directions: {len(X)} and {len(Y)} points",
    )


def mirrored(x: Array, y: Array, a: Array, b: Array) -> Markup:
    """Return the histogram of points (n,) on a line above it, that of (m,) below; `a` and `b` are their shares."""
    edges = bin_edges(np.concatenate([x, y]), np.concatenate([a, b]))
    above, below = (np.histogram(z, bins=edges, weights=w)[0] for z, w in ((x, a), (y, b)))
    across = Scale(float(edges[0]), float(edges[-1]), _MARGIN, _WIDTH - _MARGIN)
    up = Scale(-float(below.max()), float(above.max()), _HEIGHT - 24.0, _MARGIN)
    parts = [*_bars(across, up, edges, above, FIRST), *_bars(across, up, edges, -below, SECOND)]
    middle = line((_MARGIN, up.at(0.0)), (_WIDTH - _MARGIN, up.at(0.0)), _INK, width=0.7)
    told = "Histograms of both samples along the direction, the first above the line and the second below"
    return picture(_WIDTH, _HEIGHT, *parts, middle, bottom_axis(across, _HEIGHT - 24.0), description=told)


def _bars(across: Scale, up: Scale, edges: Array, heights: Array, colour: str) -> list[Markup]:
    """Return bars from 0 to the heights, which may be negative; none where there is nothing."""
    bars = []
    for left, right, height in zip(edges[:-1], edges[1:], heights, strict=True):
        start, top, bottom = across.at(left), up.at(max(height, 0.0)), up.at(min(height, 0.0))
        if height != 0.0:
            bars.append(rectangle(start, top, across.at(right) - start, bottom - top, colour, opacity=0.85))
    return bars


def curve(ks: Sequence[int], cost: Array, bounds: tuple[Array, Array], null: tuple[Array, Array] | None) -> Markup:
    """Return squared distances over k with their bounds, and the band of what permuted rows give, if known."""
    top = max(float(values.max()) for values in (*bounds, *(null or ()))) or 1.0
    across = Scale(ks[0] - 0.25, ks[-1] + 0.25, 48.0, _WIDTH - 10.0)
    up = Scale(0.0, 1.05 * top, _HEIGHT - 36.0, 22.0)

    def placed(values: Array) -> list[tuple[float, float]]:
        return [(across.at(k), up.at(float(value))) for k, value in zip(ks, values, strict=True)]

    parts = []
    if null is not None:
        low, high = map(placed, null)
        parts.append(band(low, high, GREY, opacity=0.5) if len(ks) > 1 else line(low[0], high[0], GREY, width=6.0))
    parts.append(band(placed(bounds[0]), placed(bounds[1]), FIRST, opacity=0.35))
    parts += [polyline(placed(cost), FIRST, width=2.0), dots(placed(cost), FIRST, size=6.0)]
    told = ", ".join(f"k = {k}: {value:.4g}" for k, value in zip(ks, cost, strict=True))
    axes = (
        bottom_axis(across, _HEIGHT - 36.0, title="k, number of directions", most=min(len(ks), 8)),
        left_axis(up, 48.0, title="S_k²"),
    )
    return picture(_WIDTH, _HEIGHT, *parts, *axes, description=f"Squared distance over k. {told}")


def heatmap(distance: Array, names: Sequence[str]) -> Markup:
    """Return distances (N, N) as coloured cells, dark where far, each with its names and its number as a title."""
    N = len(names)
    off = distance[~np.eye(N, dtype=bool)]
    low, extent = float(off.min()), float(np.ptp(off)) or 1.0
    side = _SIDE / N
    cells = []
    for (i, j), value in np.ndenumerate(distance):
        if i != j:
            colour = _ramp((float(value) - low) / extent)
            title = tag("title", f"{names[i]} and {names[j]}: {value:.4g}")
            cells.append(tag("rect", title, x=j * side, y=i * side, width=side + 0.3, height=side + 0.3, fill=colour))
    told = f"Distances between {N} measures, from {off.min():.4g} to {off.max():.4g}; darker is farther"
    return picture(_SIDE, _SIDE, *cells, description=told)


def p_values(values: Sequence[float], alpha: float) -> Markup:
    """Return p-values one after another on a logarithmic scale, with the level below which a test rejects."""
    logs = np.log10(np.maximum(values, 1e-12))
    least = min(float(logs.min()), np.log10(alpha)) - 0.3
    up = Scale(least, 0.1, _HEIGHT - 44.0, 14.0)
    places = [(70.0 + 40.0 * at, up.at(float(value))) for at, value in enumerate(logs)]
    width = max(_WIDTH, 110.0 + 40.0 * len(values))
    level = up.at(float(np.log10(alpha)))
    numbers = (label(x, _HEIGHT - 28.0, str(at + 1), anchor="middle") for at, (x, _) in enumerate(places))
    return picture(
        width,
        _HEIGHT - 20.0,
        line((48.0, level), (width - 10.0, level), SECOND, dashes="5 3"),
        label(44.0, level + 4.0, f"{alpha:g}", anchor="end"),
        label(44.0, up.at(0.0) + 4.0, "p = 1", anchor="end"),
        line((48.0, up.at(0.0)), (width - 10.0, up.at(0.0)), GREY, width=0.5),
        dots(places, FIRST, size=9.0),
        *numbers,
        description="p-values of the tests: " + ", ".join(f"{value:.3g}" for value in values),
    )


def _ramp(share: float) -> str:
    """Return the colour of a share from 0, light, to 1, dark."""
    at = float(np.clip(share, 0.0, 1.0)) * (len(_RAMP) - 1)
    first = min(int(at), len(_RAMP) - 2)
    red, green, blue = (_RAMP[first] + (at - first) * (_RAMP[first + 1] - _RAMP[first])).astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
