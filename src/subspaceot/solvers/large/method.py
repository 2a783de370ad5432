"""Subspace robust transport between many points, without a matrix of all pairs.

For fixed Omega transport lives in as few directions as Omega has. There the points of each sample fall into cells;
exact transport between the cells' means gives a plan between points, cell by cell, and a potential that one c-transform
over all pairs makes feasible. The displacement matrix of the plan says which Omega comes next.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.certificate import lower_bound
from ...core.fantope import SoftProjector
from ...core.moments import displacement
from ...core.nearest import minimum
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...runtime.types import Array
from ...transport import Transport
from ..auto import Auto
from ..loop import run
from ..start import Start
from ..step import Event, Step
from .between import ALL_PAIRS, transport_between
from .cells import Cells
from .glue import glued


@dataclass(frozen=True, slots=True)
class Large:
    """Settings of the method for many points."""

    sample: int = 2000  # points of each side from which the first Omega is learned
    cells: int = ALL_PAIRS  # of each side to begin with; then four times as many, again and again
    most_cells: int = 32_768  # of each side: transport among their candidate pairs takes 10 to 40 s
    max_iter: int = 20  # outer steps: a guard, five are common
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield one Omega after the other; where the next proves no more, more cells."""
        omega = start.omega if start is not None else self._first_omega(problem, tol)
        count, best, step = self.cells, np.inf, None
        while True:
            step, V = _step(problem, omega, count, step, tol)
            yield step
            top, P = fantope.maximise(V, problem.k)
            assert step.lower is not None
            gap = top - step.lower.value
            if gap > 0.5 * best or problem.k == problem.r:  # another Omega is not what is missing
                if count >= self.most_cells:
                    return
                count *= 4
            best = min(best, gap)
            omega = SoftProjector(P)

    def _first_omega(self, problem: Problem, tol: float) -> SoftProjector:
        """Return the Omega of random points of each side."""
        if problem.k == problem.r:
            return SoftProjector(np.eye(problem.r))
        rng = np.random.default_rng(0)
        X, Y = (
            Z[rng.choice(len(Z), self.sample, p=weights)] if len(Z) > self.sample else Z
            for Z, weights in ((problem.X, problem.a), (problem.Y, problem.b))
        )
        a, b = (
            np.full(self.sample, 1.0 / self.sample) if len(weights) > self.sample else weights
            for weights in (problem.a, problem.b)
        )
        few = Problem.of(X, Y, problem.k, a, b)
        lower = run(few, Auto(), tol=max(tol, _SAMPLE_TOL)).certificate.lower
        return SoftProjector(fantope.project(few.frame.lift(few.frame.lift(lower.omega).T), problem.k))


_SAMPLE_TOL = 5e-2  # the error of a sample is larger


def _step(problem: Problem, omega: SoftProjector, count: int, before: Step | None, tol: float) -> tuple[Step, Array]:
    """Return what cells prove for an Omega, and the displacement matrix of their plan."""
    L = omega.factor
    P, Q = problem.X @ L, problem.Y @ L
    cells, others = Cells.of(P, problem.a, count), Cells.of(Q, problem.b, count)
    warm = None if before is None else others.average(before.g, problem.b)
    transport = transport_between(cells, others, warm, None if before is None else before.plan, FORCING * tol)
    plan = glued(transport.plan, cells, others, problem.a, problem.b)
    lower = lower_bound(problem, omega, _extended(transport, Q, cells))
    step = Step(omega, plan, lower.g, reg=0.0, event=Event.EXACT, lower=lower)
    return step, displacement(problem.X, problem.Y, plan)


def _extended(transport: Transport, Q: Array, cells: Cells) -> Array:
    """Return a potential (m,) for all points, given that of the cells of X."""
    return minimum(Q, cells.mean, transport.f)
