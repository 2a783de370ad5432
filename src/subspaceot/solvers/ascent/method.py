"""Entropic ascent in Omega: annealed regularisation, projected quasi-Newton steps, few directions at a time.

f_reg(Omega) = min over plans of <Omega | V> + reg * entropy is smooth and concave with gradient V of its plan. For each
reg, a limited-memory model of its curvature is maximised over the Fantope without any transport, then a line search
takes the step. The next, smaller reg starts from there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.certificate import Lower, lower_bound
from ...core.fantope import SoftProjector
from ...core.moments import cost_matrix
from ...core.problem import Problem
from ...runtime.types import Array
from ...transport import exact_transport
from .. import directions
from ..directions import Spectrum
from ..start import Start, ordinary_start
from ..step import NEGLIGIBLE, Step, relative_excess
from .model import CurvatureModel, maximise_model
from .newton import turned
from .point import Point, evaluate, line_search
from .subspace import LARGE, WIDE, Room

_LEAST = np.finfo(float).tiny  # so that nothing is divided by the cost of measures that coincide
_LEAST_FALL = 0.7  # from one reg to the next
_PER_SQUARE = 60  # pairs per squared direction: with fewer, the model takes longer than transport, however LARGE
_FAR = 0.01  # of the spread: mass that is misplaced may go far, however near the measures are
_MOST_FAILURES = 20  # of entropic transport in a row: far points of next to no weight can make it hopeless
_NO_REG = 1e-15  # of the spread: below it exponents are rounding noise


@dataclass(frozen=True, slots=True)
class QuasiNewton:
    """Settings of the ascent."""

    first_reg: float = 0.05  # of the cost at the start, or three times `tol` where that is not far below
    fall: float = 0.3  # from one reg to the next, or less where that will do,
    leap: float = 0.2  # or more, to no less than this, where that will do: the certified gap falls like reg,
    aim: float = 0.9  # and this share of `tol` is aimed at (a fifth less time to 1e-2)
    stage_gap: float = 0.7  # a stage ends when its own gap is this many reg: less would not show in the bounds
    last_gap: float = 0.5  # what the last stage is expected to end with at most, in reg,
    more_gap: float = 0.3  # and by how much more than the one before
    stage_steps: int = 400  # or after so many steps
    memory: int = 20  # pairs of differences behind the model, kept from stage to stage
    model_steps: int = 10  # at most, to maximise the model,
    model_tol: float = 0.05  # and fewer once a step promises less than this share of the best one
    easy_steps: int = 15  # of a stage; after them, where transport takes longer than the model, that gets more care:
    care: int = 5  # so many times the steps and the precision (texts to 1e-3 in two thirds of the time)
    marginal_tol: float = 0.03  # of reg / cost
    outside: float = 0.3  # of what a stage may leave, for lack of directions (n = 300, k < k*: 0.7 of the time)
    lacking: float = 0.1  # of a step's own gap: where directions outside would add more, the nearest are added at once
    turned_steps: int = 40  # of a stage in a room that was turned, before it is turned again,
    turned_gap: float = 0.3  # or a gap of this share of the stage's own,
    leave: float = 0.1  # or of what was lacking outside
    prune: float = 0.4  # directions are let go when no more than this share of them is needed
    max_iter: int = 2000
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = True

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the iterates, with a bound at the end of each stage; with `reg`, stages of that reg that end at `tol`.

        Where reg can fall no further, the last step is the exact transport for the last Omega.
        """
        start = self.first(problem, tol, start)
        omega, level, cost = start.omega, reg or start.reg, _size(start.cost, problem)
        g = np.zeros_like(problem.b) if start.g is None else start.g
        Q = directions.around(omega, start.spectrum)
        model, size = self._first_model(start.spectrum), start.spectrum.size
        # The first upper bound comes at a tenth of this, or at `tol` where it takes as long as many steps.
        certified = 0.1 if problem.r < directions.MANY else 0.0
        stage_gap = inner_gap = 0.0 if reg else self.stage_gap * level
        turns, taken, failures = False, 0, 0
        while level > _NO_REG * problem.spread and failures < _MOST_FAILURES:
            if omega.Q is not Q:
                room, omega = Room.of(problem, Q), SoftProjector(fantope.project(omega.within(Q), problem.k), Q)
            goal = _Goal(cost=cost, gap=inner_gap, relative_gap=tol if reg else 0.0)
            steps = self.turned_steps if turns else self.stage_steps
            for point, last in self._stage(room, omega.inner, g, level, model, goal, steps):
                omega, taken = point.soft, taken + 1
                g, plan = point.transport.g, point.transport.plan
                failures = 0 if point.transport.converged else failures + 1
                if not last:
                    yield Step(omega=omega, plan=plan, g=g, reg=level, settled=False)
                if reg is None and failures == _MOST_FAILURES:
                    break
            room, Q = point.room, point.room.Q
            cost = _size(point.cost, problem)
            allowed = tol * cost if reg else self.stage_gap * level
            lower = lower_bound(problem, omega, g)
            worthwhile = reg is not None or _share(point.top_sum, lower) <= max(tol, 0.1 * certified)
            precision = (0.001 if reg else 0.1) * allowed  # a gap that is the answer must be exact
            spectrum = _spectrum(problem, point, precision, worthwhile)
            top = spectrum.top_sum
            gap = relative_excess(top, point.cost, problem.spread) if point.transport.converged else None
            # Where V asks for directions that Q lacks, once more with them, unless the next stage will do anyway.
            share = _share(top, lower)
            lacking, enough = top - point.top_sum, max(stage_gap, goal.relative_gap * point.cost)
            lacks = lacking > (self.outside if share > 2.0 * tol else 1.0) * allowed
            unfinished = (lacks or (turns and point.gap > enough)) and (reg is not None or share > tol)
            if unfinished and not (turns and taken >= self.stage_steps):
                yield Step(omega, plan, g, level, gap=gap, spectrum=spectrum, settled=False)
                wider = directions.united(Q, spectrum.first)
                turns = turns or (wider.shape[1] > WIDE and not _is_large(problem, problem.r))
                if turns:
                    point = turned(point, spectrum, level, self._precision(problem, level, goal), model)
                    room, Q, omega, g = point.room, point.room.Q, point.soft, point.transport.g
                    inner_gap = max(self.turned_gap * enough, self.leave * lacking)
                else:
                    model.widen(wider.T @ Q)
                    Q = wider
                continue
            settled = reg is not None or share <= max(tol, 0.1 * certified)
            certified = share if settled else certified
            yield Step(omega, plan, g, level, gap=gap, spectrum=spectrum, lower=lower, settled=settled)
            taken = 0
            if reg is None:
                level, stage_gap = self._next_stage(level, point, lower, self.aim * tol * top)
                inner_gap = stage_gap
                if (needed := self._needed(point, omega, spectrum)) is not None:
                    Q, size = needed, 0.0
            if spectrum.size < 0.3 * size or size == 0.0:  # what was learned is of another kind or scale
                model, size = self._first_model(spectrum), spectrum.size

        C = cost_matrix(problem.X, problem.Y, omega.factor)
        transport = exact_transport(C, problem.a, problem.b)
        yield Step(omega=omega, plan=transport.plan, g=transport.g, reg=0.0)

    def first(self, problem: Problem, tol: float, start: Start | None = None) -> Start:
        """Return where to begin, with the reg of the first stage."""
        # One fall then leads to a loose `tol`: a stage less for the hypercube, 0.8 of the time to 1e-2 at n = 2000.
        share = min(self.first_reg, 3.0 * tol) if 3.0 * tol >= 0.5 * self.first_reg else self.first_reg
        if start is None:
            mean_cost = float(problem.a @ np.sum(problem.X**2, axis=1) + problem.b @ np.sum(problem.Y**2, axis=1))
            start = replace(ordinary_start(problem, share * mean_cost), reg=0.0)  # its own was for another cost
        return start if start.reg > 0.0 else replace(start, reg=share * _size(start.cost, problem))

    def _next_stage(self, level: float, point: Point, lower: Lower, wanted: float) -> tuple[float, float]:
        """Return the reg of the next stage, and the gap of its own at which it ends.

        What is certified is that gap and the blur of the plan, so many reg. One reg will meet the wanted sum of both if
        that is near; else it is lower by `fall`.
        """
        blur, gap = max(point.cost - lower.value, 0.0) / level, min(self.last_gap, point.gap / level + self.more_gap)
        enough = min(wanted / (blur + gap) / level, _LEAST_FALL)
        level *= enough if enough >= self.leap else self.fall
        return level, max(self.stage_gap * level, wanted - blur * level)

    def _needed(self, point: Point, omega: SoftProjector, spectrum: Spectrum) -> Array | None:
        """Return the directions that are needed where that are few of those in the room, else None."""
        few = self.prune * point.room.Q.shape[1]
        if point.grows or spectrum.near_count >= few:
            return None
        needed = directions.around(omega, spectrum)
        return needed if needed.shape[1] < few else None

    def _stage(
        self, room: Room, omega: Array, g: Array, reg: float, model: CurvatureModel, goal: "_Goal", steps: int
    ) -> Iterator[tuple[Point, bool]]:
        """Yield ever better points for one reg, and whether each is the last: within its goal, or out of steps."""
        precision = self._precision(room.problem, reg, goal)
        point = evaluate(room, omega, reg, g, precision)
        for step in range(1, steps + 1):
            ways_out, lacking = point.ways_out()
            left = point.gap + lacking
            last = left <= max(goal.gap, goal.relative_gap * point.cost) or step == steps
            yield point, last
            if last:
                return
            if ways_out is not None and lacking > self.lacking * left:
                point = point.with_directions(ways_out)
                model.pad(len(point.V))
            care = self.care if step >= self.easy_steps and _is_large(room.problem, len(point.V)) else 1
            most, model_tol = care * self.model_steps, self.model_tol / care
            W = maximise_model(point.omega, point.V, model, room.problem.k, steps=most, tol=model_tol)
            ahead = line_search(point, W - point.omega, reg, precision)
            model.learn(ahead.omega - point.omega, point.V - ahead.V)
            point = ahead

    def _precision(self, problem: Problem, reg: float, goal: "_Goal") -> float:
        """Return how well the columns of a plan are to be met."""
        least = max(goal.cost, _FAR * problem.spread)
        return float(np.clip(self.marginal_tol * min(reg / least, goal.relative_gap or 1.0), 1e-9, 1e-2))

    def _first_model(self, V: Spectrum) -> CurvatureModel:
        """Return a model under which the first step is about as long as the Fantope is wide."""
        return CurvatureModel(0.5 * V.size / np.sqrt(V.k), self.memory)


