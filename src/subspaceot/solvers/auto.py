"""The default: quasi-Newton ascent until few pairs and directions are left to choose from, then interior points."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .. import fantope
from .._types import Array
from ..certificate import feasible
from ..moments import cost_matrix, displacement
from ..problem import Problem
from . import _directions
from ._start import Start
from ._step import Step
from .interior_point import InteriorPoint
from .quasi_newton import QuasiNewton


@dataclass(frozen=True, slots=True)
class Auto:
    """Settings of the default."""

    ascent: QuasiNewton = field(default_factory=QuasiNewton)
    polish: InteriorPoint = field(default_factory=InteriorPoint)
    switch_reg: float = 0.01  # of the cost: the largest reg from which the polish may start
    near_share: float = 0.5  # of the affordable pairs: no more may have a reduced cost below reg
    patience: int = 50  # steps of one stage of the ascent after which the polish is called in any case
    max_iter: int = 2000

    @property
    def needs_reg(self) -> bool:
        """Whether it only solves the regularised problem."""
        return False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the ascent's steps, then the polish's."""
        stage = 0
        for step in self.ascent.steps(problem, tol, reg, start):
            yield step
            stage += 1
            if reg is None and step.settled:
                V = displacement(problem.X, problem.Y, step.plan)
                if self._is_time(problem, step, V, slow=stage > self.patience):
                    break
                stage = 0
        else:
            return
        yield from self.polish.steps(problem, tol, None, Start(omega=step.omega, V=V, g=step.g, reg=step.reg))

    def _is_time(self, problem: Problem, step: Step, V: Array, *, slow: bool) -> bool:
        """Return whether few pairs and directions are left, so that the polish is cheap, or the ascent is too slow."""
        if step.reg > self.switch_reg * float(np.sum(step.omega * V)):
            return False
        directions = _directions.around(step.omega, V, problem.k).shape[1]
        if slow or directions > self.polish.most_directions:
            return directions <= self.polish.most_directions
        C = cost_matrix(problem.X, problem.Y, fantope.factor(step.omega))
        f, g = feasible(C, step.g)
        C -= f[:, None]
        C -= g
        return bool(
            np.count_nonzero(step.reg >= C) <= self.near_share * self.polish.affordable_pairs(*C.shape, directions)
        )
