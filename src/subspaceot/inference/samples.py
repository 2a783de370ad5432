"""Two weighted samples as a statistician sees them: points that can be split, pooled and relabelled."""

from dataclasses import dataclass, replace

import numpy as np

from ..runtime.types import Array, Indices


@dataclass(frozen=True, eq=False, slots=True)
class Samples:
    """Two samples of points of positive weight, centred together; points of one unit stay together."""

    X: Array  # (n, d)
    Y: Array  # (m, d)
    a: Array  # (n,) sum 1
    b: Array  # (m,)
    unit_X: Indices | None = None  # (n,) the number 0, 1, ... of the unit of each point; None where each is its own
    unit_Y: Indices | None = None  # (m,)

    @classmethod
    def of(cls, X: Array, Y: Array, a: Array, b: Array, units: Indices | None = None) -> "Samples":
        """Return the points that have weight, moved together so that the mean of both means is zero.

        `units` (n + m,) are the numbers of the units of both samples.
        """
        n = len(X)
        unit_X, unit_Y = (
            (None, None) if units is None else (_numbered(units[:n][a > 0.0]), _numbered(units[n:][b > 0.0]))
        )
        X, Y, a, b = X[a > 0.0], Y[b > 0.0], a[a > 0.0], b[b > 0.0]
        a, b = a / a.sum(), b / b.sum()
        centre = 0.5 * (a @ X + b @ Y)
        return cls(X - centre, Y - centre, a, b, unit_X, unit_Y)

    @property
    def counts(self) -> tuple[int, int]:
        """The number of independent units of X and of Y."""
        return _count(self.X, self.unit_X), _count(self.Y, self.unit_Y)

    def halves(self, rng: np.random.Generator) -> tuple["Samples", "Samples"]:
        """Return two random halves of the units of both samples."""
        (n, m), (first_X, first_Y) = self.counts, (self.unit_X, self.unit_Y)
        rows, columns = rng.permutation(n), rng.permutation(m)
        parts = (rows[: n // 2], columns[: m // 2]), (rows[n // 2 :], columns[m // 2 :])
        one, other = (self._part(_members(first_X, left), _members(first_Y, right)) for left, right in parts)
        return one, other

    def relabelled(self, rng: np.random.Generator) -> "Samples":
        """Return the pooled units dealt out at random to samples of these sizes; weights go with their points."""
        Z, weights = np.concatenate([self.X, self.Y]), np.concatenate([self.a * len(self.a), self.b * len(self.b)])
        n, m = self.counts
        unit = None
        if self.unit_X is not None and self.unit_Y is not None:
            unit = np.concatenate([self.unit_X, self.unit_Y + n])
        order = rng.permutation(n + m)
        left, right = _members(unit, order[:n]), _members(unit, order[n:])
        return _weighted(Z[left], Z[right], weights[left], weights[right])

    def projected(self, U: Array) -> "Samples":
        """Return the samples in coordinates (., k) of the basis U (d, k)."""
        return replace(self, X=self.X @ U, Y=self.Y @ U)

    def without(self, U: Array) -> "Samples":
        """Return the samples projected onto the orthogonal complement of the basis U (d, k)."""
        return replace(self, X=self.X - (self.X @ U) @ U.T, Y=self.Y - (self.Y @ U) @ U.T)

    def _part(self, rows: Indices, columns: Indices) -> "Samples":
        part = _weighted(self.X[rows], self.Y[columns], self.a[rows], self.b[columns])
        if self.unit_X is None or self.unit_Y is None:
            return part
        return replace(part, unit_X=_numbered(self.unit_X[rows]), unit_Y=_numbered(self.unit_Y[columns]))


def _count(points: Array, unit: Indices | None) -> int:
    return len(points) if unit is None else int(unit.max()) + 1


def _members(unit: Indices | None, chosen: Indices) -> Indices:
    """Return the points of the chosen units."""
    return chosen if unit is None else np.flatnonzero(np.isin(unit, chosen))


def _numbered(unit: Indices) -> Indices:
    """Return the same units, as the numbers 0, 1, ..."""
    numbers: Indices = np.unique(unit, return_inverse=True)[1]
    return numbers


def _weighted(X: Array, Y: Array, a: Array, b: Array) -> Samples:
    """Return samples with weights of sum 1."""
    return Samples(X, Y, a / a.sum(), b / b.sum())
