"""Column generation: solve the problem restricted to some pairs and directions, price all others, add what is missing."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core import fantope
from ...core.certificate import Lower, feasible, lower_bound
from ...core.coupling import Coupling
from ...core.fantope import SoftProjector
from ...core.moments import cost_matrix, displacement
from ...core.problem import Problem
from ...linalg.workspace import Memory
from ...runtime.types import Array, Mask
from ...transport import nearest_pairs
from .. import directions
from ..directions import Spectrum
from ..start import Interior
from ..step import NEGLIGIBLE, Step
from .central_path import iterates
from .iterate import PathPoint, cold_start, embed, warm_start
from .system import Graph

if TYPE_CHECKING:
    from .method import InteriorPoint

INNER = 0.1  # of the accuracy asked for: that of what is computed on the way


class Ended(enum.Enum):
    """Why the steps on a restricted problem ended."""

    PAIRS_MISSING = "Pairs that are no candidates cost more dual value than the gap: add those of least reduced cost."
    DIRECTIONS_MISSING = "The plan moves mass outside of the working subspace: add its leading directions there."
    PRECISION_REACHED = "Nothing is missing: ask for a smaller gap."
    NO_PROGRESS = "A step changed next to nothing: start again in the interior, and ask for a smaller gap."
    LIMIT_REACHED = "Too many steps or directions, or no digits are left: another method may go on."


class ColumnGeneration:
    """A problem restricted to candidate pairs and a working subspace, and how far it is solved."""

    def __init__(
        self,
        problem: Problem,
        settings: "InteriorPoint",
        tol: float,
        workspace: Memory,
        Q: Array,
        mask: Mask,
        omega: SoftProjector,
        g: Array,
        warm: Interior | None,
    ) -> None:
        self._problem, self._settings, self._tol, self._workspace = problem, settings, tol, workspace
        self._mask = mask  # (n, m) the candidate pairs
        self._omega, self._g = omega, g  # of the last lower bound
        self._warm, self._warm_Q = warm, Q  # where the next round starts, and the directions it lives in
        self._precision = INNER * tol  # the gap at which the restricted problem counts as solved
        self._restrict(Q)
        self.ended = Ended.PAIRS_MISSING

    def _restrict(self, Q: Array) -> None:
        self._Q, self._inner = Q, self._problem.within(Q)

    # --- solve --------------------------------------------------------------------------------------------------------

    def solve(self) -> Iterator[Step]:
        """Yield steps along the central path of the restricted problem until something is missing or it is solved."""
        problem, graph = self._problem, Graph(self._mask)
        first, self._warm = self._first(graph), None
        path = iterates(self._inner, graph, first, self._precision, self._workspace, self._settings.centred)
        point, self.ended = first, Ended.NO_PROGRESS
        for count, (point, full) in enumerate(path):
            if count == self._settings.most_steps:
                self.ended = Ended.LIMIT_REACHED
                return
            plan = graph.coupling(np.maximum(full.pi, 0.0))
            lower, missing = self._priced_pairs(point, full)
            self._omega, self._g = lower.soft, lower.g
            if not missing:
                self._warm, self._warm_Q = point.detach(graph), self._Q
            interior = self._warm if not missing and self._inner.r == problem.r else None
            yield Step(lower.soft, plan, lower.g, reg=0.0, lower=lower, interior=interior)
            if missing:
                self.ended = Ended.PAIRS_MISSING
                return
            self._spectrum = self._missing_directions(point, plan)
            if self._spectrum is not None:
                self.ended = Ended.DIRECTIONS_MISSING
                return
        if point.gap <= self._precision:
            self.ended = Ended.PRECISION_REACHED

    def _first(self, graph: Graph) -> PathPoint:
        """Return where the steps start: near the last iterate that missed no pairs, or near Omega."""
        inner = self._inner
        if self._warm is not None:
            point = warm_start(inner, graph, embed(inner, self._warm, self._Q.T @ self._warm_Q))
            if point is not None:
                return point
        omega = fantope.project(self._omega.within(self._Q), inner.k)
        f, g = feasible(cost_matrix(inner.X, inner.Y, fantope.factor(omega)), self._g)
        return cold_start(inner, graph, omega, f, g)

    # --- price --------------------------------------------------------------------------------------------------------

    def _priced_pairs(self, point: PathPoint, full: PathPoint) -> tuple[Lower, bool]:
        """Return what a point proves when all pairs are asked, and whether more than its gap is lost by that.

        The full step often proves more, but may have led too far.
        """
        problem = self._problem
        least = float(problem.a @ point.f + problem.b @ point.g) - point.gap * point.cost
        lower = lower_bound(problem, SoftProjector(full.omega, self._Q), full.g)
        if lower.value < least:
            other = lower_bound(problem, SoftProjector(point.omega, self._Q), point.g)
            lower = max(lower, other, key=lambda bound: bound.value)
        return lower, lower.value < least

    def _missing_directions(self, point: PathPoint, plan: Coupling) -> Spectrum | None:
        """Return the leading eigenpairs in all directions if they exceed those in the subspace by more than the gap."""
        problem, inner = self._problem, self._inner
        if inner.r == problem.r:
            return None
        allowed = max(point.gap, INNER * self._tol) * point.cost
        V = displacement(inner.X, inner.Y, plan)
        spectrum = Spectrum.of_plan(problem, plan, INNER * allowed, directions.seen(self._Q, V, problem.k))
        return spectrum if spectrum.top_sum - fantope.top_sum(V, problem.k) > allowed else None

    # --- grow ---------------------------------------------------------------------------------------------------------

    def grow(self) -> None:
        """Add what is missing, or ask for more digits."""
        match self.ended:
            case Ended.PAIRS_MISSING:
                self.add_pairs()
            case Ended.DIRECTIONS_MISSING:
                self._add_directions()
            case Ended.PRECISION_REACHED | Ended.NO_PROGRESS:
                self._tighten()
            case Ended.LIMIT_REACHED:
                pass

    def add_pairs(self) -> None:
        """Let the pairs of least reduced cost C - f - g of each point carry mass.

        They are chosen by number: where points repeat, a value can stand for any number of pairs.
        """
        problem = self._problem
        C = cost_matrix(problem.X, problem.Y, self._omega.factor)
        f, g = feasible(C, self._g)
        self._mask = self._mask | nearest_pairs(C - f[:, None] - g, self._settings.pairs)

    def _add_directions(self) -> None:
        assert self._spectrum is not None
        self._restrict(directions.united(self._Q, self._spectrum.first))
        if self._Q.shape[1] > self._settings.most_directions:
            self.ended = Ended.LIMIT_REACHED

    def _tighten(self) -> None:
        if self.ended is Ended.NO_PROGRESS:
            self._warm = None
        self._precision *= INNER
        if self._precision < NEGLIGIBLE:
            self.ended = Ended.LIMIT_REACHED
