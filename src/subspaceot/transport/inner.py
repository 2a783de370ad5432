"""The inner problem, transport for fixed costs: what solves it, and what an answer holds.

Another inner solver is one new file: frozen settings with the method `solve`.
"""

from dataclasses import dataclass
from typing import Protocol

from ..core.costs import Costs
from ..core.coupling import Coupling
from ..runtime.types import Array


@dataclass(frozen=True, eq=False, slots=True)
class Transport:
    """A plan with the potentials that go with it."""

    plan: Coupling  # (n, m) rows sum to a, columns to b within `error`
    f: Array  # (n,)   potential of the first measure
    g: Array  # (m,)   potential of the second measure
    value: float  # the dual value at (f, g): a.f + b.g, less reg for an entropic plan of mass 1
    error: float  # sum of absolute errors of the marginals
    converged: bool  # whether `error` is what was asked for


class InnerSolver(Protocol):
    """Frozen settings; what is known from elsewhere comes as an argument, and nothing is remembered."""

    def solve(self, costs: Costs | Array, a: Array, b: Array, warm: Array | None = None) -> Transport:
        """Return transport between positive weights a (n,) and b (m,) for the costs (n, m).

        `warm` (m,) is a potential g of a problem like this one: the nearer, the faster.
        """
