"""Times and answers of all competitors on one problem; and what a new process pays once."""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from typing import Any

import subspaceot as sot

from .competitors import COMPETITORS
from .problems import Problem

FIRST_CALL = """
import json, time
clock = [time.perf_counter()]
def lap(): clock.append(time.perf_counter())
import numpy; lap()
import subspaceot as sot; lap()
data = sot.instances.fragmented_hypercube(100, 30, 2, rng=0, rotate=True)
import ot; lap()
sot.srw(data.X, data.Y, 2); lap()
sot.srw(data.X, data.Y, 2); lap()
names = ["import numpy", "import subspaceot", "import ot", "first srw", "same srw again"]
print(json.dumps({name: end - start for name, start, end in zip(names, clock, clock[1:])}))
"""


def startup() -> dict[str, float]:
    """Return the seconds that a new process spends on imports and on its first call, in the order it meets them."""
    output = subprocess.run([sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, check=True).stdout
    seconds: dict[str, float] = json.loads(output)
    return seconds


def machine(threads: int) -> dict[str, Any]:
    """Return what the times depend on."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "BLAS threads": threads,
        "Python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "POT")},
        "subspaceot": sot.__version__,
    }


def warm_up(problem: Problem) -> None:
    """Run everything once, so that no timed call pays for imports or first touches."""
    data = problem.make(20)
    for competitor in COMPETITORS.values():
        competitor(data, problem.k)


def measured(problem: Problem, repeats: int) -> dict[str, Any]:
    """Return one row: median times as ratios to `emd2`, and how good each answer is."""
    data = problem.make(problem.n)
    seconds: dict[str, list[float]] = {name: [] for name in COMPETITORS}
    answers: dict[str, Any] = {}
    for _ in range(repeats):
        for name, competitor in COMPETITORS.items():  # in turn, so that a slow minute slows all of them
            began = time.perf_counter()
            answers[name] = competitor(data, problem.k)
            seconds[name].append(time.perf_counter() - began)
    median = {name: statistics.median(times) for name, times in seconds.items()}
    loose, tight, paper = answers["1e-2"], answers["1e-3"], answers["algorithm 2"]
    return {
        "name": problem.name,
        "problem": problem.family,
        "n": problem.n,
        "k": problem.k,
        "emd2 ms": 1e3 * median["emd2"],
        "ratio 1e-2": median["1e-2"] / median["emd2"],
        "goal 1e-2": problem.goals[0],
        "gap 1e-2": loose.gap,
        "ratio 1e-3": median["1e-3"] / median["emd2"],
        "goal 1e-3": problem.goals[1],
        "gap 1e-3": tight.gap,
        "iterations": [loose.n_iter, tight.n_iter],
        "status": [loose.status.name, tight.status.name],
        "lower": tight.lower,
        "upper": tight.upper,
        "algorithm 2 ratio": median["algorithm 2"] / median["emd2"],
        "algorithm 2 value": paper.cost,
        "algorithm 2 error %": 100 * (paper.cost / tight.cost - 1),
        "algorithm 2 inside": tight.lower <= paper.cost <= tight.upper,
        "algorithm 2 iterations": paper.n_iter,
        "seconds": seconds,
    }


def missed(row: dict[str, Any]) -> list[str]:
    """Return the goals that a row does not meet, in words."""
    return [
        f"{row['name']} to {tol}: {row[f'ratio {tol}']:.3g} > {row[f'goal {tol}']:.3g}"
        for tol in ("1e-2", "1e-3")
        if row[f"goal {tol}"] is not None and row[f"ratio {tol}"] > row[f"goal {tol}"]
    ]
