"""What a process pays once: importing, and compiling or loading compiled code in its first calls."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any

GOALS = {"import subspaceot": 0.4, "later process": 1.0, "first process": 10.0}  # seconds

IMPORT = """
import time
began = time.perf_counter()
import subspaceot
print(time.perf_counter() - began)
"""

# Problems that take different ways through the code: a small one, one with more directions, a larger one. Each is
# solved twice; what the first time takes longer is paid once.
CALLS = """
import json, time
clock = [time.perf_counter()]
def lap(): clock.append(time.perf_counter()); return clock[-1] - clock[-2]
import ot
pot = lap()
import subspaceot as sot
imported = lap()
from subspaceot.instances import fragmented_hypercube, wishart_gaussians
problems = [(fragmented_hypercube(100, 30, 2, 0, rotate=True), 2), (wishart_gaussians(100, 20, 5, 0), 5),
            (fragmented_hypercube(400, 30, 2, 0, rotate=True), 2)]
first, again = 0.0, 0.0
for data, k in problems:
    lap()
    sot.srw(data.X, data.Y, k)
    first += lap()
    sot.srw(data.X, data.Y, k)
    again += lap()
print(json.dumps({"POT": pot, "package": imported, "first": first, "again": again}))
"""


def start(repeats: int) -> dict[str, dict[str, Any]]:
    """Return seconds of new processes, medians but for the first one, and their goals.

    "import subspaceot" is that line alone. "later process" is what importing the package and the first calls take on
    top of importing POT and of the same calls again. "first process" is all of it, both imports included, when
    nothing has been compiled before.
    """
    imports = [float(_printed(IMPORT)) for _ in range(repeats)]
    with tempfile.TemporaryDirectory() as empty:
        cold = json.loads(_printed(CALLS, NUMBA_CACHE_DIR=empty))
        warm = [json.loads(_printed(CALLS, NUMBA_CACHE_DIR=empty)) for _ in range(repeats)]
    seconds = {
        "import subspaceot": statistics.median(imports),
        "import POT": statistics.median(run["POT"] for run in warm),
        "later process": statistics.median(run["package"] + run["first"] - run["again"] for run in warm),
        "first process": cold["POT"] + cold["package"] + cold["first"],
    }
    return {name: {"seconds": value, "goal": GOALS.get(name)} for name, value in seconds.items()}


def _printed(code: str, **variables: str) -> str:
    """Return what a new process prints."""
    environment = {**os.environ, **variables}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return run.stdout


def missed(start: dict[str, dict[str, Any]]) -> list[str]:
    """Return the goals that are not met, in words."""
    return [
        f"{name}: {entry['seconds']:.2f} s > {entry['goal']:g} s"
        for name, entry in start.items()
        if entry["goal"] is not None and entry["seconds"] > entry["goal"]
    ]
