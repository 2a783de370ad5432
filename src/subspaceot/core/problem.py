"""What is asked: two weighted samples and a dimension k, in coordinates that suit the computation."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runtime.types import Array, Mask
from .coordinates import Given, kept
from .marginals import Masses
from .span import Defect, Span


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """What the caller gave, and how its coordinates and units relate to the problem's: x = centre + scale * axes z."""

    X: Array  # (n, d) the caller's points, a copy
    Y: Array  # (m, d)
    k: int  # the caller's, which may exceed the dimension of the span
    weights: tuple[Array, Array]  # (n,), (m,) the caller's weights times powers of two
    names: tuple[str, ...] | None  # of the caller's d columns; None for arrays
    rows: Mask  # (n,) the points of mu that have mass
    columns: Mask  # (m,)
    centre: Array  # (d,) what is subtracted from the caller's points first
    scale: float  # a power of two, so that dividing by it is exact
    axes: Span | None  # of the problem; None where it uses the caller's
    defect: Defect  # what was lost on the way to these axes
    index: tuple[NDArray[Any] | None, NDArray[Any] | None] = (None, None)  # labels of the rows, where they have any
    scales: Array | None = None  # (d,) what the caller's columns were divided by before, to show means as they were

    @property
    def n(self) -> int:
        """The number of points of mu, those without mass included."""
        return len(self.X)

    @property
    def m(self) -> int:
        """The number of points of nu."""
        return len(self.Y)

    @property
    def d(self) -> int:
        """The caller's dimension."""
        return int(self.X.shape[1])

    @property
    def massive(self) -> tuple[Array, Array]:
        """The caller's points that have mass, as they came."""
        return kept(self.X, self.rows), kept(self.Y, self.columns)

    @property
    def centred(self) -> tuple[Array, Array]:
        """The points (n, d), (m, d) that have mass in the caller's axes and our units, rounded once per entry."""
        X, Y = self.massive
        return self._centred(X), self._centred(Y)

    @property
    def zero_weight_X(self) -> Array:
        """The points (., d) of mu without mass, in the caller's axes and our units."""
        return self._centred(self.X[~self.rows])

    @property
    def zero_weight_Y(self) -> Array:
        """The points (., d) of nu without mass."""
        return self._centred(self.Y[~self.columns])

    @property
    def unit(self) -> float:
        """The caller's squared units in one of ours."""
        return self.scale * self.scale

    @property
    def span(self) -> Array | None:
        """The problem's axes as an orthonormal matrix (d, r)."""
        return None if self.axes is None else self.axes.basis

    def lift(self, Z: Array) -> Array:
        """Return directions (r, q) of the problem as directions (d, q) of the caller."""
        return Z if self.axes is None else self.axes.lift(Z)

    def lower(self, Z: Array) -> Array:
        """Return directions (d, q) of the caller as directions (r, q) of the problem."""
        return Z if self.axes is None else self.axes.lower(Z)

    def _centred(self, Z: Array) -> Array:
        centred: Array = Z - self.centre
        centred /= self.scale
        return centred


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Two measures, centred together, of unit scale, without massless points, reduced to the span of the data."""

    X: Array  # (n, r) support of mu
    Y: Array  # (m, r) support of nu
    a: Array  # (n,)   weights of mu, positive, sum 1
    b: Array  # (m,)   weights of nu
    masses: Masses  # both, to twice the working precision
    k: int  # dimension of the subspace, 1..r
    spread: float  # trace of the pooled second moment, about 1: what differences of bounds are measured against
    frame: Frame

    @property
    def r(self) -> int:
        """The dimension in which the problem is solved."""
        return int(self.X.shape[1])

    @property
    def independent_cost(self) -> float:
        """What the product of both measures costs, the plan a b^T: no optimal plan costs more."""
        return max(0.0, 2.0 * self.spread - 2.0 * float((self.a @ self.X) @ (self.b @ self.Y)))

    @property
    def least_cost(self) -> float:
        """What S_k^2 is at least, about: the squared differences of means and of standard deviations of a column."""
        means = self.a @ self.X - self.b @ self.Y
        deviations = _deviations(self.a, self.X) - _deviations(self.b, self.Y)
        return float(np.max(means**2 + deviations**2))

    def at(self, k: int) -> "Problem":
        """Return the same problem for another k in 1..d."""
        return replace(self, k=min(k, self.r), frame=replace(self.frame, k=k))

    def within(self, Q: Array) -> "Problem":
        """Return the problem projected onto the columns of `Q` (r, q), orthonormal."""
        return replace(self, X=self.X @ Q, Y=self.Y @ Q)

    @classmethod
    def of(cls, X: Any, Y: Any, k: Any, a: Any = None, b: Any = None, *, dense: bool = True) -> "Problem":
        """Return the problem for the caller's data; every mistake in it is raised here, before any work is done.

        `dense` says that (n, m) arrays will be formed, which must fit into memory.
        """
        given = Given.of(X, Y, k, a, b, dense=dense)
        measures, rows, columns = given.massive()
        measures, centre = measures.centred()
        measures, scale, spread = measures.scaled()
        measures, axes, defect = measures.in_span()
        frame = Frame(
            X=given.X,
            Y=given.Y,
            k=given.k,
            weights=given.weights,
            names=given.names,
            rows=rows,
            columns=columns,
            centre=centre,
            scale=scale,
            axes=axes,
            defect=defect,
            index=given.index,
            scales=given.scales,
        )
        return cls(
            X=measures.X,
            Y=measures.Y,
            a=measures.masses.a,
            b=measures.masses.b,
            masses=measures.masses,
            k=min(given.k, measures.X.shape[1]),
            spread=spread,
            frame=frame,
        )


def _deviations(weights: Array, Z: Array) -> Array:
    """Return the standard deviation (r,) of each column of points (., r)."""
    deviations: Array = np.sqrt(np.maximum(weights @ Z**2 - (weights @ Z) ** 2, 0.0))
    return deviations
