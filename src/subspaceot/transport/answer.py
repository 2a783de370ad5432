"""What both inner solvers return."""

from dataclasses import dataclass

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
