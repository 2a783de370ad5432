"""From rows to what a reader sees: a figure and two lines."""

from collections.abc import Iterator
from pathlib import Path

from ..core.status import Status
from ..plotting import rendered
from ..runtime.files import write_whole
from ._experiment import Experiment, Table
from ._rows import read_rows

SUMMARY = "summary.txt"


def report(experiment: Experiment, folder: Path) -> str:
    """Draw the figures of the rows in `folder`, write the summary beside them, and return the summary."""
    rows = read_rows(folder)
    for path, content in report_files(experiment, rows, folder):
        write_whole(path, content)
    return _summary(experiment, rows)


def report_files(experiment: Experiment, rows: Table, folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the files of a report with their content: the summary, then the figures, each drawn when its turn comes."""
    yield folder / SUMMARY, _summary(experiment, rows).encode()
    for name, plot in experiment.plots.items():
        yield folder / f"{name}.png", rendered(plot(rows), "png")


def summary_lines(experiment: Experiment, rows: Table) -> tuple[str, str]:
    """Return the two lines of the summary: what the paper says, and what the rows show."""
    return f"paper: {experiment.claim}", f"found: {experiment.finding(rows)}{_failures(rows)}"


def _summary(experiment: Experiment, rows: Table) -> str:
    return "".join(f"{line}\n" for line in summary_lines(experiment, rows))


def unconverged(rows: Table) -> int:
    """Return how many rows come from a solve that missed its tolerance."""
    good = [status.name for status in Status if status.converged]
    return int((~rows["status"].isin(good)).sum())


def _failures(rows: Table) -> str:
    """Return a warning to append to the summary, if any solve failed: a figure must not hide it."""
    failed = unconverged(rows)
    return f" {failed} of {len(rows)} rows missed their tolerance." if failed else ""
