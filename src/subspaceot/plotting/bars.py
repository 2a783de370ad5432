"""What each column contributes, as bars with confidence intervals."""

from typing import TYPE_CHECKING

import numpy as np

from ..core.table import Table
from ..features import feature_table
from ..result import Result
from ..svg.colours import FIRST
from ..tables.summary import Summary
from .canvas import FAINT, INK, as_label, axes_on, legend, subscripted, title

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from ..inference.interval_result import Intervals

_SHORT = 28  # characters of a column's name


def draw_features(
    result: Result, intervals: "Intervals | None" = None, *, count: int = 12, ax: "Axes | None" = None
) -> "Axes":
    """Return axes with the columns that contribute most, at most `count`, and what all others contribute together.

    A bar is the share of the cost of these samples; a line with ends is the confidence interval of the share in the
    populations, where `intervals` has one.
    """
    from matplotlib.ticker import PercentFormatter

    table = feature_table(result, intervals)
    shown, rest = table.head(count), float(table["share"][count:].sum())
    labels = [as_label(str(name), _SHORT) for name in shown["name"]]
    shares, colours = list(shown["share"]), [FIRST] * len(labels)
    if len(table) > count:
        labels.append(f"{len(table) - count:,} others")
        shares.append(rest)
        colours.append(FAINT)
    axes = axes_on(ax, (7.4, 1.6 + 0.32 * len(labels)))
    places = np.arange(len(labels))
    bars = axes.barh(places, shares, color=colours, height=0.7)
    lines = _draw_intervals(axes, shown)
    axes.set_yticks(places, labels)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()
    axes.set_xlim(0.0, None)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("share of the squared distance")
    remark = "" if intervals is None or lines is not None else "no confidence intervals: the directions are not stable"
    title(axes, f"Columns that contribute most to {subscripted(Summary(result, None, ()).symbol)}", remark)
    if intervals is not None and lines is not None:
        said = f"{100.0 * intervals.level:g}% confidence interval in the populations"
        legend(axes, [(bars[0], "share in these samples"), (lines, said)], loc="lower right")
    return axes


def _draw_intervals(axes: "Axes", shown: Table) -> "Artist | None":
    """Draw a line with ends for each confidence interval of the rows of a table; None where there is none."""
    known = np.flatnonzero(~np.isnan(shown["low"]))
    if not len(known):
        return None
    low, high = shown["low"][known], shown["high"][known]
    lines = axes.hlines(known, low, high, color=INK, linewidth=1.6)
    axes.plot([*low, *high], [*known, *known], "|", color=INK, markersize=8, markeredgewidth=1.6)
    return lines
