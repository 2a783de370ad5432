"""Which method is cheaper when: predicted work, in entries of an (n, m) kernel that a step of the ascent works through.

`python -m benchmarks.calibrate` measures the numbers on this machine and says how far they are from these.
"""

import enum
from dataclasses import dataclass, replace

from ..core.problem import Problem
from .ascent.point import is_projector
from .directions import Spectrum
from .step import Event, Step

SWITCH_REG = 0.01  # of the cost: at a larger reg too many pairs are candidates for an optimal plan
POLISH_STEPS = 6  # interior-point steps of a polish that succeeds
# Operations of an interior-point step that take as long as one entry of a kernel in a step of the ascent: 100 to 1,600
# for steps of the median, several times that for the last ones, at the smallest regs, between which it chooses.
FLOPS_PER_ENTRY = 2000


class Choice(enum.Enum):
    """What follows a step of the ascent."""

    ASCENT = "the next step, or the next reg"
    EXACT = "exact transport for its Omega, then the ascent again"
    POLISH = "the interior-point method"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known when the choice is made."""

    n: int
    m: int
    r: int
    k: int
    tol: float
    directions: int  # that a polish would start with
    steps: int  # of the ascent since it last changed reg or directions
    reg: float
    cost: float  # S_k^2, about
    expands: bool  # whether Omega is nearly a projector with directions left to choose from
    event: Event
    failures: int  # polishes of this run that did not succeed

    @classmethod
    def of(cls, problem: Problem, tol: float) -> "Facts":
        """Return what is known before the first step."""
        n, m, r, k = len(problem.a), len(problem.b), problem.r, problem.k
        return cls(n, m, r, k, tol, r, steps=0, reg=0.0, cost=0.0, expands=False, event=Event.INNER, failures=0)

    def after(self, step: Step, spectrum: Spectrum) -> "Facts":
        """Return what is known after one more step, with the last spectrum that was computed."""
        directions = len(step.omega.inner)
        return replace(
            self,
            directions=directions,
            steps=self.steps + 1 if self.event is Event.INNER else 1,
            reg=step.reg,
            cost=spectrum.top_sum,
            expands=directions < self.r and is_projector(step.omega.inner, self.k),
            event=step.event,
        )


def choose(facts: Facts) -> Choice:
    """Return the cheapest way on.

    Work of the ascent grows like 1 / reg: smaller regs take more steps, and more sweeps each. Within a stage nobody
    knows how many steps are left; to go on until they have cost what a polish costs is at most twice the best choice.
    Each polish that fails makes the next one count four times as much.
    """
    if facts.reg > SWITCH_REG * facts.cost:
        return Choice.ASCENT
    stage_end = facts.event is Event.STAGE_END
    if stage_end and facts.steps == 1:
        return Choice.EXACT  # Omega stands still: mostly its transport is all that is missing
    if facts.expands:
        return Choice.ASCENT  # a polish would have to ask for one direction after the other
    growth = max(facts.reg / (facts.tol * facts.cost), 1.0) if stage_end else 1.0
    ascent = growth * facts.steps * facts.n * facts.m
    return Choice.POLISH if ascent > 4.0**facts.failures * polish_work(facts) else Choice.ASCENT


def polish_work(facts: Facts) -> float:
    """Return the work of a polish: each step factors a matrix of size m + q (q + 1) / 2 and takes both bounds.

    A polish that begins with some of the directions is expected to ask for as many again.
    """
    n, m, q = facts.n, facts.m, min(2 * facts.directions, facts.r)
    size = m + q * (q + 1) // 2
    return POLISH_STEPS * ((size**3 / 3 + n * size**2) / FLOPS_PER_ENTRY + 2 * n * m)
