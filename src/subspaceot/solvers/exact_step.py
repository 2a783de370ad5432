"""Exact transport for one Omega, from nearby potentials where there are some."""

from ..core.fantope import SoftProjector
from ..core.moments import cost_matrix
from ..core.problem import Problem
from ..linalg.forcing import FORCING
from ..runtime.types import Array
from ..transport import Transport, exact_transport
from .step import Event, Step

_SHARE = FORCING**2  # of `tol`: how near to optimal a plan is that is to prove a gap of `tol`


def transport_at(problem: Problem, omega: SoftProjector, g: Array | None = None, tol: float = 0.0) -> Transport:
    """Return an optimal plan and potentials for d_Omega^2; with a potential `g` from nearby, good enough for `tol`."""
    C = cost_matrix(problem.X, problem.Y, omega.factor)
    return exact_transport(C, problem.a, problem.b, g, tol=_SHARE * tol)


def exact_step(problem: Problem, omega: SoftProjector, g: Array | None = None, tol: float = 0.0) -> Step:
    """Return exact transport for `omega` as a step: where Omega is right, it is all that is missing."""
    transport = transport_at(problem, omega, g, tol)
    return Step(omega, transport.plan, transport.g, reg=0.0, event=Event.EXACT)
