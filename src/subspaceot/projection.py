"""The projection robust distance P_k, the largest distance between projections onto k dimensions."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .certify.certified import at_least_zero, cancellation_prone, certificate_of_one_measure, solve
from .certify.differences import Differences
from .certify.gaps import compress_gaps
from .certify.powers import ceiling, projected_bound, sliced_bound
from .core import fantope, validate
from .core.certificate import Certificate, Lower, Upper, lower_bound, proven_lower, proven_upper
from .core.coupling import Coupling
from .core.fantope import SoftProjector
from .core.marginals import met
from .core.potentials import is_large
from .core.problem import Problem
from .core.rounding import UNIT, dot_up, down
from .core.status import Iterate, Status
from .projected_result import ProjectedResult
from .runtime.isolation import isolated
from .runtime.types import Array, PointsLike, Seed, Weights
from .solvers import Auto, Large, Start, run
from .solvers.ascent.point import is_projector
from .solvers.projection.ascent import Candidate, ascend, basis_with_mean, evaluate, exact_in_basis
from .solvers.projection.max_sliced import max_sliced
from .solvers.projection.slices import plan_of
from .transport import Transport

_STATIONARY = 1e-2  # of the cost: with a larger gradient a basis is no local maximum
_PROJECTOR = 0.98  # the k-th eigenvalue of an Omega that is as good as a projector
_ROUNDINGS = 2  # random roundings of an Omega that is no projector
_SIGNIFICANT = 0.05  # of the interval: a larger share of rounding is worth the work with differences
_MAX_PAIRS = 10_000_000  # of points: with more, differences of all of them are not formed where k = 1 needs none
_FIRST_TOL = 1e-2  # of the relaxation, until it is known whether a tighter bound can help


@isolated
def prw(
    X: PointsLike,
    Y: PointsLike,
    k: int,
    a: Weights = None,
    b: Weights = None,
    *,
    p: float = 2.0,
    tol: float = 1e-3,
    n_starts: int = 1,
    rng: Seed | None = None,
) -> ProjectedResult:
    """Return the projection robust Wasserstein distance P_k, with a bound on what any other subspace could give.

    P_k^p = max over orthonormal U (d, k) of W_p^p(U^T X, U^T Y) <= S_k^p for p <= 2. At k = 1 it is the max-sliced
    distance, found by sorting.

    The problem is not concave, so the basis found may be a local maximum. Its cost, by exact transport, is `lower`. No
    other basis costs more than `upper`, which comes from the subspace robust distance.

    Parameters
    ----------
    X, Y : array_like (n, d), (m, d)
        The points, as for `srw`: arrays, or tables whose columns are matched by name.
    k : int
        Dimension of the subspace, 1..d.
    a, b : array_like (n,), (m,), optional
        Weights, non-negative, normalised to sum 1; uniform by default.
    p : float
        Power of the distance, at least 1.
    tol : float
        Certified relative gap that is good enough.
    n_starts : int
        Number of ascents: the first from the subspace robust solution, the others from random subspaces.
    rng : numpy.random.Generator or int, optional
        Generator or seed of the random subspaces; 0 by default.

    Returns
    -------
    ProjectedResult
        As `Result`, with `cost`, `lower` and `upper` p-th powers; and with `gradient_norm`, which is small where the
        basis is stationary. `status` is CONVERGED if the certified gap is within `tol`; otherwise STATIONARY at a local
        maximum, STALLED elsewhere, PRECISION where double precision was spent first.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(100, 30, 2, rng=0, rotate=True)
    >>> result = sot.prw(data.X, data.Y, k=2, tol=1e-2)
    >>> result.converged, result.gap <= 1e-2, result.basis.shape
    (True, True, (30, 2))
    """
    p = validate.as_power(p, "p")
    tol = validate.as_positive(tol, "tol")
    n_starts = validate.as_count(n_starts, "n_starts")
    rng = validate.as_rng(0 if rng is None else rng)
    X, Y = validate.as_named_pair(X, Y)
    sparse = (isinstance(k, int | np.integer) and k == 1) or (p == 2.0 and is_large(len(X), len(Y)))
    problem = Problem.of(X, Y, k, a, b, dense=not sparse)
    validate.require_representable(p, problem.frame.scale, *problem.frame.centred)
    return _Task(problem, p, tol, n_starts, rng).result()


@dataclass(frozen=True, eq=False, slots=True)
class _Found:
    """What a search found: both ends of the interval, and how close to a local maximum its basis is."""

    lower: Lower
    plan: Coupling  # (n, m) optimal in the basis behind `lower`
    upper: Upper
    gradient_norm: float = 0.0
    rounding_limits: bool = False  # whether nothing is left to gain in double precision


class _Task:
    """One call of `prw`, with its history as it is made."""

    def __init__(self, problem: Problem, p: float, tol: float, n_starts: int, rng: np.random.Generator) -> None:
        self.problem, self.p, self.tol, self.n_starts, self.rng = problem, p, tol, n_starts, rng
        self.began = time.perf_counter()
        self.history: list[Iterate] = []

    def result(self) -> ProjectedResult:
        """Return the answer, with the reason why it is one."""
        found = self.search()
        certificate = at_least_zero(Certificate(found.lower, found.upper))
        if certificate.gap > self.tol and not found.rounding_limits and self.pairs <= _MAX_PAIRS:
            certificate = _sharpened(self.problem, certificate, found.plan, self.p)
        certificate = _in_units_of_the_caller(self.problem, certificate, self.p)
        self.record(certificate.lower.value, certificate.upper.value)
        facts = Status.CONVERGED, tuple(self.history), None, self.p, found.gradient_norm, found.plan
        result = ProjectedResult(self.problem, certificate, *facts)
        if result.gap <= self.tol:
            return result
        stopped = Status.STATIONARY if found.gradient_norm <= _STATIONARY else Status.STALLED
        return replace(result, status=Status.PRECISION if found.rounding_limits else stopped)

    def search(self) -> _Found:
        """Return what the method for this kind of problem finds."""
        one = certificate_of_one_measure(self.problem)
        if one is not None:
            self.record(0.0, 0.0)
            return _Found(one.lower, one.upper.plan, one.upper)
        points = cancellation_prone(self.problem, self.tol) if self.pairs <= _MAX_PAIRS else None
        if points is not None:
            return self.by_differences(points)
        if self.problem.k == 1:
            return self.sliced()
        if self.p == 2.0 and is_large(len(self.problem.a), len(self.problem.b)):
            return self.among_many_points()
        return self.in_all_directions() if self.problem.k == self.problem.r else self.projected()

    def by_differences(self, points: Differences) -> _Found:
        """Return the best of few bases, found without the digits that products lose, with transport by differences."""
        problem, frame, gradient_norm = self.problem, self.problem.frame, 0.0
        relaxed = solve(problem, Auto(), tol=self.tol).certificate
        bases = [np.eye(problem.r)]
        if problem.k < problem.r:
            bases = [fantope.leading_vectors(A, problem.k) for A in (relaxed.lower.omega, relaxed.upper.V)]
        bases = [frame.lift(U) for U in bases]
        near = compress_gaps(points.X, points.Y, points.longest_displacement(relaxed.upper.plan))
        if near is not None and problem.k < problem.r:
            weights = frame.weights[0][frame.rows], frame.weights[1][frame.columns]
            other = prw(*near, frame.k, *weights, p=self.p)
            bases.append(other.basis)
            gradient_norm = other.gradient_norm
        lower, plan = max((points.projected_bound(U, self.p) for U in bases), key=lambda bound: bound[0].value)
        upper = relaxed.upper if self.p == 2.0 else points.ceiling(relaxed.upper.plan, self.p)
        return _Found(lower, plan, upper, gradient_norm, rounding_limits=near is None)

    def sliced(self) -> _Found:
        """Return the answer for k = 1, in O((n + m) d) memory."""
        problem, p = self.problem, self.p
        found = max_sliced(problem, p, (U[:, 0] for U in self.random_bases()))
        value, f, g, L = sliced_bound(problem, found.best.u, p)
        lower = Lower(value, soft=SoftProjector(np.ones((1, 1)), found.best.u[:, None]), f=f, g=g, factor=L)
        plan = met(plan_of(problem, found.best.plan), problem.masses).plan
        upper = min((ceiling(problem, coupling, p) for coupling in (plan, found.mixture)), key=_value)
        return _Found(lower, plan, upper, found.gradient_norm)

    def in_all_directions(self) -> _Found:
        """Return the answer where the subspace holds all the data: the Wasserstein distance."""
        U = np.eye(self.problem.r)
        transport = exact_in_basis(self.problem, U, self.p)
        upper = ceiling(self.problem, transport.plan, self.p)
        return _Found(self.lower_bound(U, transport), met(transport.plan, self.problem.masses).plan, upper)

    def among_many_points(self) -> _Found:
        """Return the leading directions of the relaxation's plan, with a bound on the cost there that is proven."""
        problem = self.problem
        relaxed = run(problem, Large(), tol=self.tol).certificate
        soft = SoftProjector(np.eye(problem.k), fantope.leading_vectors(relaxed.upper.V, problem.k))
        lower = lower_bound(problem, soft, relaxed.lower.g)
        if is_projector(relaxed.lower.omega, problem.k) and relaxed.lower.value > lower.value:
            lower = relaxed.lower
        upper = proven_upper(problem, relaxed.upper)
        self.record(lower.value, upper.value)
        return _Found(proven_lower(problem, lower), upper.plan, upper)

    def projected(self) -> _Found:
        """Return the best of several ascents, with a bound from the relaxation that is as tight as can be of use."""
        problem, p = self.problem, self.p
        relaxed = run(problem, Auto(), tol=max(self.tol, _FIRST_TOL)).certificate
        upper = relaxed.upper
        if p != 2.0:
            couplings = relaxed.upper.plan, exact_in_basis(problem, np.eye(problem.r), p).plan
            upper = min((ceiling(problem, plan, p) for plan in couplings), key=_value)
        best = self.best_ascent(relaxed, upper)
        if p == 2.0:
            best, upper = self.closed_gap(relaxed, best)
            upper = proven_upper(problem, upper)
        plan = met(best.transport.plan, problem.masses).plan
        return _Found(self.lower_bound(best.U, best.transport), plan, upper, best.gradient_norm)

    def best_ascent(self, relaxed: Certificate, upper: Upper) -> Candidate:
        """Return the best local maximum from the relaxation's leading directions, random ones, and the means."""
        problem, p, tol = self.problem, self.p, self.tol
        best = self.ascend_from(relaxed, fantope.leading_vectors(relaxed.lower.omega, problem.k))
        self.record(best.cost, upper.value)
        for U in self.random_bases():
            best = max(best, ascend(problem, U, p, tol), key=_cost)
            self.record(best.cost, upper.value)
        mean_distance = float(np.linalg.norm(problem.a @ problem.X - problem.b @ problem.Y))
        if best.cost < mean_distance**p:
            U = basis_with_mean(problem, relaxed.upper.V)
            best = max(evaluate(problem, U, p), ascend(problem, U, p, tol), best, key=_cost)
            self.record(best.cost, upper.value)
        return best

    def closed_gap(self, relaxed: Certificate, best: Candidate) -> tuple[Candidate, Upper]:
        """Return a better basis and a tighter bound of the relaxation, as long as their gap is too wide; for p = 2."""
        upper = relaxed.upper
        if best.cost >= (1.0 - self.tol) * upper.value:
            return best, upper
        enough = best.cost / (1.0 - self.tol)
        if relaxed.lower.value <= enough:  # the relaxation may be tight, and only its bound is not yet
            relaxed = _tightened(self.problem, relaxed, 0.1 * self.tol, enough)
            upper = min(upper, relaxed.upper, key=_value)
        for U in _roundings(relaxed.lower.omega, self.problem.k):
            if best.cost >= (1.0 - self.tol) * upper.value:
                break
            best = max(best, self.ascend_from(relaxed, U), key=_cost)
        return best, upper

    def ascend_from(self, relaxed: Certificate, U: Array) -> Candidate:
        """Return a local maximum near a basis that comes from the relaxation, whose potential is known for p = 2."""
        known = (relaxed.lower.g, relaxed.lower.value) if self.p == 2.0 else (None, None)
        return ascend(self.problem, U, self.p, self.tol, *known)

    def lower_bound(self, U: Array, transport: Transport) -> Lower:
        """Return the cost of the basis `U` with its proof."""
        value, f, g, L = projected_bound(self.problem, U, transport.g, self.p)
        return Lower(value, SoftProjector(np.eye(U.shape[1]), U), f, g, L)

    def random_bases(self) -> Iterator[Array]:
        """Yield bases (r, k) for all ascents but the first."""
        for _ in range(self.n_starts - 1):
            yield np.linalg.qr(self.rng.standard_normal((self.problem.r, self.problem.k)))[0]

    def record(self, lower: float, upper: float) -> None:
        """Note what is known after one more ascent."""
        unit, elapsed = self.problem.frame.scale**self.p, time.perf_counter() - self.began
        self.history.append(Iterate(len(self.history) + 1, lower * unit, upper * unit, 0.0, elapsed))

    @property
    def pairs(self) -> int:
        """The number n m of pairs of points."""
        return len(self.problem.a) * len(self.problem.b)


