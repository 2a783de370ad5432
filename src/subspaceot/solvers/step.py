"""What a solver is, and what it hands out after each outer iteration."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ..core.certificate import Lower
from ..core.coupling import Coupling
from ..core.fantope import SoftProjector
from ..core.problem import Problem
from ..runtime.types import Array
from .directions import Spectrum
from .start import Interior, Start


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One outer iteration: a point to certify."""

    omega: SoftProjector  # in F_k
    plan: Coupling  # (n, m) marginals as good as the inner solver made them
    g: Array  # (m,) potential of the second measure for `omega`
    reg: float  # regularisation behind plan and g, 0 for exact transport
    gap: float | None = None  # (top-k sum of V - <Omega|V>) / <Omega|V> at `plan`; None where that fell short
    spectrum: Spectrum | None = None  # of the displacement matrix of `plan`, where it is known
    lower: Lower | None = None  # what `omega` and `g` prove, where that is known
    interior: Interior | None = None  # the point, for a start elsewhere
    settled: bool = True  # whether bounds taken here promise to be better than the last


class Solver(Protocol):
    """Frozen settings of an ascent; all memory lives in the iterator it returns."""

    needs_reg: ClassVar[bool]  # whether it only solves the regularised problem
    takes_reg: ClassVar[bool]  # whether it can

    @property
    def max_iter(self) -> int:
        """Outer iterations if the caller names no limit."""

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield steps until nothing is left to improve; the loop that reads them decides when it has enough."""


NEGLIGIBLE = 1e-12  # of the spread: differences below it are rounding; for steering only, bounds count theirs


def relative_excess(top: float, value: float, spread: float) -> float:
    """Return (top - value) / value, the paper's relative gap; 0 where the excess is rounding against the spread."""
    if top - value <= NEGLIGIBLE * spread:
        return 0.0
    return (top - value) / value if value > 0.0 else np.inf
