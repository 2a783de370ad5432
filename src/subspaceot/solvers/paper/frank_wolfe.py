"""The paper's Algorithm 2: Frank-Wolfe on the entropy-regularised problem."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.fantope import SoftProjector
from ...core.moments import cost_matrix, displacement
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...transport import Entropic
from ..start import Start, wasserstein_start
from ..step import MAX_ITER, Event, Step, relative_excess


@dataclass(frozen=True, slots=True)
class FrankWolfe:
    """Settings of Algorithm 2. It has no step size: step 2 / (2 + t)."""

    marginal_tol: float = FORCING**3  #: of `tol`, so that errors of the inner plan cannot be taken for the gap
    max_iter: int = MAX_ITER
    needs_reg: ClassVar[bool] = True
    takes_reg: ClassVar[bool] = True

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield Omega_t with its regularised plan; the loop stops at the paper's relative gap `tol`."""
        assert reg is not None  # promised by `needs_reg`
        precision = self.marginal_tol * min(tol, 1.0)
        start = start or wasserstein_start(problem, reg, precision)
        omega, g = start.omega.whole, start.g
        for t in count():
            C = cost_matrix(problem.X, problem.Y, fantope.factor(omega))
            transport = Entropic(reg, precision).solve(C, problem.a, problem.b, g)
            g = transport.g
            V = displacement(problem.X, problem.Y, transport.plan)
            top, vertex = fantope.maximise(V, problem.k)
            value = float(np.sum(omega * V))
            gap = relative_excess(top, value, problem.spread) if transport.converged else None
            yield Step(omega=SoftProjector(omega), plan=transport.plan, g=g, reg=reg, event=Event.INNER, gap=gap)
            step = 2.0 / (2.0 + t)
            omega = (1.0 - step) * omega + step * vertex
