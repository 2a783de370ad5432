"""Peak memory of one call, in a process of its own: `python -m benchmarks.memory PROBLEM COMPETITOR`.

It is the most that the process holds at once during the call, above what it holds before, with the data and all
imports: resident memory, so that arrays of compiled code and of POT count too, which tracemalloc does not see. The
kernel counts it in steps of a fraction of a MB, so that small problems show little. `ru_maxrss` would not do: it
cannot be reset, and a new process inherits it from the one that started it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

MEASURED = ("emd2", "1e-3")


def peak_memory(problem: str, competitor: str) -> float | None:
    """Return the MB that a competitor needs on top of its input; None where the system does not tell."""
    # Every array goes back to the system when it is freed: what was freed before the call cannot hide what it takes.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    command = [sys.executable, "-m", "benchmarks.memory", problem, competitor]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return None if run.stdout.strip() == "None" else float(run.stdout) / 1e6


def peak_of(call: Callable[[], Any]) -> int | None:
    """Return the bytes that the process holds at most during a call, above those it holds before."""
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the peak so far is forgotten
        before = _status("VmRSS")
        call()
        return max(0, _status("VmHWM") - before)  # next to nothing may be less than the kernel's rounding
    except OSError:
        return None


def _status(name: str) -> int:
    [kilobytes] = re.findall(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    return 1024 * int(kilobytes)


def main() -> None:
    from .competitors import COMPETITORS
    from .problems import PROBLEMS, hypercube, wishart

    name, competitor = sys.argv[1], COMPETITORS[sys.argv[2]]
    problem = next(problem for problem in PROBLEMS if problem.name == name)
    for small, k in ((hypercube(2)(100), 2), (wishart(100), 5)):  # imports and compiled code
        competitor(small, k)
    data = problem.data()
    print(peak_of(lambda: competitor(data, problem.k)))


if __name__ == "__main__":
    main()
