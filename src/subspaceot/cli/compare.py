"""`subspaceot compare`: two tables, one answer."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import _options
from ._chunks import larger_than_memory
from ._command import PrintedHelp
from ._compared import Asked, answered, comparison_options
from ._compared_chunks import answered_in_chunks
from ._errors import BadInput
from ._output import print_json, print_line
from ._page import require_report
from ._print import certified, print_lines
from ._report import save_report
from ._solve import leave
from ._write import require_picture, save_picture

if TYPE_CHECKING:
    from ..tables.comparison import Comparison

_EXAMPLE = """\b
Examples:
  subspaceot compare before.csv after.csv
  subspaceot compare cells.parquet --group condition -k 2 --standardize --plot cells.png
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@comparison_options
@_options.file_option("--plot", "Draw both samples and the transport in the optimal plane (.png, .svg, .pdf).")
@_options.file_option("--report", "Write the answer as a page to send to a colleague (.html).")
@_options.as_json
def compare(asked: Asked, plot: Path | None, report: Path | None, as_json: bool) -> None:
    """Compare the tables A and B: is there a difference, how large is it, and where.

    A and B are CSV, TSV, Parquet, NPY or NPZ files with one row per point (an array of an NPZ file with several:
    file.npz:name), or folders of Parquet files. With --group, A alone is split in two. Columns are matched by name;
    those that are not numbers, or that only one file has, are listed and left out. Parquet larger than memory is read
    in chunks: solver bounds are then of all rows, and tests see some of them.

    First a permutation test says whether there is a difference; it works on so many rows that it adds at most 20
    seconds. -k auto takes the number of directions that such tests find, up to 5. Where they find none, columns and
    rows are listed with --force only.
    """
    if plot is not None:
        require_picture(plot)
    if report is not None:
        require_report(report)
    if asked.group is None and asked.reading.sample is None and larger_than_memory(asked.files, asked.reading):
        _compare_in_chunks(asked, plot, report, as_json)
        return
    answer = answered(asked)
    comparison = answer.comparison
    if as_json:
        print_json(_as_json(comparison))
    else:
        print_lines(comparison.lines())
    if plot is not None:
        from ..plotting.plane import draw_plane

        result, names, unit = comparison.summary.result, comparison.names, comparison.unit
        saved = save_picture(plot, lambda: draw_plane(result, names, unit=unit))
        if saved and not as_json:
            print_line()
            print_line(f"Picture: {plot}")
    if report is not None and save_report(report, answer, asked) and not as_json:
        print_line()
        print_line(f"Report: {report}")
    leave(comparison.summary.result.converged)


def _compare_in_chunks(asked: Asked, plot: Path | None, report: Path | None, as_json: bool) -> None:
    """Compare files larger than memory."""
    if plot is not None or report is not None:
        option = "--report" if plot is None else "--plot"
        raise BadInput(f"{option} shows single rows, and these files are larger than memory: add --sample 20000.")
    answer = answered_in_chunks(asked)
    if as_json:
        print_json(answer.as_json())
    else:
        print_lines(answer.lines())
    leave(answer.result.converged)


def _as_json(answer: "Comparison") -> dict[str, Any]:
    """Return the content of the JSON object, flat."""
    summary, tested = answer.summary, answer.tested
    bounds = summary.explained_interval
    features = summary.features(10) if answer.listed else []
    return {
        "first": answer.names[0],
        "second": answer.names[1],
        "n": len(answer.rows[0]),
        "m": len(answer.rows[1]),
        "d": len(summary.names),
        **certified(summary.result),
        "k_reason": answer.reason,
        "converged": summary.result.converged,
        "wasserstein_cost": None if summary.W is None else summary.W.cost,
        "explained": summary.explained,
        "explained_lower": None if bounds is None else bounds[0],
        "explained_upper": None if bounds is None else bounds[1],
        "features": [feature.name for feature in features],
        "feature_shares": [feature.share for feature in features],
        **answer.population.as_json([feature.name for feature in features], tuple(summary.names)),
        "not_tested": answer.untested,
        **({"difference": None, "p_value": None} if tested is None else tested.as_json(listed=answer.listed)),
    }
