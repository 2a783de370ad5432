"""Two weighted samples as a statistician sees them: points that can be split, pooled and relabelled."""

from dataclasses import dataclass

import numpy as np

from ..runtime.types import Array, Indices


@dataclass(frozen=True, eq=False, slots=True)
class Samples:
    """Two samples of points of positive weight, centred together."""

    X: Array  # (n, d)
    Y: Array  # (m, d)
    a: Array  # (n,) sum 1
    b: Array  # (m,)

    @classmethod
    def of(cls, X: Array, Y: Array, a: Array, b: Array) -> "Samples":
        """Return the points that have weight, moved together so that the mean of both means is zero."""
        X, Y, a, b = X[a > 0.0], Y[b > 0.0], a[a > 0.0], b[b > 0.0]
        a, b = a / a.sum(), b / b.sum()
        centre = 0.5 * (a @ X + b @ Y)
        return cls(X - centre, Y - centre, a, b)

    def halves(self, rng: np.random.Generator) -> tuple["Samples", "Samples"]:
        """Return two random halves of both samples."""
        n, m = len(self.X), len(self.Y)
        rows, columns = rng.permutation(n), rng.permutation(m)
        first = self._part(rows[: n // 2], columns[: m // 2])
        return first, self._part(rows[n // 2 :], columns[m // 2 :])

    def relabelled(self, rng: np.random.Generator) -> "Samples":
        """Return the pooled points dealt out at random to samples of these sizes; weights go with their points."""
        Z, weights = np.concatenate([self.X, self.Y]), np.concatenate([self.a * len(self.a), self.b * len(self.b)])
        order, n = rng.permutation(len(Z)), len(self.X)
        return _weighted(Z[order[:n]], Z[order[n:]], weights[order[:n]], weights[order[n:]])

    def projected(self, U: Array) -> "Samples":
        """Return the samples in coordinates (., k) of the basis U (d, k)."""
        return Samples(self.X @ U, self.Y @ U, self.a, self.b)

    def without(self, U: Array) -> "Samples":
        """Return the samples projected onto the orthogonal complement of the basis U (d, k)."""
        return Samples(self.X - (self.X @ U) @ U.T, self.Y - (self.Y @ U) @ U.T, self.a, self.b)

    def _part(self, rows: Indices, columns: Indices) -> "Samples":
        return _weighted(self.X[rows], self.Y[columns], self.a[rows], self.b[columns])


def _weighted(X: Array, Y: Array, a: Array, b: Array) -> Samples:
    """Return samples with weights of sum 1."""
    return Samples(X, Y, a / a.sum(), b / b.sum())
