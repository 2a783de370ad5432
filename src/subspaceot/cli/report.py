"""`subspaceot report`: the answer of `compare` as a page."""

from pathlib import Path

import click

from ._command import PrintedHelp
from ._compared import Asked, answered, comparison_options
from ._output import print_line
from ._page import require_report
from ._print import print_lines
from ._report import save_report
from ._solve import leave

_EXAMPLE = """\b
Examples:
  subspaceot report before.csv after.csv
  subspaceot report cells.parquet --group condition --standardize -o cells.html
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@comparison_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    help="The page to write (.html); report.html by default.",
)
@click.option("--null-band", is_flag=True, help="Beside the curve, the band of those of permuted rows; takes minutes.")
def report(asked: Asked, output: Path, null_band: bool) -> None:
    """Compare the tables A and B and write the answer as a page that anyone can read.

    The page is one HTML file with pictures, tables and explanations, which loads nothing from elsewhere: it can be
    mailed, opened without a network, and printed. It shows what `compare` prints, and the curve over k besides.
    """
    require_report(output)
    answer = answered(asked)
    saved = save_report(output, answer, asked, null_band=null_band)
    title, blank, *rest = answer.comparison.lines()
    print_lines([title, blank, rest[0]])
    if saved:
        print_line()
        print_line(f"Report: {output}")
    leave(answer.comparison.summary.result.converged)
