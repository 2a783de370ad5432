"""How often confidence intervals hold what they are for: `python -m benchmarks.coverage`.

Two Gaussian laws in d = 20 dimensions differ along sparse directions (0.8, 0.5, 0.33 in three features): by a shift of
0.8, by a variance of 3 that is added (a standard deviation of 2 for 1 where features are independent), or by both in
two directions. Features are independent, or correlated (AR 0.8); rows are independent, or come from donors with effects
of their own. The population's W^2 in a learned subspace is known in closed form (Bures). Blocks of runs are kept in
benchmarks/coverage.csv; what is there is not run again.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402

import subspaceot as sot  # noqa: E402
from subspaceot.inference.held_out import learned  # noqa: E402
from subspaceot.inference.projected_transport import transport_in  # noqa: E402
from subspaceot.inference.samples import Samples  # noqa: E402
from subspaceot.inference.shares import Shares  # noqa: E402

from . import blocks  # noqa: E402

FILE = Path(__file__).with_suffix(".csv")
D = 20
QUANTILE = 1.959964  # of a normal 95 % interval
PLANTED = 0.01  # a feature with a larger share counts as planted
COVERED, COVERED_SHARES, WIDEST = 0.93, 0.90, 2.0  # goals: of the distance, of shares, and of `ratio` at most

COUNTED = ("refused", "covers", "width", "one way", "one way width", "naive", "unidentified", "shares")
OF_SHARES = ("planted", "planted width", "others", "others width", "together")


@dataclass(frozen=True)
class Cell:
    """Two laws, a sample size and a dimension of the subspace."""

    alternative: str  # shift, variance or both
    n: int
    k: int
    correlated: bool
    donors: int = 0  # a side, with as many rows each, half of whose variance is common to all; 0: rows are independent

    def __str__(self) -> str:
        features = "AR(0.8)" if self.correlated else "indep."
        return f"{self.alternative} n={self.n} k={self.k} {f'{self.donors} donors' if self.donors else features}"

    @property
    def units(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The donors of the rows of both samples."""
        if not self.donors:
            return None
        donor = np.arange(self.n) % self.donors
        return donor, donor + self.donors

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
        X, Y = (self._noise(rng) @ np.linalg.cholesky(C).T for C in (S, T))
        return X, Y + shift

    def _noise(self, rng: np.random.Generator) -> np.ndarray:
        """Return rows (n, d) of a standard normal law."""
        rows = rng.standard_normal((self.n, D))
        if not self.donors:
            return rows
        effects = rng.standard_normal((self.donors, D))
        return np.sqrt(0.5) * (rows + effects[np.arange(self.n) % self.donors])

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


def _cells() -> Iterator[Cell]:
    """Yield all cells, the quickest first."""
    for k, sizes in ((1, (200, 500, 1000)), (2, (200, 1000))):
        for n in sizes:
            for correlated in (False, True) if k == 1 and n > 200 else (False,):
                for alternative in ("shift", "variance"):
                    yield Cell(alternative, n, k, correlated)
        if k == 1:
            for alternative in ("shift", "variance"):
                yield Cell(alternative, 1000, 1, False, donors=100)
    yield Cell("both", 1000, 2, False)


CASES = {str(cell): cell for cell in _cells()}


# --- runs -----------------------------------------------------------------------------------------------------------


def run(cell: Cell, rng: np.random.Generator, shares: np.ndarray | None) -> dict[str, float]:
    """Return what one pair of samples gives: numbers whose sums over runs are kept."""
    X, Y = cell.samples(rng)
    found = sot.intervals(X, Y, cell.k, units=cell.units, rng=rng)
    everything = Samples.of(X, Y, np.ones(cell.n), np.ones(cell.n))
    row = dict.fromkeys((*COUNTED, *OF_SHARES), 0.0) | {"refused": found.low is None}
    row["one way"], row["one way width"] = one_way(cell, *everything.halves(rng), rng)
    row["naive"], _ = one_way(cell, everything, everything, rng)
    if found.low is not None and found.high is not None:
        truth = np.mean([cell.cost(U) for U in found.bases])
        row |= {"covers": found.low <= truth <= found.high, "width": found.high - found.low}
        row["unidentified"] = not found.features[0].identified
        if shares is not None and not row["unidentified"]:
            row |= {"shares": True, **of_shares(found, shares)}
    return row


