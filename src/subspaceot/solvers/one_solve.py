"""No search at all: where k is the dimension of the data, Omega is the identity and one exact transport answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.fantope import SoftProjector
from ..core.moments import squared_distances
from ..core.problem import Problem
from ..transport import exact_transport
from .start import Start
from .step import Event, Step


@dataclass(frozen=True, slots=True)
class OneSolve:
    """Ordinary optimal transport: S_k = W for k >= the dimension of the span of the data."""

    max_iter: int = 2  # so that one step is all there is, not all that was allowed
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the answer."""
        C = squared_distances(problem.X, problem.Y)
        transport = exact_transport(C, problem.a, problem.b)
        yield Step(
            omega=SoftProjector(np.eye(problem.r)), plan=transport.plan, g=transport.g, reg=0.0, event=Event.EXACT
        )
