"""Every experiment of the paper (Paty & Cuturi 2019, section 6 and appendix C): config in, rows out, plots read rows.

`subspaceot reproduce` runs them. Each file holds one kind of experiment: a frozen Config with its presets, a function
that solves one task and returns its rows, and a figure and a sentence that are made from rows alone.
"""

from ._experiment import Experiment, Row
from ._folder import reproduce
from ._registry import EXPERIMENTS
from ._report import report, report_files, summary_lines, unconverged
from ._rows import read_rows
from ._run import Finished, run, tasks

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Finished",
    "Row",
    "read_rows",
    "report",
    "report_files",
    "reproduce",
    "run",
    "summary_lines",
    "tasks",
    "unconverged",
]
