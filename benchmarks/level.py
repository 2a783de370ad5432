"""How often the two-sample test rejects where there is nothing to find: `python -m benchmarks.level`.

Each case draws both samples from one law, `--runs` times, with 99 permutations each. Rejections at 0.05 are printed
beside the bounds that all cases together keep with 99 % probability if the level is exact. Blocks of runs are kept in
benchmarks/level.csv; what is there is not run again.
"""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
from scipy.stats import binom  # noqa: E402

import subspaceot as sot  # noqa: E402

from . import blocks  # noqa: E402

FILE = Path(__file__).with_suffix(".csv")
ALPHA, PERMUTATIONS = 0.05, 99
CONFIDENCE = 0.99  # that no case lies beyond its bound, if the level of all is exact

Draw = Callable[[np.random.Generator], tuple[tuple[Any, ...], dict[str, Any]]]  # the arguments of the test


@dataclass(frozen=True)
class Case:
    """One law, and how both samples are drawn from it."""

    name: str
    draw: Draw
    exact: bool = True  # False where an assumption of the test is broken on purpose
    continuous: bool = True  # then the level is ALPHA and not only at most that


# --- laws -----------------------------------------------------------------------------------------------------------


def gaussian(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    return rng.standard_normal((n, d))


def student(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return rows of the multivariate t law with three degrees of freedom, whose fourth moments are infinite."""
    return rng.standard_normal((n, d)) / np.sqrt(rng.chisquare(3, (n, 1)) / 3)


def ties(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return rows of the numbers 0, 1 and 2."""
    return rng.integers(0, 3, (n, d)).astype(float)


def plain(law: Callable[..., np.ndarray], n: int, m: int, d: int, **settings: Any) -> Draw:
    """Return how to draw n and m independent rows."""

    def draw(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (law(rng, n, d), law(rng, m, d)), settings

    return draw


def weighted(n: int, d: int) -> Draw:
    """Return how to draw rows whose weights depend on their first coordinate, by the same rule on both sides."""

    def draw(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
        X, Y = gaussian(rng, n, d), gaussian(rng, n, d)
        return (X, Y, np.exp(0.5 * X[:, 0]), np.exp(0.5 * Y[:, 0])), {}

    return draw


def donors(rows: int, d: int, named: bool) -> Draw:
    """Return how to draw 8 donors a side, each with an effect of its own and a random number of rows."""

    def draw(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
        points, labels = [], []
        for side in (0, 1):
            donor = np.repeat(np.arange(8), rng.integers(rows // 16, rows // 16 * 3 + 1, 8))
            effects = rng.standard_normal((8, d))
            points.append(effects[donor] + gaussian(rng, len(donor), d))
            labels.append(donor + 8 * side)
        return tuple(points), {"units": tuple(labels)} if named else {}

    return draw


def batches(n: int, d: int, named: bool) -> Draw:
    """Return how to draw rows of two batches with shifts, in shares of 7 to 3 in X and 3 to 7 in Y."""

    def draw(rng: np.random.Generator) -> tuple[tuple[Any, ...], dict[str, Any]]:
        shifts = rng.standard_normal((2, d))
        labels = [(np.arange(n) < share * n).astype(int) for share in (0.3, 0.7)]
        points = tuple(shifts[batch] + gaussian(rng, n, d) for batch in labels)
        return points, {"strata": tuple(labels)} if named else {}

    return draw


def _cases() -> list[Case]:
    found = []
    for n, d in ((50, 5), (50, 30), (200, 5), (200, 30), (50, 300), (200, 300)):
        size = f"n={n} d={d}"
        found += [
            Case(f"Gaussian {size}", plain(gaussian, n, n, d)),
            Case(f"Student t(3) {size}", plain(student, n, n, d)),
            Case(f"ties {size}", plain(ties, n, n, d), continuous=False),
        ]
        if n == 50:
            found += [
                Case(f"n=40 m=120 d={d}", plain(gaussian, 40, 120, d)),
                Case(f"units {size}", donors(n, d, named=True)),
                Case(f"strata {size}", batches(n, d, named=True)),
            ]
        if n == 50 and d < 300:
            found += [
                Case(f"weights {size}", weighted(n, d)),
                Case(f"sequential {size}", plain(gaussian, n, n, d, sequential=True)),
            ]
    found.append(Case("dependent rows without units n=50 d=5", donors(50, 5, named=False), exact=False))
    found.append(Case("batches without strata n=50 d=5", batches(50, 5, named=False), exact=False))
    return found


CASES = {case.name: case for case in _cases()}


# --- runs -----------------------------------------------------------------------------------------------------------


def rejections(block: blocks.Block) -> blocks.Row:
    """Return how many runs of a block reject."""
    count = 0
    for rng in block.streams:
        data, settings = CASES[block.case].draw(rng)
        test = sot.two_sample_test(*data, n_permutations=PERMUTATIONS, rng=rng, **settings)
        count += test.p_value <= ALPHA
    return {"rejections": count}


def bounds(runs: int, cases: int) -> tuple[int, int]:
    """Return the least and the most rejections that no case leaves, with probability CONFIDENCE on either side."""
    tail = (1.0 - CONFIDENCE) / cases  # Bonferroni
    return int(binom.ppf(tail, runs, ALPHA)), int(binom.isf(tail, runs, ALPHA))


def line(name: str, runs: int, rejected: int, cases: int) -> str:
    """Return a row of the table."""
    least, most = bounds(runs, cases)
    case, rate = CASES[name], rejected / runs
    error = math.sqrt(rate * (1.0 - rate) / runs)
    if not case.exact:
        return f"{name:40s} {runs:6d} {rejected:6d} {rate:7.3f} +- {error:.3f}"
    inside = rejected <= most and (rejected >= least or not case.continuous)
    between = f"{least if case.continuous else 0:5d} {most:5d}"
    return f"{name:40s} {runs:6d} {rejected:6d} {rate:7.3f} +- {error:.3f} {between}{'' if inside else '  OUTSIDE'}"


def report(file: Path, only: str = "") -> list[str]:
    """Return the table of what a file keeps."""
    lines = [
        f"rejections at {ALPHA} with {PERMUTATIONS} permutations",
        f"{'case':40s} {'runs':>6s} {'count':>6s} {'rate':>7s}    error least  most",
    ]
    kept = blocks.read(file)
    exact = sum(case.exact for case in CASES.values())
    for name in CASES:
        sums = blocks.totals(row for row in kept if row["case"] == name)
        if sums and only in name:
            lines.append(line(name, sums["runs"], sums["rejections"], exact))
    return lines


def main() -> None:
    """Parse the arguments, run what is missing, and print the table."""
    blocks.run("python -m benchmarks.level", str(__doc__), 1000, FILE, CASES, rejections, report)


if __name__ == "__main__":
    main()
