"""The projection robust distance P_k, the largest distance between projections onto k dimensions."""

import time
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import numpy as np
import scipy.sparse

from . import _validate, fantope
from ._isolation import isolated
from ._types import Array
from .certificate import ATOL, Certificate, Lower, Upper, feasible, relative_gap
from .fantope import SoftProjector
from .moments import displacement, powers_of_distances
from .problem import Problem
from .projected_result import ProjectedResult
from .solvers import Auto, Start, run
from .solvers.projected import Summit, ascend, basis_with_mean, in_basis, summit_at
from .solvers.sliced import max_sliced, plan_of
from .status import Iterate, Status
from .transport import Transport, staircase_potentials

_STATIONARY = 1e-2  # of the cost: a larger gradient is no local maximum
_PROJECTOR = 0.98  # the k-th eigenvalue of an Omega that is as good as a projector
_ROUNDINGS = 2  # of one that is not
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
        The points: anything NumPy makes numeric, DataFrames included.
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
        basis is stationary. `status` is CONVERGED if the certified gap is within `tol`, otherwise STATIONARY.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(100, 30, 2, rng=0, rotate=True)
    >>> result = sot.prw(data.X, data.Y, k=2, tol=1e-2)
    >>> result.converged, result.gap <= 1e-2, result.basis.shape
    (True, True, (30, 2))
    """
    p = _validate.as_power(p, "p")
    tol = _validate.as_positive(tol, "tol")
    n_starts = _validate.as_count(n_starts, "n_starts")
    rng = _validate.as_rng(0 if rng is None else rng)
    problem = Problem.of(X, Y, k, a, b, dense=not (isinstance(k, int | np.integer) and k == 1))
    if problem.k == 1:
        return _sliced(problem, p, tol, n_starts, rng)
    if problem.k == problem.r:
        return _whole(problem, p)
    return _projected(problem, p, tol, n_starts, rng)


def _sliced(problem: Problem, p: float, tol: float, n_starts: int, rng: np.random.Generator) -> ProjectedResult:
    """Return the answer for k = 1, in O((n + m) d) memory."""
    log = _Log(problem, p)
    random = (_random_basis(problem, rng)[:, 0] for _ in range(n_starts - 1))
    peak = max_sliced(problem, p, random)
    u, stairs = peak.best.u, peak.best.stairs
    f, g = staircase_potentials(stairs, problem.X @ u, problem.Y @ u, p)
    lower = Lower(peak.best.cost, soft=SoftProjector(np.ones((1, 1)), u[:, None]), f=f, g=g)
    plan = plan_of(problem, stairs)
    ceilings = [(_ceiling(problem, coupling, p), coupling) for coupling in (plan, peak.mixture)]
    return _result(problem, lower, plan, min(ceilings, key=itemgetter(0)), p, tol, peak.gradient_norm, log)


def _whole(problem: Problem, p: float) -> ProjectedResult:
    """Return the answer where the subspace holds all the data: ordinary transport."""
    log = _Log(problem, p)
    transport = in_basis(problem, np.eye(problem.r), p)
    lower = _attained(problem, np.eye(problem.r), transport, p)
    return _result(problem, lower, transport.plan, (lower.value, transport.plan), p, ATOL, 0.0, log)


def _projected(problem: Problem, p: float, tol: float, n_starts: int, rng: np.random.Generator) -> ProjectedResult:
    """Return the best of several ascents, with a bound from the relaxation that is as tight as can be of use."""
    log = _Log(problem, p)
    relaxed = run(problem, Auto(), tol=max(tol, _FIRST_TOL)).certificate
    ceiling: tuple[float, Any] = relaxed.upper.value, relaxed.upper.plan
    if p != 2.0:
        couplings = relaxed.upper.plan, in_basis(problem, np.eye(problem.r), p).plan
        ceiling = min(((_ceiling(problem, plan, p), plan) for plan in couplings), key=itemgetter(0))

    summit = _above(problem, relaxed, fantope.leading_vectors(relaxed.lower.omega, problem.k), p, tol)
    log.record(_height(summit), ceiling[0])
    for _ in range(n_starts - 1):
        summit = max(summit, ascend(problem, _random_basis(problem, rng), p, tol), key=_height)
        log.record(_height(summit), ceiling[0])
    means_apart = float(np.linalg.norm(problem.a @ problem.X - problem.b @ problem.Y))
    if _height(summit) < means_apart**p:
        U = basis_with_mean(problem, relaxed.upper.V)
        summit = max(summit_at(problem, U, p), ascend(problem, U, p, tol), summit, key=_height)
        log.record(_height(summit), ceiling[0])
    if p == 2.0 and _height(summit) < (1.0 - tol) * ceiling[0]:
        enough = _height(summit) / (1.0 - tol)
        if relaxed.lower.value <= enough:  # the relaxation may be tight, and only its bound is not yet
            relaxed = _tightened(problem, relaxed, 0.1 * tol, enough)
            ceiling = min(ceiling, (relaxed.upper.value, relaxed.upper.plan), key=itemgetter(0))
        roundings = _roundings(relaxed.lower.omega, problem.k)
        while _height(summit) < (1.0 - tol) * ceiling[0] and (rounded := next(roundings, None)) is not None:
            summit = max(summit, _above(problem, relaxed, rounded, p, tol), key=_height)
    lower = _attained(problem, summit.U, summit.transport, p)
    return _result(problem, lower, summit.transport.plan, ceiling, p, tol, summit.gradient_norm, log)


class _Log:
    """The history, as it is made."""

    def __init__(self, problem: Problem, p: float) -> None:
        self.unit, self.began = problem.frame.scale**p, time.perf_counter()
        self.history: list[Iterate] = []

    def record(self, lower: float, upper: float) -> None:
        """Note what is known after one more ascent."""
        elapsed = time.perf_counter() - self.began
        self.history.append(Iterate(len(self.history) + 1, lower * self.unit, upper * self.unit, 0.0, elapsed))


def _above(problem: Problem, relaxed: Certificate, U: Array, p: float, tol: float) -> Summit:
    """Return the summit above a basis that the relaxation names."""
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

    Where Omega is no projector there are several summits of much the same height, to which these lead more often than
    V's leading eigenvectors: with two of them 15 of 16 hypercubes (k* = 4, k = 2) end above 0.999 of the best of seven
    climbs, 13 without them or with V's.
    """
    L = fantope.factor(omega)
    if L.shape[1] == k or np.linalg.eigvalsh(omega)[-k] > _PROJECTOR:
        return
    rng = np.random.default_rng(0)
    for _ in range(_ROUNDINGS):
        yield np.linalg.qr(L @ rng.standard_normal((L.shape[1], k)))[0]


