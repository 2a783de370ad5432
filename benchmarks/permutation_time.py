"""How long 999 permutations take: `python -m benchmarks.permutation_time`.

Seconds with two processes are what a user waits for, on a machine that does nothing else; processor seconds of one
process depend less on what else runs.
"""

import argparse
import os
import time

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402

import subspaceot as sot  # noqa: E402

from .timing import medians  # noqa: E402

CASES = ((100, 30, 5.0), (10_000, 50, 60.0))  # rows of each sample, dimensions, goal in seconds with two processes
PERMUTATIONS = 999


def seconds(n: int, d: int, jobs: int) -> tuple[float, float]:
    """Return the seconds of one test and the processor seconds of this process, without compiling."""
    X, Y = np.random.default_rng(0).standard_normal((2, n, d))
    sot.two_sample_test(X[:50], Y[:50], n_permutations=99, n_jobs=jobs)  # loads compiled code, starts the processes
    began, processor = time.perf_counter(), time.process_time()
    sot.two_sample_test(X, Y, n_permutations=PERMUTATIONS, n_jobs=jobs)
    return time.perf_counter() - began, time.process_time() - processor


def load() -> str:
    """Return the mean number of processes that wanted a core in the minute before."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def main() -> None:
    """Parse the arguments and print the times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.permutation_time", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="runs behind each median (default 3)")
    repeats = parser.parse_args().repeats
    print(f"{PERMUTATIONS} permutations, {os.cpu_count()} cores, load {load()}, medians of {repeats}")
    print(f"{'n = m':>7s} {'d':>4s} {'two processes':>14s} {'goal':>7s} {'one, processor time':>20s}")
    for n, d, goal in CASES:
        runs = {
            "two": [seconds(n, d, 2)[0] for _ in range(repeats)],
            "one": [seconds(n, d, 1)[1] for _ in range(repeats)],
        }
        median = medians(runs)
        print(f"{n:7d} {d:4d} {median['two']:12.1f} s {goal:5.0f} s {median['one']:18.1f} s", flush=True)


if __name__ == "__main__":
    main()
