"""Both samples where they differ most: in the plane of the two leading directions, or along the only one."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from ..core.rounding import exact_shares
from ..result import Result
from ..runtime.digits import number
from ..runtime.types import Array
from ..svg.colours import FIRST, SECOND
from ..tables.comparison import solver_bounds
from ..tables.summary import Summary
from .canvas import as_label, axes_on, between, legend_above, subscripted, title
from .density import draw_regions
from .histograms import draw_mirrored

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

SIZE = (7.4, 6.2)  # inches

_MOST_POINTS = 1000  # of both samples: more dots and lines are fog
_MOST_LINES = 600  # more of them cannot be told apart
_HEAVIEST = 200  # lines among the regions of many points
_AMONG_REGIONS = 0.45  # opacity of these
_LINE = (0.35, 0.35, 0.4)  # dark grey
_MARKERS: tuple[Literal["o", "^"], ...] = ("o", "^")
_SHORT, _LONGEST = 18, 30  # characters of one column's name beside an axis, and of all of them
_MOST_NAMES = 3
_COUNTS = 0.2  # a smaller weight of a column is not worth naming beside an axis


def draw_plane(result: Result, names: tuple[str, str], *, unit: str | None = None, ax: "Axes | None" = None) -> "Axes":
    """Return axes with both samples in the two leading directions, and the transport between them.

    Dots have areas in proportion to their weights, lines opacity in proportion to their mass. Above 1,000 points there
    are regions that hold 50, 80 and 95 % of each sample, and the 200 pairs that contribute most to the cost. With one
    direction there are two histograms, that of X above the line and that of Y below.
    """
    axes = axes_on(ax, SIZE)
    unit = unit or ("units of the data" if result.problem.frame.scales is None else "units of the scaled columns")
    shown = as_label(names[0]), as_label(names[1])
    weights = weights_of(result)
    if result.k == 1:
        places = result.project(result.problem.frame.X)[:, 0], result.project(result.problem.frame.Y)[:, 0]
        entries = draw_mirrored(axes, places, weights, shown)
        remark = _bounds(result)
    else:
        entries, remark = _draw_points(axes, result, weights, shown)
        axes.set_ylabel(_axis_title(result, 1, unit), parse_math=False)
    axes.set_xlabel(_axis_title(result, 0, unit), parse_math=False)
    title(axes, between("Where {} and {} differ most", names), remark)
    legend_above(axes, entries)
    return axes


def weights_of(result: Result) -> tuple[Array, Array]:
    """Return the shares (n,), (m,) of all points, those without mass included."""
    (a, _), (b, _) = (exact_shares(weights) for weights in result.problem.frame.weights)
    return a, b


def _draw_points(
    axes: "Axes", result: Result, weights: tuple[Array, Array], names: tuple[str, str]
) -> "tuple[list[tuple[Artist, str]], str]":
    """Draw points or regions, with the lines of the plan; return the entries of a legend, and a remark."""
    X, Y = (points @ result.basis[:, :2] for points in (result.problem.frame.X, result.problem.frame.Y))
    atoms = result.sparse_plan.tocoo()
    rows, columns, mass = atoms.row, atoms.col, atoms.data
    if len(X) + len(Y) > _MOST_POINTS:
        cost = mass * np.square((result.problem.frame.X[rows] - result.problem.frame.Y[columns]) @ result.factor).sum(1)
        chosen = np.argsort(-cost, kind="stable")[:_HEAVIEST]
        part = float(cost[chosen].sum() / cost.sum()) if cost.any() else 1.0
        artists = draw_regions(axes, (X, Y), weights)
        _draw_lines(axes, X[rows[chosen]], Y[columns[chosen]], cost[chosen], faintest=_AMONG_REGIONS)
        labels = [f"{name}: 50, 80, 95% of it" for name in names]
        labels.append(f"the {len(chosen)} pairs that contribute most ({part:.1%} of the cost)")
        remark = _bounds(result)
    else:
        chosen = np.argsort(-mass, kind="stable")[:_MOST_LINES]
        _draw_lines(axes, X[rows[chosen]], Y[columns[chosen]], mass[chosen])
        artists = _draw_samples(axes, (X, Y), weights)
        part = float(mass[chosen].sum() / mass.sum())
        labels = [*names, "transport plan"]
        remark = _bounds(result) + (f"; lines show {int(100.0 * part)}% of the mass" if part < 1.0 - 1e-9 else "")
    (line,) = axes.plot([], [], color=_LINE, linewidth=0.8)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.04)
    axes.autoscale_view()
    return list(zip([*artists, line], labels, strict=True)), remark


def _draw_lines(axes: "Axes", starts: Array, ends: Array, size: Array, faintest: float = 0.0) -> None:
    """Draw lines, the more opaque the larger their size."""
    from matplotlib.collections import LineCollection

    opacity = np.clip(size / (size.max() or 1.0), 0.08, 1.0) * np.clip(60.0 / max(len(size), 1), 0.22, 0.7)
    colours = [(*_LINE, share) for share in np.maximum(opacity, faintest)]
    axes.add_collection(LineCollection(list(np.stack([starts, ends], axis=1)), colors=colours, linewidths=0.8))


def _draw_samples(axes: "Axes", samples: tuple[Array, Array], weights: tuple[Array, Array]) -> "list[Artist]":
    """Draw the points of both samples, round and triangular."""
    dots: list[Artist] = []
    size = float(np.clip(7000.0 / sum(map(len, samples)), 9.0, 70.0))
    for points, shares, colour, marker in zip(samples, weights, (FIRST, SECOND), _MARKERS, strict=True):
        areas = size * np.clip(shares * len(shares), 0.15, 8.0)
        x, y = points.T
        drawn = axes.scatter(x, y, areas, color=colour, marker=marker, edgecolors="white", linewidths=0.4)
        drawn.set_zorder(2.5)  # above the lines
        dots.append(drawn)
    return dots


def _bounds(result: Result) -> str:
    """Return the distance with its solver bounds."""
    summary = Summary(result, None, ())
    return f"{subscripted(summary.symbol)} = {number(result.distance)}, {solver_bounds(*summary.distance_interval)}"


def _axis_title(result: Result, at: int, unit: str) -> str:
    """Return what to call a direction: by its number, and the columns with the largest weights if they have names."""
    number = "the direction" if result.k == 1 else f"direction {at + 1}"
    if result.names is None:
        return f"{number}, in {unit}"
    weights, named, left = result.basis[:, at], "", 1.0
    for j in np.argsort(-np.abs(weights), kind="stable")[:_MOST_NAMES]:
        part = f"{as_label(result.names[j], _SHORT)} {weights[j]:+.2f}"
        if abs(weights[j]) < _COUNTS or len(named) + len(part) > _LONGEST:
            break
        named += f"{', ' if named else ': '}{part}"
        left -= weights[j] ** 2
    rest = ", ..." if named and left > _COUNTS**2 else ""
    return f"{number}{named}{rest}\nin {unit}"


def plane_of(result: Result) -> tuple[Array, tuple[str, str]]:
    """Return two orthonormal directions (d, 2) to draw in, and what to call them.

    For k = 1 the second is the direction that contributes most to the rest of the displacement.
    """
    basis, d = result.basis, result.problem.frame.d
    if result.k >= 2:
        return basis[:, :2], ("first direction", "second direction")
    if d == 1:
        return np.hstack([basis, np.zeros((1, 1))]), ("the only column", "nothing")
    rest = _next_direction(result)
    return np.column_stack([basis[:, 0], rest]), ("the direction of S₁", "next direction, not counted")


def _next_direction(result: Result) -> Array:
    """Return the unit vector (d,) orthogonal to the only basis vector that contributes most to the displacement."""
    frame, basis = result.problem.frame, result.basis
    within, V = (
        (basis, result.displacement) if frame.axes is None else (frame.lower(basis), _displacement_within(result))
    )
    P = np.eye(len(within)) - within @ within.T
    _, vectors = np.linalg.eigh(P @ V @ P)
    rest = P @ vectors[:, -1]
    rest = frame.lift(rest[:, None])[:, 0]
    if np.linalg.norm(rest) < 0.5:  # no displacement outside the direction: any other will do
        j = np.argmin(np.abs(basis[:, 0]))
        rest = -basis[j, 0] * basis[:, 0]
        rest[j] += 1.0
    unit: Array = rest / np.linalg.norm(rest)
    return unit


def _displacement_within(result: Result) -> Array:
    """Return the displacement matrix (r, r) of the sparse plan in the span of the data, which d x d may not fit."""
    frame, atoms = result.problem.frame, result.sparse_plan.tocoo()
    Z = frame.lower((frame.X[atoms.row] - frame.Y[atoms.col]).T)
    V: Array = (Z * atoms.data) @ Z.T
    return V
