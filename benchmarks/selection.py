"""How often `select_k` is right: `python -m benchmarks.selection [--runs N] [--only NAME]`.

Two Gaussian samples of 200 points in 20 dimensions, one with standard deviation 2.5 instead of 1 along k* random
orthonormal directions. Features are independent, or correlate with 0.8^|i - j|. Seconds are those of a processor, the
median of all calls.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

N, D = 200, 20  # points of each sample, dimensions
STRETCH = 2.5  # standard deviations along the directions in which the samples differ
CORRELATION = 0.8  # of neighbouring features
SEED = 0

Pair = tuple[np.ndarray, np.ndarray]


def main() -> None:
    """Parse the arguments, and print a row for each kind of features and each k*."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.selection", description=__doc__)
    parser.add_argument("--runs", type=int, default=200, metavar="N", help="behind each row (default 200)")
    parser.add_argument("--only", metavar="NAME", help=f"only rows with NAME in their name: {', '.join(names())}")
    parser.add_argument("--permutations", type=int, default=99, metavar="N", help="of each test (default 99)")
    options = parser.parse_args()
    chosen = [name for name in names() if (options.only or "") in name]
    if not chosen or options.runs < 1:
        parser.error(f"--runs must be at least 1, and --only part of one of: {', '.join(names())}")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    print(f"{'problem':<18}{'right':>7}{'error':>7}{'seconds':>8}  how often each k was selected", flush=True)
    for name in chosen:
        kind, k_star = name.rsplit("-", 1)
        counts, seconds = selected(FEATURES[kind], int(k_star), options.runs, options.permutations)
        rate = counts[int(k_star)] / options.runs
        error = (rate * (1.0 - rate) / options.runs) ** 0.5
        listing = ", ".join(f"{k}: {count}" for k, count in sorted(counts.items()))
        print(f"{name:<18}{rate:>7.3f}{error:>7.3f}{seconds:>8.2f}  {listing}", flush=True)


def selected(draw: Callable[[int, np.random.Generator], Pair], k_star: int, runs: int, B: int) -> tuple[Counter, float]:
    """Return how often each k was selected, and the median processor seconds of a call.

    Fewer runs are the first of more.
    """
    import subspaceot as sot

    counts: Counter = Counter()
    seconds = []
    for run in range(runs):
        X, Y = draw(k_star, np.random.default_rng([SEED, k_star, run]))
        start = time.process_time()
        counts[sot.select_k(X, Y, n_permutations=B, rng=run).k] += 1
        seconds.append(time.process_time() - start)
    return counts, float(np.median(seconds))


def independent(k_star: int, rng: np.random.Generator) -> Pair:
    """Return samples of N(0, I) and N(0, (I + 1.5 U U^T)^2)."""
    U, X, Y = drawn(k_star, rng)
    return X, stretched(Y, U)


def correlated(k_star: int, rng: np.random.Generator) -> Pair:
    """Return samples of N(0, Sigma), the second one then stretched along U: laws agree on the complement of U."""
    U, X, Y = drawn(k_star, rng)
    L = root()
    return X @ L.T, stretched(Y @ L.T, U)


def mixed(k_star: int, rng: np.random.Generator) -> Pair:
    """Return samples of independent features, one of them stretched, then both mixed to have the covariance Sigma.

    So the covariances differ by a matrix of rank k*, and the laws agree on the complement of Sigma^1/2 U.
    """
    U, X, Y = drawn(k_star, rng)
    L = root()
    return X @ L.T, stretched(Y, U) @ L.T


def drawn(k_star: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return orthonormal directions (d, k*), and two samples (n, d) of independent standard normal features."""
    U = np.linalg.qr(rng.standard_normal((D, D)))[0][:, :k_star]
    X, Y = rng.standard_normal((2, N, D))
    return U, X, Y


def stretched(Z: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Return points whose coordinates along U are larger by a factor."""
    return Z + (STRETCH - 1.0) * (Z @ U) @ U.T


def root() -> np.ndarray:
    """Return the Cholesky factor of the correlations of neighbours."""
    return np.linalg.cholesky(CORRELATION ** np.abs(np.subtract.outer(np.arange(D), np.arange(D))))


FEATURES = {"independent": independent, "correlated": correlated, "mixed": mixed}


def names() -> list[str]:
    """Return the names of all rows: the kind of features, and k*."""
    return [f"{kind}-{k_star}" for kind in FEATURES for k_star in range(4)]


if __name__ == "__main__":
    main()
