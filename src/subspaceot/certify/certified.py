"""From what a run found to what is certified: prove both bounds; where rounding is in the way, by differences."""

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..core import fantope
from ..core.certificate import Certificate, Lower, Upper, proven, rounding_of_lower, rounding_of_upper
from ..core.coupling import Sparse
from ..core.fantope import SoftProjector
from ..core.potentials import is_large
from ..core.problem import Problem
from ..core.status import Iterate, Status
from ..runtime.types import Array
from ..solvers import ENOUGH, Auto, Callback, OneSolve, Outcome, Solver, Start, run
from .coincidence import plan_within_groups, shared_groups
from .differences import Differences
from .gaps import PROHIBITIVE, compress_gaps

_SIGNIFICANT = 0.05  # of the width of an interval: a larger share of rounding is worth the work with differences
_SEARCHABLE = 1e-3  # of the answer: with less rounding a search finds its way, however small `tol` is
_IDENTITY = 0.2  # of `tol`: how much of the identity keeps the Wasserstein plan optimal for a projector


def solve(
    problem: Problem,
    solver: Solver,
    *,
    tol: float,
    reg: float | None = None,
    start: Start | None = None,
    max_iter: int | None = None,
    callback: Callback | None = None,
) -> Outcome:
    """Return what `solver` reached, with bounds that hold in exact arithmetic for the caller's numbers."""
    if (certificate := certificate_of_one_measure(problem)) is not None:
        return _immediate(certificate, reg, callback)
    points = cancellation_prone(problem, tol) if reg is None else None
    if points is not None:
        return _by_differences(problem, points, tol, max_iter, callback)
    outcome = run(problem, solver, tol=tol, reg=reg, start=start, max_iter=max_iter, callback=callback)
    return certified(problem, outcome, tol)


# --- two measures that are one ----------------------------------------------------------------------------------------


def certificate_of_one_measure(problem: Problem) -> Certificate | None:
    """Return the certificate of two measures that are one and the same, exactly; None where they are not."""
    frame = problem.frame
    groups = shared_groups(*frame.massive, frame.weights[0][frame.rows], frame.weights[1][frame.columns])
    if groups is None:
        return None
    plan = Sparse(plan_within_groups(*groups, problem.a, problem.b))
    soft = SoftProjector(np.eye(problem.k), np.eye(problem.r, problem.k))
    f, g = np.zeros_like(problem.a), np.zeros_like(problem.b)
    lower = Lower(0.0, soft, f, g, factor=np.eye(frame.d, frame.k))
    return Certificate(lower, Upper(0.0, plan, np.zeros((problem.r, problem.r))))


def _immediate(certificate: Certificate, reg: float | None, callback: Callback | None) -> Outcome:
    """Return the outcome of a run that had nothing to do."""
    record = Iterate(iteration=1, lower=0.0, upper=0.0, reg=0.0, elapsed=0.0)
    if callback is not None:
        callback(record)
    return Outcome(certificate, Status.CONVERGED, (record,), reg)


# --- answers that expanded products would lose ------------------------------------------------------------------------


def cancellation_prone(problem: Problem, tol: float) -> Differences | None:
    """Return the points if even the Wasserstein distance, no less than S_k, is lost in the rounding of products.

    None where it is not. Mostly means and standard deviations of some column tell at once: the difference of either,
    squared, is no more than S_k^2.
    """
    if is_large(len(problem.a), len(problem.b)):
        return None  # differences of all pairs are not formed
    rounding = (rounding_of_lower(problem) + rounding_of_upper(problem)) / (ENOUGH * max(tol, _SEARCHABLE))
    if problem.least_cost >= rounding:
        return None
    points = Differences(problem)
    return points if points.wasserstein_cost < rounding else None


def _by_differences(
    problem: Problem, points: Differences, tol: float, max_iter: int | None, callback: Callback | None
) -> Outcome:
    """Return what differences of points prove, without a search among all points."""
    began, history, status = time.perf_counter(), list[Iterate](), Status.PRECISION
    for certificate in sharpened(problem, points, None, tol, search=True):
        lower, upper = (end.value * problem.frame.unit for end in certificate.ends)
        record = Iterate(len(history) + 1, max(lower, 0.0), upper, 0.0, time.perf_counter() - began)
        history.append(record)
        answer = None if callback is None else callback(record)
        if isinstance(answer, bool | np.bool_) and answer:
            status = Status.STOPPED
            break
        if len(history) == max_iter:
            status = Status.MAX_ITER
            break
    certificate = at_least_zero(certificate)
    return Outcome(certificate, Status.CONVERGED if certificate.gap <= tol else status, tuple(history), None)


# --- all others -------------------------------------------------------------------------------------------------------


