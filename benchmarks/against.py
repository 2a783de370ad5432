"""Times of this source tree against another one's, in turn: `python -m benchmarks.against OTHER/src`.

Each tree has a process of its own with one BLAS thread. Both solve each problem one after the other, so that a slow
minute slows both; seconds are of the processor, so that other programs matter less. Only the ratio of medians counts.
"""

import argparse
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1] / "src"
TREES = ("other", "this")


def main() -> None:
    """Parse the arguments and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("other", type=Path, metavar="OTHER/src", help="the source tree to compare with")
    parser.add_argument("--only", metavar="NAME", default="", help="only what holds NAME in its name")
    parser.add_argument("--repeats", type=int, default=7, metavar="N", help="runs behind each median (default 7)")
    options = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"  # before the processes start
    if not (options.other / "subspaceot").is_dir():
        parser.error(f"{options.other} holds no folder `subspaceot`")
    compare(options.other.resolve(), options.only, options.repeats)


def compare(other: Path, only: str, repeats: int) -> None:
    """Print, for each call, both medians and their ratio, then the geometric mean of the ratios."""
    workers = {name: Worker(source) for name, source in zip(TREES, (other, HERE), strict=True)}
    ratios = []
    print(f"{'call':34s} {'other ms':>9s} {'this ms':>9s} {'ratio':>6s} {'least':>6s}", flush=True)
    for name, call, arguments, settings in calls():
        if only not in name:
            continue
        seconds: dict[str, list[float]] = {tree: [] for tree in TREES}
        for repeat in range(repeats + 1):
            for tree in TREES if repeat % 2 else reversed(TREES):
                run = workers[tree].timed(call, arguments, settings)
                if repeat > 0:  # the first one loads compiled code
                    seconds[tree].append(run)
        median = {tree: statistics.median(runs) for tree, runs in seconds.items()}
        ratios.append(median["this"] / median["other"])
        least = min(seconds["this"]) / min(seconds["other"])
        print(
            f"{name:34s} {1e3 * median['other']:9.2f} {1e3 * median['this']:9.2f} {ratios[-1]:6.3f} {least:6.3f}",
            flush=True,
        )
    if ratios:
        print(f"geometric mean {statistics.geometric_mean(ratios):.3f}, largest {max(ratios):.3f}")
    for worker in workers.values():
        worker.end()


def calls() -> Iterator[tuple[str, str, tuple[Any, ...], dict[str, Any]]]:
    """Yield a name, a public function, its arguments and its settings for everything that is timed."""
    from .problems import PROBLEMS, hypercube, same_gaussian, wishart

    for problem in PROBLEMS:
        data = problem.data()
        for tol in (1e-2, 1e-3):
            yield f"{problem.name} {tol:g}", "srw", (data.X, data.Y, problem.k, data.a, data.b), {"tol": tol}
    for name, make in (("hypercube2", hypercube(2)), ("wishart5", wishart), ("same-gaussian", same_gaussian)):
        data = make(100)
        yield f"path {name}-n100", "srw_path", (data.X, data.Y, None, data.a, data.b), {"tol": 1e-2}
    for k_star, n in ((2, 100), (4, 100), (2, 300)):
        data = hypercube(k_star)(n)
        yield f"prw hypercube{k_star}-k2-n{n}", "prw", (data.X, data.Y, 2, data.a, data.b), {}


class Worker:
    """A process that imports the package from one source tree."""

    def __init__(self, source: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, there = context.Pipe()
        self._process = context.Process(target=_work, args=(there, str(source)), daemon=True)
        self._process.start()

    def timed(self, call: str, arguments: tuple[Any, ...], settings: dict[str, Any]) -> float:
        """Return the processor seconds that one call took."""
        return self.ask(call, arguments, settings)[0]

    def ask(self, call: str, arguments: tuple[Any, ...], settings: dict[str, Any]) -> tuple[float, Any, Any]:
        """Return the processor seconds that one call took, and the lower and upper bounds it returned."""
        self._connection.send((call, arguments, settings))
        seconds, lower, upper = self._connection.recv()
        return float(seconds), lower, upper

    def end(self) -> None:
        """End the process."""
        self._connection.send(None)
        self._process.join()


def _work(connection: Connection, source: str) -> None:
    """Time the calls that come, until None does."""
    sys.path.insert(0, source)
    import subspaceot

    assert Path(subspaceot.__file__).is_relative_to(source), "the package comes from elsewhere"
    while (request := connection.recv()) is not None:
        call, arguments, settings = request
        began = time.process_time()
        result = getattr(subspaceot, call)(*arguments, **settings)
        connection.send((time.process_time() - began, result.lower, result.upper))


if __name__ == "__main__":
    main()
