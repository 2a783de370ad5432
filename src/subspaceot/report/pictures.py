"""The small pictures of a report, in the colours of its style sheet: light or dark as the reader prefers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.digits import number
from ..runtime.types import Array
from ..svg import (
    FIRST,
    GREY,
    SECOND,
    Markup,
    Scale,
    band,
    bottom_axis,
    label,
    left_axis,
    line,
    picture,
    polyline,
    rectangle,
    tag,
)

if TYPE_CHECKING:
    from ..inference.null_band import NullBand
    from ..inference.two_sample_result import TwoSampleTest
    from ..path.curve import Path

# Both samples, text, what chance does; colours for pages without the style sheet too.
A, B, INK, QUIET = f"var(--a, {FIRST})", f"var(--b, {SECOND})", "currentColor", f"var(--quiet, {GREY})"
BAR, FOUND = "var(--bar, #5b6bb5)", "var(--found, #2f8f86)"  # numbers of these rows, and of the populations

_WIDTH = 440.0  # pixels of a picture beside text
_BARS = 30  # of the histogram of a test
_BINS = 24  # of the distribution of a column

Points = list[tuple[float, float]]


def null_picture(test: "TwoSampleTest") -> Markup:
    """Return how large the difference is among random labellings, and where the observed one lies."""
    counts, edges = np.histogram(test.null, bins=_BARS)
    across = Scale.of([*edges, test.statistic], 12.0, _WIDTH - 12.0)
    up = Scale(0.0, float(counts.max()), 150.0, 30.0)
    bars = [
        rectangle(across.at(left), up.at(count), across.at(right) - across.at(left) - 0.6, 150.0 - up.at(count), QUIET)
        for count, left, right in zip(counts, edges[:-1], edges[1:], strict=True)
        if count
    ]
    x = across.at(test.statistic)
    late = x > 0.5 * _WIDTH
    return picture(
        _WIDTH,
        196.0,
        *bars,
        line((x, 24.0), (x, 150.0), INK, width=2.5),
        label(x + (4.0 if late else -4.0), 18.0, "these rows", anchor="end" if late else "start", size=12.0),
        bottom_axis(across, 150.0, title="size of the difference, as the test measures it"),
        description=(
            f"Histogram of the difference among {test.n_permutations} labellings, from {number(float(test.null.min()))}"
            f" to {number(float(test.null.max()))}; observed: {number(test.statistic)}"
        ),
        class_="figure",
    )


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with an interval around it, to be drawn on a ruler."""

    title: str
    value: float
    low: float
    high: float
    colour: str


def ruler(rows: Sequence[Measured], unit: str) -> Markup:
    """Return numbers with their intervals over one axis that begins at 0."""
    across = Scale(0.0, 1.06 * max(row.high for row in rows) or 1.0, 12.0, _WIDTH - 16.0)
    bottom = 46.0 * len(rows) + 8.0
    parts = []
    for at, row in enumerate(rows):
        y = 46.0 * at + 32.0
        low, middle, high = (across.at(value) for value in (row.low, row.value, row.high))
        parts += [
            label(12.0, y - 15.0, f"{row.title}: {number(row.value)}", size=12.0),
            line((across.at(0.0), y), (across.at(across.high), y), f"var(--line, {GREY})"),
            line((low, y), (high, y), row.colour, width=5.0),
            line((low, y - 6.0), (low, y + 6.0), row.colour, width=1.5),
            line((high, y - 6.0), (high, y + 6.0), row.colour, width=1.5),
            tag("circle", cx=middle, cy=y, r=4.5, fill=row.colour),
        ]
    told = "; ".join(f"{row.title} {number(row.value)}, from {number(row.low)} to {number(row.high)}" for row in rows)
    axis = bottom_axis(across, bottom, title=f"in {unit}")
    return picture(_WIDTH, bottom + 46.0, *parts, axis, description=told, class_="figure")


@dataclass(frozen=True, slots=True)
class _Shares:
    """Where shares of W^2 lie over k."""

    across: Scale
    up: Scale
    total: float  # W^2

    def placed(self, ks: Sequence[int], values: Sequence[float] | Array) -> Points:
        """Return the places of squared distances."""
        return [
            (self.across.at(k), self.up.at(100.0 * float(value) / self.total))
            for k, value in zip(ks, values, strict=True)
        ]