def certified(problem: Problem, outcome: Outcome, tol: float) -> Outcome:
    """Return the outcome with its bounds proven, sharpened where rounding is what keeps them apart."""
    certificate, status = proven(problem, outcome.certificate), _status_of_search(problem, outcome)
    if certificate.gap > tol and _limited_by_rounding(problem, outcome, certificate, status):
        *_, certificate = sharpened(problem, Differences(problem), certificate, tol, search=outcome.reg is None)
    certificate = at_least_zero(certificate)
    return replace(outcome, certificate=certificate, status=Status.CONVERGED if certificate.gap <= tol else status)


def _status_of_search(problem: Problem, outcome: Outcome) -> Status:
    """Return why there is no better answer, if the certified bounds turn out not to be within `tol`."""
    # One exact transport that did not do is one that rounding has spoilt: there is nothing else to search for.
    only_transport = problem.k == problem.r and outcome.status is Status.STALLED
    return Status.PRECISION if only_transport or outcome.status is Status.CONVERGED else outcome.status


def _limited_by_rounding(problem: Problem, outcome: Outcome, certificate: Certificate, status: Status) -> bool:
    """Whether the search had nothing more to gain, or rounding makes up much of the interval."""
    if status is Status.STOPPED or is_large(len(problem.a), len(problem.b)):
        return False
    if status in (Status.PRECISION, Status.STALLED):
        return True
    width, before = (proof.upper.value - proof.lower.value for proof in (certificate, outcome.certificate))
    rounding = rounding_of_lower(problem) + rounding_of_upper(problem) + (width - before)
    return rounding > _SIGNIFICANT * width


def at_least_zero(certificate: Certificate) -> Certificate:
    """Return the certificate with a lower bound that is not negative: potentials of 0 prove 0."""
    lower = certificate.lower
    if lower.value > 0.0:
        return certificate
    return replace(certificate, lower=replace(lower, value=0.0, f=0.0 * lower.f, g=0.0 * lower.g))


# --- bounds from differences ------------------------------------------------------------------------------------------


def sharpened(
    problem: Problem, points: Differences, certificate: Certificate | None, tol: float, *, search: bool
) -> Iterator[Certificate]:
    """Yield the certificate with what differences of points prove, step by step until its gap is `tol`."""
    for lower, upper in _bounds(problem, points, certificate, tol, search):
        certificate = Certificate(lower, upper) if certificate is None else certificate.improved(lower, upper)
        yield certificate
        if certificate.gap <= tol:
            break


def _bounds(
    problem: Problem, points: Differences, certificate: Certificate | None, tol: float, search: bool
) -> Iterator[tuple[Lower, Upper]]:
    """Yield pairs of bounds, the quick ones first: of what is known, of the Wasserstein plan, and of a search."""
    uppers = [points.upper_bound(points.wasserstein_plan)]
    if certificate is not None:
        plan, factor = certificate.upper.plan, certificate.lower.factor
        assert factor is not None  # as every proven certificate has it
        uppers.append(points.upper_bound(plan))
        yield points.lower_bound(factor), min(uppers, key=_value)
    upper = min(uppers, key=_value)
    yield points.lower_bound(_near_projector(problem, upper, tol)), upper
    if search:
        yield from _bounds_of_a_search(problem, points, points.longest_displacement(upper.plan), tol)


def _bounds_of_a_search(
    problem: Problem, points: Differences, longest: float, tol: float
) -> Iterator[tuple[Lower, Upper]]:
    """Yield what a search among points with narrower gaps finds, for the points as they are; nothing without gaps."""
    near = compress_gaps(points.X, points.Y, longest)
    if near is None:
        return
    other = Problem.of(*near, problem.frame.k, problem.a, problem.b)
    outcome = run(other, OneSolve() if other.k == other.r else Auto(), tol=0.5 * tol)
    found = proven(other, outcome.certificate)
    assert found.lower.factor is not None
    # A little mass across a gap costs little here and much there.
    plan = points.near_part(found.upper.plan, PROHIBITIVE * longest)
    yield points.lower_bound(found.lower.factor), points.upper_bound(plan)


def _value(bound: Upper) -> float:
    return bound.value


def _near_projector(problem: Problem, upper: Upper, tol: float) -> Array:
    """Return a factor (d, q) of the projector onto V's leading directions with a little of the identity.

    It fixes the plan in directions where none of it needs a displacement, but could have a long one.
    """
    frame = problem.frame
    share = _IDENTITY * min(tol, 1.0)
    P = fantope.maximise(upper.V, problem.k)[1]
    omega = (1.0 - share) * P + share * (problem.k / problem.r) * np.eye(problem.r)
    return frame.lift(fantope.factor(omega))
