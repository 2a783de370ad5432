"""From rows to what a reader sees: a figure and two lines."""

from pathlib import Path

from ..status import Status
from ._experiment import Experiment, Table
from ._files import save_figure, write_whole
from ._rows import read_rows

FIGURE, SUMMARY = "figure.png", "summary.txt"


def report(experiment: Experiment, folder: Path) -> str:
    """Draw the figure of the rows in `folder`, write the summary beside it, and return the summary."""
    rows = read_rows(folder)
    save_figure(folder / FIGURE, experiment.plot(rows))
    summary = f"paper: {experiment.claim}\nfound: {experiment.finding(rows)}{_failures(rows)}\n"
    write_whole(folder / SUMMARY, summary)
    return summary


def unconverged(rows: Table) -> int:
    """Return how many rows come from a solve that missed its tolerance."""
    good = [status.name for status in Status if status.converged]
    return int((~rows["status"].isin(good)).sum())


def _failures(rows: Table) -> str:
    """Return a warning to append to the summary, if any solve failed: a figure must not hide it."""
    failed = unconverged(rows)
    return f" {failed} of {len(rows)} rows missed their tolerance." if failed else ""
