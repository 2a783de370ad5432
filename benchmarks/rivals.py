"""The tests that ours is compared with: energy distance and MMD of hyppo, and MMDAgg written from its paper."""

import warnings
from collections.abc import Iterator

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

HYPPO_ROWS = 200  # of both samples: hyppo's permutations take 0.1 s, but 6 s of 1,000 rows
BANDWIDTHS = 10  # of each of the two kernels of MMDAgg
QUANTILE_DRAWS, LEVEL_DRAWS, BISECTIONS = 500, 500, 50  # B_1, B_2 and B_3 of its Algorithm 1


def energy(X: np.ndarray, Y: np.ndarray, permutations: int, rng: np.random.Generator) -> float:
    """Return the p-value of the energy distance."""
    if len(X) + len(Y) <= HYPPO_ROWS:
        return hyppo_p("Energy", X, Y, permutations, rng)
    return permuted_p(-squareform(pdist(np.vstack([X, Y]))), len(X), permutations, rng)


def mmd(X: np.ndarray, Y: np.ndarray, permutations: int, rng: np.random.Generator) -> float:
    """Return the p-value of MMD with a Gaussian kernel, the median distance its bandwidth."""
    if len(X) + len(Y) <= HYPPO_ROWS:
        return hyppo_p("MMD", X, Y, permutations, rng)
    return permuted_p(gaussian_kernel(np.vstack([X, Y])), len(X), permutations, rng)


def hyppo_p(name: str, X: np.ndarray, Y: np.ndarray, permutations: int, rng: np.random.Generator) -> float:
    """Return the p-value of one of hyppo's tests, by permutations and not by its approximation."""
    try:
        from hyppo import ksample
    except ImportError:
        raise ImportError("The comparison needs hyppo: pip install 'subspaceot[benchmarks]'.") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # fewer than 1,000 permutations
        seed = int(rng.integers(2**31))
        found = getattr(ksample, name)().test(X, Y, reps=permutations, auto=False, random_state=seed)
    return float(found[1])


def permuted_p(K: np.ndarray, n: int, permutations: int, rng: np.random.Generator) -> float:
    """Return the p-value of s^T K s, s the difference of both samples, by permutations: hyppo's tests for n = m."""
    N = len(K)
    signs = np.where(np.arange(N) < n, 1.0 / n, -1.0 / (N - n))
    drawn = np.column_stack([signs, *(rng.permutation(signs) for _ in range(permutations))])
    values = np.sum(drawn * (K @ drawn), axis=0)
    same = 1e-12 * np.abs(values[0])  # rounding
    return float(np.mean(values >= values[0] - same))


def gaussian_kernel(Z: np.ndarray) -> np.ndarray:
    """Return exp(-|z - z'|^2 / (2 s^2)), s the median distance."""
    apart = pdist(Z)
    return squareform(np.exp(-0.5 * (apart / np.median(apart)) ** 2)) + np.eye(len(Z))


def mmdagg(X: np.ndarray, Y: np.ndarray, alpha: float, rng: np.random.Generator) -> bool:
    """Return whether MMDAgg rejects (Schrab et al. 2023, Algorithm 1), for samples of one size.

    Gaussian and Laplace kernels, ten bandwidths each, all of one weight. Under a wild bootstrap with signs e the
    statistic of a kernel is sum_{i != j} e_i e_j h_ij, where h_ij = k(x_i, x_j) + k(y_i, y_j) - k(x_i, y_j) -
    k(x_j, y_i). A kernel rejects above its quantile at 1 - u; u is the largest for which the probability that any of
    them rejects, estimated by other draws, is at most alpha.
    """
    signs = rng.choice([-1.0, 1.0], size=(len(X), 1 + QUANTILE_DRAWS + LEVEL_DRAWS))
    signs[:, 0] = 1.0
    values = np.array([np.sum(signs * (H @ signs), axis=0) for H in _paired_kernels(X, Y)])
    observed, others = values[:, 0], values[:, 1 + QUANTILE_DRAWS :]
    ordered = np.sort(values[:, : 1 + QUANTILE_DRAWS], axis=1)

    def quantiles(u: float) -> np.ndarray:
        return ordered[:, int(np.ceil((1 + QUANTILE_DRAWS) * (1.0 - u))) - 1]

    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        u = 0.5 * (low + high)
        level = np.mean(np.any(others > quantiles(u)[:, None], axis=0))
        low, high = (u, high) if level <= alpha else (low, u)
    return bool(np.any(observed > quantiles(low)))


def _paired_kernels(X: np.ndarray, Y: np.ndarray) -> Iterator[np.ndarray]:
    """Yield h (n, n) of each kernel, with 0 on the diagonal.

    Bandwidths run geometrically from half the smallest distance between the samples to twice the largest.
    """
    for metric, power in (("cityblock", 1), ("euclidean", 2)):  # Laplace, Gauss
        pairs = [cdist(A, B, metric) for A, B in ((X, X), (Y, Y), (X, Y))]
        for width in np.geomspace(pairs[2].min() / 2.0, 2.0 * pairs[2].max(), BANDWIDTHS):
            xx, yy, xy = (np.exp(-((apart / width) ** power)) for apart in pairs)
            H = xx + yy - xy - xy.T
            np.fill_diagonal(H, 0.0)
            yield H
