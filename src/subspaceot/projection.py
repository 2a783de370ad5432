"""The projection robust distance P_k, the largest distance between projections onto k dimensions."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .certify.certified import at_least_zero, certificate_of_one_measure, delicate_points, solve
from .certify.differences import Differences
from .certify.gather import gathered
from .certify.powers import ceiling, projected_bound, sliced_bound
from .core import fantope, validate
from .core.certificate import Certificate, Lower, Upper, signed_upper
from .core.coupling import Coupling
from .core.fantope import SoftProjector
from .core.marginals import met
from .core.problem import Problem
from .core.rounding import UNIT, dot_up, down
from .core.status import Iterate, Status
from .projected_result import ProjectedResult
from .runtime.isolation import isolated
from .runtime.types import Array
from .solvers import Auto, Start, run
from .solvers.projection.ascent import Candidate, ascend, basis_with_mean, evaluate, exact_in_basis
from .solvers.projection.max_sliced import max_sliced
from .solvers.projection.slices import plan_of
from .transport import Transport

_STATIONARY = 1e-2  # of the cost: a larger gradient is no local maximum
_PROJECTOR = 0.98  # the k-th eigenvalue of an Omega that is as good as a projector
_ROUNDINGS = 2  # of one that is not
_LOST = 0.05  # of the interval: what rounding may take of it before differences are asked
_PAIRS = 10_000_000  # of points: with more, differences of all of them are not formed where k = 1 needs none
_FIRST_TOL = 1e-2  # of the relaxation, until it is known whether a tighter bound can help


@isolated
def prw(
    X: Any,
    Y: Any,
    k: int,
    a: Any = None,
    b: Any = None,
    *,
    p: float = 2.0,
    tol: float = 1e-3,
    n_starts: int = 1,
    rng: Any = None,
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
    problem = Problem.of(X, Y, k, a, b, dense=not (isinstance(k, int | np.integer) and k == 1))
    validate.require_representable(p, problem.frame.scale, *problem.frame.centred)
    log = _Log(problem, p)
    one = certificate_of_one_measure(problem)
    if one is not None:
        log.record(0.0, 0.0)
        return _result(problem, one.lower, one.upper.plan, one.upper, p, tol, 0.0, log)
    points = _delicate(problem, tol)
    if points is not None:
        return _by_differences(problem, points, p, tol, log)
    if problem.k == 1:
        return _sliced(problem, p, tol, n_starts, rng, log)
    if problem.k == problem.r:
        return _in_all_directions(problem, p, tol, log)
    return _projected(problem, p, tol, n_starts, rng, log)


def _sliced(
    problem: Problem, p: float, tol: float, n_starts: int, rng: np.random.Generator, log: "_Log"
) -> ProjectedResult:
    """Return the answer for k = 1, in O((n + m) d) memory."""
    random = (_random_basis(problem, rng)[:, 0] for _ in range(n_starts - 1))
    found = max_sliced(problem, p, random)
    value, f, g, L = sliced_bound(problem, found.best.u, p)
    lower = Lower(value, soft=SoftProjector(np.ones((1, 1)), found.best.u[:, None]), f=f, g=g, factor=L)
    plan = met(plan_of(problem, found.best.plan), problem.masses).plan
    upper = min((ceiling(problem, coupling, p) for coupling in (plan, found.mixture)), key=_value)
    return _result(problem, lower, plan, upper, p, tol, found.gradient_norm, log)


def _in_all_directions(problem: Problem, p: float, tol: float, log: "_Log") -> ProjectedResult:
    """Return the answer where the subspace holds all the data: ordinary transport."""
    transport = exact_in_basis(problem, np.eye(problem.r), p)
    lower = _attained(problem, np.eye(problem.r), transport, p)
    plan = met(transport.plan, problem.masses).plan
    return _result(problem, lower, plan, ceiling(problem, transport.plan, p), p, tol, 0.0, log)


def _projected(
    problem: Problem, p: float, tol: float, n_starts: int, rng: np.random.Generator, log: "_Log"
) -> ProjectedResult:
    """Return the best of several ascents, with a bound from the relaxation that is as tight as can be of use."""
    relaxed = run(problem, Auto(), tol=max(tol, _FIRST_TOL)).certificate
    upper = relaxed.upper
    if p != 2.0:
        couplings = relaxed.upper.plan, exact_in_basis(problem, np.eye(problem.r), p).plan
        upper = min((ceiling(problem, plan, p) for plan in couplings), key=_value)

    best = _above(problem, relaxed, fantope.leading_vectors(relaxed.lower.omega, problem.k), p, tol)
    log.record(best.cost, upper.value)
    for _ in range(n_starts - 1):
        best = max(best, ascend(problem, _random_basis(problem, rng), p, tol), key=_cost)
        log.record(best.cost, upper.value)
    means_apart = float(np.linalg.norm(problem.a @ problem.X - problem.b @ problem.Y))
    if best.cost < means_apart**p:
        U = basis_with_mean(problem, relaxed.upper.V)
        best = max(evaluate(problem, U, p), ascend(problem, U, p, tol), best, key=_cost)
        log.record(best.cost, upper.value)
    if p == 2.0 and best.cost < (1.0 - tol) * upper.value:
        enough = best.cost / (1.0 - tol)
        if relaxed.lower.value <= enough:  # the relaxation may be tight, and only its bound is not yet
            relaxed = _tightened(problem, relaxed, 0.1 * tol, enough)
            upper = min(upper, relaxed.upper, key=_value)
        roundings = _roundings(relaxed.lower.omega, problem.k)
        while best.cost < (1.0 - tol) * upper.value and (rounded := next(roundings, None)) is not None:
            best = max(best, _above(problem, relaxed, rounded, p, tol), key=_cost)
    lower = _attained(problem, best.U, best.transport, p)
    plan = met(best.transport.plan, problem.masses).plan
    if p == 2.0:
        upper = signed_upper(problem, upper)
    return _result(problem, lower, plan, upper, p, tol, best.gradient_norm, log)


def _delicate(problem: Problem, tol: float) -> Differences | None:
    """Return the points if products of them are too inexact for the search, and there are not too many pairs."""
    if len(problem.a) * len(problem.b) > _PAIRS:
        return None
    return delicate_points(problem, tol)


def _by_differences(problem: Problem, points: Differences, p: float, tol: float, log: "_Log") -> ProjectedResult:
    """Return the best of few bases, found without the digits that products lose, with transport by differences."""
    relaxed = solve(problem, Auto(), tol=tol).certificate
    frame, bases, gradient_norm = problem.frame, [np.eye(problem.r)], 0.0
    if problem.k < problem.r:
        bases = [fantope.leading_vectors(A, problem.k) for A in (relaxed.lower.omega, relaxed.upper.V)]
    bases = [frame.lift(U) for U in bases]
    near = gathered(points.X, points.Y, points.farthest(relaxed.upper.plan))
    if near is not None and problem.k < problem.r:
        weights = frame.weights[0][frame.rows], frame.weights[1][frame.columns]
        found = prw(*near, frame.k, *weights, p=p)
        bases.append(found.basis)
        gradient_norm = found.gradient_norm
    lower, plan = max((points.projected_bound(U, p) for U in bases), key=lambda found: found[0].value)
    upper = relaxed.upper if p == 2.0 else points.ceiling(relaxed.upper.plan, p)
    return _result(problem, lower, plan, upper, p, tol, gradient_norm, log, spent=near is None)


class _Log:
    """The history, as it is made."""

    def __init__(self, problem: Problem, p: float) -> None:
        self.unit, self.began = problem.frame.scale**p, time.perf_counter()
        self.history: list[Iterate] = []

    def record(self, lower: float, upper: float) -> None:
        """Note what is known after one more ascent."""
        elapsed = time.perf_counter() - self.began
        self.history.append(Iterate(len(self.history) + 1, lower * self.unit, upper * self.unit, 0.0, elapsed))


def _above(problem: Problem, relaxed: Certificate, U: Array, p: float, tol: float) -> Candidate:
    """Return the best above a basis that the relaxation names."""
    return ascend(problem, U, p, tol, relaxed.lower.g, relaxed.lower.value) if p == 2.0 else ascend(problem, U, p, tol)


def _tightened(problem: Problem, relaxed: Certificate, tol: float, enough: float) -> Certificate:
    """Return bounds of the relaxation within `tol`, or as soon as it is known on which side of `enough` it is."""
    reg, unit = 0.5 * (relaxed.upper.value - relaxed.lower.value), problem.frame.unit
    start = Start.of(relaxed.lower.omega, relaxed.upper.V, problem.k, g=relaxed.lower.g, reg=reg)

    def decided(record: Iterate) -> bool:
        return record.upper <= enough * unit or record.lower > enough * unit

    return run(problem, Auto(), tol=tol, start=start, callback=decided).certificate


def _roundings(omega: Array, k: int) -> Iterator[Array]:
    """Yield bases (r, k) drawn at random with the covariance Omega, the same each time; none for a projector.

    Where Omega is no projector there are several bests of much the same height, to which these lead more often than
    V's leading eigenvectors: with two of them 15 of 16 hypercubes (k* = 4, k = 2) end above 0.999 of the best of seven
    climbs, 13 without them or with V's.
    """
    L = fantope.factor(omega)
    if L.shape[1] == k or np.linalg.eigvalsh(omega)[-k] > _PROJECTOR:
        return
    rng = np.random.default_rng(0)
    for _ in range(_ROUNDINGS):
        yield np.linalg.qr(L @ rng.standard_normal((L.shape[1], k)))[0]


def _cost(candidate: Candidate) -> float:
    return candidate.cost


def _random_basis(problem: Problem, rng: np.random.Generator) -> Array:
    Q: Array = np.linalg.qr(rng.standard_normal((problem.r, problem.k)))[0]
    return Q


def _attained(problem: Problem, U: Array, transport: Transport, p: float) -> Lower:
    """Return the cost of the basis `U` with its proof."""
    value, f, g, L = projected_bound(problem, U, transport.g, p)
    return Lower(value, SoftProjector(np.eye(U.shape[1]), U), f, g, L)


def _sharpened(problem: Problem, certificate: Certificate, plan: Coupling, p: float) -> Certificate:
    """Return the certificate with bounds by differences of points, where the others lost much to rounding."""
    lower, upper = certificate.ends
    L = lower.factor
    assert L is not None
    points, width = Differences(problem), upper.value - lower.value
    cost = points.cost(plan, L, p)
    if cost - lower.value > _LOST * width:
        lower = max(lower, points.projected_bound(L, p)[0], key=lambda bound: bound.value)
    if p == 2.0 and upper.value - points.top_sum(upper.plan) > _LOST * width:
        upper = min(upper, points.upper_bound(upper.plan), key=_value)
    elif p != 2.0 and upper.value - points.cost(upper.plan, None, p) > _LOST * width:
        upper = min(upper, points.ceiling(upper.plan, p), key=_value)
    return at_least_zero(Certificate(lower, upper))


def _value(upper: Upper) -> float:
    return upper.value


def _result(
    problem: Problem,
    lower: Lower,
    plan: Coupling,
    upper: Upper,
    p: float,
    tol: float,
    gradient_norm: float,
    log: _Log,
    *,
    spent: bool = False,
) -> ProjectedResult:
    """Return the answer, with the reason why it is one; `spent` says that rounding is what limits it."""
    certificate = at_least_zero(Certificate(lower, upper))
    if certificate.gap > tol and not spent and len(problem.a) * len(problem.b) <= _PAIRS:
        certificate = _sharpened(problem, certificate, plan, p)
    certificate = _in_units_of_the_caller(problem, certificate, p)
    result = ProjectedResult(problem, certificate, Status.CONVERGED, (), None, p, gradient_norm, plan)
    log.record(certificate.lower.value, certificate.upper.value)
    if result.gap <= tol:
        status = Status.CONVERGED
    elif spent:
        status = Status.PRECISION
    else:
        status = Status.STATIONARY if gradient_norm <= _STATIONARY else Status.STALLED
    return replace(result, status=status, history=tuple(log.history))


def _in_units_of_the_caller(problem: Problem, certificate: Certificate, p: float) -> Certificate:
    """Return a lower bound that survives the rounding of potentials in units that are no power of two."""
    lower = certificate.lower
    if float(np.frexp(problem.frame.scale**p)[0]) == 0.5 or lower.value <= 0.0:
        return certificate
    loss = 16.0 * UNIT * dot_up(((problem.a, np.abs(lower.f)), (problem.b, np.abs(lower.g))))
    return at_least_zero(replace(certificate, lower=replace(lower, value=down(lower.value - loss))))
