"""Subspace robust transport between many points, without a matrix of all pairs.

For fixed Omega transport lives in as few directions as Omega has. There the points of each sample fall into cells;
exact transport between the cells' means gives a plan between points, cell by cell, and a potential that one c-transform
over all pairs makes feasible. The displacement matrix of the plan says which Omega comes next.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.certificate import lower_bound
from ...core.coupling import Sparse, mixed
from ...core.fantope import SoftProjector
from ...core.moments import displacement
from ...core.nearest import TREE_DIMENSIONS, minimum
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...runtime.types import Array
from ...transport import Transport
from ..auto import Auto
from ..one_solve import OneSolve
from ..start import Start
from ..step import MAX_ITER, Event, Step
from .between import ALL_PAIRS, transport_between
from .cells import Cells
from .glue import glued
from .sample import first_omega, omega_of
from .soft import Soft, compact, matters

_MOST_CELLS = 32_768  # of each side: transport among their candidate pairs takes 10 to 40 s
_FIRST_TOL = 5e-2  # of the first Omega: the error of a sample is larger


@dataclass(frozen=True, slots=True)
class Large:
    """Settings of the method for many points."""

    sample: int = 2000  #: points of each side from which the first Omega is learned
    cells: int = ALL_PAIRS  #: of each side to begin with; then four times as many, again and again
    most_cells: int = _MOST_CELLS  #: of each side
    soft: Soft = field(default_factory=Soft)  #: where Omega has too many directions for cells
    all_pairs: bool = False  #: whether arrays of all pairs fit, so that other methods may go on
    max_iter: int = MAX_ITER
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield what cells prove, and where they do not reach `tol`, what methods that look at all pairs do."""
        if self.all_pairs and problem.k == problem.r > TREE_DIMENSIONS:
            yield from OneSolve().steps(problem, tol, reg, None)
            return
        for step, V in self._by_cells(problem, tol, start):
            yield step
            start = Start.of(step.omega.whole, V, problem.k)
        if self.all_pairs:
            yield from Auto().steps(problem, tol, reg, start)

    def _by_cells(self, problem: Problem, tol: float, start: Start | None) -> Iterator[tuple[Step, Array]]:
        """Yield one Omega after the other, each with V of its plan; where the next proves no more, more cells."""
        omega = start.omega if start is not None else first_omega(problem, self.sample, _FIRST_TOL)
        first, directions = omega, max(problem.k, matters(omega))  # more than k where several are as good
        if directions > max(problem.k, TREE_DIMENSIONS):  # in so many, cells are coarse
            if not self.all_pairs:
                yield from self._at_once(problem, omega, tol)
                yield from self._by_tiles(problem, tol, start)
            return
        count, best, step = self.cells, np.inf, None
        while True:
            step, V = _step(problem, omega, count, step, tol)
            yield step, V
            assert step.lower is not None
            gap = fantope.top_sum(V, problem.k) - step.lower.value
            if gap > 0.5 * best or problem.k == problem.r:  # another Omega is not what is missing
                if self._is_finest(count, len(problem.a), len(problem.b)):
                    break
                count *= 4
            best = min(best, gap)
            omega = self._next_omega(problem, fantope.leading_vectors(V, directions), tol)
        if directions > problem.k and not self.all_pairs:  # Omega is no projector
            yield from self._by_tiles(problem, tol, Start.of(first.whole, V, problem.k))

    def _is_finest(self, count: int, n: int, m: int) -> bool:
        """Return whether more cells would be none, or too many: few of one side leave time for more of the other."""
        return count >= max(n, m) or sum(min(count, size) - self.most_cells for size in (n, m)) >= 0

    def _at_once(self, problem: Problem, omega: SoftProjector, tol: float) -> Iterator[tuple[Step, Array]]:
        """Yield a wide interval, by cells, where what follows takes a hundred times as long."""
        if problem.k <= TREE_DIMENSIONS:
            leading = fantope.leading_vectors(omega.whole, problem.k)
            yield _step(problem, SoftProjector(np.eye(problem.k), leading), self.cells, None, tol)

    def _by_tiles(self, problem: Problem, tol: float, start: Start | None) -> Iterator[tuple[Step, Array]]:
        """Yield the steps of the method that looks at all pairs without an array of them, each with V of its plan."""
        for step in self.soft.steps(problem, tol, None, start):
            assert step.upper is not None
            yield step, step.upper.V
        if _takes_a_minute_at_most(problem):
            yield from _among_candidates(problem, step.omega, step.g, tol)

    def _next_omega(self, problem: Problem, Q: Array, tol: float) -> SoftProjector:
        """Return the projector onto the span of `Q` (r, q), or where q > k the Omega within it of cells."""
        if Q.shape[1] == problem.k:
            return SoftProjector(np.eye(problem.k), Q)
        cells = Cells.of(problem.X @ Q, problem.a, self.cells)
        others = Cells.of(problem.Y @ Q, problem.b, self.cells)
        few = Problem.of(cells.mean, others.mean, problem.k, cells.mass, others.mass, dense=False)
        return SoftProjector(omega_of(few, tol), Q)


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


def _takes_a_minute_at_most(problem: Problem) -> bool:
    """Return whether exact transport among candidate pairs of points does."""
    return max(len(problem.a), len(problem.b)) <= 2 * _MOST_CELLS


def plan_on_few_pairs(problem: Problem, omega: SoftProjector, g: Array) -> Sparse:
    """Return a plan with at most 3 (n + m - 1) atoms near an optimal one, given Omega and a potential `g` (m,) for it.

    Of too many points it is one between cells, which is near where the directions of Omega are few.
    """
    if not _takes_a_minute_at_most(problem):
        return plan_by_cells(problem, omega)
    *_, (step, _) = _among_candidates(problem, omega, g, 0.0)
    assert isinstance(step.plan, Sparse)
    return step.plan


def _among_candidates(problem: Problem, omega: SoftProjector, g: Array, tol: float) -> Iterator[tuple[Step, Array]]:
    """Yield exact transport among candidate pairs of points, and its mixtures with that for what costs most there."""
    size = max(len(problem.a), len(problem.b))
    known = Step(omega, plan_by_cells(problem, omega), g, reg=0.0, event=Event.EXACT)
    step, V = _step(problem, omega, size, known, tol)
    yield step, V
    plan = step.plan
    for _ in range(2):  # a third mixture gains a twentieth of what these do
        costly = SoftProjector((omega.whole + fantope.maximise(V, problem.k)[1]) / 2)
        step, W = _step(problem, compact(costly, problem.k), size, known, tol)
        share = fantope.best_share(V, W, problem.k)
        plan, V = mixed(share, step.plan, plan), share * W + (1.0 - share) * V
        yield replace(step, plan=plan), V


def plan_by_cells(problem: Problem, omega: SoftProjector) -> Sparse:
    """Return a plan with at most n + m - 1 atoms, near an optimal one for `omega` where its directions are few."""
    L = omega.factor
    cells = Cells.of(problem.X @ L, problem.a, ALL_PAIRS)
    others = Cells.of(problem.Y @ L, problem.b, ALL_PAIRS)
    transport = transport_between(cells, others, None, None, 0.0)
    return glued(transport.plan, cells, others, problem.a, problem.b)


def _extended(transport: Transport, Q: Array, cells: Cells) -> Array:
    """Return a potential (m,) for all points, given that of the cells of X."""
    return minimum(Q, cells.mean, transport.f)
