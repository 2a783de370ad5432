"""From what the caller gave to coordinates that suit the computation, one step at a time.

Each step returns the measures in new coordinates and what it takes to undo it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runtime.types import Array, Mask
from . import validate
from .marginals import Masses
from .rounding import exact_shares
from .span import Defect, Span, reduced, spans_all


@dataclass(frozen=True, eq=False, slots=True)
class Given:
    """What the caller gave, found valid: all points, those without mass included."""

    X: Array  # (n, d) a copy
    Y: Array  # (m, d)
    k: int
    weights: tuple[Array, Array]  # (n,), (m,) the caller's times powers of two
    names: tuple[str, ...] | None  # of the d columns; None for arrays
    index: tuple[NDArray[Any] | None, NDArray[Any] | None]  # labels (n,), (m,) of the rows, where they have any
    scales: Array | None = None  # (d,) what the columns were divided by before they came

    @classmethod
    def of(cls, X: Any, Y: Any, k: Any, a: Any, b: Any, *, dense: bool) -> "Given":
        """Return the caller's data; `dense` says that (n, m) arrays will be formed, which must fit into memory."""
        X, Y = validate.as_named_pair(X, Y)
        d = X.shape[1]
        k = validate.as_dimension(k, d)
        weights = validate.as_weights(a, len(X), "a", "X"), validate.as_weights(b, len(Y), "b", "Y")
        if dense:
            validate.require_memory(len(X), len(Y), d)
        points = X.values.copy(), Y.values.copy()
        return cls(*points, k=k, weights=weights, names=X.names, index=(X.index, Y.index), scales=X.scales)

    def massive(self) -> tuple["Measures", Mask, Mask]:
        """Return the measures on the points that have mass, and which rows of X and of Y these are."""
        (a, a_low), (b, b_low) = (exact_shares(side) for side in self.weights)
        rows, columns = a > 0.0, b > 0.0
        masses = Masses(a=a[rows], a_low=a_low[rows], b=b[columns], b_low=b_low[columns])
        return Measures(kept(self.X, rows), kept(self.Y, columns), masses), rows, columns


@dataclass(frozen=True, eq=False, slots=True)
class Measures:
    """Two measures on points of positive mass."""

    X: Array  # (n, .)
    Y: Array  # (m, .)
    masses: Masses

    def centred(self) -> tuple["Measures", Array]:
        """Return the measures moved together so that the mean of their means is zero, and that mean (d,)."""
        X, Y, a, b = self.X, self.Y, self.masses.a, self.masses.b
        centre = 0.5 * (a @ X + b @ Y)
        centre = centre + 0.5 * (a @ (X - centre) + b @ (Y - centre))  # as exact as a double, far from zero too
        return replace(self, X=X - centre, Y=Y - centre), centre

    def scaled(self) -> tuple["Measures", float, float]:
        """Return the centred measures in a unit that leaves a spread from 1 to 4, or 0; this power of two; the spread.

        The spread is the trace of the pooled second moment.
        """
        size = _power_of_two(max(_largest(self.X), _largest(self.Y)))
        validate.require_visible(size, self.X, self.Y)
        small = self._divided(size)  # no square overflows
        spread = small._spread()
        unit = _power_of_two(np.sqrt(spread))
        for points in (small.X, small.Y):  # which nobody else has: of many points each copy counts
            points /= unit
        return small, size * unit, spread / unit**2

    def in_span(self) -> tuple["Measures", Span | None, Defect]:
        """Return the measures in coordinates of the span of all points, its axes, and what was lost on the way.

        The axes are None where the points span the whole space: the coordinates then stay as they are.
        """
        if spans_all((self.X, self.masses.a), (self.Y, self.masses.b)):
            return self, None, Defect()
        roots = np.sqrt(np.concatenate([self.masses.a, self.masses.b]))[:, None]
        reduction = reduced(roots * np.concatenate([self.X, self.Y]))
        if reduction is None:
            return self, None, Defect()
        X, Y = np.split(reduction.coordinates / roots, [len(self.X)])
        return replace(self, X=X, Y=Y), reduction.span, reduction.defect

    def _divided(self, unit: float) -> "Measures":
        return replace(self, X=self.X / unit, Y=self.Y / unit)

    def _spread(self) -> float:
        X, Y, a, b = self.X, self.Y, self.masses.a, self.masses.b
        return 0.5 * float(a @ np.einsum("ij,ij->i", X, X) + b @ np.einsum("ij,ij->i", Y, Y))


def kept(points: Array, rows: Mask) -> Array:
    """Return some rows, without a copy where these are all."""
    return points if rows.all() else points[rows]


def _largest(points: Array) -> float:
    """Return the largest magnitude."""
    return max(float(points.max()), -float(points.min()))


def _power_of_two(size: float) -> float:
    """Return the power of two nearest to `size` from below, 1 for 0."""
    return 1.0 if size == 0.0 else float(2.0 ** np.floor(np.log2(size)))
