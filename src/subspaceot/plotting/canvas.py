"""An empty figure, and a figure as the bytes of a file."""

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..core import validate
from ..runtime.printable import printable

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT = "#222222", "#9aa0a6"

FORMATS = ("png", "svg", "pdf")

_ONE_ROW, _ROW = 52, 0.19  # characters of a legend in one row, and its height in inches
_IN_TITLE = 16  # characters of the name of a sample
_LONGEST = 40  # characters of a name: longer ones would leave no space for the picture


def require_matplotlib() -> None:
    """Raise an ImportError that names the extra to install where matplotlib is missing."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise ImportError("Pictures need matplotlib. Install it with: pip install 'subspaceot[cli]'") from error


def current(ax: "Axes | None") -> "Axes":
    """Return the axes that the caller has given, or pyplot's current ones; a figure that is made for them fits."""
    require_matplotlib()
    from matplotlib.axes import Axes

    if ax is not None:
        return validate.as_instance(ax, "ax", Axes, "plt.gca()")
    import matplotlib.pyplot as plt

    if not plt.get_fignums():
        plt.figure(layout="constrained")
    return plt.gca()


def axes_on(ax: "Axes | None", size: tuple[float, float]) -> "Axes":
    """Return the axes `ax`, quiet, or those of a new figure of this size in inches."""
    if ax is None:
        return sheet(*size)
    quiet(ax)
    return ax


def sheet(width: float, height: float) -> "Axes":
    """Return the quiet axes of a figure of so many inches, which pyplot does not know."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    quiet(axes)
    return axes


def quiet(axes: "Axes") -> None:
    """Leave of the frame what helps to read it."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=9, color=FAINT)
    axes.yaxis.get_offset_text().set_horizontalalignment("right")  # a power of ten, beside the title's second line
    axes.grid(color="#e6e8eb", linewidth=0.8)
    axes.set_axisbelow(True)


def between(text: str, names: tuple[str, str]) -> str:
    """Return a title about two samples, their names cut off so that it fits."""
    first, second = (as_label(name, _IN_TITLE) for name in names)
    return text.format(first, second)


def title(axes: "Axes", text: str, below: str = "") -> None:
    """Write a title with a smaller line of explanation under it; dollar signs and the like are taken literally."""
    lines = 1 + below.count("\n") if below else 0
    axes.set_title(text, loc="left", fontsize=12, fontweight="bold", color=INK, pad=8 + 13 * lines, parse_math=False)
    if below:
        axes.annotate(
            below,
            (0, 1),
            (0, 6),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=9,
            color="#555555",
            va="bottom",
            parse_math=False,
        )


def as_label(name: str, longest: int = _LONGEST) -> str:
    """Return a name from data as it is drawn: control characters escaped, the end of a long one cut off."""
    text = printable(name)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def legend_above(axes: "Axes", entries: "Sequence[tuple[Artist, str]]") -> None:
    """Add a legend within the frame, above all that is drawn: the axis is made longer by what it takes."""
    long = sum(len(label) for _, label in entries) > _ONE_ROW
    bottom, top = axes.get_ylim()
    inches = axes.get_window_extent().height / axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    share = min(0.5, ((len(entries) if long else 1) * _ROW + _ROW) / inches)
    axes.update_datalim([(axes.dataLim.x0, top + share / (1.0 - share) * (top - bottom))])
    axes.autoscale_view()
    legend(axes, entries, loc="upper left", ncols=1 if long else len(entries), borderaxespad=0.2)


def legend(axes: "Axes", entries: "Sequence[tuple[Artist, str]]", **options: Any) -> None:
    """Add a legend whose labels are taken literally: dollar signs, and an underscore at the beginning."""
    handles = [handle for handle, _ in entries]
    box = axes.legend(handles, [str(at) for at in range(len(entries))], frameon=False, fontsize=9, **options)
    for text, (_, label) in zip(box.get_texts(), entries, strict=True):
        text.set_text(label)
        text.set_parse_math(False)


@contextmanager
def any_script() -> Iterator[None]:
    """Let characters that the font lacks be drawn as boxes, without a warning for each."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def name_of(k: int) -> str:
    """Return S_k with its number as a subscript."""
    return subscripted(f"S_{k}")


def subscripted(symbol: str) -> str:
    """Return a letter with its number, such as S_2, as it is drawn."""
    letter, _, k = symbol.partition("_")
    return letter + k.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def rendered(drawing: "Axes | Figure", form: str) -> bytes:
    """Return a figure, or that of axes, as a file of this form, one of `FORMATS`, without the time of day."""
    import matplotlib

    figure = drawing.get_figure(root=True)
    assert figure is not None
    out = io.BytesIO()
    undated: dict[str, dict[str, str | None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with matplotlib.rc_context({"svg.hashsalt": "subspaceot"}), any_script():
        figure.savefig(out, format=form, metadata=undated.get(form))
    return out.getvalue()