def of_shares(found: sot.Intervals, shares: np.ndarray) -> dict[str, float]:
    """Return the means over features, with a share in the population and without, of coverage and width."""
    low, high = np.array([(feature.low, feature.high) for feature in found.features]).T
    hit, wide = held(low, high, shares), shares > PLANTED
    row = {"planted": hit[wide].mean(), "others": hit[~wide].mean()}
    row |= {"planted width": (high - low)[wide].mean(), "others width": (high - low)[~wide].mean()}
    if found.k == 1:  # then loadings are the bases: `simultaneous=True` says this, in twice the time
        together = Shares.of(list(zip(found.bases[::2], found.bases[1::2], strict=True)))
        row["together"] = held(*together.interval(found.level, simultaneous=True), shares).all()
    return row


def held(low: np.ndarray, high: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return which of the shares (d,) lie in their intervals."""
    return (low <= shares + 1e-9) & (shares <= high + 1e-9)


def one_way(cell: Cell, half: Samples, other: Samples, rng: np.random.Generator) -> tuple[bool, float]:
    """Return whether a plain normal interval from `other` covers, and its width, in what `half` learned."""
    U = learned(half, cell.k, rng).basis
    at = transport_in(other, U)
    reach = QUANTILE * at.standard_error
    return abs(at.cost - cell.cost(U)) <= reach, 2.0 * reach


def counts(block: blocks.Block) -> blocks.Row:
    """Return the sums over the runs of a block."""
    cell = CASES[block.case]
    shares = cell.shares()
    rows = [run(cell, rng, shares) for rng in block.streams]
    return {name: f"{sum(float(row[name]) for row in rows):.6g}" for name in rows[0]}


# --- table ----------------------------------------------------------------------------------------------------------


def line(name: str, sums: dict[str, float]) -> str:
    """Return a row of the table."""
    runs, shares = sums["runs"], sums["shares"]
    answered = max(runs - sums["refused"], 1)
    ratio = sums["width"] / answered / (sums["one way width"] / runs)
    text = f"{name:28s} {runs:5.0f} {sums['refused'] / runs:5.3f} {sums['covers'] / answered:6.3f}"
    text += f" {sums['width'] / answered:5.2f} {ratio:5.2f} {sums['one way'] / runs:7.3f} {sums['naive'] / runs:5.3f}"
    text += f" {sums['unidentified'] / answered:6.3f}"
    if not shares:
        return text
    known = OF_SHARES[: -1 if CASES[name].k > 1 else None]
    return text + "".join(f" {sums[part] / shares:{width}.3f}" for part, width in zip(known, _WIDTHS, strict=False))


_WIDTHS = (7, 5, 6, 5, 8)
_TITLES = ("planted", "width", "others", "width", "together")


def missed(name: str, sums: dict[str, float]) -> list[str]:
    """Return the goals that a case misses."""
    runs, shares = sums["runs"], max(sums["shares"], 1)
    answered = max(runs - sums["refused"], 1)
    covers, ratio = sums["covers"] / answered, sums["width"] / answered / (sums["one way width"] / runs)
    found = [f"{name}: {covers:.3f} < {COVERED}"] * (covers < COVERED)
    found += [f"{name}: width {ratio:.2f} > {WIDEST}"] * (ratio > WIDEST)
    if sums["shares"]:
        for part in ("planted", "others"):
            found += [f"{name}: {part} {sums[part] / shares:.3f} < {COVERED_SHARES}"] * (
                sums[part] / shares < COVERED_SHARES
            )
    return found


def report(file: Path, only: str = "") -> list[str]:
    """Return the table of what a file keeps, and which goals are missed."""
    titles = " ".join(f"{title:>{width}s}" for title, width in zip(_TITLES, _WIDTHS, strict=True))
    lines = [
        "share of runs whose 95 % interval holds the truth",
        f"{'case':28s}  runs  none covers width ratio one way naive unid. {titles}",
    ]
    kept, goals = blocks.read(file), list[str]()
    for name in CASES:
        sums = blocks.totals(row for row in kept if row["case"] == name)
        if sums and only in name:
            lines.append(line(name, sums))
            goals += missed(name, sums)
    return [*lines, f"goals missed: {'; '.join(goals) or 'none'}"]


def main() -> None:
    """Parse the arguments, run what is missing, and print the table."""
    blocks.run("python -m benchmarks.coverage", str(__doc__), 500, FILE, CASES, counts, report)


if __name__ == "__main__":
    main()
