"""`subspaceot test`: whether there is a difference."""

import click

from . import _options
from ._command import PrintedHelp
from ._output import print_json, print_line
from ._print import note, print_lines, sizes_of
from ._samples import Reading, load_pair
from ._testing import permutation_test, require_enough

_LABELLINGS = 999  # of a test alone: p can be 0.001
_LONG = 200_000_000  # entries of both tables times labellings: from here on a test takes minutes

_EXAMPLE = """\b
Examples:
  subspaceot test before.csv after.csv --standardize
  subspaceot test cells.parquet --group condition --units donor --permutations 9999 --sequential
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.argument("files", nargs=-1, required=True, metavar="A [B]")
@_options.group
@_options.tables
@_options.testing(_LABELLINGS)
@click.option("--sequential", is_flag=True, help="Stop as soon as 20 labellings are as extreme; p stays valid.")
@_options.as_json
def two_sample(
    files: tuple[str, ...],
    group: str | None,
    reading: Reading,
    testing: _options.Testing,
    sequential: bool,
    as_json: bool,
) -> None:
    """Say whether the rows of A and B may well come from one population.

    An exact permutation test: rows, or --units, are dealt out anew to A and B, and p says how often that shows a
    difference as large as the one between A and B. It sees shifts, spreads, correlations and shapes, in whichever
    direction they are. A p above --alpha is no proof that there is no difference.
    """
    samples = load_pair(files, group, reading)
    require_enough(samples)
    rows = sum(len(sample.points) for sample in samples.each)
    if rows * samples.d * testing.permutations > _LONG:
        note(f"{testing.permutations} labellings of {rows:,} rows may take minutes; --sample N tests N rows of each")
    answer = permutation_test(samples, reading, testing, thin=False, sequential=sequential)
    listed = answer.found or testing.force
    if as_json:
        first, second = samples.each
        title = {"first": first.name, "second": second.name, "n": first.of, "m": second.of, "d": samples.d}
        print_json({**title, **answer.as_json(listed=listed)})
        return
    print_line(sizes_of(samples.each, samples.d), bold=True)
    print_line()
    print_lines(answer.answer_lines())
    if listed:
        print_lines([*answer.kind_lines(), *answer.where_lines()])
    else:
        print_line()
        print_line("Columns are not listed, as chance alone would choose them; --force lists them.")
