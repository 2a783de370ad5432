"""A result in a notebook."""

import numpy as np

from ..core.rounding import exact_shares
from ..features import feature_table
from ..plotting.canvas import subscripted
from ..projected_result import ProjectedResult
from ..report.pictures import share_bar
from ..result import Result
from ..runtime.digits import number
from ..runtime.lines import count
from ..runtime.types import Array
from ..svg import FIRST, SECOND, Markup, joined
from ..tables.comparison import solver_bounds
from ..tables.summary import Summary
from ._parts import beside, card, head, legend, name, remark, table
from ._pictures import mirrored, plane

_MOST_DOTS = 300  # of each sample
_MOST_FEATURES = 6


def html(result: Result) -> str:
    """Return the distance with its solver bounds, both samples, and the columns that contribute most."""
    summary, frame = Summary(result, None, ()), result.problem.frame
    symbol = subscripted(summary.symbol)
    power = "²" if summary.power == 2.0 else f" to the power {summary.power:g}"
    squared = (
        f"{symbol}{power} = {number(result.cost)}, {solver_bounds(result.lower, result.upper)}, gap {result.gap:.1e}"
    )
    sizes = f"X: {count(frame.n, 'point')}, Y: {count(frame.m, 'point')}, {count(frame.d, 'column')}"
    remarks = [remark(squared), remark(f"{sizes}; k = {result.k}; {result.status.name}")]
    if not result.converged or result.reg is not None:
        remarks.append(remark(result.status.value))
    if isinstance(result, ProjectedResult):
        remarks.append(remark(f"gradient {result.gradient_norm:.1e} of the cost: small at a local maximum"))
    if result.selection is not None:
        remarks.append(remark(f"k by tests: {result.selection.summary}"))
    samples = legend([("X", FIRST), ("Y", SECOND)])
    return card(
        head(f"Distance {symbol}", number(result.distance), solver_bounds(*summary.distance_interval)),
        *remarks,
        beside(joined([_samples(result), samples]), _features(result)),
    )


def _samples(result: Result) -> Markup:
    """Return both samples: histograms along the only direction, or dots in the plane of the two leading ones."""
    frame = result.problem.frame
    if result.k == 1:
        a, b = (exact_shares(weights)[0] for weights in frame.weights)
        return mirrored((frame.X @ result.basis)[:, 0], (frame.Y @ result.basis)[:, 0], a, b)
    X, Y = (_some(points) @ result.basis[:, :2] for points in frame.massive)
    return plane(X, Y)


def _some(points: Array) -> Array:
    """Return points evenly taken from many, the same each time."""
    chosen = np.linspace(0, len(points) - 1, min(len(points), _MOST_DOTS)).round().astype(int)
    some: Array = points[chosen]
    return some


def _features(result: Result) -> Markup:
    """Return the columns with the largest shares of the cost, with bars."""
    shown = feature_table(result).head(_MOST_FEATURES)
    top = float(shown["share"].max()) or 1.0
    rows = [
        [name(str(row["name"])), share_bar(row["share"], None, top, str(row["name"])), f"{row['share']:.1%}"]
        for row in shown
    ]
    return table(["column", "share of the cost", ""], rows)
