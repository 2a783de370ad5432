"""The loop that all solvers share: certify, record, decide when it is enough."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..certificate import Certificate, lower_bound, upper_bound
from ..problem import Problem
from ..status import Iterate, Status
from ._start import Start
from ._step import Solver, Step

Callback = Callable[[Iterate], object]


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """Where a run ended."""

    certificate: Certificate
    status: Status
    history: tuple[Iterate, ...]
    reg: float | None  # of the regularised problem, None for the exact one


def run(
    problem: Problem,
    solver: Solver,
    *,
    tol: float,
    reg: float | None = None,
    start: Start | None = None,
    max_iter: int | None = None,
    callback: Callback | None = None,
) -> Outcome:
    """Return what `solver` reached when its steps were enough, or ended.

    The exact problem keeps the best bounds of all steps. The regularised problem keeps those of its last step, which
    lie around its value <Omega | V>.
    """
    began = time.perf_counter()
    limit = solver.max_iter if max_iter is None else max_iter
    unit, apart = problem.frame.unit, problem.independent_cost
    certificate: Certificate | None = None
    history: list[Iterate] = []
    status = Status.STALLED
    for iteration, step in enumerate(solver.steps(problem, tol, reg, start), 1):
        certified = step.settled or iteration == limit
        if certified:
            certificate = _certified(problem, step, certificate if reg is None else None)
        record = Iterate(
            iteration=iteration,
            lower=0.0 if certificate is None else certificate.lower.value * unit,
            upper=(apart if certificate is None else certificate.upper.value) * unit,
            reg=step.reg * unit,
            elapsed=time.perf_counter() - began,
        )
        history.append(record)
        answer = None if callback is None else callback(record)
        stop = isinstance(answer, bool | np.bool_) and bool(answer)
        solved = certificate is not None and certificate.gap(problem.spread) <= tol
        if reg is not None and step.gap is not None and step.gap <= tol:
            status = Status.CONVERGED if solved else Status.CONVERGED_REGULARISED
        elif reg is None and solved:
            status = Status.CONVERGED
        elif stop:
            status = Status.STOPPED
        elif iteration >= limit:
            status = Status.MAX_ITER
        else:
            continue
        break
    if not history:
        raise RuntimeError(f"{solver!r} made no step.")
    if certificate is None or not certified:
        certificate = _certified(problem, step, certificate if reg is None else None)
    return Outcome(certificate=certificate, status=status, history=tuple(history), reg=reg)


def _certified(problem: Problem, step: Step, known: Certificate | None) -> Certificate:
    """Return the certificate of this step, or the best of it and what is `known`."""
    lower = lower_bound(problem, step.omega, step.g) if step.lower is None else step.lower
    upper = upper_bound(problem, step.plan) if step.upper is None else step.upper
    if not (np.isfinite(lower.value) and np.isfinite(upper.value)):
        raise FloatingPointError("A bound is not finite: please report this problem with its data.")
    return Certificate(lower, upper) if known is None else known.improved(lower, upper)
