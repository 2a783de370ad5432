"""`subspaceot compare`: two tables, one answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import _options
from ._command import PrintedHelp
from ._output import print_json, print_line
from ._population import population_of
from ._print import certified, print_lines
from ._samples import Reading, Samples, load_pair
from ._solve import compared, compared_at_elbow, leave, require_k
from ._testing import LABELLINGS, permutation_test, permutation_tests, too_few
from ._write import require_picture, save_picture

if TYPE_CHECKING:
    from ..tables.comparison import Comparison

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
@_options.testing(LABELLINGS)
@click.option("--no-test", is_flag=True, help="Describe these rows alone; -k auto is then the elbow.")
@_options.tol(1e-3)
@_options.seconds
@_options.file_option("--plot", "Draw both samples and the transport in the optimal plane (.png, .svg, .pdf).")
@_options.as_json
def compare(
    files: tuple[str, ...],
    k: int | str,
    group: str | None,
    reading: Reading,
    testing: _options.Testing,
    no_test: bool,
    tol: float,
    seconds: float | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Compare the tables A and B: is there a difference, how large is it, and where.

    A and B are CSV, TSV, Parquet, NPY or NPZ files with one row per point (an array of an NPZ file with several:
    file.npz:name). With --group, A alone is split in two. Columns are matched by name; those that are not numbers, or
    that only one file has, are listed and left out.

    First a permutation test says whether there is a difference; it works on so many rows that it adds at most 20
    seconds. -k auto takes the number of directions that such tests find, up to 5. Where they find none, columns and
    rows are listed with --force only.
    """
    if plot is not None:
        require_picture(plot)
    samples = load_pair(files, group, reading)
    if isinstance(k, int):
        require_k(k, samples.d)
    answer = _compared(samples, k, _Effort(tol, seconds), reading, testing, no_test)
    if as_json:
        print_json(_as_json(answer))
    else:
        print_lines(answer.lines())
    result = answer.summary.result
    if plot is not None:
        from ..plotting.plane import draw_plane

        unit = "standard deviations" if reading.standardize else "units of the data"
        saved = save_picture(plot, lambda: draw_plane(result, answer.names, unit=unit))
        if saved and not as_json:
            print_line()
            print_line(f"Picture: {plot}")
    leave(result.converged)


@dataclass(frozen=True, slots=True)
class _Effort:
    """When the distance is known well enough."""

    tol: float
    seconds: float | None


def _compared(
    samples: Samples, k: int | str, effort: _Effort, reading: Reading, testing: _options.Testing, no_test: bool
) -> "Comparison":
    """Return the answer; the test comes first, as it says for how many directions the rest is asked."""
    from ..tables.comparison import Comparison
    from ..tables.population import Population

    untested = "--no-test" if no_test else too_few(samples)
    test = None
    if untested is None:
        test = (permutation_test if isinstance(k, int) else permutation_tests)(samples, reading, testing)
    if isinstance(k, int):
        summary, reason = compared(samples, k, effort.tol, effort.seconds), "as asked for"
    elif test is None:
        summary, reason = compared_at_elbow(samples, effort.tol, effort.seconds, reading.seed)
    else:
        summary, reason = compared(samples, max(1, test.k), effort.tol, effort.seconds), test.reason
    if test is not None and test.found:
        population = population_of(samples, summary.result.k, reading)
    else:
        population = Population(None, "not tested." if test is None else "without a difference W may be 0.")
    first, second = samples.each
    return Comparison(
        names=(first.name, second.name),
        rows=(first.rows, second.rows),
        scales=samples.scales,
        summary=summary,
        reason=reason,
        tested=test,
        untested=untested,
        population=population,
        listed=test is None or test.found or testing.force,
        unlisted="--force lists them",
    )


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
