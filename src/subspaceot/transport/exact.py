"""Exact transport, the quickest way there is: assignment, transport among few pairs, or the network simplex."""

from dataclasses import dataclass

from ..core.costs import Costs, as_costs
from ..runtime.types import Array
from .assignment import assigned, is_assignment
from .inner import Transport
from .restricted import restricted_transport
from .simplex import network_simplex


@dataclass(frozen=True, slots=True)
class Exact:
    """Transport within `tol` of its optimal value, and feasible potentials that prove it."""

    tol: float  # relative; 0 asks for an optimum to rounding

    def solve(self, costs: Costs | Array, a: Array, b: Array, warm: Array | None = None) -> Transport:
        """Return it for the costs (n, m); see `InnerSolver`."""
        return exact_transport(as_costs(costs).matrix(), a, b, warm, tol=self.tol)


def exact_transport(C: Array, a: Array, b: Array, warm: Array | None = None, *, tol: float = 0.0) -> Transport:
    """Return a plan for the cost `C` (n, m) within `tol` of its optimal value, with potentials that prove it.

    From scratch by the network simplex, whose answer is optimal to rounding. Where a potential `warm` (m,) of a problem
    like this one is known, by an assignment between points of one weight, and else among few pairs.
    """
    if warm is None:
        return network_simplex(C, a, b)
    if is_assignment(a, b) and (answer := assigned(C, a, warm, tol=tol)) is not None:
        return answer
    return restricted_transport(C, a, b, warm, tol=tol)
