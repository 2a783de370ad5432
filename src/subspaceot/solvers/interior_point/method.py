"""The last digits: a primal-dual interior-point method on a sparse graph of candidate pairs.

Few pairs (i, j) can carry mass in an optimal plan, and few directions matter to Omega. The method solves the problem
restricted to both, takes the bounds without either restriction, adds what they show to be missing and goes on. Five
or six steps reach a gap of 1e-3 from 1e-2, two more 1e-4, also where first-order methods stall.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core import fantope
from ...core.certificate import Lower, lower_bound
from ...core.fantope import SoftProjector
from ...core.moments import cost_matrix, displacement
from ...core.potentials import feasible
from ...core.problem import Problem
from ...runtime.types import Array
from ...transport import exact_transport, nearest_pairs
from .. import directions
from ..directions import Spectrum
from ..start import Start, wasserstein_start
from ..step import Event, Step
from .central_path import CENTRED, walk
from .iterate import PathPoint, begin, resume, widened
from .system import Graph


@dataclass(frozen=True, slots=True)
class InteriorPoint:
    """Settings of the interior-point method."""

    pairs: int = 8  # candidates per point, at least
    near: float = 2.0  # pairs whose reduced cost is below so many reg of the start are candidates too, if affordable
    worth: float = 3e-3  # of the mass that a pair could carry: one that carries less at a warm start is let go
    certain: float = 3.0  # of `tol`: the gap of a point from which its plan is asked for a bound
    patience: float = 1.0  # pairs are added once their lack costs more than this many gaps
    more: int = 4  # directions beyond k that join at once
    most_directions: int = 64  # the method ends where it would need more: its steps grow with their sixth power
    centred: int = CENTRED  # times that a step is, at most
    most_steps: int = 60  # or where it takes more between two rounds; a dozen is common
    max_iter: int = 200
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def affordable_pairs(self, n: int, m: int, directions: int) -> int:
        """Return how many candidate pairs leave a step about as cheap as its dense part, 15 per point in any case.

        A step costs 4 pairs * q + n (m + q)^2 operations, q = r (r + 1) / 2.
        """
        q = directions * (directions + 1) // 2
        return min(n * m, max(15 * max(n, m), min(n * (m + q) ** 2 // (4 * q), 20_000_000 // q)))

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield points of the central path, round after round until nothing is missing."""
        start = start or wasserstein_start(problem)
        at = start.interior
        if at is not None:
            omega, g, Q = SoftProjector(at.omega), at.g, np.eye(problem.r)
            mask = at.pi > self.worth * np.minimum.outer(problem.a, problem.b)
        else:
            omega = start.omega
            C = cost_matrix(problem.X, problem.Y, omega.factor)
            if start.g is None:
                transport = exact_transport(C, problem.a, problem.b)
            else:
                transport = exact_transport(C, problem.a, problem.b, start.g, tol=0.01 * tol)
            yield Step(omega=omega, plan=transport.plan, g=transport.g, reg=0.0, event=Event.EXACT)
            g, mask = transport.g, transport.plan.dense() > 0.0
            Q = directions.around(omega, start.spectrum)
        Q_at, graph = Q, Graph(mask)  # the directions that `at` lives in, and the pairs
        precision, certified_at = 0.2 * tol, 0.1
        while precision > 1e-10:
            inner = problem.within(Q)
            first = None
            if at is not None and at is not start.interior:
                first = resume(inner, graph, widened(inner, at, Q.T @ Q_at))
            if first is None:
                omega_Q = omega.within(Q)
                given = at is not None and at is start.interior
                if not given:  # else it is inside of F_k already
                    omega_Q = fantope.project(omega_Q, problem.k)
                C = cost_matrix(inner.X, inner.Y, fantope.factor(omega_Q))
                f, g = feasible(C, g)
                most = self.affordable_pairs(len(C), C.shape[1], inner.r)
                mask |= self._candidates(C - f[:, None] - g, self.near * start.reg, most)
                graph = Graph(mask)
                first = resume(inner, graph, at) if given and at is not None else None
                first = first or begin(inner, graph, omega_Q, f, g)
            at, Q_at = None, Q
            complete, narrow = True, False
            for count, (point, whole) in enumerate(walk(inner, graph, first, precision, start.memory, self.centred)):
                if count == self.most_steps:
                    return
                plan = graph.coupling(np.maximum(whole.pi, 0.0))
                certify_here = point.gap <= max(self.certain * tol, 0.1 * certified_at)
                certified_at = point.gap if certify_here else certified_at
                allowed = self.patience * point.gap * point.cost
                # Pairs left out show as dual value that is lost when all pairs are asked.
                least = float(problem.a @ point.f + problem.b @ point.g) - allowed
                lower = _proven(problem, Q, (whole, point), least)
                complete = lower.value >= least
                at = point.off(graph.dense(point.pi))
                interior = at if complete and inner.r == problem.r else None
                omega = lower.soft
                yield Step(
                    omega,
                    plan,
                    lower.g,
                    reg=0.0,
                    lower=lower,
                    interior=interior,
                    event=Event.POLISHED,
                    certify=certify_here,
                )
                g = lower.g
                if inner.r < problem.r:
                    missing = max(allowed, 0.1 * tol * point.cost)
                    V = displacement(inner.X, inner.Y, plan)
                    spectrum = Spectrum.of_plan(problem, plan, 0.1 * missing, directions.seen(Q, V, problem.k))
                    narrow = spectrum.top_sum - fantope.top_sum(V, problem.k) > missing
                if narrow or not complete:
                    break
            stuck = at is not None and at.gap > precision and not narrow
            if narrow:
                Q = directions.united(Q, spectrum.vectors[:, : problem.k + self.more])
                if Q.shape[1] > self.most_directions:
                    return
            elif complete:
                precision *= 0.1
            if stuck or not complete:  # at the border, or with other pairs: a new beginning is better
                at = None

    def _candidates(self, reduced: Array, near: float, most: int) -> NDArray[np.bool_]:
        """Return which pairs may carry mass, judged by their reduced costs C - f - g >= 0.

        Chosen by number: where points repeat, a value can stand for any number of pairs.
        """
        mask = nearest_pairs(reduced, self.pairs)
        within = reduced <= near
        if np.count_nonzero(within) > most:
            mask.flat[np.argpartition(reduced, most - 1, axis=None)[:most]] = True
            return mask
        return mask | within


def _proven(problem: Problem, Q: Array, points: tuple[PathPoint, ...], least: float) -> Lower:
    """Return the first bound that is at least `least`, or the best: a whole step may have led too far."""
    bounds = []
    for point in points:
        bounds.append(lower_bound(problem, SoftProjector(point.omega, Q), point.g))
        if bounds[-1].value >= least:
            break
    return max(bounds, key=lambda bound: bound.value)
