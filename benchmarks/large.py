"""Many points, certified without a matrix of all pairs: `python -m benchmarks.large [--only NAME]`.

Each problem has a process of its own with one BLAS thread. A unit is the processor time of one `ot.emd2` with its cost
matrix between 2,000 and 2,000 points in 30 dimensions, in the same process just before. Memory is what the process had
at its peak beyond what it had with the data alone (Linux).
"""

import argparse
import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from subspaceot.instances import Instance

from . import memory

SEED = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of data with what is asked and what it may take."""

    name: str
    make: Callable[[], Instance]
    k: int
    tol: float  # the gap to be certified
    units: float  # the most it may take
    gigabytes: float  # beyond the data


def hypercube(n: int, d: int, k_star: int) -> Instance:
    """A cube against the same cube split along `k_star` hidden directions."""
    from subspaceot.instances import fragmented_hypercube

    return fragmented_hypercube(n, d, k_star, SEED, rotate=True)


def wishart(n: int) -> Instance:
    """Two Gaussians in 20 dimensions whose random covariances have rank 5."""
    from subspaceot.instances import wishart_gaussians

    return wishart_gaussians(n, 20, 5, SEED)


def texts(n: int, m: int) -> Instance:
    """Two made-up texts over word vectors in 300 dimensions, with weights by Zipf's law."""
    from subspaceot.instances import zipf_texts

    return zipf_texts(n, 300, SEED, m=m)


def plane(n: int) -> Instance:
    """A disk against an annulus, in the plane they extend in."""
    from subspaceot.instances import disk_to_annulus

    return disk_to_annulus(n, 2, 2, SEED)


def mixtures(n: int) -> Instance:
    """Two mixtures of ten Gaussians each, in 3 dimensions."""
    rng = np.random.default_rng(SEED)
    X, Y = (
        3.0 * rng.standard_normal((10, 3))[rng.integers(10, size=n)] + rng.standard_normal((n, 3)) for _ in range(2)
    )
    return Instance(X, Y, np.full(n, 1 / n), np.full(n, 1 / n), truth=None, subspace=None)


def clusters(n: int, m: int) -> Instance:
    """20 against 20 heavy-tailed clusters in 30 dimensions, whose centres differ in 3; with uneven weights."""
    rng = np.random.default_rng(SEED)
    centres = np.zeros((2, 20, 30))
    centres[:, :, :3] = 10.0 * rng.standard_normal((2, 20, 3))
    X, Y = (
        centres[side][rng.integers(20, size=size)] + rng.standard_t(3, (size, 30)) for side, size in enumerate((n, m))
    )
    a, b = rng.exponential(size=n), rng.exponential(size=m)
    return Instance(X, Y, a / a.sum(), b / b.sum(), truth=None, subspace=None)


PROBLEMS = (
    Problem("hypercube2-k2-100k", lambda: hypercube(100_000, 50, 2), 2, 1e-3, 15, 1),
    Problem("hypercube2-k2-1M", lambda: hypercube(1_000_000, 50, 2), 2, 1e-3, 180, 3),
    Problem("hypercube5-k5-100k", lambda: hypercube(100_000, 50, 5), 5, 1e-2, 120, 2),
    Problem("hypercube2-k5-50k", lambda: hypercube(50_000, 30, 2), 5, 5e-2, 240, 2),
    Problem("wishart5-k5-50k", lambda: wishart(50_000), 5, 5e-2, 240, 2),
    Problem("wasserstein-disk-100k", lambda: plane(100_000), 2, 1e-2, 60, 1),
    Problem("wasserstein-mixtures-100k", lambda: mixtures(100_000), 3, 1e-2, 60, 1),
    Problem("clusters-k3-80k-100k", lambda: clusters(80_000, 100_000), 3, 2e-2, 200, 2),
    Problem("texts-k2-20k-30k", lambda: texts(20_000, 30_000), 2, 5e-2, 300, 2),
)


def main() -> None:
    """Parse the arguments and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("--only", metavar="NAME", default="", help="only what holds NAME in its name")
    options = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"  # before the processes start
    titles = (
        f"{'problem':28s} {'asked':>8s} {'gap':>8s} {'units':>7s} {'goal':>5s} {'GB':>5s} {'goal':>5s} {'seconds':>8s}"
    )
    print(titles, flush=True)
    context = multiprocessing.get_context("spawn")
    for number, problem in enumerate(PROBLEMS):
        if options.only in problem.name:
            with context.Pool(1) as pool:
                gap, seconds, unit, gigabytes = pool.apply(measured, (number,))
            print(
                f"{problem.name:28s} {problem.tol:8.0e} {gap:8.1e} {seconds / unit:7.1f} {problem.units:5.0f} "
                f"{gigabytes:5.2f} {problem.gigabytes:5.0f} {seconds:8.1f}",
                flush=True,
            )


def measured(number: int) -> tuple[float, float, float, float]:
    """Return the certified gap, processor seconds, those of a unit, and gigabytes beyond the data."""
    import subspaceot as sot

    problem = PROBLEMS[number]
    warm = hypercube(6000, 4, 2)
    sot.srw(warm.X, warm.Y, 2, tol=5e-2)  # loads compiled code
    unit = min(_unit(seed) for seed in range(3))
    data = problem.make()
    found: list[tuple[float, float]] = []

    def solve() -> None:
        began = time.process_time()
        result = sot.srw(data.X, data.Y, problem.k, data.a, data.b, tol=problem.tol)
        found.append((result.gap, time.process_time() - began))

    peak = memory.peak_of(solve)
    gap, seconds = found[0]
    return gap, seconds, unit, float("nan") if peak is None else peak / 1e9


def _unit(seed: int) -> float:
    """Return the processor seconds of one exact transport with its cost matrix."""
    import ot

    X, Y = np.random.default_rng(seed).standard_normal((2, 2000, 30))
    weights = np.full(2000, 1 / 2000)
    began = time.process_time()
    ot.emd2(weights, weights, ot.dist(X, Y), numItermax=10**8)
    return time.process_time() - began


if __name__ == "__main__":
    main()
