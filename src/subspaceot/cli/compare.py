"""`subspaceot compare`: two tables, one answer."""

from pathlib import Path

import click

from . import _options
from ._command import PrintedHelp
from ._output import print_json, print_line
from ._print import certified, print_answer, print_displacements, print_features
from ._samples import Reading, load_pair
from ._solve import compared, leave
from ._write import require_picture, save_picture

_EXAMPLE = """\b
Examples:
  subspaceot compare before.csv after.csv
  subspaceot compare cells.parquet --group condition -k 2 --standardize --plot cells.png
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.argument("files", nargs=-1, required=True, metavar="A [B]")
@click.option(
    "-k", metavar="K|auto", callback=_options.dimension, default="auto", help="Number of directions; auto by default."
)
@_options.group
@_options.tables
@_options.tol(1e-3)
@_options.file_option("--plot", "Draw both samples and the transport in the optimal plane (.png, .svg, .pdf).")
@_options.as_json
def compare(
    files: tuple[str, ...],
    k: int | str,
    group: str | None,
    reading: Reading,
    tol: float,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Compare the tables A and B: how far apart, in which few directions, and which rows go where.

    A and B are CSV, TSV, Parquet, NPY or NPZ files with one row per point (an array of an NPZ file with several:
    file.npz:name). With --group, A alone is split in two. Columns are matched by name; those that are not numbers, or
    that only one file has, are listed and left out. -k auto takes the elbow of the curve over k, else the smallest k
    that explains 90 % of the squared Wasserstein distance W^2.
    """
    if plot is not None:
        require_picture(plot)
    samples = load_pair(files, group, reading)
    summary, reason = compared(samples, k, tol)
    result = summary.result
    first, second = samples.each
    names = (first.name, second.name)
    unit = "standard deviations" if reading.standardize else "units of the data"
    if as_json:
        bounds, features = summary.explained_interval, summary.features(10)
        print_json(
            {
                "first": first.name,
                "second": second.name,
                "n": len(first.points),
                "m": len(second.points),
                "d": samples.d,
                **certified(result),
                "k_reason": reason,
                "converged": result.converged,
                "wasserstein_cost": summary.W.cost,
                "explained": summary.explained,
                "explained_lower": None if bounds is None else bounds[0],
                "explained_upper": None if bounds is None else bounds[1],
                "features": [feature.name for feature in features],
                "feature_shares": [feature.share for feature in features],
            }
        )
    else:
        sizes = f"{_rows(len(first.points))} against {_rows(len(second.points))}"
        columns = f"{samples.d} column{'s' if samples.d > 1 else ''}"
        print_answer(summary, f"{first.name} and {second.name}: {sizes}, {columns}", reason)
        print_features(summary, names, samples.scales)
        print_displacements(summary, (first.rows.tolist(), second.rows.tolist()), names)
    if plot is not None:
        from ..plotting.plane import draw_plane

        saved = save_picture(plot, lambda: draw_plane(result, names, unit=unit))
        if saved and not as_json:
            print_line()
            print_line(f"Picture: {plot}")
    leave(result.converged)


def _rows(n: int) -> str:
    return f"{n} row{'s' if n > 1 else ''}"
