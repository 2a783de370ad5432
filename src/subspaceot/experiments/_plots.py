"""One look for all figures: axes, means and bands."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._experiment import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Told apart by people who do not see all colours, too (Okabe and Ito).
BLUE, ORANGE, GREEN, PURPLE, BLACK = "#0072B2", "#D55E00", "#009E73", "#AA4499", "#222222"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE)

MIN_MAX, TENTHS, QUARTERS = (0.0, 1.0), (0.1, 0.9), (0.25, 0.75)
_BAND_NAMES = {MIN_MAX: "minimum to maximum", TENTHS: "10 % to 90 % of runs", QUARTERS: "25 % to 75 % of runs"}
_BAND_ALPHA = {MIN_MAX: 0.12, TENTHS: 0.17, QUARTERS: 0.25}

_DPI = 120
_STYLE: Any = {
    "savefig.dpi": _DPI,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.titlesize": 10.5,
}


def panels(columns: int = 1, rows: int = 1, *, size: tuple[float, float] = (7.0, 4.4)) -> "tuple[Figure, list[Any]]":
    """Return a figure of `size` inches, and its axes from left to right and top to bottom."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("Figures need matplotlib; install the extra with `pip install 'subspaceot[cli]'`.") from error
    # An object of its own, not pyplot's: no global state, no window.
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained", dpi=_DPI)
        axes = figure.subplots(rows, columns, squeeze=False)
    return figure, list(axes.flat)


def curve(
    ax: Any,
    rows: Table,
    x: str,
    values: Any,
    *,
    label: str,
    colour: str,
    bands: Sequence[tuple[float, float]],
    marker: str = "o",
) -> None:
    """Draw the mean of `values` over the runs at each `x`, with bands of quantiles."""
    groups = values.groupby(rows[x])
    mean = groups.mean()
    for band in bands:
        low, high = groups.quantile(band[0]), groups.quantile(band[1])
        ax.fill_between(mean.index, low, high, color=colour, alpha=_BAND_ALPHA[band], linewidth=0)
    ax.plot(mean.index, mean, color=colour, label=label, marker=marker, markersize=3.5, linewidth=1.6)


def legend(ax: Any, bands: Sequence[tuple[float, float]], runs: int, **place: Any) -> None:
    """Draw the legend, the meaning of lines and bands included."""
    from matplotlib.patches import Patch

    handles, _ = ax.get_legend_handles_labels()
    # As dark as the bands look where the wider ones lie beneath.
    shades = [sum(_BAND_ALPHA[wider] for wider in bands[: i + 1]) for i in range(len(bands))]
    keys = [
        Patch(color="#444444", alpha=shade, linewidth=0, label=_BAND_NAMES[band])
        for band, shade in zip(bands, shades, strict=True)
    ]
    ax.legend(
        handles=[*handles, *keys], title=f"lines: mean of {runs} run{'s' if runs > 1 else ''}", fontsize=9, **place
    )


def log_axes(ax: Any, ticks: Sequence[float]) -> None:
    """Make both axes logarithmic with plain numbers: exactly `ticks` on x, round ones on y. Call it after drawing."""
    from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

    ax.set(xscale="log", yscale="log")
    low, high = ax.get_ylim()
    decades = (1, 2, 3, 4, 5, 7) if high < 10 * low else (1, 2, 5) if high < 300 * low else (1,)
    for axis, locator in ((ax.xaxis, FixedLocator(list(ticks))), (ax.yaxis, LogLocator(subs=decades))):
        axis.set_major_locator(locator)
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(lambda value, _: f"{value:g}")


def draw_plan(ax: Any, pairs: Table) -> None:
    """Draw pairs of points in the plane, with a segment between them as dark as the transported mass."""
    from matplotlib.collections import LineCollection

    segments = pairs[["x1", "x2", "y1", "y2"]].to_numpy().reshape(-1, 2, 2)
    alpha = (pairs["mass"] / pairs["mass"].max()).to_numpy()
    lines = LineCollection(list(segments), colors=[(0.45, 0.45, 0.45, 0.6 * a) for a in alpha], linewidths=0.8)
    ax.add_collection(lines)
    ax.plot([], [], color="#888888", linewidth=1, label="transported mass")
    points = {"markersize": 3.4, "markeredgewidth": 0}
    ax.plot(pairs["x1"], pairs["x2"], "o", color=BLUE, label="first sample", **points)
    ax.plot(pairs["y1"], pairs["y2"], "s", color=ORANGE, label="second sample", **points)
    ax.set_aspect("equal", adjustable="datalim")
