"""The curve k -> S_k^2 with its intervals, its elbow, its ceiling W^2 and its null band."""

from typing import TYPE_CHECKING

from ..path.curve import Path
from ..result import Result
from ..svg.colours import FIRST, SECOND
from .canvas import FAINT, INK, as_label, sheet, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..inference.null_band import NullBand

_NULL = "#6b7280"  # grey: the band is what neither sample shows
_TOP = 1.08  # of W^2, where the axis ends: space for the line at 1


def draw_curve(
    path: Path, W: Result, names: tuple[str, str], *, elbow: int | None = None, band: "NullBand | None" = None
) -> "Figure":
    """Return the share of W^2 that each k explains, with its solver bounds; `elbow` is marked.

    `band` holds the S_k^2 of permuted samples, as shares of the same W^2.
    """
    from matplotlib.patheffects import withStroke
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    figure, axes = sheet(7.4, 4.6)
    ks = list(path.ks)
    total = W.cost if W.cost > 0.0 else 1.0
    share, low, high = path.cost / total, path.lower / total, path.upper / total
    if ks[0] == 1:  # no direction explains nothing: without this point an elbow at 1 could not be seen
        axes.plot([0, 1], [0.0, share[0]], color=FIRST, linestyle=":", linewidth=1.5)
        axes.plot([0], [0.0], "o", color="white", markeredgecolor=FIRST, markersize=5, clip_on=False, zorder=3)
    if band is not None:
        _draw_null_band(axes, band, total)
    axes.axhline(1.0, color=FAINT, linewidth=1.2, linestyle="--", label=f"$W^2$ = {W.cost:.5g}, all directions")
    axes.fill_between(ks, low, high, color=FIRST, alpha=0.25, linewidth=0, label="solver bounds")
    axes.plot(ks, share, color=FIRST, marker="o", markersize=5, label="$S_k^2$")
    if elbow in path.ks:
        at = ks.index(elbow)
        axes.plot([elbow], [share[at]], "o", markersize=13, markerfacecolor="none", markeredgecolor=SECOND, mew=2)
        axes.annotate(
            f"elbow: k = {elbow}, {share[at]:.0%}",
            (elbow, share[at]),
            (14, -20),
            textcoords="offset points",
            color=SECOND,
            fontsize=10,
            fontweight="bold",
            path_effects=[withStroke(linewidth=3.0, foreground="white")],  # to be read where it lies on the band
        )
    axes.set_ylim(0.0, _TOP if band is None else _TOP * max(1.0, float(band.high.max()) / total))
    axes.set_xlim(0.0 if ks[0] == 1 else min(ks) - 0.4, max(ks) + 0.4)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("k, number of directions")
    axes.set_ylabel("share of $W^2$ explained")
    title(axes, f"How many directions tell {as_label(names[0])} from {as_label(names[1])}?")
    if band is None:
        axes.legend(frameon=False, fontsize=9, loc="lower right", labelcolor=INK)
    else:  # no corner is free for certain
        axes.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, labelcolor=INK)
    return figure


def _draw_null_band(axes: "Axes", band: "NullBand", total: float) -> None:
    """Draw the band of permuted values and their mean, in units of `total`; one k alone as a bar."""
    low, high = band.low / total, band.high / total
    label = f"null band (permutations), {100.0 * band.level:.4g}%"
    if len(band.ks) == 1:
        axes.vlines(band.ks, low, high, color=_NULL, alpha=0.3, linewidth=9, label=label)
    else:
        axes.fill_between(band.ks, low, high, color=_NULL, alpha=0.3, linewidth=0, label=label)
    axes.plot(band.ks, band.mean / total, "-.", color=_NULL, marker=".", linewidth=1.4, label="mean over permutations")
