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
from .soft import Soft, is_soft


@dataclass(frozen=True, slots=True)
class Large:
    """Settings of the method for many points."""

    sample: int = 2000  # points of each side from which the first Omega is learned
    cells: int = ALL_PAIRS  # of each side to begin with; then four times as many, again and again
    most_cells: int = 32_768  # of each side: transport among their candidate pairs takes 10 to 40 s
    soft: Soft = field(default_factory=Soft)  # for an Omega that is no projector
    max_iter: int = 20  # outer steps: a guard, five are common
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield one Omega after the other; where the next proves no more, more cells."""
        omega = start.omega if start is not None else self._first_omega(problem, tol)
        if (
            is_soft(omega, problem.k) and max(len(problem.a), len(problem.b)) > self.cells
        ):  # with no more, cells are points
            yield from self.soft.steps(problem, tol, reg, start)
            return
        directions = omega.support.shape[1]  # more than k where several are as good
        count, best, step = self.cells, np.inf, None
        while True:
            step, V = _step(problem, omega, count, step, tol)
            yield step
            assert step.lower is not None
            gap = fantope.top_sum(V, problem.k) - step.lower.value
            if gap > 0.5 * best or problem.k == problem.r:  # another Omega is not what is missing
                if count >= self.most_cells:
                    return
                count *= 4
            best = min(best, gap)
            omega = self._next_omega(problem, fantope.leading_vectors(V, directions), tol)

    def _first_omega(self, problem: Problem, tol: float) -> SoftProjector:
        """Return the Omega of random points of each side."""
        if problem.k == problem.r:
            return SoftProjector(np.eye(problem.r))
        rng = np.random.default_rng(0)
        X, a = _sampled(problem.X, problem.a, self.sample, rng)
        Y, b = _sampled(problem.Y, problem.b, self.sample, rng)
        return SoftProjector(_omega(Problem.of(X, Y, problem.k, a, b), max(tol, _SAMPLE_TOL)))

    def _next_omega(self, problem: Problem, Q: Array, tol: float) -> SoftProjector:
        """Return the projector onto the span of `Q` (r, q), or where q > k the Omega within it of cells."""
        if Q.shape[1] == problem.k:
            return SoftProjector(np.eye(problem.k), Q)
        cells = Cells.of(problem.X @ Q, problem.a, self.cells)
        others = Cells.of(problem.Y @ Q, problem.b, self.cells)
        few = Problem.of(cells.mean, others.mean, problem.k, cells.mass, others.mass)
        return SoftProjector(_omega(few, tol), Q)


_SAMPLE_TOL = 5e-2  # the error of a sample is larger


def _sampled(Z: Array, weights: Array, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return so many random points with equal weights, or all of them where there are no more."""
    if len(Z) <= count:
        return Z, weights
    return Z[rng.choice(len(Z), count, p=weights)], np.full(count, 1.0 / count)


def _omega(few: Problem, tol: float) -> Array:
    """Return the best Omega (r, r) for few points, in their own coordinates."""
    omega = run(few, Auto(), tol=tol).certificate.lower.omega
    return fantope.project(few.frame.lift(few.frame.lift(omega).T), few.frame.k)


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
