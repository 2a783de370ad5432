"""Which method is cheaper when: predicted work, in entries of an (n, m) kernel that a step of the ascent works through.

`python -m benchmarks.calibrate` measures both numbers on this machine and says how far they are from these.
"""

import enum
from dataclasses import dataclass

SWITCH_REG = 0.006  # of the cost: at a larger reg too many pairs are candidates for an optimal plan
POLISH_STEPS = 6  # interior-point steps of a polish
FLOPS_PER_ENTRY = 2000  # of an interior-point step that take as long as one entry of a kernel in a step of the ascent


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
    directions: int  # that the polish would start with
    steps: int  # of the ascent at this reg
    reg: float
    cost: float  # S_k^2, about
    needed_reg: float  # about the reg at which the ascent would reach `tol`
    expands: bool  # whether Omega is nearly a projector with directions left to choose from, which a polish lacks
    stage_end: bool  # whether the ascent is about to go on with a smaller reg
    owed: float  # work that earlier polishes of this run have spent in vain


def choose(facts: Facts) -> Choice:
    """Return the cheapest way on.

    Work of the ascent grows like 1 / reg: smaller regs take more steps, and more sweeps each. Within a stage nobody
    knows how many steps are left; to go on until they have cost what a polish costs is at most twice the best choice.
    """
    if facts.reg > SWITCH_REG * facts.cost:
        return Choice.ASCENT
    if facts.stage_end and facts.steps == 1:
        return Choice.EXACT  # Omega stands still: mostly its transport is all that is missing
    if facts.expands:
        return Choice.ASCENT
    factor = max(facts.reg / facts.needed_reg, 1.0) if facts.stage_end else 1.0
    ascent = factor * facts.steps * facts.n * facts.m
    return Choice.POLISH if ascent > facts.owed + polish_work(facts.n, facts.m, facts.directions) else Choice.ASCENT


def polish_work(n: int, m: int, directions: int) -> float:
    """Return the work of a polish: each step factors a matrix of size m + q (q + 1) / 2 and takes both bounds."""
    size = m + directions * (directions + 1) // 2
    return POLISH_STEPS * ((size**3 / 3 + n * size**2) / FLOPS_PER_ENTRY + 2 * n * m)
