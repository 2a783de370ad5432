"""Whether this source tree and another one agree on random problems: `python -m benchmarks.agreement OTHER/src`.

Both certify the same problems. Their intervals must overlap, and each must be as narrow as `tol` asks for.
"""

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np

from .against import HERE, Worker

KINDS = ("one law", "shift", "hypercube", "wishart", "annulus", "mixed scales", "repeated")


def main() -> None:
    """Parse the arguments, print what disagrees, and a summary."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement", description=__doc__)
    parser.add_argument("other", type=Path, metavar="OTHER/src", help="the source tree to compare with")
    parser.add_argument("--problems", type=int, default=300, metavar="N", help="how many (default 300)")
    parser.add_argument("--seed", type=int, default=0, help="which stream of them (default 0)")
    options = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"  # before the processes start
    other, this = Worker(options.other.resolve()), Worker(HERE)
    seconds, disjoint, wide, intervals = np.zeros(2), 0, np.zeros(2, int), 0
    for index in range(options.problems):
        name, call, arguments, settings = problem(options.seed, index)
        (before, *first), (after, *second) = (worker.ask(call, arguments, settings) for worker in (other, this))
        seconds += before, after
        first, second = np.atleast_2d(np.transpose(first)), np.atleast_2d(np.transpose(second))  # (., 2) each
        apart = np.maximum(first[:, 0], second[:, 0]) > np.minimum(first[:, 1], second[:, 1])
        too_wide = [is_wide(interval, call, settings["tol"]) for interval in (first, second)]
        disjoint, intervals = disjoint + int(apart.sum()), intervals + len(first)
        wide += [int(where.sum()) for where in too_wide]
        if apart.any() or too_wide[1].any():
            print(f"{index} {name}: {first.tolist()} {second.tolist()}", flush=True)
    print(f"{options.problems} problems, {intervals} intervals: {disjoint} disjoint")
    print(f"wider than tol: {wide[0]} of the other tree, {wide[1]} of this one")
    print(f"processor seconds: {seconds[0]:.1f} of the other tree, {seconds[1]:.1f} of this one")
    for worker in (other, this):
        worker.end()


def is_wide(intervals: np.ndarray, call: str, tol: float) -> np.ndarray:
    """Return which intervals (., 2) are wider than `tol`; those of `prw` have no such promise."""
    lower, upper = intervals.T
    return np.zeros(len(lower), bool) if call == "prw" else upper - lower > tol * upper * (1.0 + 1e-12)


def problem(seed: int, index: int) -> tuple[str, str, tuple[Any, ...], dict[str, Any]]:
    """Return a name, a public function, its arguments and its settings."""
    rng = np.random.default_rng([seed, index])
    kind = KINDS[index % len(KINDS)]
    n, m, d = int(rng.integers(5, 120)), int(rng.integers(5, 120)), int(rng.integers(2, 46))
    X, Y = samples(kind, n, m, d, rng)
    k = int(rng.integers(1, d + 1)) if rng.random() < 0.3 else int(rng.integers(1, min(d, 6) + 1))
    a, b = weights(n, rng), weights(m, rng)
    tol = float(10.0 ** rng.uniform(-4, -1.5))
    scale = 10.0 ** rng.integers(-6, 7) if rng.random() < 0.3 else 1.0
    call = str(rng.choice(["srw", "srw", "srw", "srw_path", "prw"]))
    which = list(range(1, min(d, 5) + 1)) if call == "srw_path" else min(k, 3) if call == "prw" else k
    name = f"{call} {kind} n={n} m={m} d={d} k={which} tol={tol:.1e}"
    return name, call, (scale * X, scale * Y, which, a, b), {"tol": tol}


def samples(kind: str, n: int, m: int, d: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return two samples (n, d), (m, d) of a kind."""
    from subspaceot import instances

    if kind in ("hypercube", "annulus"):
        make = instances.fragmented_hypercube if kind == "hypercube" else instances.disk_to_annulus
        data = make(n, d, min(d, int(rng.integers(2, 5))), rng, m=m, rotate=True)
        return data.X, data.Y
    if kind == "wishart":
        data = instances.wishart_gaussians(n, d, min(d, 5), rng, m=m)
        return data.X, data.Y
    X, Y = rng.standard_normal((n, d)), rng.standard_normal((m, d))
    if kind == "shift":
        Y[:, 0] += rng.uniform(0.1, 3.0)
    if kind == "mixed scales":
        columns = 10.0 ** rng.uniform(-2, 2, d)
        X, Y = X * columns, Y * columns
    if kind == "repeated":
        X, Y = np.round(X), np.round(Y)
    return X, Y


def weights(n: int, rng: np.random.Generator) -> np.ndarray | None:
    """Return weights, uneven ones in a third of the cases."""
    return rng.exponential(size=n) + 1e-3 if rng.random() < 1 / 3 else None


if __name__ == "__main__":
    main()
