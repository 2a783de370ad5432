"""The answer: an interval with its proof, and all that follows from it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from . import geodesic
from .core import fantope, validate
from .core.certificate import Certificate, c_transform, relative_gap
from .core.coupling import Coupling
from .core.moments import mean_costs, mean_displacements
from .core.problem import Problem
from .core.rounding import down, rounded_down, up
from .core.span import complement
from .core.status import Iterate, Status
from .presented import Presented
from .runtime.isolation import isolated_properties
from .runtime.types import Array, PointsLike
from .sparsify import sparsified

if TYPE_CHECKING:
    from .inference.selection import SelectedK

_TIE = 1e-14  # eigenvalues of Omega closer than this count as one


@isolated_properties
@dataclass(frozen=True, eq=False, repr=False)
class Result(Presented):
    """A certified distance between two weighted samples, in the caller's coordinates and units.

    It stores the problem and the certificate; everything else is derived on access. Matrices of size d x d are built
    when asked for and kept.
    """

    problem: Problem
    certificate: Certificate
    status: Status  #: why the run stopped; its value says what to make of it
    history: tuple[Iterate, ...]  #: one record per outer iteration
    reg: float | None  #: regularisation of the problem that was solved, in squared data units; None if exact
    selection: "SelectedK | None" = field(default=None, kw_only=True)  #: the tests behind `k="auto"`; else None

    # The number and its interval ------------------------------------------------------------------------------------

    @property
    def k(self) -> int:
        """The dimension of the subspace that was asked for."""
        return self.problem.frame.k

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the d columns, where `X` or `Y` was a table; None for arrays."""
        return self.problem.frame.names

    @property
    def lower(self) -> float:
        """Certified lower bound of S_k^2: a.f + b.g, rounded down, for `potentials` that are feasible for `factor`."""
        lower = self.certificate.lower.value * self._unit
        return lower if self._exact_unit else max(down(lower), 0.0)

    @property
    def upper(self) -> float:
        """Certified upper bound of S_k^2: the sum of the k largest eigenvalues of V of `plan`, rounding counted.

        That includes masses that an exact coupling may have elsewhere, as the sums of `plan` are the weights to 4 units
        in the last place only.
        """
        upper = self.certificate.upper.value * self._unit
        return upper if self._exact_unit or upper == 0.0 else up(upper)

    @property
    def gap(self) -> float:
        """(upper - lower) / upper, never negative, 0 only if both ends are equal."""
        return relative_gap(self.lower, self.upper)

    @property
    def cost(self) -> float:
        """S_k^2: the middle of the interval; with `reg`, the regularised problem's <Omega | V>."""
        if self.reg is None:
            return 0.5 * (self.lower + self.upper)
        inside = float(np.sum(self.certificate.lower.omega * self.certificate.upper.V))
        return float(np.clip(inside * self.problem.frame.unit, self.lower, self.upper))  # rounding aside, it is inside

    @property
    def distance(self) -> float:
        """S_k, the root of `cost`."""
        return float(np.sqrt(max(self.cost, 0.0)))

    @property
    def converged(self) -> bool:
        """Whether the run reached what it was asked for; `status` says what that was."""
        return self.status.converged

    @property
    def n_iter(self) -> int:
        """Number of outer iterations."""
        return len(self.history)

    # The subspace ---------------------------------------------------------------------------------------------------

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        """Eigenvalues (q,) of Omega, descending, and eigenvectors (d, q); Omega vanishes on everything else."""
        lower, frame = self.certificate.lower, self.problem.frame
        values, vectors = np.linalg.eigh(lower.omega)
        values, vectors = np.clip(values[::-1], 0.0, 1.0), vectors[:, ::-1]
        values[values > 1.0 - 1e-12] = 1.0
        vectors = _untied(values, vectors, self._V)
        vectors = frame.lift(vectors)
        beyond = frame.k - self.problem.k
        if beyond > 0 and frame.axes is not None:
            values = np.concatenate([values, np.ones(beyond)])
            vectors = np.hstack([vectors, complement(frame.axes, beyond)])
        return values, vectors

    @cached_property
    def omega(self) -> Array:
        """The soft projector (d, d): symmetric, eigenvalues in [0, 1], trace k, but for rounding. See `factor`."""
        values, vectors = self._eigen
        return fantope.symmetric((vectors * values) @ vectors.T)

    @property
    def factor(self) -> Array:
        """L (d, q) with omega = L L^T, but for rounding and where no data are: proves `lower`, in exact arithmetic.

        L^T L has eigenvalues of at most 1 and a trace of at most k, and `potentials` are feasible for
        |L^T (x_i - y_j)|^2.
        """
        factor = self.certificate.lower.factor
        assert factor is not None  # as every proven certificate has it
        return factor

    @cached_property
    def basis(self) -> Array:
        """The k leading eigenvectors (d, k) of `omega`, leading first, the largest entry of each column positive."""
        return fantope.oriented(self._eigen[1][:, : self.k])

    @cached_property
    def spectrum(self) -> Array:
        """The eigenvalues (d,) of `omega`, descending: k ones and zeros where it is a projector."""
        values = np.zeros(self.problem.frame.d)
        values[: len(self._eigen[0])] = self._eigen[0]
        return values

    def project(self, Z: PointsLike) -> Array:
        """Return points `Z` (., d) in the coordinates of the subspace: Z @ basis.

        The columns of a table are matched to `names`, and divided as `prepare` has divided those of the data.
        """
        frame = self.problem.frame
        projected: Array = validate.as_points_like(Z, "Z", frame.d, frame.names, frame.scales) @ self.basis
        return projected

    # The plan -------------------------------------------------------------------------------------------------------

    @cached_property
    def plan(self) -> Array:
        """The coupling (n, m) that proves `upper`; rows sum to a, columns to b, to 4 units in the last place.

        For many points this array does not fit: `coupling` holds what it would, `sparse_plan` at most 5 (n + m) atoms.
        """
        validate.require_plan(self.problem.frame.n, self.problem.frame.m)
        return self._scatter(self._plan.dense())

    @property
    def coupling(self) -> Coupling:
        """The coupling of the points that have mass, as an object: products, sums, `atoms()`, and `dense()` if asked.

        Where all points have mass it holds the same masses as `plan`, and proves `upper` for any number of them.
        """
        return self._plan

    @cached_property
    def sparse_plan(self) -> scipy.sparse.csr_array:
        """A coupling with at most 5 (n + m) atoms whose own top-k sum is close to `upper`; its sums are as exact.

        Of many points with an Omega of many directions its top-k sum may be far above.
        """
        return self._scatter_atoms(sparsified(self.problem, self.certificate))

    @cached_property
    def displacement(self) -> Array:
        """V (d, d) = sum_ij plan_ij (x_i - y_j)(x_i - y_j)^T."""
        frame = self.problem.frame
        half = frame.lift(self._V)
        return fantope.symmetric(frame.lift(half.T)) * frame.unit

    @cached_property
    def potentials(self) -> tuple[Array, Array]:
        """F (n,) and g (m,) with f_i + g_j <= |factor^T (x_i - y_j)|^2 exactly, points without mass included."""
        lower, frame = self.certificate.lower, self.problem.frame
        f, g = np.empty(frame.n), np.empty(frame.m)
        f[frame.rows], g[frame.columns] = lower.f, lower.g
        if not (frame.rows.all() and frame.columns.all()):
            X, Y = frame.centred
            if len(frame.zero_weight_X):
                f[~frame.rows] = self._c_transform(frame.zero_weight_X, Y, lower.g)
            if len(frame.zero_weight_Y):  # which must respect all x, those without mass too
                every, of_every = np.concatenate([X, frame.zero_weight_X]), np.concatenate([lower.f, f[~frame.rows]])
                g[~frame.columns] = self._c_transform(frame.zero_weight_Y, every, of_every)
        f, g = f * self._unit, g * self._unit
        if not self._exact_unit:  # products with 0 are exact in any unit
            f, g = np.where(f == 0.0, 0.0, rounded_down(f)), np.where(g == 0.0, 0.0, rounded_down(g))
        return f, g

    # What it says about features, points and gradients ----------------------------------------------------------------

    @cached_property
    def feature_share(self) -> Array:
        """Each feature's share (d,) of the cost, diag(omega^1/2 V omega^1/2) / <omega | V>; sums to 1."""
        values, vectors = np.linalg.eigh(self.certificate.lower.omega)
        root = (vectors * np.sqrt(np.clip(values, 0.0, 1.0))) @ vectors.T
        M = root @ self._weighted_V @ root
        if np.trace(M) <= 0.0:  # the measures coincide: the subspace's own shares
            M = root @ root
        lifted = self.problem.frame.lift(M)
        Q = self.problem.frame.lift(np.eye(len(M)))
        share = np.maximum(np.einsum("ij,ij->i", lifted, Q), 0.0)
        shares: Array = share / share.sum()
        return shares

    @cached_property
    def point_cost(self) -> Array:
        """The mean squared distance (n,) in Omega from each x_i to its images; 0 for a point without mass."""
        problem, L = self.problem, self.factor
        X, Y = problem.frame.centred
        cost = np.zeros(problem.frame.n)
        cost[problem.frame.rows] = mean_costs(X @ L, Y @ L, self._plan) / problem.a * problem.frame.unit
        return cost

    @cached_property
    def grad_X(self) -> Array:
        """Gradient (n, d) of the cost in X: 2 (diag(a) X - plan Y) omega.

        Exact where the saddle point is unique and `gap` is 0, off by O(sqrt(gap)) near it; where Omega or the plan is
        not unique, one element of the set of such gradients.
        """
        problem = self.problem
        return self._gradient(mean_displacements(problem.X, problem.Y, self._weighted_plan), problem.frame.rows)

    @cached_property
    def grad_Y(self) -> Array:
        """Gradient (m, d) of the cost in Y: 2 (diag(b) Y - plan^T X) omega. See `grad_X`."""
        problem = self.problem
        return self._gradient(mean_displacements(problem.Y, problem.X, self._weighted_plan.T), problem.frame.columns)

    def _gradient(self, difference: Array, massive: Any) -> Array:
        frame = self.problem.frame
        inside = self._power * (self._unit / frame.scale) * difference @ self.certificate.lower.omega
        gradient = np.zeros((len(massive), frame.d))
        gradient[massive] = frame.lift(inside.T).T
        return gradient

    # What other powers than the square change -----------------------------------------------------------------------

    @property
    def _power(self) -> float:
        """The power of the distance that the cost is."""
        return 2.0

    @property
    def _unit(self) -> float:
        """The caller's unit of cost in one of ours."""
        return float(self.problem.frame.scale**self._power)

    @property
    def _exact_unit(self) -> bool:
        """Whether it is a power of two, as it is for squares, so that products with it are exact."""
        return float(np.frexp(self._unit)[0]) == 0.5

    @property
    def _weighted_plan(self) -> Coupling:
        """The plan, each atom weighted by |z|^(p - 2), z being its displacement in Omega."""
        return self._plan

    @property
    def _plan(self) -> Coupling:
        """The coupling (n, m) of the points that have mass."""
        return self.certificate.upper.plan

    @property
    def _V(self) -> Array:
        """Its displacement matrix (r, r) in the problem's axes and units."""
        return self.certificate.upper.V

    @property
    def _weighted_V(self) -> Array:
        """The displacement matrix of `_weighted_plan`."""
        return self._V

    def _c_transform(self, X: Array, Y: Array, g: Array) -> Array:
        """Return potentials of points `X` (., d), centred and in our units, that go with those of others."""
        return c_transform(X, Y, self.factor, g)

    def _scatter(self, plan: Array) -> Array:
        """Return a dense `plan` with zero rows and columns for the points without mass."""
        frame = self.problem.frame
        if frame.rows.all() and frame.columns.all():
            return plan
        full = np.zeros((frame.n, frame.m))
        full[np.ix_(frame.rows, frame.columns)] = plan
        return full

    def _scatter_atoms(self, plan: Coupling) -> scipy.sparse.csr_array:
        """Return the atoms of `plan` where they belong among all points."""
        frame, (i, j, mass) = self.problem.frame, plan.atoms()
        rows, columns = np.flatnonzero(frame.rows)[i], np.flatnonzero(frame.columns)[j]
        return scipy.sparse.csr_array((mass, (rows, columns)), shape=(frame.n, frame.m))

    def interpolate(self, t: Any) -> Any:
        """Return support (., d) and weights of mu_t, the geodesic from mu (t = 0) to nu (t = 1), from `sparse_plan`.

        For a sequence of t, a list of such pairs.
        """
        frame = self.problem.frame
        if np.ndim(t) == 0:
            t = validate.as_fraction(t, "t")
            return geodesic.interpolate(frame.X, frame.Y, self.sparse_plan, t)
        return [self.interpolate(s) for s in t]

    def __repr__(self) -> str:
        """Distance, interval and status on one line."""
        reg = "" if self.reg is None else f", reg={self.reg:.3g}"
        tested = "" if self.selection is None else f", {self.selection.summary}"
        return (
            f"{type(self).__name__}(k={self.k}{reg}{tested}: distance {self.distance:.6g}, squared in "
            f"[{self.lower:.6g}, {self.upper:.6g}], "
            f"gap {self.gap:.1e}, {self.status.name} after {self.n_iter} iterations)"
        )


def _untied(values: Array, vectors: Array, V: Array) -> Array:
    """Return eigenvectors of Omega ordered by their share of the displacement wherever its eigenvalues are equal."""
    vectors = vectors.copy()
    first = 0
    for last in range(1, len(values) + 1):
        if last == len(values) or values[first] - values[last] > _TIE:
            if last - first > 1:
                block = vectors[:, first:last]
                _, rotation = np.linalg.eigh(block.T @ V @ block)
                vectors[:, first:last] = block @ rotation[:, ::-1]
            first = last
    return vectors
