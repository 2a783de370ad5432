"""The default: quasi-Newton ascent until few pairs and directions are left to choose from, then interior points."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from ..core.moments import cost_matrix
from ..core.potentials import feasible
from ..core.problem import Problem
from ..linalg.workspace import Workspace
from ..transport import exact_transport
from . import directions
from .ascent.method import QuasiNewton
from .directions import Spectrum
from .interior_point.method import InteriorPoint
from .start import Start
from .step import Step


@dataclass(frozen=True, slots=True)
class Auto:
    """Settings of the default."""

    ascent: QuasiNewton = field(default_factory=QuasiNewton)
    polish: InteriorPoint = field(default_factory=lambda: InteriorPoint(most_steps=20))
    switch_reg: float = 0.01  # of the cost: the largest reg from which the polish may start
    within_reach: float = 0.4  # of reg: a `tol` that the next stage of the ascent will meet needs no polish
    soon: float = 8.0  # of `tol` times the cost: from a smaller reg, and after a quick stage, the ascent goes on:
    dear: float = 0.0  # of one step, or of no more than this many times the operations of a polish's step per pair
    near_share: float = 0.5  # of the affordable pairs: no more may have a reduced cost below reg
    cheap_directions: int = 36  # and no more directions may be needed,
    even: float = 10.0  # of the average: no point may be heavier, or there is no room between the pairs that fill it,
    turning: float = 0.8  # of V's k-th eigenvalue: nor the next one smaller, or Omega, a projector, has only to turn;
    wide: int = 100  # directions: nor are there as many, where the ascent turns Omega (n = 500, k < k*: 1.5 to 0.3 s)
    patience: int = 50  # unless the ascent takes more steps than this in one room
    stuck: int = 80  # or, where there are not as many, at one reg
    max_iter: int = 2000
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = True

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the ascent's steps, with the polish's in between once they promise more."""
        eager, in_room, stage = True, 0, 0
        memory = Workspace() if start is None else start.memory
        for step in self.ascent.steps(problem, tol, reg, start):
            yield step
            in_room, stage = in_room + 1, stage + 1
            slow = in_room == self.patience or (stage == self.stuck and problem.r < self.wide)
            if reg is None and (step.lower is not None or slow):
                spectrum = step.spectrum or Spectrum.of_plan(problem, step.plan, 0.1 * step.reg)
                cost = spectrum.top_sum
                begin = Start(step.omega, spectrum, cost, step.g, step.reg, memory=memory)
                late = step.reg <= self.switch_reg * cost
                small = late and step.reg > tol * cost / self.within_reach
                if late and slow:
                    yield from self.polish.steps(problem, tol, None, begin)
                elif small and self._goes_on(problem, begin, in_room, self.soon * tol * cost):
                    # The next stage will be as quick: half the time of a polish at n = 100. Often not even needed.
                    yield _vertex(problem, step, tol)
                elif small and eager and self._is_cheap(problem, begin):
                    # A polish that turns out to need many directions ends, and the ascent goes on.
                    eager = False
                    polish = replace(self.polish, most_directions=self.cheap_directions)
                    yield from polish.steps(problem, tol, None, begin)
            in_room = 0 if step.spectrum is not None else in_room  # known when a room has no more to offer,
            stage = 0 if step.lower is not None else stage  # and this at the end of a stage

    def _goes_on(self, problem: Problem, start: Start, steps: int, soon: float) -> bool:
        """Return whether, after a stage of so many steps, the next promises to be quicker than a polish."""
        if start.reg > soon:
            return False
        if steps == 1 or self.dear == 0.0:
            return steps == 1
        n, m, r = len(problem.a), len(problem.b), directions.around(start.omega, start.spectrum).shape[1]
        operations = float(m + r * (r + 1) // 2) ** 3
        return r <= self.cheap_directions and steps <= self.dear * operations / (n * m)

    def _is_cheap(self, problem: Problem, start: Start) -> bool:
        """Return whether few directions and pairs are left for the polish to choose from, of points alike in mass."""
        heaviest = max(float(weights.max() * len(weights)) for weights in (problem.a, problem.b))
        needed = directions.around(start.omega, start.spectrum).shape[1]
        # Where Omega turns, more and more directions would be asked for, which the ascent finds as it goes.
        few = needed < problem.r
        turns = few and (start.spectrum.stands_out(self.turning) or problem.r >= self.wide)
        if start.g is None or turns or needed > self.cheap_directions or heaviest > self.even:
            return False
        C = cost_matrix(problem.X, problem.Y, start.omega.factor)
        f, g = feasible(C, start.g)
        C -= f[:, None]
        C -= g
        affordable = self.polish.affordable_pairs(len(C), C.shape[1], needed)
        return bool(np.count_nonzero(start.reg >= C) <= self.near_share * affordable)


def _vertex(problem: Problem, step: Step, tol: float) -> Step:
    """Return the exact transport for the Omega of an entropic step: where Omega is right, it is all that is missing."""
    C = cost_matrix(problem.X, problem.Y, step.omega.factor)
    transport = exact_transport(C, problem.a, problem.b, step.g, tol=0.01 * tol)
    return Step(omega=step.omega, plan=transport.plan, g=transport.g, reg=0.0)