def curve_picture(path: "Path", total: float, elbow: int | None, null: "NullBand | None") -> Markup:
    """Return the share of W^2 that each k explains, with solver bounds, the elbow and the band of permuted rows."""
    none = [0] if path.ks[0] == 1 else []  # no direction explains nothing
    ks = [*none, *path.ks]
    top = 1.0 if null is None else max(1.0, float(null.high.max()) / total)
    across = Scale(float(ks[0]), max(float(ks[-1]), ks[0] + 1.0), 52.0, _WIDTH - 16.0)
    shares = _Shares(across, Scale(0.0, 105.0 * top, 200.0, 24.0), total)
    parts = [polyline(shares.placed((ks[0], ks[-1]), (total, total)), QUIET, width=1.0, dashes="5 4")]
    if null is not None:
        parts.append(band(shares.placed(null.ks, null.low), shares.placed(null.ks, null.high), QUIET, opacity=0.4))
        parts.append(polyline(shares.placed(null.ks, null.mean), INK, dashes="2 3"))
    points = shares.placed(ks, [*none, *path.cost])
    parts.append(band(shares.placed(ks, [*none, *path.lower]), shares.placed(ks, [*none, *path.upper]), BAR))
    parts.append(polyline(points, BAR, width=2.0))
    parts += [tag("circle", cx=x, cy=y, r=3.5, fill=BAR) for x, y in points]
    if elbow is not None:
        x, y = points[ks.index(elbow)]
        parts.append(tag("circle", cx=x, cy=y, r=8.0, fill="none", stroke=INK, stroke_width=2.0))
    told = ", ".join(f"k = {k}: {cost / total:.1%}" for k, cost in zip(path.ks, path.cost, strict=True))
    axes = (
        bottom_axis(across, 200.0, title="k, number of directions", most=min(len(ks), 11)),
        left_axis(shares.up, 52.0, title="% of W²"),
    )
    return picture(_WIDTH, 246.0, *parts, *axes, description=f"Share of W² over k. {told}", class_="figure")


def share_bar(share: float, interval: tuple[float, float] | None, top: float, name: str) -> Markup:
    """Return a bar for a share of up to `top`, with its confidence interval where there is one."""
    across = Scale(0.0, top, 0.0, 158.0)
    parts = [rectangle(0.0, 4.0, across.at(share), 12.0, BAR)]
    told = f"{name}: {share:.1%}"
    if interval is not None:
        low, high = (across.at(end) for end in interval)
        parts.append(line((low, 10.0), (high, 10.0), INK, width=1.5))
        parts += [line((x, 6.0), (x, 14.0), INK, width=1.5) for x in (low, high)]
        told += f", confidence interval of the population {interval[0]:.1%} to {interval[1]:.1%}"
    return picture(160.0, 20.0, *parts, description=told, class_="bar", preserveAspectRatio="none")


def distribution_picture(samples: tuple[Array, Array], weights: tuple[Array, Array], told: str) -> Markup:
    """Return the distribution of a column in both samples: the first as an area, the second as a line."""
    pooled = [float(side.min()) for side in samples] + [float(side.max()) for side in samples]
    across = Scale.of(pooled, 1.0, 169.0)
    edges = np.linspace(across.low, across.high, _BINS + 1)
    shares = [np.histogram(x, bins=edges, weights=w)[0] for x, w in zip(samples, weights, strict=True)]
    up = Scale(0.0, max(float(heights.max()) for heights in shares), 40.0, 3.0)
    first, second = (_steps(heights, edges, across, up) for heights in shares)
    return picture(
        170.0,
        46.0,
        band([(x, 40.0) for x, _ in first], first, A, opacity=0.45),
        polyline(second, B, width=2.0),
        line((1.0, 40.5), (169.0, 40.5), QUIET),
        *(
            polyline([(across.at(float(np.average(x, weights=w))), 40.0 + s) for s in (-3.0, 6.0)], colour, width=2.5)
            for x, w, colour in zip(samples, weights, (A, B), strict=True)
        ),
        description=told,
        class_="spread",
    )


def _steps(heights: Array, edges: Array, across: Scale, up: Scale) -> Points:
    """Return the outline of the bars of a histogram."""
    corners = zip(np.repeat(edges, 2)[1:-1], np.repeat(heights, 2), strict=True)
    return [(across.at(float(x)), up.at(float(y))) for x, y in corners]
