"""The last digits: a primal-dual interior-point method on a sparse graph of candidate pairs.

Few pairs (i, j) can carry mass in an optimal plan, and few directions matter to Omega. The method is column generation:
it solves the problem restricted to both, takes the bounds without either restriction, and adds what they show to be
missing. Five or six steps reach a gap of 1e-3 from 1e-2, two more 1e-4, also where first-order methods stall.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.certificate import Lower, lower_bound
from ...core.coupling import Coupling
from ...core.fantope import SoftProjector
from ...core.moments import cost_matrix, displacement
from ...core.potentials import feasible, reduced_costs
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...linalg.workspace import Workspace
from ...runtime.types import Array, Mask
from ...transport import exact_transport, nearest_pairs
from .. import directions
from ..directions import Spectrum
from ..start import Interior, Start, wasserstein_start
from ..step import MAX_ITER, NEGLIGIBLE, Event, Step
from .central_path import iterates
from .iterate import PathPoint, cold_start, embed, warm_start
from .system import Graph

_PAIR = 10_000  # operations of matrix products in the time that a step takes for one pair, 1 microsecond


@dataclass(frozen=True, slots=True)
class InteriorPoint:
    """Settings of the interior-point method."""

    pairs: int = 8  #: candidates of each point, at least
    centred: int = 2  #: centrality correctors of a step, each a tenth of its time; both save a third of the steps
    most_directions: int = 100  #: the method ends where it would add more: a step in 100 takes 2 s and 600 MB
    most_steps: int = 60  #: or where one round takes more; a dozen is common
    max_iter: int = MAX_ITER
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def affordable_pairs(self, n: int, m: int, directions: int) -> int:
        """Return how many candidate pairs take as much time in a step as its dense part; not fewer than at first.

        The dense part is a product (q, n) by (n, q), q = r (r + 1) / 2, and a factorisation of size m + q.
        """
        q = directions * (directions + 1) // 2
        dense = 2 * n * q**2 + (m + q) ** 3 // 3
        return min(n * m, max(2 * self.pairs * max(n, m), dense // _PAIR))

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield points of the central path, round after round until nothing is missing."""
        start = start or wasserstein_start(problem)
        if start.interior is None:
            C = cost_matrix(problem.X, problem.Y, start.omega.factor)
            if start.g is None:
                transport = exact_transport(C, problem.a, problem.b)
            else:
                transport = exact_transport(C, problem.a, problem.b, start.g, tol=FORCING * tol)
            yield Step(omega=start.omega, plan=transport.plan, g=transport.g, reg=0.0, event=Event.EXACT)
            rows, columns, _ = transport.plan.atoms()
            rounds = ColumnGeneration(self, problem, tol, start.memory, start.omega, transport.g)
            rounds.restrict_to(directions.around(start.omega, start.spectrum))
        else:
            rows, columns = np.nonzero(start.interior.pi)
            omega = SoftProjector(start.interior.omega)
            rounds = ColumnGeneration(self, problem, tol, start.memory, omega, start.interior.g)
            rounds.keep(start.interior)
        rounds.mask[rows, columns] = True
        rounds.add_pairs(start.reg)
        while rounds.ended is not Ended.LIMIT_REACHED:
            yield from rounds.solve()
            rounds.grow()


class Ended(enum.Enum):
    """Why the steps on a restricted problem ended."""

    PAIRS_MISSING = "Dual value is lost when all pairs are asked: add those of least reduced cost."
    DIRECTIONS_MISSING = "The plan moves mass outside of the working subspace: add its leading directions."
    PRECISION_REACHED = "Nothing is missing: ask for a smaller gap."
    NO_PROGRESS = "A step changed next to nothing: start again in the interior, and ask for a smaller gap."
    LIMIT_REACHED = "Too many steps or directions, or no digits are left: another method may go on."


