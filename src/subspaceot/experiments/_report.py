"""From rows to what a reader sees: a figure and two lines."""

from pathlib import Path

from .._whole import write_whole
from ..pictures import rendered
from ..status import Status
from ._experiment import Experiment, Table
from ._rows import read_rows

SUMMARY = "summary.txt"


def report(experiment: Experiment, folder: Path) -> str:
    """Draw the figures of the rows in `folder`, write the summary beside them, and return the summary."""
    rows = read_rows(folder)
    for name, plot in experiment.plots.items():
        write_whole(folder / f"{name}.png", rendered(plot(rows), "png"))
    summary = f"paper: {experiment.claim}\nfound: {experiment.finding(rows)}{_failures(rows)}\n"
    write_whole(folder / SUMMARY, summary.encode())
    return summary


def unconverged(rows: Table) -> int:
    """Return how many rows come from a solve that missed its tolerance."""
    good = [status.name for status in Status if status.converged]
    return int((~rows["status"].isin(good)).sum())


def _failures(rows: Table) -> str:
    """Return a warning to append to the summary, if any solve failed: a figure must not hide it."""
    failed = unconverged(rows)
    return f" {failed} of {len(rows)} rows missed their tolerance." if failed else ""