def _tightened(problem: Problem, relaxed: Certificate, tol: float, enough: float) -> Certificate:
    """Return bounds of the relaxation within `tol`, or as soon as it is known on which side of `enough` it is."""
    reg, unit = 0.5 * (relaxed.upper.value - relaxed.lower.value), problem.frame.unit
    start = Start.of(relaxed.lower.omega, relaxed.upper.V, problem.k, g=relaxed.lower.g, reg=reg)

    def decided(record: Iterate) -> bool:
        return record.upper <= enough * unit or record.lower > enough * unit

    return run(problem, Auto(), tol=tol, start=start, callback=decided).certificate


def _roundings(omega: Array, k: int) -> Iterator[Array]:
    """Yield bases (r, k) drawn at random with the covariance Omega, the same each time; none for a projector.

    Where Omega is no projector there are several local maxima of much the same cost, to which these lead more often
    than V's leading eigenvectors: with two of them 15 of 16 hypercubes (k* = 4, k = 2) end above 0.999 of the best of
    seven ascents, 13 without them or with V's.
    """
    L = fantope.factor(omega)
    if L.shape[1] == k or np.linalg.eigvalsh(omega)[-k] > _PROJECTOR:
        return
    rng = np.random.default_rng(0)
    for _ in range(_ROUNDINGS):
        yield np.linalg.qr(L @ rng.standard_normal((L.shape[1], k)))[0]


