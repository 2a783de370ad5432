"""What the cost model and the schedule would be on this machine: `python -m benchmarks.calibrate`.

The model times steps of the ascent and of the interior-point method, and prints how many operations of the second take
as long as one entry of the first. The schedule part solves the quick problems with other schedules; only ratios count.
"""

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from subspaceot.core.problem import Problem  # noqa: E402
from subspaceot.solvers import Auto, InteriorPoint, QuasiNewton, run  # noqa: E402
from subspaceot.solvers.cost_model import FLOPS_PER_ENTRY, POLISH_STEPS  # noqa: E402
from subspaceot.solvers.schedule import Schedule  # noqa: E402

from .problems import hypercube, same_gaussian, wishart  # noqa: E402

TOL = 1e-3
CASES = (
    ("hypercube2", hypercube(2), 5, (100, 300, 500)),
    ("wishart5", wishart, 5, (100, 300, 500)),
    ("same-gaussian", same_gaussian, 2, (100, 200)),
)


def main() -> None:
    """Parse the arguments and print what was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibrate", description=__doc__)
    parser.add_argument("--only", choices=("model", "schedule"), help="one of the two parts")
    only = parser.parse_args().only
    if only != "schedule":
        model()
    if only != "model":
        schedule()


def problems() -> Iterator[tuple[str, Problem]]:
    """Yield the problems with their names."""
    for name, make, k, sizes in CASES:
        for n in sizes:
            data = make(n)
            yield f"{name} n={n}", Problem.of(data.X, data.Y, k, data.a, data.b)


def model() -> None:
    """Print the operations of an interior-point step that take as long as one entry of a step of the ascent."""
    print(f"{'problem':24s} {'entry ns':>9s} {'operation ns':>13s} {'ratio':>7s} {'steps':>6s}")
    ratios = []
    for name, problem in problems():
        n, m, q = len(problem.a), len(problem.b), problem.r
        run(problem, Auto(), tol=TOL)  # compiles, and warms the caches up
        ascent, _ = seconds_a_step(problem, QuasiNewton())
        polish, steps = seconds_a_step(problem, InteriorPoint())
        size = m + q * (q + 1) // 2
        entry, operation = ascent / (n * m), polish / (size**3 / 3 + n * size**2)
        ratios.append(entry / operation)
        print(f"{name:24s} {1e9 * entry:9.1f} {1e9 * operation:13.3f} {ratios[-1]:7.0f} {steps:6d}", flush=True)
    print(f"median ratio {statistics.median(ratios):.0f}; the cost model uses {FLOPS_PER_ENTRY}, {POLISH_STEPS} steps")


def seconds_a_step(problem: Problem, solver: QuasiNewton | InteriorPoint) -> tuple[float, int]:
    """Return the median processor seconds of a step, and the number of steps."""
    times = [time.process_time()]
    run(problem, solver, tol=TOL, callback=lambda _: times.append(time.process_time()))
    return statistics.median(after - before for before, after in pairwise(times)), len(times) - 1


def schedule() -> None:
    """Print the time of other schedules as a ratio to that of the default, as a geometric mean over all problems."""
    default = Schedule()
    others = [
        replace(default, first=first, decay=decay, target=target)
        for first, decay, target in product((0.03, 0.05, 0.08), (0.2, 0.3, 0.4), (0.8, 0.9))
    ]
    base = [solve_seconds(problem, default) for _, problem in problems()]
    print(f"{'first':>6s} {'decay':>6s} {'target':>7s} {'ratio':>6s}")
    for other in others:
        times = [solve_seconds(problem, other) for _, problem in problems()]
        ratio = statistics.geometric_mean(time / reference for time, reference in zip(times, base, strict=True))
        print(f"{other.first:6.2f} {other.decay:6.2f} {other.target:7.2f} {ratio:6.2f}", flush=True)


def solve_seconds(problem: Problem, schedule: Schedule) -> float:
    """Return the median processor seconds of three runs to `TOL` and to ten times that."""
    solver = Auto(ascent=QuasiNewton(schedule=schedule))
    times = []
    for _ in range(3):
        began = time.process_time()
        for tol in (TOL, 10 * TOL):
            run(problem, solver, tol=tol)
        times.append(time.process_time() - began)
    return statistics.median(times)


if __name__ == "__main__":
    main()