class ColumnGeneration:
    """A problem restricted to candidate pairs and a working subspace: solve it, price what is left out, grow."""

    def __init__(
        self,
        settings: InteriorPoint,
        problem: Problem,
        tol: float,
        workspace: Workspace,
        omega: SoftProjector,
        g: Array,
    ) -> None:
        self._settings, self._problem, self._tol, self._workspace = settings, problem, tol, workspace
        self.mask: Mask = np.zeros((len(problem.a), len(problem.b)), dtype=bool)  # the candidate pairs
        self._omega, self._g = omega, g  # of the last lower bound: a cold start is near them
        self._kept: Interior | None = None  # the last iterate that missed few pairs: a warm start goes on from it,
        self._kept_Q = np.eye(problem.r)  # in these directions
        self._added: Spectrum | None = None  # of the displacement matrix of a plan that needs other directions
        self._precision = FORCING * tol  # the gap at which a restricted problem counts as solved
        self.ended = Ended.PAIRS_MISSING
        self.restrict_to(np.eye(problem.r))

    def restrict_to(self, Q: Array) -> None:
        """Let Omega live in the span of `Q` (r, q)."""
        self._Q, self._inner = Q, self._problem.within(Q)

    def keep(self, at: Interior) -> None:
        """Let the next round start at this iterate, which lives in the directions of now."""
        self._kept, self._kept_Q = at, self._Q

    # --- solve --------------------------------------------------------------------------------------------------------

    def solve(self) -> Iterator[Step]:
        """Yield steps along the central path of the restricted problem until something is missing or it is solved."""
        graph = Graph(self.mask)
        point, self._kept, self.ended = self._first(graph), None, Ended.NO_PROGRESS
        path = iterates(self._inner, graph, point, self._precision, self._workspace, self._settings.centred)
        for count, (point, full) in enumerate(path):
            if count == self._settings.most_steps:
                self.ended = Ended.LIMIT_REACHED
                return
            plan, allowed = graph.coupling(np.maximum(full.pi, 0.0)), point.gap * point.cost
            lower, lost = self._price_pairs(point, full)
            self._omega, self._g = lower.soft, lower.g
            if lost <= allowed:
                self.keep(point.detach(graph))
            interior = self._kept if lost <= allowed and self._inner.r == self._problem.r else None
            yield Step(lower.soft, plan, lower.g, reg=0.0, event=Event.POLISHED, lower=lower, interior=interior)
            if lost > FORCING * allowed:
                self.ended = Ended.PAIRS_MISSING
                return
            if self._price_directions(plan, allowed):
                self.ended = Ended.DIRECTIONS_MISSING
                return
        if point.gap <= self._precision:
            self.ended = Ended.PRECISION_REACHED

    def _first(self, graph: Graph) -> PathPoint:
        """Return where a round starts: at the iterate that was kept, or near Omega."""
        inner = self._inner
        if self._kept is not None:
            point = warm_start(inner, graph, embed(inner, self._kept, self._Q.T @ self._kept_Q))
            if point is not None:
                return point
        omega = fantope.project(self._omega.within(self._Q), inner.k)
        f, g = feasible(cost_matrix(inner.X, inner.Y, fantope.factor(omega)), self._g)
        return cold_start(inner, graph, omega, f, g)

    # --- price --------------------------------------------------------------------------------------------------------

    def _price_pairs(self, point: PathPoint, full: PathPoint) -> tuple[Lower, float]:
        """Return what a point proves when all pairs are asked, and how much of its dual value is lost by that.

        The full step mostly proves more, but may have led too far.
        """
        problem = self._problem
        dual = float(problem.a @ point.f + problem.b @ point.g)
        lower = lower_bound(problem, SoftProjector(full.omega, self._Q), full.g)
        if dual - lower.value > FORCING * point.gap * point.cost:
            other = lower_bound(problem, SoftProjector(point.omega, self._Q), point.g)
            lower = max(lower, other, key=lambda bound: bound.value)
        return lower, dual - lower.value

    def _price_directions(self, plan: Coupling, allowed: float) -> bool:
        """Return whether the k largest eigenvalues in all directions exceed those in the subspace by more than that."""
        problem, inner = self._problem, self._inner
        if inner.r == problem.r:
            return False
        V = displacement(inner.X, inner.Y, plan)
        inside = fantope.top_sum(V, problem.k)
        allowed = max(allowed, FORCING * self._tol * inside)
        self._added = Spectrum.of_plan(problem, plan, FORCING * allowed, directions.seen(self._Q, V, problem.k))
        return self._added.top_sum - inside > allowed

    # --- grow ---------------------------------------------------------------------------------------------------------

    def grow(self) -> None:
        """Add what is missing, or ask for more digits."""
        match self.ended:
            case Ended.PAIRS_MISSING:
                if not self.add_pairs():  # what is lost is rounding
                    self._tighten()
            case Ended.DIRECTIONS_MISSING:
                self._add_directions()
            case Ended.NO_PROGRESS:
                self._kept = None
                self._tighten()
            case Ended.PRECISION_REACHED:
                self._tighten()
            case Ended.LIMIT_REACHED:
                pass

    def add_pairs(self, reg: float = 0.0) -> bool:
        """Let the pairs of least reduced cost C - f - g of each point carry mass, and return whether any is new.

        They are chosen by number: where points repeat, a value can stand for any number of pairs. With `reg`, pairs
        that carry more than a share of exp(-reduced cost / reg) of an entropic plan join too, as many as are cheap.
        """
        problem, settings = self._problem, self._settings
        C = cost_matrix(problem.X, problem.Y, self._omega.factor)
        reduced = reduced_costs(C, *feasible(C, self._g))
        before = np.count_nonzero(self.mask)
        self.mask |= nearest_pairs(reduced, settings.pairs)
        near = np.flatnonzero(reduced <= -np.log(FORCING) * reg)
        most = settings.affordable_pairs(len(problem.a), len(problem.b), self._inner.r)
        if len(near) > most:
            near = near[np.argpartition(reduced.flat[near], most - 1)[:most]]
        self.mask.flat[near] = True
        return bool(np.count_nonzero(self.mask) > before)

    def _add_directions(self) -> None:
        assert self._added is not None
        self.restrict_to(directions.united(self._Q, self._added.first))
        if self._Q.shape[1] > self._settings.most_directions:
            self.ended = Ended.LIMIT_REACHED

    def _tighten(self) -> None:
        self._precision *= FORCING
        if self._precision < NEGLIGIBLE:
            self.ended = Ended.LIMIT_REACHED
