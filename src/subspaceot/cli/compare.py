"""`subspaceot compare`: two tables, one answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import _options
from ._command import PrintedHelp
from ._output import print_json, print_line
from ._population import INTERVAL, Population
from ._print import (
    certified,
    heading,
    listed_features,
    print_displacements,
    print_distances,
    print_features,
    print_same,
    sizes_of,
)
from ._samples import Reading, Samples, load_pair
from ._solve import compared, compared_at_elbow, leave, require_solvable
from ._testing import LABELLINGS, permutation_test, permutation_tests, too_few
from ._write import require_picture, save_picture

if TYPE_CHECKING:
    from ..tables.summary import Summary
    from ._tested import Tested

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
    require_solvable(samples, k)
    answer = _Comparison.of(samples, k, tol, reading, testing, no_test)
    if as_json:
        print_json(answer.as_json())
    else:
        answer.print()
    result = answer.summary.result
    if plot is not None:
        from ..plotting.plane import draw_plane

        unit = "standard deviations" if reading.standardize else "units of the data"
        saved = save_picture(plot, lambda: draw_plane(result, answer.names, unit=unit))
        if saved and not as_json:
            print_line()
            print_line(f"Picture: {plot}")
    leave(result.converged)


@dataclass(frozen=True, slots=True, eq=False)
class _Comparison:
    """Whether there is a difference, how large it is, and where."""

    samples: Samples
    summary: "Summary"
    reason: str  # for k
    test: "Tested | None"
    untested: str | None  # why there is no test
    population: Population
    listed: bool  # whether columns and rows are

    @classmethod
    def of(
        cls, samples: Samples, k: int | str, tol: float, reading: Reading, testing: _options.Testing, no_test: bool
    ) -> "_Comparison":
        """Return the answer; the test comes first, as it says for how many directions the rest is asked."""
        untested = "--no-test" if no_test else too_few(samples)
        test = None
        if untested is None:
            test = (permutation_test if isinstance(k, int) else permutation_tests)(samples, reading, testing)
        if isinstance(k, int):
            summary, reason = compared(samples, k, tol), "as asked for"
        elif test is None:
            summary, reason = compared_at_elbow(samples, tol)
        else:
            summary, reason = compared(samples, max(1, test.k), tol), test.reason
        if test is not None and test.found:
            population = Population.of(samples, summary.result.k, reading)
        else:
            population = Population(None, "not tested." if test is None else "without a difference W may be 0.")
        listed = test is None or test.found or testing.force
        return cls(samples, summary, reason, test, untested, population, listed)

    @property
    def names(self) -> tuple[str, str]:
        """The names of both samples."""
        first, second = self.samples.each
        return first.name, second.name

    def print(self) -> None:
        """Print the answer."""
        print_line(sizes_of(self.samples.each, self.samples.d), bold=True)
        print_line()
        if self.summary.same:
            print_same()
            return
        if self.test is None:
            print_line(f"Not tested whether there is a difference: {self.untested}")
        else:
            self.test.print_answer()
            if self.listed:
                self.test.print_kind()
        heading("How far apart they are")
        print_distances(self.summary, self.reason, self.population.row())
        print_line()
        print_line("Solver bounds say how well a number is computed for these rows, and nothing of the populations.")
        if self.test is not None:
            print_line(self.population.remark())
        if self.listed:
            first, second = self.samples.each
            print_features(self.summary, self.names, self.samples.scales, self._share_intervals())
            print_displacements(self.summary, (first.rows.tolist(), second.rows.tolist()), self.names)
        else:
            print_line()
            print_line("Columns and rows are not listed, as chance alone would choose them; --force lists them.")

    def _share_intervals(self) -> tuple[str, list[str]]:
        """Return title and cells of the column of confidence intervals for shares."""
        columns = [feature.name for feature in listed_features(self.summary)]
        return f"{INTERVAL} of the population", self.population.shares(columns, self.samples.columns)

    def as_json(self) -> dict[str, Any]:
        """Return the content of the JSON object, flat."""
        first, second = self.samples.each
        result, bounds = self.summary.result, self.summary.explained_interval
        features = self.summary.features(10) if self.listed else []
        return {
            "first": first.name,
            "second": second.name,
            "n": len(first.points),
            "m": len(second.points),
            "d": self.samples.d,
            **certified(result),
            "k_reason": self.reason,
            "converged": result.converged,
            "wasserstein_cost": self.summary.W.cost,
            "explained": self.summary.explained,
            "explained_lower": None if bounds is None else bounds[0],
            "explained_upper": None if bounds is None else bounds[1],
            "features": [feature.name for feature in features],
            "feature_shares": [feature.share for feature in features],
            **self.population.as_json([feature.name for feature in features], self.samples.columns),
            "not_tested": self.untested,
            **({"difference": None, "p_value": None} if self.test is None else self.test.as_json(listed=self.listed)),
        }
