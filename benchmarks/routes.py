"""Whether both routes agree on the same data: `python -m benchmarks.routes [--points N] [--problems COUNT]`.

The dense route looks at arrays of all pairs, the large one at none. Their intervals must overlap, and that of the large
route may be three times as wide as asked for. Prints what fails, with the number that repeats it, and counts per kind.
"""

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from subspaceot.instances import Instance, disk_to_annulus, fragmented_hypercube, wishart_gaussians, zipf_texts

WIDE = 3.0  # times the gap that was asked for: what the large route may miss it by
FEW_PAIRS = 10_000  # from here on this process takes the large route for all that is asked of it there

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Asked:
    """Data, the dimension of the subspace, and the gap to be certified."""

    data: Instance
    k: int
    tol: float


def spiked(n: int, rng: Rng) -> Asked:
    """As many directions as stand out."""
    k = int(rng.integers(1, 5))
    return Asked(fragmented_hypercube(n, int(rng.integers(k, 40)), k, rng, rotate=True), k, 1e-2)


def beyond_the_spikes(n: int, rng: Rng) -> Asked:
    """More directions than stand out."""
    d, k_star = int(rng.integers(12, 40)), int(rng.integers(1, 4))
    return Asked(fragmented_hypercube(n, d, k_star, rng, rotate=True), int(rng.integers(k_star + 1, 11)), 5e-2)


def wishart(n: int, rng: Rng) -> Asked:
    """Gaussians with random covariances, so that Omega is no projector."""
    return Asked(wishart_gaussians(n, 20, 5, rng), int(rng.integers(1, 11)), 5e-2)


def one_law(n: int, rng: Rng) -> Asked:
    """Two samples of one law."""
    X, Y = rng.standard_normal((2, n, int(rng.integers(8, 20))))
    return Asked(unweighted(X, Y), int(rng.integers(1, 5)), 5e-2)


def disk(n: int, rng: Rng) -> Asked:
    """The Wasserstein distance in the plane."""
    return Asked(disk_to_annulus(n, 2, 2, rng), 2, 1e-2)


def mixtures(n: int, rng: Rng) -> Asked:
    """The Wasserstein distance of mixtures in 3 dimensions."""
    centres = 3.0 * rng.standard_normal((2, 10, 3))
    X, Y = (side[rng.integers(10, size=n)] + rng.standard_normal((n, 3)) for side in centres)
    return Asked(unweighted(X, Y), 3, 1e-2)


def clusters(n: int, rng: Rng) -> Asked:
    """Clusters with heavy tails and uneven weights, which are matched across."""
    centres = np.zeros((2, 20, 30))
    centres[:, :, :3] = 10.0 * rng.standard_normal((2, 20, 3))
    X, Y = (side[rng.integers(20, size=n)] + rng.standard_t(3, (n, 30)) for side in centres)
    a, b = rng.exponential(size=(2, n))
    return Asked(Instance(X, Y, a / a.sum(), b / b.sum(), truth=None, subspace=None), 3, 2e-2)


