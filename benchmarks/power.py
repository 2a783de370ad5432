"""How often the two-sample test finds a difference, beside other tests: `python -m benchmarks.power`.

Alternatives along random directions, `--runs` times each, 199 permutations; energy distance and MMD by hyppo, MMDAgg
from its paper, on the same data. Needs the extra `benchmarks`. Blocks of runs are kept in benchmarks/power.csv; what is
there is not run again.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
from scipy.stats import special_ortho_group  # noqa: E402

import subspaceot as sot  # noqa: E402

from . import blocks, rivals  # noqa: E402

FILE = Path(__file__).with_suffix(".csv")
ALPHA, PERMUTATIONS = 0.05, 199
COMPONENTS = ("max-sliced distance", "whitened max-sliced distance", "covariance", "variance ratio")
TESTS = ("two_sample_test", *COMPONENTS, "energy", "MMD", "MMDAgg")


@dataclass(frozen=True)
class Case:
    """An alternative: Y has standard normal rows, and X differs from them along hidden directions."""

    name: str
    n: int  # rows of each sample
    d: int
    change: Callable[[np.random.Generator, np.ndarray], np.ndarray] = field(repr=False)  # of rows of X, in place
    goal: float | None = None  # share of runs that the test shall find

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return both samples, rotated at random."""
        X, Y = rng.standard_normal((2, self.n, self.d))
        turn = special_ortho_group.rvs(self.d, random_state=rng)
        return self.change(rng, X) @ turn, Y @ turn


def nothing(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    return X


def shift(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Move the mean by 0.8 along one direction."""
    return np.column_stack([X[:, 0] + 0.8, X[:, 1:]])


def spread(deviation: float) -> Callable[[np.random.Generator, np.ndarray], np.ndarray]:
    """Return what makes the standard deviation along one direction so large."""
    return lambda rng, X: np.column_stack([deviation * X[:, 0], X[:, 1:]])


def correlate(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Give two coordinates the correlation 0.8."""
    return np.column_stack([X[:, 0], 0.8 * X[:, 0] + 0.6 * X[:, 1], X[:, 2:]])


def split(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Draw one coordinate from two clusters at -0.95 and 0.95, with mean 0 and variance 1 as before."""
    centres = 0.95 * rng.choice([-1.0, 1.0], len(X))
    return np.column_stack([centres + np.sqrt(1.0 - 0.95**2) * X[:, 0], X[:, 1:]])


CASES = {
    case.name: case
    for case in (
        Case("shift d=30", 100, 30, shift, 0.78),
        Case("shift d=100", 100, 100, shift, 0.42),
        Case("spread d=30", 100, 30, spread(2.0), 0.97),
        Case("spread d=100", 100, 100, spread(2.2), 0.93),
        Case("correlation d=30", 100, 30, correlate, 0.70),
        Case("clusters n=500 d=10", 500, 10, split, 0.85),
        Case("correlation d=100", 100, 100, correlate),
        Case("one law d=30", 100, 30, nothing),
        Case("one law d=100", 100, 100, nothing),
    )
}


def rejections(block: blocks.Block) -> blocks.Row:
    """Return how many runs of a block each test rejects."""
    counts = dict.fromkeys(TESTS, 0)
    for rng in block.streams:
        X, Y = CASES[block.case].draw(rng)
        ours = sot.two_sample_test(X, Y, n_permutations=PERMUTATIONS, rng=rng)
        p_values = {part.name: part.p_value for part in ours.components}
        p_values["two_sample_test"] = ours.p_value
        p_values["energy"] = rivals.energy(X, Y, PERMUTATIONS, rng)
        p_values["MMD"] = rivals.mmd(X, Y, PERMUTATIONS, rng)
        for name, p in p_values.items():
            counts[name] += p <= ALPHA
        counts["MMDAgg"] += rivals.mmdagg(X, Y, ALPHA, rng)
    return dict(counts)


def report(file: Path, only: str = "") -> list[str]:
    """Return the table of what a file keeps, and which goals are missed."""
    short = {"two_sample_test": "ours", **dict(zip(COMPONENTS, ("sliced", "whitened", "cov", "ratio"), strict=True))}
    lines = [
        f"share of runs that reject at {ALPHA}, with {PERMUTATIONS} permutations",
        f"{'case':20s} {'runs':>5s} {'goal':>5s} " + " ".join(f"{short.get(name, name):>8s}" for name in TESTS),
    ]
    kept, missed = blocks.read(file), []
    for name, case in CASES.items():
        sums = blocks.totals(row for row in kept if row["case"] == name)
        if not sums or only not in name:
            continue
        shares = {test: sums[test] / sums["runs"] for test in TESTS}
        goal = "" if case.goal is None else f"{case.goal:.2f}"
        lines.append(f"{name:20s} {sums['runs']:5d} {goal:>5s} " + " ".join(f"{shares[test]:8.3f}" for test in TESTS))
        if case.goal is not None and shares["two_sample_test"] < case.goal:
            missed.append(f"{name}: {shares['two_sample_test']:.3f} < {goal}")
    return [*lines, f"goals missed: {'; '.join(missed) or 'none'}"]


def main() -> None:
    """Parse the arguments, run what is missing, and print the table."""
    blocks.run("python -m benchmarks.power", str(__doc__), 200, FILE, CASES, rejections, report)


if __name__ == "__main__":
    main()
