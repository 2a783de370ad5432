"""The default: quasi-Newton ascent, finished by interior points where they are predicted to take less."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar

from ..core.problem import Problem
from . import directions
from .ascent.method import QuasiNewton
from .ascent.point import is_projector
from .cost_model import POLISH_STEPS, Choice, Facts, choose, polish_work
from .directions import Spectrum
from .exact_step import exact_step
from .interior_point.method import InteriorPoint
from .start import Start
from .step import MAX_ITER, Event, Step


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
        count, owed, needed = 0, 0.0, start.spectrum
        for step in self.ascent.steps(problem, tol, reg, start):
            yield step
            count, needed = count + 1, step.spectrum or needed
            Q = directions.around(step.omega, needed)
            stage_end = step.event is Event.STAGE_END
            facts = Facts(
                n=len(problem.a),
                m=len(problem.b),
                directions=Q.shape[1],
                steps=count,
                reg=step.reg,
                cost=needed.top_sum,
                needed_reg=tol * needed.top_sum,
                expands=Q.shape[1] < problem.r and is_projector(step.omega.inner, problem.k),
                stage_end=stage_end,
                owed=owed,
            )
            choice = choose(facts)
            if choice is Choice.EXACT:
                yield exact_step(problem, step.omega, step.g, tol)
            elif choice is Choice.POLISH:
                spectrum = step.spectrum or Spectrum.of_plan(problem, step.plan, tol * step.reg)
                begin = Start(step.omega, spectrum, spectrum.top_sum, step.g, step.reg, memory=start.memory)
                yield from islice(self.polish.steps(problem, tol, None, begin), 2 * POLISH_STEPS)
                owed += polish_work(facts.n, facts.m, facts.directions)
            count = 0 if step.event is not Event.INNER else count
