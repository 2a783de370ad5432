"""The problems that are timed, by name, and the ratios they should stay below."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from subspaceot.instances import Instance, fragmented_hypercube, wishart_gaussians

SEED = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """A family of data at one size, with the k to ask for."""

    family: str
    n: int
    k: int
    make: Callable[[int], Instance]  # from the number of points of each cloud
    goals: tuple[float | None, float | None] = (None, None)  # largest ratios to one emd2 at gaps of 1e-2 and 1e-3
    quick: bool = False  # part of `--quick`

    @property
    def name(self) -> str:
        return f"{self.family}-n{self.n}"


def hypercube(k_star: int) -> Callable[[int], Instance]:
    """A cube in 30 dimensions against the same cube split along `k_star` hidden directions."""
    return lambda n: fragmented_hypercube(n, 30, k_star, SEED, rotate=True)


def wishart(n: int) -> Instance:
    """Two Gaussians in 20 dimensions whose random covariances have rank 5."""
    return wishart_gaussians(n, 20, 5, SEED)


def same_gaussian(n: int) -> Instance:
    """Two samples of one Gaussian in 20 dimensions: no direction stands out, which makes it the hardest kind."""
    X, Y = np.random.default_rng(SEED).standard_normal((2, n, 20))
    return Instance(X, Y, np.full(n, 1 / n), np.full(n, 1 / n), truth=0.0, subspace=None)


PROBLEMS = (
    Problem("hypercube2-k2", 100, 2, hypercube(2), goals=(25, None), quick=True),
    Problem("hypercube2-k2", 500, 2, hypercube(2)),
    Problem("hypercube2-k2", 1000, 2, hypercube(2), goals=(1.0, 5)),
    Problem("hypercube4-k2", 500, 2, hypercube(4)),
    Problem("hypercube2-k5", 100, 5, hypercube(2), goals=(25, 300), quick=True),
    Problem("hypercube2-k5", 500, 5, hypercube(2)),
    Problem("wishart5-k5", 100, 5, wishart, goals=(25, None), quick=True),
    Problem("wishart5-k5", 500, 5, wishart, goals=(5, 25)),
    Problem("wishart5-k5", 1000, 5, wishart),
    Problem("same-gaussian-k2", 100, 2, same_gaussian, goals=(25, None)),
)
