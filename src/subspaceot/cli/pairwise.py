"""`subspaceot pairwise`: many tables, all distances."""

from dataclasses import replace
from pathlib import Path

import click

from ..runtime.lines import count
from . import _options
from ._chunks import larger_than_memory, pairs_in_chunks
from ._command import PrintedHelp
from ._errors import BadInput
from ._output import print_json, print_line
from ._page import design_of, the_source
from ._samples import Reading, Samples, load, load_groups, short_names
from ._solve import leave, require_k
from ._tables import AllPairs, Outputs, outputs, print_saved
from ._testing import pair_tests_of
from ._write import save

_EXAMPLE = """\b
Examples:
  subspaceot pairwise day-*.csv
  subspaceot pairwise day-*.parquet -k 3 --jobs 2 --heatmap table.png --map map.png --table pairs.csv
  subspaceot pairwise cells.parquet --group cell_type --standardize
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option("-k", type=click.IntRange(1), help="Number of directions; by default 2, or 1 for files of one column.")
@click.option("--group", metavar="COL", help="Compare the groups of rows in one file, one for each value of COL.")
@_options.tables
@_options.labels
@click.option("--test", is_flag=True, help="Test each pair for a difference, with Holm's correction.")
@_options.permutations("Random labellings of each test; by default 999, or as many as the number of pairs takes.")
@_options.alpha
@_options.tol(1e-2)
@_options.jobs
@outputs
@_options.as_json
def pairwise(
    files: tuple[str, ...],
    k: int | None,
    group: str | None,
    reading: Reading,
    test: bool,
    permutations: int | None,
    alpha: float,
    tol: float,
    jobs: int,
    outputs: Outputs,
    as_json: bool,
) -> None:
    """Compare every table with every other: the distances S_k as a table, a heat map and a map.

    With --group, the tables are the groups of rows in one file.

    The map places the files in the plane such that their distances there are as near as possible to S_k (metric
    multidimensional scaling). Columns are matched by name over all files.

    --test adds for each pair the p-value of a permutation test of whether both files may come from one population. It
    stops as soon as 20 labellings are as extreme. --units and --strata are for the tests.
    """
    if len(files) < 2 and group is None:
        raise BadInput(f"Give at least two files, or one and --group COLUMN, which splits it; got {len(files)} file.")
    outputs.require()
    if group is None and reading.sample is None and larger_than_memory(files, reading):
        _pairwise_in_chunks(files, k, reading, test, tol, outputs, as_json)
        return
    samples = load(files, reading) if group is None else load_groups(files, group, reading)
    k = min(2, samples.d) if k is None else k
    require_k(k, samples.d)
    tests = pair_tests_of(samples, reading, permutations, alpha, jobs) if test else None
    measures = [sample.points if sample.weights is None else (sample.points, sample.weights) for sample in samples.each]
    pairs = AllPairs.of([sample.name for sample in samples.each], measures, k, tol=tol, reg=None, jobs=jobs)
    pairs, what = replace(pairs, tests=tests), "files" if group is None else "groups"
    if as_json:
        print_json(pairs.as_json())
    else:
        print_line(f"Distances S_{k} between {len(measures)} {what}, {count(samples.d, 'column')}", bold=True)
        print_line()
        pairs.print()
    unit = "units of the data" if not reading.standardize else "standard deviations"
    saved = pairs.save(outputs, unit)
    if outputs.report is not None and _save_report(outputs.report, pairs, samples, reading, what, unit):
        saved.append(outputs.report)
    if not as_json:
        print_saved(saved)
    leave(pairs.converged)


def _pairwise_in_chunks(
    files: tuple[str, ...], k: int | None, reading: Reading, test: bool, tol: float, outputs: Outputs, as_json: bool
) -> None:
    """Compare files larger than memory."""
    if test or outputs.report is not None:
        option = "--test" if test else "--report"
        raise BadInput(f"{option} looks at single rows, and these files are larger than memory: add --sample 20000.")
    pairs = pairs_in_chunks(files, short_names(list(files)), k, tol, reading)
    if as_json:
        print_json(pairs.as_json())
    else:
        print_line(f"Distances S_{pairs.k} between {len(files)} files, all rows", bold=True)
        print_line()
        pairs.print()
        print_saved(pairs.save(outputs, "units of the data"))
    leave(pairs.converged)


def _save_report(path: Path, pairs: AllPairs, samples: Samples, reading: Reading, what: str, unit: str) -> bool:
    """Write the page on all pairs and return whether that was possible."""
    from ..report import data_in_words, pairs_page

    weighing = "All rows of a sample weigh the same."
    if reading.weights is not None:
        weighing = f"Rows weigh as column {reading.weights!r} says."
    sizes = [count(len(sample.points), "row") for sample in samples.each]
    source = the_source(seed=reading.seed, weights=reading.weights, design=design_of(reading))
    done = data_in_words(samples.columns, unit, weighing)
    return save(path, pairs_page(pairs.for_report(sizes, what, samples.d, unit), source, done))
