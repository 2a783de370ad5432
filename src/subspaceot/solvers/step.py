"""What a solver is, and what it hands out after each outer iteration."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ..core.certificate import Lower, Upper
from ..core.coupling import Coupling
from ..core.fantope import SoftProjector
from ..core.problem import Problem
from ..runtime.types import Array
from .directions import Spectrum
from .start import Interior, Start

MAX_ITER = 2000  # outer iterations of every method: a guard, reached by the slow algorithms of the paper alone

# Of the spread: smaller differences are rounding. Three quarters of the digits, for steering only: bounds count theirs.
NEGLIGIBLE = np.finfo(float).eps ** 0.75


class Event(enum.Enum):
    """What a step is to its method."""

    INNER = "an iterate of the ascent with more to come at this reg"
    SUBSPACE_EXHAUSTED = "as good as it gets in the working subspace, which grows next"
    STAGE_END = "as good as this reg asks for"
    EXACT = "exact transport for one Omega"
    POLISHED = "an iterate of the interior-point method"


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One outer iteration: a point to certify."""

    omega: SoftProjector  # in F_k
    plan: Coupling  # marginals as good as the inner solver made them
    g: Array  # (m,) potential of the second measure for `omega`
    reg: float  # regularisation behind plan and g, 0 for exact transport
    event: Event
    gap: float | None = None  # (top-k sum of V - <Omega|V>) / <Omega|V> at `plan`; None where that fell short
    spectrum: Spectrum | None = None  # of the displacement matrix of `plan`, where it is known
    lower: Lower | None = None  # what `omega` and `g` prove, where that is known
    upper: Upper | None = None  # what `plan` proves, where that is known
    interior: Interior | None = None  # the point, for a start elsewhere
    certify: bool = True  # whether bounds taken here promise to be better than the last


class Solver(Protocol):
    """Frozen settings of an ascent; all memory lives in the iterator it returns."""

    needs_reg: ClassVar[bool]  # whether it only solves the regularised problem
    takes_reg: ClassVar[bool]  # whether it can

    @property
    def max_iter(self) -> int:
        """Outer iterations if the caller names no limit."""

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield steps until nothing is left to improve; the loop that reads them decides when it has enough."""


def relative_excess(top: float, value: float, spread: float) -> float:
    """Return (top - value) / value, the paper's relative gap; 0 where the excess is rounding against the spread."""
    if top - value <= NEGLIGIBLE * spread:
        return 0.0
    return (top - value) / value if value > 0.0 else np.inf
