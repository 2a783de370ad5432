"""The curve k -> S_k^2 with its intervals, its elbow, its ceiling W^2 and its null band."""

from typing import TYPE_CHECKING

from ..core import validate
from ..core.potentials import is_large
from ..inference.null_band import NullBand
from ..path.curve import Path
from ..result import Result
from ..svg.colours import FIRST, SECOND
from ..tables.choice import elbow_of, wasserstein_on
from .canvas import FAINT, INK, axes_on, between, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (7.4, 4.6)  # inches

_NULL = "#6b7280"  # grey: the band is what neither sample shows
_TOP = 1.08  # of W^2, where the axis ends: space for the line at 1


def draw_path(path: Path, *, W: object, band: object, names: tuple[str, str], ax: "Axes | None" = None) -> "Axes":
    """Return axes with the curve; W is computed if it is None and that is quick, and the elbow is found."""
    if W is not None:
        W = validate.as_instance(W, "W", Result, "sot.wasserstein(X, Y)")
    if band is not None:
        band = validate.as_instance(band, "band", NullBand, "sot.null_band(X, Y, k)")
    last = path.results[path.ks[-1]]
    frame = last.problem.frame
    if W is None and not is_large(frame.n, frame.m):
        W = wasserstein_on(path, frame.X, frame.Y, *frame.weights)
    elif W is None and last.k == frame.d:
        W = last
    return draw_curve(path, W, names, elbow=_elbow(path, W), band=band, ax=ax)


def _elbow(path: Path, W: Result | None) -> int | None:
    """Return the k of the elbow, None where there is none or where the ks are not consecutive."""
    first, last = path.ks[0], path.ks[-1]
    if first == last or last - first != len(path.ks) - 1:
        return None
    return path.elbow().k if W is None or first > 1 else elbow_of(path, W).k


def draw_curve(
    path: Path,
    W: Result | None,
    names: tuple[str, str],
    *,
    elbow: int | None = None,
    band: "NullBand | None" = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Return axes with the share of W^2 that each k explains, with its solver bounds; `elbow` is marked.

    Where W is not known they show S_k^2 itself. `band` holds the S_k^2 of permuted samples, as shares of the same W^2.
    """
    axes = axes_on(ax, SIZE)
    ks = list(path.ks)
    total = 1.0 if W is None or W.cost <= 0.0 else W.cost
    share, low, high = path.cost / total, path.lower / total, path.upper / total
    if ks[0] == 1:  # no direction explains nothing: without this point an elbow at 1 could not be seen
        axes.plot([0, 1], [0.0, share[0]], color=FIRST, linestyle=":", linewidth=1.5)
        axes.plot([0], [0.0], "o", color="white", markeredgecolor=FIRST, markersize=5, clip_on=False, zorder=3)
    if band is not None:
        _draw_null_band(axes, band, total)
    if W is not None:
        axes.axhline(
            W.cost / total,
            color=FAINT,
            linewidth=1.2,
            linestyle="--",
            label=f"$W^2$ = {W.cost:.5g}, all directions",
        )
    axes.fill_between(ks, low, high, color=FIRST, alpha=0.25, linewidth=0, label="solver bounds")
    axes.plot(ks, share, color=FIRST, marker="o", markersize=5, label="$S_k^2$")
    if elbow in path.ks:
        _mark_elbow(axes, int(elbow), float(share[ks.index(elbow)]), is_share=W is not None)
    highest = max(1.0 if W is not None else float(high.max()), 0.0 if band is None else float(band.high.max()) / total)
    axes.set_ylim(0.0, _TOP * (highest or 1.0))
    _label_axes(axes, path, W)
    title(axes, between("How many directions tell {} from {}?", names))
    if band is None:
        axes.legend(frameon=False, fontsize=9, loc="lower right", labelcolor=INK)
    else:  # no corner is free for certain
        axes.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, labelcolor=INK)
    return axes


def _label_axes(axes: "Axes", path: Path, W: Result | None) -> None:
    """Label both axes, with whole numbers below and per cent of W^2, where it is known, to the left."""
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    first, last = path.ks[0], path.ks[-1]
    axes.set_xlim(0.0 if first == 1 else first - 0.4, last + 0.4)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.set_xlabel("k, number of directions")
    axes.set_ylabel("$S_k^2$, squared units of the data" if W is None else "share of $W^2$ explained")
    if W is not None:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def _mark_elbow(axes: "Axes", k: int, share: float, *, is_share: bool) -> None:
    """Draw a ring around the elbow, with its k and what it explains."""
    from matplotlib.patheffects import withStroke

    axes.plot([k], [share], "o", markersize=13, markerfacecolor="none", markeredgecolor=SECOND, mew=2)
    axes.annotate(
        f"elbow: k = {k}" + (f", {share:.0%}" if is_share else ""),
        (k, share),
        (14, -20),
        textcoords="offset points",
        color=SECOND,
        fontsize=10,
        fontweight="bold",
        path_effects=[withStroke(linewidth=3.0, foreground="white")],  # to be read where it lies on the band
    )


def _draw_null_band(axes: "Axes", band: "NullBand", total: float) -> None:
    """Draw the band of permuted values and their mean, in units of `total`; one k alone as a bar."""
    low, high = band.low / total, band.high / total
    label = f"null band (permutations), {100.0 * band.level:.4g}%"
    if len(band.ks) == 1:
        axes.vlines(band.ks, low, high, color=_NULL, alpha=0.3, linewidth=9, label=label)
    else:
        axes.fill_between(band.ks, low, high, color=_NULL, alpha=0.3, linewidth=0, label=label)
    axes.plot(band.ks, band.mean / total, "-.", color=_NULL, marker=".", linewidth=1.4, label="mean over permutations")
