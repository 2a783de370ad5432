"""The loop that all solvers share: certify, record, decide when it is enough."""

import threading
import time
from collections.abc import Callable, Iterator
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

Callback = Callable[[Iterate], object]


class Stop(Exception):
    """Ends a run in the middle of a step, with what it knew before, where `is_stoppable` says that it may be raised."""


class _Here(threading.local):
    """What belongs to the current thread."""

    stoppable = False  # between the steps of a run that has a callback and made a step


_here = _Here()


def is_stoppable() -> bool:
    """Return whether a run of this thread has something to answer if `Stop` is raised now, as by a signal handler."""
    return _here.stoppable


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
    run = _Run(problem, solver.max_iter if max_iter is None else max_iter, tol, reg, callback)
    steps = solver.steps(problem, tol, reg, start)
    for step in steps if callback is None else _until_stopped(steps, run):  # a part of another run is not stopped
        if run.ends_with(step):
            break
    if not run.history:
        raise RuntimeError(f"{solver!r} made no step.")
    return run.outcome(step)


def _until_stopped(steps: Iterator[Step], run: "_Run") -> Iterator[Step]:
    """Yield steps to the end of them or to `Stop`."""
    try:
        for step in steps:
            _here.stoppable = False
            yield step
            _here.stoppable = True
    except Stop:
        run.stop()
    finally:
        _here.stoppable = False


class _Run:
    """What is known after each step, and whether it is enough."""

    def __init__(self, problem: Problem, limit: int, tol: float, reg: float | None, callback: Callback | None) -> None:
        self.bounds, self.history = _Bounds(problem, last=reg is not None), list[Iterate]()
        self._limit, self._tol, self._reg, self._callback = limit, tol, reg, callback
        self._began, self._unit = time.perf_counter(), problem.frame.unit
        self._rounding = rounding_of_lower(problem) + rounding_of_upper(problem)
        self._narrowest, self._fruitless = np.inf, 0
        self._status, self._certified = Status.STALLED, False

    def ends_with(self, step: Step) -> bool:
        """Take in one more step, and return whether it is the last."""
        self._certified = step.certify or len(self.history) + 1 == self._limit
        self.bounds.take(step, self._certified)
        stopped = self._recorded(step)
        reason = self._reason(step, stopped)
        if reason is not None:
            self._status = reason
        return reason is not None or self._is_fruitless()

    def stop(self) -> None:
        """End in the middle of a step."""
        self._status = Status.STOPPED

    def _recorded(self, step: Step) -> bool:
        """Add a record to the history, and return whether the caller asks to stop."""
        lower, upper = self.bounds.interval
        elapsed = time.perf_counter() - self._began
        unit, iteration = self._unit, len(self.history) + 1
        record = Iterate(iteration, lower * unit, upper * unit, step.reg * unit, elapsed)
        self.history.append(record)
        answer = None if self._callback is None else self._callback(record)
        return isinstance(answer, bool | np.bool_) and bool(answer)

    def _reason(self, step: Step, stopped: bool) -> Status | None:
        """Return why the run ends, or None."""
        (lower, upper), exact = self.bounds.interval, self._reg is None
        solved = self.bounds.proven and relative_gap(lower, upper) <= self._tol
        if solved and exact:
            return Status.CONVERGED
        if not exact and step.gap is not None and step.gap <= self._tol:
            return Status.CONVERGED if solved else Status.CONVERGED_REGULARISED
        if stopped:
            return Status.STOPPED
        limiting = self._rounding > ENOUGH * max(self._tol * upper, ENOUGH**2 * (upper - lower))
        if exact and self.bounds.proven and limiting:
            return Status.PRECISION
        return Status.MAX_ITER if len(self.history) >= self._limit else None

    def _is_fruitless(self) -> bool:
        """Return whether no step has narrowed the interval for long: the solver will not end by itself."""
        lower, upper = self.bounds.interval
        self._fruitless = 0 if upper - lower < self._narrowest else self._fruitless + 1
        self._narrowest = min(self._narrowest, upper - lower)
        return self._reg is None and self._fruitless >= _FRUITLESS

    def outcome(self, last: Step) -> Outcome:
        """Return where the run ended, certified at its last step at the latest."""
        if not self._certified:
            self.bounds.take(last, certified=True)
        return Outcome(self.bounds.certificate, self._status, tuple(self.history), self._reg)


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
            upper = step.upper or upper_bound(problem, step.plan)
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
