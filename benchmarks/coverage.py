"""How often confidence intervals hold what they are for: `python -m benchmarks.coverage [--runs N]`.

Two Gaussian laws in d = 20 dimensions differ along sparse directions (0.8, 0.5, 0.33 in three features): by a shift of
0.8, by a variance of 3 that is added (a standard deviation of 2 for 1 where features are independent), or by both in
two directions. Features are independent, or correlated (AR 0.8). The population's W^2 in a learned subspace is known in
closed form (Bures).

Printed with `--runs 200`, its last two columns left out, and the cells with k = 2, n = 1000:

cell                               runs  none  covers  width  1 way  ratio  naive  unid.  planted  width  others  width
shift n=200 k=1 indep.              200  0.04   0.995   0.70  0.915   1.01  0.455   0.45    0.937  0.404   0.961  0.086
variance n=200 k=1 indep.           200  0.02   0.980   1.09  0.940   1.01  0.805   0.04    0.961  0.247   0.970  0.030
shift n=500 k=1 indep.              200  0.00   0.990   0.50  0.950   1.00  0.765   0.00    0.957  0.279   0.970  0.040
variance n=500 k=1 indep.           200  0.00   1.000   0.75  0.970   1.01  0.900   0.00    0.947  0.147   0.967  0.011
shift n=500 k=1 AR(0.8)             200  0.00   0.995   0.66  0.950   0.98  0.875   0.38    0.936  0.271   0.930  0.039
variance n=500 k=1 AR(0.8)          200  0.00   1.000   0.72  0.960   1.00  0.965   0.00    0.946  0.041   0.937  0.008
shift n=1000 k=1 indep.             200  0.00   0.990   0.37  0.935   1.01  0.855   0.00    0.942  0.192   0.966  0.020
variance n=1000 k=1 indep.          200  0.00   0.995   0.54  0.945   1.00  0.940   0.00    0.952  0.101   0.971  0.006
shift n=1000 k=1 AR(0.8)            200  0.00   0.985   0.46  0.960   1.01  0.920   0.00    0.953  0.191   0.955  0.021
variance n=1000 k=1 AR(0.8)         200  0.00   1.000   0.51  0.940   1.00  0.965   0.00    0.944  0.028   0.940  0.006
shift n=200 k=2 indep.              200  0.07   1.000   0.75  0.860   1.02  0.135   1.00      nan    nan     nan    nan
variance n=200 k=2 indep.           200  0.03   0.995   1.12  0.840   1.02  0.400   1.00      nan    nan     nan    nan
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

import subspaceot as sot
from subspaceot.inference.held_out import learned
from subspaceot.inference.projected_transport import transport_in
from subspaceot.inference.samples import Samples

D = 20
QUANTILE = 1.959964  # of a normal 95 % interval
PLANTED = 0.01  # a feature with a larger share counts as planted

EXPLANATION = """\
"covers" is the share of runs whose interval holds the mean of the populations' W^2 over the learned subspaces; "none"
the share of runs that refused one, which are left out. "1 way" learns on one half and measures on the other, once;
"ratio" is the mean width of ours by that of it. "naive" learns and measures on all points. "planted" and "others" are
coverages of the shares of features with a share in the population, and without; "width" their mean widths. "unid." is
the share of runs that call the subspace not identified; they are left out. "together" is the share of runs in which
all features are covered: `--simultaneous` is for that."""

HEADER = f"{'cell':34}{'runs':>5}{'none':>6}{'covers':>8}{'width':>7}{'1 way':>7}{'ratio':>7}{'naive':>7}"
HEADER += f"{'unid.':>7}{'planted':>9}{'width':>7}{'others':>8}{'width':>7}{'together':>10}{'s/run':>7}"


@dataclass(frozen=True)
class Cell:
    """Two laws, a sample size and a dimension of the subspace."""

    alternative: str  # shift, variance or both
    n: int
    k: int
    correlated: bool

    def __str__(self) -> str:
        return f"{self.alternative} n={self.n} k={self.k} {'AR(0.8)' if self.correlated else 'indep.'}"

    def laws(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return both covariances and the difference of means."""
        first, second = planted([2, 9, 15]), planted([5, 11, 18])
        index = np.arange(D)
        S = 0.8 ** np.abs(index[:, None] - index) if self.correlated else np.eye(D)
        shift = np.zeros(D) if self.alternative == "variance" else 0.8 * first
        wide = {"shift": np.zeros(D), "variance": first, "both": second}[self.alternative]
        return S, S + 3.0 * np.outer(wide, wide), shift

    def samples(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return n points of either law."""
        S, T, shift = self.laws()
        X, Y = (rng.standard_normal((self.n, D)) @ np.linalg.cholesky(C).T for C in (S, T))
        return X, Y + shift

    def cost(self, U: np.ndarray) -> float:
        """Return W^2 of both laws in the basis U (d, k)."""
        S, T, shift = self.laws()
        A, B = U.T @ S @ U, U.T @ T @ U
        root = roots(A)
        mixed = np.trace(roots(root @ B @ root))
        return float(np.sum((U.T @ shift) ** 2) + np.trace(A) + np.trace(B) - 2.0 * mixed)

    def shares(self) -> np.ndarray | None:
        """Return the shares (d,) of the populations; None where the best subspace is not unique."""
        if self.k == 1:
            return self.best_direction() ** 2
        if self.alternative != "both" or self.correlated:
            return None
        first, second = planted([2, 9, 15]), planted([5, 11, 18])
        return (0.64 * first**2 + second**2) / 1.64

    def best_direction(self) -> np.ndarray:
        """Return the direction of the largest W^2 of both laws."""
        S, T, shift = self.laws()
        starts = [shift + 1e-6, *np.linalg.eigh(T - S)[1].T[[0, -1]]]
        found = min((minimize(self.negated_cost, start, tol=1e-10) for start in starts), key=lambda run: run.fun)
        return found.x / np.linalg.norm(found.x)

    def negated_cost(self, u: np.ndarray) -> float:
        return -self.cost((u / np.linalg.norm(u))[:, None])


def planted(features: list[int]) -> np.ndarray:
    """Return a unit vector with three entries that are not 0."""
    u = np.zeros(D)
    u[features] = 0.8, 0.5, 0.33
    return u / np.linalg.norm(u)


def roots(A: np.ndarray) -> np.ndarray:
    """Return the square root of a positive semidefinite matrix."""
    values, vectors = np.linalg.eigh(A)
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T


def cells() -> Iterator[Cell]:
    """Yield all cells, the quickest first."""
    for k, sizes in ((1, (200, 500, 1000)), (2, (200, 1000))):
        for n in sizes:
            for correlated in (False, True) if k == 1 and n > 200 else (False,):
                for alternative in ("shift", "variance"):
                    yield Cell(alternative, n, k, correlated)
    yield Cell("both", 1000, 2, False)


def run(cell: Cell, seed: int, shares: np.ndarray | None, **settings: Any) -> dict[str, Any]:
    """Return what one pair of samples gives."""
    rng = np.random.default_rng([seed, cell.n])
    X, Y = cell.samples(rng)
    start = time.perf_counter()
    found = sot.intervals(X, Y, cell.k, rng=seed, **settings)
    row: dict[str, Any] = {"seconds": time.perf_counter() - start, "none": found.low is None}
    everything = Samples.of(X, Y, np.ones(cell.n), np.ones(cell.n))
    halves = everything.halves(rng)
    row["1 way"], row["1 way width"] = one_way(cell, *halves, rng)
    row["naive"], _ = one_way(cell, everything, everything, rng)
    if found.low is not None and found.high is not None:
        truth = np.mean([cell.cost(U) for U in found.bases])
        row |= {"covers": found.low <= truth <= found.high, "width": found.high - found.low}
        row["unidentified"] = not found.features[0].identified
        if shares is not None and not row["unidentified"]:
            low, high = np.array([(feature.low, feature.high) for feature in found.features]).T
            hit, wide = (low <= shares + 1e-9) & (shares <= high + 1e-9), shares > PLANTED
            row |= {"planted": hit[wide].mean(), "others": hit[~wide].mean(), "together": hit.all()}
            row |= {"planted width": (high - low)[wide].mean(), "others width": (high - low)[~wide].mean()}
    return row


def one_way(cell: Cell, half: Samples, other: Samples, rng: np.random.Generator) -> tuple[bool, float]:
    """Return whether a plain normal interval from `other` covers, and its width, in what `half` learned."""
    U = learned(half, cell.k, rng).basis
    at = transport_in(other, U)
    reach = QUANTILE * at.standard_error
    return abs(at.cost - cell.cost(U)) <= reach, 2.0 * reach


def line(cell: Cell, rows: list[dict[str, Any]]) -> str:
    """Return one line of the table."""

    def mean(name: str) -> float:
        values = [row[name] for row in rows if name in row]
        return float(np.mean(values)) if values else float("nan")

    text = f"{cell!s:34}{len(rows):5d}{mean('none'):6.2f}{mean('covers'):8.3f}{mean('width'):7.2f}{mean('1 way'):7.3f}"
    text += f"{mean('width') / mean('1 way width'):7.2f}{mean('naive'):7.3f}{mean('unidentified'):7.2f}"
    text += f"{mean('planted'):9.3f}{mean('planted width'):7.3f}{mean('others'):8.3f}{mean('others width'):7.3f}"
    return text + f"{mean('together'):10.3f}{mean('seconds'):7.2f}"


def main() -> None:
    """Parse the arguments and print one line per cell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=500, metavar="N", help="samples of each cell (default 500)")
    parser.add_argument("--splits", type=int, default=20, metavar="N", help="random splits (default 20)")
    parser.add_argument("--k", type=int, choices=(1, 2), help="only cells of this k")
    parser.add_argument("--n", type=int, help="only cells of this sample size")
    parser.add_argument("--simultaneous", action="store_true", help="intervals that hold for all features together")
    options = parser.parse_args()
    settings = {"n_splits": options.splits, "simultaneous": options.simultaneous}
    print(f"{EXPLANATION}\n\n{HEADER}", flush=True)
    for cell in cells():
        if options.k in (None, cell.k) and options.n in (None, cell.n):
            shares = cell.shares()
            rows = [run(cell, seed, shares, **settings) for seed in range(options.runs)]
            print(line(cell, rows), flush=True)


if __name__ == "__main__":
    main()
