"""The last digits: a primal-dual interior-point method on a sparse graph of candidate pairs.

Few pairs (i, j) can carry mass in an optimal plan, and few directions matter to Omega. The method is column generation:
it solves the problem restricted to both, takes the bounds without either restriction, and adds what they show to be
missing. Five or six steps reach a gap of 1e-3 from 1e-2, two more 1e-4, also where first-order methods stall.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.fantope import SoftProjector
from ...core.moments import cost_matrix
from ...core.problem import Problem
from ...transport import exact_transport, nearby_transport
from .. import directions
from ..start import Start, ordinary_start
from ..step import Step
from .column_generation import INNER, ColumnGeneration, Ended

_PAIR = 10_000  # operations of matrix products in the time that a step takes for one pair, 1 microsecond


@dataclass(frozen=True, slots=True)
class InteriorPoint:
    """Settings of the interior-point method."""

    pairs: int = 8  # candidates per point, at least
    centred: int = 2  # centrality correctors of a step, each a tenth of its time; both save a third of the steps
    most_directions: int = 100  # the method ends where it would need more: its steps grow with their sixth power
    most_steps: int = 60  # or where one round takes more; a dozen is common
    max_iter: int = 200
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def affordable_pairs(self, n: int, m: int, directions: int) -> int:
        """Return how many candidate pairs take as much time in a step as its dense part, or as many as there are anyway.

        The dense part is a product (q, n) by (n, q), q = r (r + 1) / 2, and a factorisation of size m + q.
        """
        q = directions * (directions + 1) // 2
        dense = 2 * n * q**2 + (m + q) ** 3 // 3
        return min(n * m, max(2 * self.pairs * max(n, m), dense // _PAIR))

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield points of the central path, round after round until nothing is missing."""
        start = start or ordinary_start(problem)
        at = start.interior
        if at is None:
            omega, Q = start.omega, directions.around(start.omega, start.spectrum)
            C = cost_matrix(problem.X, problem.Y, omega.factor)
            if start.g is None:
                transport = exact_transport(C, problem.a, problem.b)
            else:
                transport = nearby_transport(C, problem.a, problem.b, start.g, tol=INNER * tol)
            yield Step(omega=omega, plan=transport.plan, g=transport.g, reg=0.0)
            g, mask = transport.g, transport.plan.dense() > 0.0
        else:
            omega, Q, g, mask = SoftProjector(at.omega), np.eye(problem.r), at.g, at.pi > 0.0
        rounds = ColumnGeneration(problem, self, tol, start.memory, Q, mask, omega, g, warm=at)
        rounds.add_pairs()
        while rounds.ended is not Ended.LIMIT_REACHED:
            yield from rounds.solve()
            rounds.grow()
