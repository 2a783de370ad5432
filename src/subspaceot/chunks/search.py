"""Which Omega and how many cells: learned on a sample, which proves nothing; then from what a pass has seen."""

from dataclasses import dataclass

import numpy as np

from ..certify.certified import solve
from ..core import fantope
from ..core.certificate import divided
from ..core.problem import Problem
from ..runtime.types import Array
from ..solvers import Auto
from .block import Block, Coordinates
from .cells import CellSums, Side, Splits, View
from .proof import Proof, prove

_LEARN = 2000  # rows of each side from which the first Omega is learned; more of them mend it
_LEARN_TOL = 5e-2  # of that: the error of so few is larger
_COUNTS = 0.02  # eigenvalue of Omega from which on a direction counts
_SHARE = 0.7  # of `tol`: the gap on the sample with which the passes over all rows begin
_ROWS_A_CELL = 16  # of the sample, at least: with fewer its gap says little about all rows
_MOST_SEARCHED = 2048  # leaves of each side that are tried on the sample: more only where a pass has shown the need
FEWEST_CELLS, MOST_CELLS = 512, 8192  # leaves of each side; transport between the most takes about half a minute


@dataclass(frozen=True, eq=False, slots=True)
class Samples:
    """A random sample of each side, in the coordinates of the passes."""

    X: Array  # (s, d)
    Y: Array  # (s', d)
    k: int

    def views(self, factor: Array, count: int, coordinates: Coordinates, *, moments: bool) -> tuple[View, View]:
        """Return how a pass looks at the rows of both sides."""
        splits = (Splits.of(np.ascontiguousarray(Z @ factor), count) for Z in (self.X, self.Y))
        first, second = (View(coordinates, factor, side, moments) for side in splits)
        return first, second

    def first_factor(self) -> Array:
        """Return the factor (d, q) of an Omega that is about the best for the sample."""
        d = self.X.shape[1]
        if self.k == d:
            return np.eye(d)
        X, Y = self.X[:_LEARN], self.Y[:_LEARN]
        problem = Problem.of(X, Y, self.k)
        lower = solve(problem, Auto(), tol=_LEARN_TOL).certificate.lower
        assert lower.factor is not None  # as every proven certificate has it
        return compact(lower.factor, self.k)

    def prove(self, factor: Array, count: int) -> Proof:
        """Return what cells prove about the sample as if it were all rows."""
        same = Coordinates(np.zeros(self.X.shape[1]), 1.0)
        sides = []
        for Z, view in zip((self.X, self.Y), self.views(factor, count, same, moments=True), strict=True):
            sums = CellSums.of([Block(Z, None, "the sample", 0)], view)
            assert sums.moment is not None
            sides.append(Side.of(sums, sums.moment, factor, float(np.abs(Z).max()) * len(Z[0])))
        return prove(sides[0], sides[1], factor, self.k)

    def search(self, tol: float, cells: int | None) -> tuple[Array, int]:
        """Return the factor of an Omega and a number of cells with which the gap on the sample is small enough."""
        factor, count = self.first_factor(), cells or FEWEST_CELLS
        if factor.shape[1] > self.k:  # in many directions cells are coarse: its leading ones may prove more
            hard = divided(np.linalg.svd(factor, full_matrices=False)[0][:, : self.k], self.k)
            factor = max(factor, hard, key=lambda L: self.prove(L, count).lower)
        best, widest = factor, np.inf
        while True:
            proof = self.prove(factor, count)
            gap = 1.0 - proof.lower / proof.upper if proof.upper > 0.0 else 0.0
            fruitless = gap > 0.8 * widest or self.k == len(factor)
            if gap < widest:
                best, widest = factor, gap
            if gap <= _SHARE * tol:
                return best, count
            if fruitless:
                if cells or 4 * count > min(_MOST_SEARCHED, min(len(self.X), len(self.Y)) // _ROWS_A_CELL):
                    return best, count
                count, factor = 4 * count, best
            else:
                factor = next_factor(proof, self.k)


def next_factor(proof: Proof, k: int) -> Array:
    """Return the factor of the next Omega: where it was a projector, that onto V's leading directions."""
    if proof.factor.shape[1] > k:
        return proof.factor
    return divided(fantope.leading_vectors(proof.V, k), k)


def compact(L: Array, k: int) -> Array:
    """Return the factor of about the same Omega in the directions that count, in F_k but for rounding."""
    vectors, roots, _ = np.linalg.svd(L, full_matrices=False)
    kept = roots**2 > _COUNTS
    if np.count_nonzero(kept) <= k:
        return divided(vectors[:, :k], k)
    values = np.minimum(roots[kept] ** 2 * (k / np.sum(roots[kept] ** 2)), 1.0)
    return divided(vectors[:, kept] * np.sqrt(values), k)
