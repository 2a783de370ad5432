"""The default: quasi-Newton ascent, finished by interior points where they are predicted to take less."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar

from ..core.problem import Problem
from . import directions
from .ascent.method import QuasiNewton
from .cost_model import POLISH_STEPS, Choice, Facts, choose
from .directions import Spectrum
from .exact_step import exact_step
from .interior_point.method import InteriorPoint
from .start import Start
from .step import MAX_ITER, Step


@dataclass(frozen=True, slots=True)
class Auto:
    """Settings of the default."""

    ascent: QuasiNewton = field(default_factory=QuasiNewton)
    polish: InteriorPoint = field(default_factory=InteriorPoint)
    max_iter: int = MAX_ITER
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = True

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the ascent's steps, with exact transport or a polish in between once they promise more."""
        if reg is not None:
            yield from self.ascent.steps(problem, tol, reg, start)
            return
        start = self.ascent.first(problem, tol, start)
        facts, spectrum, in_stage = Facts.of(problem, tol), start.spectrum, 0
        for step in self.ascent.steps(problem, tol, reg, start):
            yield step
            spectrum = step.spectrum or spectrum
            in_stage = in_stage + 1 if step.reg == facts.reg else 1
            facts = facts.after(step, spectrum)
            choice = choose(facts)
            if in_stage >= self.ascent.max_steps:  # a stage that does not end
                choice, in_stage = Choice.POLISH, 0
            elif choice is Choice.POLISH:  # which may ask for more directions than the ascent works in
                choice = choose(replace(facts, directions=directions.around(step.omega, spectrum).shape[1]))
            if choice is Choice.EXACT:
                yield exact_step(problem, step.omega, step.g, tol)
            elif choice is Choice.POLISH:
                # Each polish that fails allows the next one twice the steps, after four times the work before it.
                limit = (POLISH_STEPS + 1) * 2**facts.failures
                yield from islice(self.polish.steps(problem, tol, None, _start(problem, step, start, tol)), limit)
                facts = replace(facts, failures=facts.failures + 1)
        # Where reg can fall no further, interior points have the last word.
        yield from self.polish.steps(problem, tol, None, _start(problem, step, start, tol))


def _start(problem: Problem, step: Step, start: Start, tol: float) -> Start:
    """Return where a polish begins after a step of the ascent."""
    spectrum = step.spectrum or Spectrum.of_plan(problem, step.plan, tol * problem.spread)
    return Start(step.omega, spectrum, spectrum.top_sum, step.g, step.reg, memory=start.memory)
