"""What a solver is, and what it hands out after each outer iteration."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from .._types import Array
from ..problem import Problem
from ._start import Start


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One outer iteration: a point to certify."""

    omega: Array  # (r, r) in F_k
    plan: Array  # (n, m) marginals as good as the inner solver made them
    g: Array  # (m,) potential of the second measure for `omega`
    reg: float  # regularisation behind plan and g, 0 for exact transport
    gap: float | None = (
        None  # (top-k sum of V - <Omega|V>) / <Omega|V> at `plan`; None where the inner solver fell short
    )
    settled: bool = True  # whether bounds taken here promise to be better than the last


class Solver(Protocol):
    """Frozen settings of an ascent; all memory lives in the iterator it returns."""

    @property
    def max_iter(self) -> int:
        """Outer iterations if the caller names no limit."""

    @property
    def needs_reg(self) -> bool:
        """Whether it only solves the regularised problem."""

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield steps until nothing is left to improve; the loop that reads them decides when it has enough."""
