"""Solving the tasks of an experiment, in order, by one process or several."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._experiment import Config, Experiment, Row


@dataclass(frozen=True)
class Task:
    """One setting of one repeat."""

    number: int  # its place in the run
    repeat: int
    seed: int
    setting: Any


@dataclass(frozen=True)
class Finished:
    """The rows of one task, and how long they took."""

    task: Task
    rows: list[Row]
    seconds: float


def tasks(config: Config, seed: int) -> list[Task]:
    """Return the tasks of a run: all settings of the first repeat, then of the second.

    A repeat's seed depends on its number alone, so a run with fewer repeats is a prefix of a longer one; its settings
    share the seed, so they see the same points wherever the problem lets them.
    """
    pairs = [(repeat, setting) for repeat in range(config.repeats) for setting in config.settings()]
    return [Task(number, repeat, _seed(seed, repeat), setting) for number, (repeat, setting) in enumerate(pairs)]


def run(experiment: Experiment, config: Config, seed: int, *, jobs: int = 1, skip: int = 0) -> Iterator[Finished]:
    """Yield every task of a run from number `skip` on, in order, whatever the number of `jobs`."""
    try:
        from joblib import Parallel, delayed
    except ImportError as error:
        raise ImportError("Experiments need joblib; install it with `pip install 'subspaceot[cli]'`.") from error
    # Workers whose parent was killed must not wait for it for minutes.
    workers = {"n_jobs": 1 if experiment.alone else jobs, "backend": "loky", "idle_worker_timeout": 30}
    parallel = Parallel(**workers, return_as="generator")
    work = (delayed(_solved)(experiment.solve, config, task) for task in tasks(config, seed)[skip:])
    finished: Iterator[Finished] = parallel(work)
    return finished


def _solved(solve: Any, config: Config, task: Task) -> Finished:
    """Return a finished task. BLAS uses one thread: workers do not wait for each other, and sums round alike."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        start = time.perf_counter()
        rows = solve(config, task.setting, task.seed)
        seconds = time.perf_counter() - start
    number = {"task": task.number, "repeat": task.repeat, "seed": task.seed}
    return Finished(task, [{**number, **row} for row in rows], seconds)


def _seed(seed: int, repeat: int) -> int:
    """Return the seed of a repeat: 53 bits of the spawned sequence, few enough for any program to show them all."""
    child = np.random.SeedSequence(seed, spawn_key=(repeat,))
    return int(child.generate_state(1, np.uint64)[0] >> np.uint64(11))