def _height(summit: Summit) -> float:
    return summit.transport.value


def _random_basis(problem: Problem, rng: np.random.Generator) -> Array:
    Q: Array = np.linalg.qr(rng.standard_normal((problem.r, problem.k)))[0]
    return Q


def _attained(problem: Problem, U: Array, transport: Transport, p: float) -> Lower:
    """Return the cost of the basis `U` with its proof."""
    C = powers_of_distances(problem.X @ U, problem.Y @ U, p)
    f, g = feasible(C, transport.g)
    value = float(problem.a @ f + problem.b @ g)
    return Lower(value, SoftProjector(np.eye(U.shape[1]), U), f, g)


def _ceiling(problem: Problem, plan: Any, p: float) -> float:
    """Return the largest cost that a projection can have, as far as the coupling `plan` proves it."""
    bounds: list[float] = []
    if p <= 2.0:  # the mean of a power is at most that power of the mean
        bounds.append(max(fantope.top_sum(displacement(problem.X, problem.Y, plan), problem.k), 0.0) ** (0.5 * p))
    if p != 2.0 and scipy.sparse.issparse(plan):
        atoms = plan.tocoo()
        lengths = np.linalg.norm(problem.X[atoms.row] - problem.Y[atoms.col], axis=1)
        bounds.append(float(atoms.data @ lengths**p))
    elif p != 2.0:
        bounds.append(float(np.sum(plan * powers_of_distances(problem.X, problem.Y, p))))
    return min(bounds)


def _result(
    problem: Problem,
    lower: Lower,
    plan: Array | scipy.sparse.csr_array,
    ceiling: tuple[float, Any],
    p: float,
    tol: float,
    gradient_norm: float,
    log: _Log,
) -> ProjectedResult:
    """Return the answer, with the reason why it is one."""
    log.record(lower.value, ceiling[0])
    V = displacement(problem.X, problem.Y, plan)
    certificate = Certificate(lower, Upper(ceiling[0], plan, V))
    if relative_gap(lower.value, ceiling[0], problem.spread ** (0.5 * p)) <= tol:
        status = Status.CONVERGED
    else:
        status = Status.STATIONARY if gradient_norm <= _STATIONARY else Status.STALLED
    return ProjectedResult(problem, certificate, status, tuple(log.history), None, p, gradient_norm, ceiling[1])
