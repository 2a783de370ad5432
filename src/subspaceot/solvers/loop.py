"""The loop that all solvers share: certify, record, decide when it is enough."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.certificate import (
    Certificate,
    Lower,
    Upper,
    lower_bound,
    relative_gap,
    rounding_of_lower,
    rounding_of_upper,
    upper_bound,
)
from ..core.problem import Problem
from ..core.status import Iterate, Status
from .start import Start
from .step import Solver, Step

ENOUGH = 0.5  # of the width that `tol` allows: where rounding alone takes more, no step will converge,
# and of the width that is left: where rounding is as much of that, no step will help

_FRUITLESS = 600  # steps without progress: more than any stage takes
_PROGRESS = 0.99  # of the width of the interval: less is none

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
    unit, bounds = problem.frame.unit, _Bounds(problem, last=reg is not None)
    rounding = rounding_of_lower(problem) + rounding_of_upper(problem)
    narrowest, narrowed_at = np.inf, 0
    history: list[Iterate] = []
    status = Status.STALLED
    for iteration, step in enumerate(solver.steps(problem, tol, reg, start), 1):
        certified = step.certify or iteration == limit
        bounds.take(step, certified)
        lower, upper = bounds.interval
        record = Iterate(
            iteration=iteration,
            lower=lower * unit,
            upper=upper * unit,
            reg=step.reg * unit,
            elapsed=time.perf_counter() - began,
        )
        history.append(record)
        answer = None if callback is None else callback(record)
        stop = isinstance(answer, bool | np.bool_) and bool(answer)
        solved = bounds.proven and relative_gap(lower, upper) <= tol
        if reg is not None and step.gap is not None and step.gap <= tol:
            status = Status.CONVERGED if solved else Status.CONVERGED_REGULARISED
        elif reg is None and solved:
            status = Status.CONVERGED
        elif stop:
            status = Status.STOPPED
        elif reg is None and bounds.proven and rounding > ENOUGH * max(tol * upper, 0.2 * (upper - lower)):
            status = Status.PRECISION
        elif iteration >= limit:
            status = Status.MAX_ITER
        else:
            if upper - lower < _PROGRESS * narrowest:
                narrowest, narrowed_at = upper - lower, iteration
            if reg is not None or iteration - narrowed_at < _FRUITLESS:
                continue
        break
    if not history:
        raise RuntimeError(f"{solver!r} made no step.")
    if not certified:
        bounds.take(step, certified=True)
    return Outcome(certificate=bounds.certificate, status=status, history=tuple(history), reg=reg)


class _Bounds:
    """The best bounds so far, or those of the last step that was certified, each with its proof."""

    def __init__(self, problem: Problem, *, last: bool) -> None:
        self._problem, self._last = problem, last
        self._independent_cost = problem.independent_cost
        self._lower: Lower | None = None
        self._upper: Upper | None = None

    def take(self, step: Step, certified: bool) -> None:
        """Improve by what a step proves; its plan is asked only if it is to be certified."""
        problem = self._problem
        if certified and self._last:
            self._lower = self._upper = None
        if certified or step.lower is not None:
            lower = step.lower or lower_bound(problem, step.omega, step.g)
            _require_finite(lower.value)
            if self._lower is None or lower.value > self._lower.value:
                self._lower = lower
        if certified:
            upper = upper_bound(problem, step.plan)
            _require_finite(upper.value)
            if self._upper is None or upper.value < self._upper.value:
                self._upper = upper

    @property
    def proven(self) -> bool:
        """Whether both ends have a proof."""
        return self._lower is not None and self._upper is not None

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends; before there are better ones, 0 and what it costs to carry each point evenly to all others."""
        return (
            0.0 if self._lower is None else self._lower.value,
            self._independent_cost if self._upper is None else self._upper.value,
        )

    @property
    def certificate(self) -> Certificate:
        """Both ends with their proofs, of a step that was certified."""
        if self._lower is None or self._upper is None:
            raise RuntimeError("No step was certified.")
        return Certificate(self._lower, self._upper)


def _require_finite(bound: float) -> None:
    if not np.isfinite(bound):
        raise FloatingPointError("A bound is not finite: please report this problem with its data.")
