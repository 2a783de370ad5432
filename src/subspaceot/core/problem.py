"""What is asked: two weighted clouds and a dimension k, in coordinates that are pleasant to compute in."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..runtime.types import Array, Mask
from . import validate
from .marginals import Masses
from .rounding import exact_shares
from .span import Defect, Span, reduced


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """How the caller's coordinates and units relate to the problem's: x = centre + scale * span z."""

    n: int  # points of mu, those without mass included
    m: int  # points of nu
    d: int  # the caller's dimension
    k: int  # the caller's k, which may exceed the dimension of the span
    centre: Array  # (d,) what is subtracted from the caller's points first
    scale: float  # a power of two, so that dividing by it is exact
    axes: Span | None  # of the problem; None where it uses the caller's
    defect: Defect  # what was lost on the way to these axes
    rows: Mask  # (n,) the points of mu that have mass
    columns: Mask  # (m,)
    X: Array  # (n, d) the caller's points, a copy
    Y: Array  # (m, d)
    weights: tuple[Array, Array]  # (n,), (m,) the caller's weights times powers of two
    idle_X: Array  # (., d) points of mu without mass, centred and scaled, otherwise untouched
    idle_Y: Array  # (., d)
    names: tuple[str, ...] | None = None  # of the caller's d columns; None for arrays

    @property
    def centred(self) -> tuple[Array, Array]:
        """The points (n, d), (m, d) that have mass in the caller's axes and our units, rounded once per entry."""
        return tuple((Z - self.centre) / self.scale for Z in self.massive)  # type: ignore[return-value]

    @property
    def massive(self) -> tuple[Array, Array]:
        """The caller's points that have mass, as they came."""
        return self.X[self.rows], self.Y[self.columns]

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


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Two clouds, centred together, of unit scale, without massless points, reduced to the span of the data."""

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
        """What it costs to carry each point of mu evenly to all of nu: no optimal plan costs more."""
        return max(0.0, 2.0 * self.spread - 2.0 * float((self.a @ self.X) @ (self.b @ self.Y)))

    @property
    def least_cost(self) -> float:
        """What S_k^2 is at least, about: the squared differences of means and of standard deviations of a column."""
        (X, Y), a, b = (self.X, self.Y), self.a, self.b
        means = a @ X - b @ Y
        deviations = np.sqrt(np.maximum(a @ X**2 - (a @ X) ** 2, 0.0)) - np.sqrt(
            np.maximum(b @ Y**2 - (b @ Y) ** 2, 0.0)
        )
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
        X, Y = validate.as_named_pair(X, Y)
        X, Y, names = X.values, Y.values, X.names
        (n, d), m = X.shape, len(Y)
        k = validate.as_dimension(k, d)
        weights = validate.as_weights(a, n, "a", "X"), validate.as_weights(b, m, "b", "Y")
        (a, a_low), (b, b_low) = (exact_shares(side) for side in weights)
        if dense:
            validate.require_memory(n, m, d)
        own_X, own_Y = X.copy(), Y.copy()
        rows, columns = a > 0.0, b > 0.0
        X, Y, a, b = X[rows], Y[columns], a[rows], b[columns]

        centre = 0.5 * (a @ X + b @ Y)
        centre = centre + 0.5 * (a @ (X - centre) + b @ (Y - centre))  # as exact as a double, far from zero too
        X, Y = X - centre, Y - centre
        scale = _power_of_two(max(np.abs(X).max(), np.abs(Y).max()))
        validate.require_visible(scale, X, Y)
        X, Y = X / scale, Y / scale
        spread = 0.5 * float(a @ np.einsum("ij,ij->i", X, X) + b @ np.einsum("ij,ij->i", Y, Y))
        unit = _power_of_two(np.sqrt(spread))
        X, Y, scale, spread = X / unit, Y / unit, scale * unit, spread / unit**2
        roots = np.sqrt(np.concatenate([a, b]))[:, None]
        few = reduced(roots * np.concatenate([X, Y]))
        if few is not None:
            X, Y = np.split(few.coordinates / roots, [len(X)])
        frame = Frame(
            n=n,
            m=m,
            d=d,
            k=k,
            centre=centre,
            scale=scale,
            axes=None if few is None else few.span,
            defect=Defect() if few is None else few.defect,
            rows=rows,
            columns=columns,
            X=own_X,
            Y=own_Y,
            weights=weights,
            idle_X=(own_X[~rows] - centre) / scale,
            idle_Y=(own_Y[~columns] - centre) / scale,
            names=names,
        )
        masses = Masses(a=a, a_low=a_low[rows], b=b, b_low=b_low[columns])
        return cls(X=X, Y=Y, a=a, b=b, masses=masses, k=min(k, X.shape[1]), spread=spread, frame=frame)


def _power_of_two(size: float) -> float:
    """Return the power of two nearest to `size` from below, 1 for 0."""
    return 1.0 if size == 0.0 else float(2.0 ** np.floor(np.log2(size)))