def _sharpened(problem: Problem, certificate: Certificate, plan: Coupling, p: float) -> Certificate:
    """Return the certificate with bounds by differences of points, where the others lost much to rounding."""
    lower, upper = certificate.ends
    L = lower.factor
    assert L is not None
    points, significant = Differences(problem), _SIGNIFICANT * (upper.value - lower.value)
    if points.cost(plan, L, p) - lower.value > significant:
        lower = max(lower, points.projected_bound(L, p)[0], key=lambda bound: bound.value)
    if p == 2.0 and upper.value - points.top_sum(upper.plan) > significant:
        upper = min(upper, points.upper_bound(upper.plan), key=_value)
    elif p != 2.0 and upper.value - points.cost(upper.plan, None, p) > significant:
        upper = min(upper, points.ceiling(upper.plan, p), key=_value)
    return at_least_zero(Certificate(lower, upper))


def _in_units_of_the_caller(problem: Problem, certificate: Certificate, p: float) -> Certificate:
    """Return a lower bound that survives the rounding of potentials in units that are no power of two."""
    lower = certificate.lower
    if float(np.frexp(problem.frame.scale**p)[0]) == 0.5 or lower.value <= 0.0:
        return certificate
    loss = 16.0 * UNIT * dot_up(((problem.a, np.abs(lower.f)), (problem.b, np.abs(lower.g))))
    return at_least_zero(replace(certificate, lower=replace(lower, value=down(lower.value - loss))))


def _cost(candidate: Candidate) -> float:
    return candidate.cost


def _value(upper: Upper) -> float:
    return upper.value
