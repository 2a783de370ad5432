"""Subspace robust transport between many points, without a matrix of all pairs.

For fixed Omega transport lives in as few directions as Omega has. There the points of each sample fall into cells;
exact transport between the cells' means gives a plan between points, cell by cell, and a potential that one c-transform
over all pairs makes feasible. The displacement matrix of the plan says which Omega comes next.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.certificate import lower_bound
from ...core.fantope import SoftProjector
from ...core.moments import displacement, squared_distances
from ...core.nearest import minimum
from ...core.problem import Problem
from ...runtime.types import Array
from ...transport import Transport, exact_transport
from ..start import Start
from ..step import Event, Step
from .cells import Cells
from .glue import glued
from .sample import first_omega
from .soft import Soft, is_soft


@dataclass(frozen=True, slots=True)
class Large:
    """Settings of the method for many points."""

    sample: int = 4000  # points of each side from which the first Omega is learned
    cells: int = 2048  # of each side to begin with: exact transport between them takes about a second
    most_cells: int = 4096
    soft: Soft = field(default_factory=Soft)  # for an Omega that is no projector
    max_iter: int = 20
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield one Omega after the other; where the next proves no more, more cells."""
        omega = start.omega if start is not None else first_omega(problem, self.sample)
        if is_soft(omega, problem.k):
            yield from self.soft.ascend(problem, tol, omega)
            return
        count, best = self.cells, np.inf
        while True:
            step, V = _step(problem, omega, count)
            yield step
            top, P = fantope.maximise(V, problem.k)
            assert step.lower is not None
            gap = top - step.lower.value
            if gap > 0.5 * best:  # another Omega is not what is missing
                if count >= self.most_cells:
                    return
                count *= 2
            best = min(best, gap)
            omega = SoftProjector(P)


def _step(problem: Problem, omega: SoftProjector, count: int) -> tuple[Step, Array]:
    """Return what cells prove for an Omega, and the displacement matrix of their plan."""
    L = omega.factor
    P, Q = problem.X @ L, problem.Y @ L
    cells, others = Cells.of(P, problem.a, count), Cells.of(Q, problem.b, count)
    transport = exact_transport(squared_distances(cells.mean, others.mean), cells.mass, others.mass)
    plan = glued(transport.plan, cells, others, problem.a, problem.b)
    lower = lower_bound(problem, omega, _extended(transport, Q, cells))
    step = Step(omega, plan, lower.g, reg=0.0, event=Event.EXACT, lower=lower)
    return step, displacement(problem.X, problem.Y, plan)


def _extended(transport: Transport, Q: Array, cells: Cells) -> Array:
    """Return a potential (m,) for all points, given that of the cells of X."""
    return minimum(Q, cells.mean, transport.f)
