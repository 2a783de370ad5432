"""The problems that are timed, by name, and the ratios they should stay below."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from subspaceot.instances import Instance, fragmented_hypercube, wishart_gaussians, zipf_texts

from .plays import plays

SEED = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """A family of data at one size, with the k to ask for."""

    family: str
    n: int
    k: int
    make: Callable[[int], Instance]  # from the number of points of the first cloud
    goals: tuple[float | None, float | None] = (None, None)  # largest ratios to one emd2 at gaps of 1e-2 and 1e-3
    quick: bool = False  # part of `--quick`

    @property
    def name(self) -> str:
        return f"{self.family}-n{self.n}"

    def data(self) -> Instance:
        """Return the points and weights at the size of the problem."""
        return self.make(self.n)


def hypercube(k_star: int, d: int = 30) -> Callable[[int], Instance]:
    """A cube in d dimensions against the same cube split along `k_star` hidden directions."""
    return lambda n: fragmented_hypercube(n, d, k_star, SEED, rotate=True)


def wishart(n: int) -> Instance:
    """Two Gaussians in 20 dimensions whose random covariances have rank 5."""
    return wishart_gaussians(n, 20, 5, SEED)


def texts(n: int) -> Instance:
    """Two made-up texts over word vectors in 300 dimensions, the second one longer."""
    return zipf_texts(n, 300, SEED, m=13 * n // 8)


def same_gaussian(n: int) -> Instance:
    """Two samples of one Gaussian in 20 dimensions: no direction stands out, which makes it the hardest kind."""
    X, Y = np.random.default_rng(SEED).standard_normal((2, n, 20))
    return Instance(X, Y, np.full(n, 1 / n), np.full(n, 1 / n), truth=0.0, subspace=None)


PROBLEMS = (
    Problem("hypercube2-k2", 100, 2, hypercube(2), goals=(6, 20), quick=True),
    Problem("hypercube2-k2", 500, 2, hypercube(2), goals=(1.2, 4)),
    Problem("hypercube2-k2", 1000, 2, hypercube(2), goals=(0.6, 2)),
    Problem("hypercube2-k2", 2000, 2, hypercube(2), goals=(0.4, 1.5)),
    Problem("hypercube4-k2", 500, 2, hypercube(4), goals=(1.5, 5)),
    Problem("hypercube2-k5", 100, 5, hypercube(2), goals=(10, 40), quick=True),
    Problem("hypercube2-k5", 500, 5, hypercube(2), goals=(2, 6)),
    Problem("wishart5-k5", 100, 5, wishart, goals=(10, 35), quick=True),
    Problem("wishart5-k5", 500, 5, wishart, goals=(2, 7)),
    Problem("wishart5-k5", 1000, 5, wishart, goals=(1.5, 4)),
    Problem("texts-k2", 800, 2, texts, goals=(8, 25)),
    # Only 999 of the 2,000 dimensions are those of the 1,000 points: the problem is solved there.
    Problem("hypercube3-wide-k3", 500, 3, hypercube(3, 2000), goals=(5, 15)),
    Problem("same-gaussian-k2", 100, 2, same_gaussian, goals=(25, None)),
    *(Problem(f"plays-{pair}-k2", len(data.X), 2, lambda n, data=data: data) for pair, data in plays()),
)
