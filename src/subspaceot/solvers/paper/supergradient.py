"""The paper's Algorithm 1: projected supergradient ascent, with exact or entropic transport."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.coupling import Coupling, mixed
from ...core.fantope import SoftProjector
from ...core.moments import cost_matrix, displacement
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...transport import Entropic, exact_transport
from ..start import Start, wasserstein_start
from ..step import MAX_ITER, NEGLIGIBLE, Event, Step, relative_excess


@dataclass(frozen=True, slots=True)
class Supergradient:
    """Settings of Algorithm 1: steps tau_0 / (t + 1), projected exactly where the paper uses Dykstra's iterations."""

    step: float | None = None  #: tau_0 in inverse squared data units; None is k / trace V_0
    marginal_tol: float = FORCING**3  #: of `tol`, for entropic transport
    max_iter: int = MAX_ITER
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = True

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield Omega_t. With exact transport the plan handed out is the average so far, which proves much more."""
        precision = self.marginal_tol * min(tol, 1.0)
        start = start or wasserstein_start(problem, reg or 0.0, precision)
        omega, g = start.omega.whole, start.g
        assert start.energy is not None  # known to all that start from a plan
        energy = max(start.energy, NEGLIGIBLE * problem.spread, np.finfo(float).tiny)  # 0 if measures coincide
        tau = problem.k / energy if self.step is None else self.step * problem.frame.unit
        average: Coupling | None = None
        for t in count():
            C = cost_matrix(problem.X, problem.Y, fantope.factor(omega))
            if reg is None:
                transport = exact_transport(C, problem.a, problem.b)
            else:
                transport = Entropic(reg, precision).solve(C, problem.a, problem.b, g)
            g = transport.g
            V = displacement(problem.X, problem.Y, transport.plan)
            if reg is None:
                average = transport.plan if average is None else mixed(1.0 / (t + 1), transport.plan, average)
                yield Step(omega=SoftProjector(omega), plan=average, g=g, reg=0.0, event=Event.EXACT)
            else:
                value = float(np.sum(omega * V))
                top = fantope.top_sum(V, problem.k)
                gap = relative_excess(top, value, problem.spread) if transport.converged else None
                yield Step(omega=SoftProjector(omega), plan=transport.plan, g=g, reg=reg, event=Event.INNER, gap=gap)
            omega = fantope.project(omega + tau / (t + 1) * V, problem.k)