def _is_large(problem: Problem, directions: int) -> bool:
    """Return whether transport takes longer than all that surrounds it in so many directions."""
    return len(problem.a) * len(problem.b) > max(LARGE, _PER_SQUARE * directions**2)


def _spectrum(problem: Problem, point: Point, precision: float, worthwhile: bool) -> Spectrum:
    """Return the leading eigenpairs of V: in all directions, but where they are many and it is not worth it.

    It takes about as long as a step there.
    """
    plan, outside = point.transport.plan, point.room.inner.r < problem.r
    if outside and problem.r < directions.MANY:
        return Spectrum.of_plan(problem, plan)
    inside = Spectrum.of(point.V, problem.k).lifted(point.room.Q)
    if outside and (worthwhile or not point.grows):
        return Spectrum.of_plan(problem, plan, precision, inside.vectors)
    return inside


def _size(cost: float, problem: Problem) -> float:
    """Return the cost, or what is next to nothing where the measures coincide."""
    return max(cost, NEGLIGIBLE * problem.spread, _LEAST)


def _share(top: float, lower: Lower) -> float:
    """Return the gap that is left below the sum of the k largest eigenvalues, as a share of it."""
    return (top - lower.value) / top if top > 0.0 else 0.0


@dataclass(frozen=True, slots=True)
class _Goal:
    """When a stage has done its part."""

    cost: float  # <Omega | V> as last seen: what precision is measured against
    gap: float  # absolute
    relative_gap: float = 0.0
