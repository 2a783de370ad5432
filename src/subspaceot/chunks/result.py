"""The answer for data in chunks: the same names as a result in memory has, as far as they need no single rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from ..core import fantope, validate
from ..core.certificate import relative_gap
from ..core.status import Iterate, Status
from ..core.table import Table
from ..features import table_of_features
from ..result import Result
from ..runtime.digits import above, below, number
from ..runtime.isolation import isolated_properties
from ..runtime.lines import Line, Text, count, heading, remark_lines, table_lines
from ..runtime.types import Array
from .passes import Outcome

_LISTED = 6  # columns, in a summary
_INSTEAD = "Use `displacement`, `basis` and `project`, or `srw` on a random sample of the rows."


@isolated_properties
@dataclass(frozen=True, eq=False, repr=False)
class ChunkedResult:
    """A certified distance of all rows of two tables that were read in chunks, in the caller's units.

    It has the names of `Result`, but for what belongs to single rows.
    """

    k: int  #: the dimension of the subspace that was asked for
    names: tuple[str, ...] | None  #: of the d columns; None for arrays
    outcome: Outcome

    # The number and its interval ------------------------------------------------------------------------------------

    @property
    def lower(self) -> float:
        """Certified lower bound of S_k^2 of all rows."""
        return self.outcome.interval[0]

    @property
    def upper(self) -> float:
        """Certified upper bound of S_k^2 of all rows."""
        return self.outcome.interval[1]

    @property
    def gap(self) -> float:
        """(upper - lower) / upper."""
        return relative_gap(self.lower, self.upper)

    @property
    def cost(self) -> float:
        """S_k^2: the middle of the interval."""
        return 0.5 * (self.lower + self.upper)

    @property
    def distance(self) -> float:
        """S_k, the root of `cost`."""
        return float(np.sqrt(self.cost))

    @property
    def status(self) -> Status:
        """Why the run stopped; its value says what to make of it."""
        return self.outcome.status

    @property
    def converged(self) -> bool:
        """Whether the interval is as narrow as was asked."""
        return self.status.converged

    @property
    def history(self) -> tuple[Iterate, ...]:
        """One record for each pass after the first: the interval by then."""
        return self.outcome.history

    @property
    def n_iter(self) -> int:
        """Number of Omegas that were tried on all rows."""
        return len(self.history)

    @property
    def passes(self) -> int:
        """How often all rows were read."""
        return self.outcome.passes

    @property
    def rows(self) -> tuple[int, int]:
        """The numbers of rows of X and of Y."""
        return self.outcome.rows

    # The subspace ---------------------------------------------------------------------------------------------------

    @property
    def factor(self) -> Array:
        """L (d, q) with omega = L L^T but for rounding: proves `lower`, in exact arithmetic."""
        return self.outcome.lower.factor

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        """Eigenvalues (q,) of Omega, descending, and eigenvectors (d, q); among equal ones by what V has of each."""
        L, V = self.factor, self.outcome.upper.V
        vectors, roots, _ = np.linalg.svd(L, full_matrices=False)
        values = np.clip(roots**2, 0.0, 1.0)
        if np.all(values > 1.0 - 1e-9):
            values = np.ones_like(values)
            vectors = vectors @ np.linalg.eigh(vectors.T @ V @ vectors)[1][:, ::-1]
        return values, vectors

    @cached_property
    def omega(self) -> Array:
        """The soft projector (d, d): symmetric, eigenvalues in [0, 1], trace k, but for rounding."""
        values, vectors = self._eigen
        return fantope.symmetric((vectors * values) @ vectors.T)

    @cached_property
    def basis(self) -> Array:
        """The k leading eigenvectors (d, k) of `omega`, leading first, the largest entry of each column positive."""
        return fantope.oriented(self._eigen[1][:, : self.k])

    @cached_property
    def spectrum(self) -> Array:
        """The eigenvalues (d,) of `omega`, descending."""
        values = np.zeros(len(self.factor))
        values[: len(self._eigen[0])] = self._eigen[0]
        return values

    @cached_property
    def displacement(self) -> Array:
        """V (d, d) of the plan that proves `upper`."""
        return self.outcome.upper.V * self.outcome.coordinates.unit

    @cached_property
    def feature_share(self) -> Array:
        """Each feature's share (d,) of the cost, diag(omega^1/2 V omega^1/2) / <omega|V>; sums to 1."""
        values, vectors = self._eigen
        root = (vectors * np.sqrt(values)) @ vectors.T
        M = root @ self.outcome.upper.V @ root
        if np.trace(M) <= 0.0:  # all points are one: the subspace's own shares
            M = root @ root
        share = np.maximum(np.diag(M), 0.0)
        return np.asarray(share / share.sum())

    @cached_property
    def means(self) -> tuple[Array, Array]:
        """The weighted mean (d,) of each sample."""
        coordinates, proof = self.outcome.coordinates, self.outcome.upper
        first, second = (
            coordinates.centre + coordinates.scale * (side.mass @ side.mean) / side.mass.sum()
            for side in (proof.X, proof.Y)
        )
        return first, second

    def project(self, Z: Any) -> Array:
        """Return points `Z` (., d) in the coordinates of the subspace: Z @ basis."""
        projected: Array = validate.as_points_like(Z, "Z", len(self.factor), self.names) @ self.basis
        return projected

    # What people read -------------------------------------------------------------------------------------------------

    def features(self) -> Table:
        """Return a table with one row per column, those with the largest shares of the cost first."""
        return table_of_features(self._names, self.feature_share, self.means, self.basis)

    def summary(self, names: tuple[str, str] = ("X", "Y")) -> Text:
        """Return the answer in words, for a prompt, `print` or a notebook."""
        return Text(self.lines(names))

    def lines(
        self,
        names: tuple[str, str],
        *,
        reason: str = "as asked for",
        tested: Sequence[Line] = (),
        listed: bool = True,
    ) -> list[Line]:
        """Return what `summary` shows: `reason` for k, what a test says, and whether columns are listed."""
        first, second = validate.as_pair_of_names(names, "names")
        sizes = " against ".join(count(n, "row") for n in self.rows)
        low, high = below(np.sqrt(self.lower)), above(np.sqrt(self.upper))
        lines = [Line(f"{first} and {second}: {sizes}, {count(len(self.factor), 'column')}", bold=True)]
        lines += [Line(), *tested] if tested else []
        lines += heading("How far apart they are")
        rows = [
            (f"Distance S_{self.k}", number(self.distance), f"solver bounds {low} to {high}"),
            ("k, directions", str(self.k), reason),
        ]
        passes = "1 pass" if self.passes == 1 else f"{self.passes} passes"
        lines += [*remark_lines(rows), Line(), Line(f"The solver bounds hold for all rows, from {passes} over them.")]
        if not self.converged:
            text = f"Not converged ({self.status.name}): the interval is valid, but wider than asked for"
            lines.append(Line(f"{text}; its relative width is {self.gap:.1e}."))
        return lines + (self._feature_lines((first, second)) if listed else [])

    def _feature_lines(self, names: tuple[str, str]) -> list[Line]:
        share, (mean_X, mean_Y) = self.feature_share, self.means
        chosen = [int(j) for j in np.argsort(-share, kind="stable")[:_LISTED] if share[j] >= 0.0005]
        rows = [(self._names[j], f"{share[j]:.1%}", number(mean_X[j]), number(mean_Y[j])) for j in chosen]
        titles = ["", "share", *(f"mean in {name}" for name in names)]
        return [*heading("Columns that contribute most"), *table_lines(titles, rows)]

    @property
    def _names(self) -> tuple[str, ...]:
        return self.names or tuple(str(j) for j in range(len(self.factor)))

    def __repr__(self) -> str:
        """Distance, interval and status on one line."""
        return (
            f"{type(self).__name__}(k={self.k}: distance {self.distance:.6g}, squared in "
            f"[{self.lower:.6g}, {self.upper:.6g}], gap {self.gap:.1e}, {self.status.name} after {self.passes} passes "
            f"over {self.rows[0]} and {self.rows[1]} rows)"
        )

    def __getattr__(self, name: str) -> NoReturn:
        """Say what to use in place of what belongs to single rows."""
        if hasattr(Result, name) and not name.startswith("_"):
            call = "()" if callable(getattr(Result, name)) else ""
            raise AttributeError(f"`{name}{call}` needs all rows in memory, and these came in chunks. {_INSTEAD}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
