"""A run in a folder: rows as they are made, then the figure and the summary."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .. import __version__
from ._experiment import Experiment
from ._rows import open_rows
from ._run import run, tasks


def reproduce(
    experiment: Experiment, config: Any, folder: Path, *, seed: int = 0, jobs: int = 1
) -> Iterator[tuple[int, int]]:
    """Run an experiment in a folder and yield (tasks done, tasks in all) as it goes.

    Rows that are there already are kept, if they belong to the same experiment, config, seed and version.
    """
    record = {"experiment": experiment.name, "seed": seed, "version": __version__, "config": asdict(config)}
    total = len(tasks(config, seed))
    with open_rows(folder, record) as rows:
        yield rows.finished, total
        for done in run(experiment, config, seed, jobs=jobs, skip=rows.finished):
            rows.append(done)
            yield rows.finished, total
