"""The answer of `prw`: a basis with the exact transport in it, and how far from the best basis it can be."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse

from .certify.powers import power_transform
from .core import validate
from .core.coupling import Coupling, Sparse
from .core.moments import displacement
from .result import Result
from .runtime.isolation import isolated_properties
from .runtime.types import Array, Indices


@isolated_properties
@dataclass(frozen=True, eq=False, repr=False)
class ProjectedResult(Result):
    """A certified projection robust distance, in the caller's coordinates and units.

    As `Result`, with p-th powers in place of squares. `plan` is optimal in `basis` and proves `cost` with
    `potentials`; another coupling, `upper_plan`, proves `upper`.
    """

    p: float  #: the power of the distance
    gradient_norm: float  #: of the cost in the basis, the part that leaves the subspace, relative to the cost
    optimal: Coupling  # the coupling behind `lower`, points without mass left out

    @property
    def cost(self) -> float:
        """P_k^p as far as known: the exact transport cost in `basis`, rounded down, and so the same as `lower`."""
        return self.lower

    @property
    def distance(self) -> float:
        """The p-th root of `cost`."""
        return float(max(self.cost, 0.0) ** (1.0 / self.p))

    @cached_property
    def plan(self) -> Array:
        """The coupling (n, m) that is optimal in `basis`; its sums are a and b to 4 units in the last place."""
        validate.require_memory(self.problem.frame.n, self.problem.frame.m, 1)
        plan: Array = self.sparse_plan.toarray()
        return plan

    @cached_property
    def sparse_plan(self) -> scipy.sparse.csr_array:
        """The same coupling, on at most n + m - 1 pairs but for masses of rounding errors that make its sums exact."""
        return self._scatter_atoms(self._plan)

    @cached_property
    def upper_plan(self) -> scipy.sparse.csr_array:
        """The coupling (n, m) that proves `upper`.

        By the sum of the k largest eigenvalues of its V, to the power p / 2, if p <= 2; or by its own cost, the p-th
        powers of the whole distances, whichever is smaller.
        """
        return self._scatter_atoms(self.certificate.upper.plan)

    @cached_property
    def point_cost(self) -> Array:
        """The mean p-th power (n,) of the distance in `basis` from x_i to its images; 0 for a point without mass."""
        frame, (rows, _, mass) = self.problem.frame, self._atoms
        total = np.bincount(rows, mass * self._lengths**self.p, minlength=len(self.problem.a))
        cost = np.zeros(frame.n)
        cost[frame.rows] = total / self.problem.a * self._unit
        return cost

    @property
    def _power(self) -> float:
        return self.p

    @property
    def _plan(self) -> Coupling:
        return self.optimal

    @cached_property
    def _V(self) -> Array:
        return displacement(self.problem.X, self.problem.Y, self.optimal)

    @cached_property
    def _atoms(self) -> tuple[Indices, Indices, Array]:
        """Rows, columns and masses of the optimal plan, points without mass left out."""
        return self._plan.atoms()

    @cached_property
    def _lengths(self) -> Array:
        """The length of each atom's displacement in `basis`, in the problem's units."""
        X, Y = self.problem.frame.centred
        rows, columns, _ = self._atoms
        lengths: Array = np.linalg.norm((X[rows] - Y[columns]) @ self.factor, axis=1)
        return lengths

    @property
    def _weighted_plan(self) -> Coupling:
        lengths = np.where(self._lengths > 0.0, self._lengths, np.inf if self.p < 2.0 else 0.0)
        rows, columns, mass = self._atoms
        return Sparse.of(rows, columns, mass * lengths ** (self.p - 2.0), self._plan.shape)

    @property
    def _weighted_V(self) -> Array:
        return displacement(self.problem.X, self.problem.Y, self._weighted_plan)

    def _c_transform(self, X: Array, Y: Array, g: Array) -> Array:
        return power_transform(X, Y, self.factor, g, self.p)

    def __repr__(self) -> str:
        """Distance, interval and status on one line."""
        return (
            f"ProjectedResult(k={self.k}, p={self.p:g}: distance {self.distance:.6g}, cost in "
            f"[{self.lower:.6g}, {self.upper:.6g}], gap {self.gap:.1e}, {self.status.name}, gradient "
            f"{self.gradient_norm:.1e})"
        )