def texts(n: int, rng: Rng) -> Asked:
    """Points in 300 dimensions with weights by Zipf's law."""
    return Asked(zipf_texts(n, 300, rng, m=2 * n // 3), 2, 5e-2)


def sizes(n: int, rng: Rng) -> Asked:
    """Ten points against 33 times as many as in all other problems."""
    data = fragmented_hypercube(n, 6, 2, rng, m=10)
    many = rng.standard_normal((33 * n, 6)) + data.X[rng.integers(n, size=33 * n)]
    return Asked(unweighted(data.Y, many), int(rng.integers(1, 4)), 1e-2)


def repeated(n: int, rng: Rng) -> Asked:
    """Points that come several times, some of them on both sides."""
    data = fragmented_hypercube(n, 8, 2, rng)
    X, Y = data.X[rng.integers(n // 4, size=n)], data.Y[rng.integers(n // 4, size=n)]
    Y[: n // 10] = X[: n // 10]
    return Asked(unweighted(X, Y), 2, 1e-2)


def zero_weights(n: int, rng: Rng) -> Asked:
    """A third of the points have no mass, and lie far away."""
    data = fragmented_hypercube(n, 10, 2, rng, rotate=True)
    X, Y, a, b = data.X.copy(), data.Y.copy(), rng.exponential(size=n), rng.exponential(size=n)
    for points, weights in ((X, a), (Y, b)):
        none = rng.random(n) < 1 / 3
        weights[none] = 0.0
        points[none] *= 20.0
    return Asked(Instance(X, Y, a / a.sum(), b / b.sum(), truth=None, subspace=None), 2, 1e-2)


def wide(n: int, rng: Rng) -> Asked:
    """2,000 dimensions, a quarter of the points."""
    return Asked(fragmented_hypercube(n // 4, 2000, 2, rng), 2, 5e-2)


KINDS: tuple[Callable[[int, Rng], Asked], ...] = (
    *(spiked, beyond_the_spikes, wishart, one_law, disk, mixtures, clusters, texts, sizes, repeated, zero_weights),
    wide,
)


def unweighted(X: np.ndarray, Y: np.ndarray) -> Instance:
    """Return both samples with even weights."""
    return Instance(X, Y, np.full(len(X), 1 / len(X)), np.full(len(Y), 1 / len(Y)), truth=None, subspace=None)


@dataclass(slots=True)
class Counts:
    """What came of the problems of one kind."""

    problems: int = 0
    disjoint: int = 0
    wide: int = 0
    ratios: list[float] = field(default_factory=list)  # certified gap over the one asked for
    seconds: np.ndarray = field(default_factory=lambda: np.zeros(2))  # of the processor: dense, large


def compared(asked: Asked) -> tuple[np.ndarray, np.ndarray]:
    """Return the intervals (2, 2) of the dense and of the large route, and their processor seconds (2,)."""
    import subspaceot as sot
    from subspaceot.core import potentials

    data, intervals, seconds, usual = asked.data, [], [], potentials.LARGE_PAIRS
    for method, pairs in (("auto", 10**12), ("large", FEW_PAIRS)):
        potentials.LARGE_PAIRS = pairs
        began = time.process_time()
        try:
            result = sot.srw(data.X, data.Y, asked.k, data.a, data.b, tol=asked.tol, method=method)
        finally:
            potentials.LARGE_PAIRS = usual
        seconds.append(time.process_time() - began)
        intervals.append((result.lower, result.upper))
    return np.array(intervals), np.array(seconds)


def main() -> None:
    """Parse the arguments, compare, and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.routes", description=__doc__)
    parser.add_argument("--points", type=int, default=3000, metavar="N", help="of each side (default 3000)")
    parser.add_argument("--problems", type=int, default=200, metavar="COUNT", help="how many (default 200)")
    parser.add_argument("--seed", type=int, default=0, help="which stream of them (default 0)")
    parser.add_argument("--only", metavar="KIND", default="", help="only kinds with KIND in their name")
    options = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    found = {kind.__name__: Counts() for kind in KINDS if options.only in kind.__name__}
    for index in range(options.problems):
        kind = KINDS[index % len(KINDS)]
        if kind.__name__ in found:
            asked = kind(options.points, np.random.default_rng([options.seed, index]))
            take(found[kind.__name__], f"{index} {kind.__name__} k={asked.k}", asked)
    print(table(found))


def take(counts: Counts, name: str, asked: Asked) -> None:
    """Compare both routes on one problem, count what comes of it, and print what fails."""
    ((low, high), (lower, upper)), seconds = compared(asked)
    disjoint, ratio = max(low, lower) > min(high, upper), (upper - lower) / upper / asked.tol
    counts.problems += 1
    counts.disjoint += bool(disjoint)
    counts.wide += ratio > WIDE
    counts.ratios.append(ratio)
    counts.seconds += seconds
    if disjoint or ratio > WIDE:
        where = f"dense [{low:.6g}, {high:.6g}], large [{lower:.6g}, {upper:.6g}]"
        print(f"{name}: {where}, {ratio:.1f} times as wide as asked for", flush=True)


def table(found: dict[str, Counts]) -> str:
    """Return one line for each kind."""
    titles = ("kind", "problems", "disjoint", f"over {WIDE:g} x tol", "widest / tol", "dense s", "large s")
    lines = [f"{titles[0]:18s}" + "".join(f"{title:>14s}" for title in titles[1:])]
    for name, counts in found.items():
        widest = max(counts.ratios, default=float("nan"))
        lines.append(
            f"{name:18s}{counts.problems:14d}{counts.disjoint:14d}{counts.wide:14d}{widest:14.1f}"
            f"{counts.seconds[0]:14.1f}{counts.seconds[1]:14.1f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
