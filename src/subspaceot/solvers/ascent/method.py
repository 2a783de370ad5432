"""Entropic ascent in Omega: annealed regularisation, projected quasi-Newton steps, few directions at a time.

f_reg(Omega) = min over plans of <Omega | V> + reg * entropy is smooth and concave with gradient V of its plan. For each
reg, a limited-memory model of its curvature is maximised over the Fantope without any transport, then a line search
takes the step. The next, smaller reg starts from there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.certificate import Lower, lower_bound
from ...core.fantope import SoftProjector
from ...core.moments import MANY
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...runtime.types import Array
from .. import directions
from ..directions import MAX_DIRECTIONS, Spectrum
from ..exact_step import exact_step
from ..schedule import Schedule
from ..start import Start, wasserstein_start
from ..step import MAX_ITER, NEGLIGIBLE, Event, Step, relative_excess
from .model import CurvatureModel, maximise_model
from .newton import newton_step
from .point import Point, ascend, evaluate
from .subspace import Subspace, transport_dominates

_TINY = np.finfo(float).tiny  # so that nothing is divided by the cost of measures that coincide


@dataclass(frozen=True, slots=True)
class QuasiNewton:
    """Settings of the ascent."""

    schedule: Schedule = field(default_factory=Schedule)
    stage_gap: float = 0.7  #: of reg: the gap of its own at which a stage ends; less would not show in the bounds
    expansion_tol: float = 0.3  #: of a stage's gap: where directions outside of the subspace add more, they join it
    marginal_tol: float = 0.03  #: of reg / cost: how well a plan meets its columns
    memory: int = 20  #: pairs of differences behind the model, kept from stage to stage
    max_steps: int = 100  #: of a stage in one working subspace
    max_iter: int = MAX_ITER
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = True

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the iterates, with a bound at the end of each stage; with `reg`, stages of that reg that end at `tol`.

        Where reg can fall no further, the last step is the exact transport for the last Omega.
        """
        ascent = _Ascent(self, problem, tol, reg, self.first(problem, tol, start))
        while not ascent.spent:
            for point in ascent.iterates():
                yield ascent.inner_step(point)
            end = ascent.examined()
            if ascent.needs_directions(end):
                yield end.step(ascent, Event.SUBSPACE_EXHAUSTED)
                ascent.expand(end)
            else:
                yield end.step(ascent, Event.STAGE_END)
                ascent.next_stage(end)
        yield exact_step(problem, ascent.point.soft, None)

    def first(self, problem: Problem, tol: float, start: Start | None = None) -> Start:
        """Return where to begin, with the reg of the first stage."""
        share = self.schedule.first_share(tol)
        if start is None:
            mean_cost = float(problem.a @ np.sum(problem.X**2, axis=1) + problem.b @ np.sum(problem.Y**2, axis=1))
            start = replace(wasserstein_start(problem, share * mean_cost), reg=0.0)  # its own was for another cost
        return start if start.reg > 0.0 else replace(start, reg=share * _size(start.cost, problem))

    def inner_tol(self, problem: Problem, reg: float, cost: float, tol: float) -> float:
        """Return how well the columns of a plan are to be met: `tol` is that of a regularised problem, else 1."""
        least = max(cost, self.marginal_tol * problem.spread)  # mass may go far, however near the measures are
        smallest, largest = np.sqrt(np.finfo(float).eps), self.marginal_tol
        return float(np.clip(self.marginal_tol * min(reg / least, tol), smallest, largest))


@dataclass(frozen=True, eq=False, slots=True)
class _StageEnd:
    """What is known of the last point of a stage in its subspace."""

    point: Point
    lower: Lower
    spectrum: Spectrum  #: of V, in all directions where they may matter
    missing: float  #: what directions outside of the subspace add to the k largest eigenvalues
    gap: float  #: certified, relative, but for rounding onto the marginals

    def step(self, ascent: "_Ascent", event: Event) -> Step:
        """Return the point as a step."""
        at, spread = self.point, ascent.problem.spread
        excess = relative_excess(self.spectrum.top_sum, at.cost, spread) if at.transport.converged else None
        certify = event is Event.STAGE_END and (ascent.fixed_reg or self.gap <= ascent.certify_gap)
        lower = self.lower if event is Event.STAGE_END else None
        return Step(
            omega=at.soft,
            plan=at.transport.plan,
            g=at.transport.g,
            reg=ascent.reg,
            event=event,
            gap=excess,
            spectrum=self.spectrum,
            lower=lower,
            certify=certify,
        )


class _Ascent:
    """Where the ascent is, with what it has learned."""

    def __init__(self, settings: QuasiNewton, problem: Problem, tol: float, reg: float | None, start: Start) -> None:
        self.settings, self.problem, self.tol, self.fixed_reg = settings, problem, tol, reg is not None
        self.reg = start.reg if reg is None else reg
        self.cost = _size(start.cost, problem)
        # Upper bounds in many directions take as long as many steps: only the last one is certified there.
        self.certify_gap = tol if problem.r >= MANY else max(tol, settings.schedule.steepest)
        self.stage_gap = self.inner_gap = 0.0 if self.fixed_reg else settings.stage_gap * self.reg
        self.model = self._first_model(start.spectrum)
        self.by_newton, self.steps, self.failures = False, 0, 0
        self.share = 1.0  # of `tol`: where reg is fixed, the gap at which a stage ends
        subspace = Subspace.of(problem, directions.around(start.omega, start.spectrum))
        g = np.zeros_like(problem.b) if start.g is None else start.g
        self._begin(subspace, start.omega, g)

    @property
    def spent(self) -> bool:
        """Whether double precision is: exponents are rounding, or all that the model knows is."""
        too_small = self.reg <= float(np.finfo(float).eps) * self.problem.spread
        return too_small or (not self.fixed_reg and self.failures >= self.settings.memory)

    @property
    def goal(self) -> float:
        """The gap of its own at which the stage ends."""
        return max(self.inner_gap, self.share * self.tol * self.cost if self.fixed_reg else 0.0)

    def _begin(self, subspace: Subspace, omega: SoftProjector, g: Array) -> None:
        inside = fantope.project(omega.within(subspace.Q), self.problem.k)
        self.point = evaluate(subspace, inside, self.reg, g, self._inner_tol)

    @property
    def _inner_tol(self) -> float:
        relative_gap = self.tol if self.fixed_reg else 1.0
        return self.settings.inner_tol(self.problem, self.reg, self.cost, relative_gap)

    def iterates(self) -> Iterator[Point]:
        """Yield ever better points until one is within the goal, which stays behind as `point`."""
        while True:
            self.steps += 1
            point = self.point
            self.failures = 0 if point.transport.converged else self.failures + 1
            new, missing = point.expansion_directions()
            left = point.gap + missing
            if left <= self.goal or self.steps % self.settings.max_steps == 0 or self.spent:
                return
            yield point
            if new is not None and missing > self.settings.expansion_tol * left:
                point = point.with_directions(new)
                self.model.pad(len(point.V))
            W = self._maximiser(point)
            ahead = ascend(point, W - point.omega, self.reg, self._inner_tol)
            self.model.learn(ahead.omega - point.omega, point.V - ahead.V)
            self.point = ahead

    def _maximiser(self, point: Point) -> Array:
        """Return where the model is largest: more precisely in long stages whose transport takes longer than that."""
        k = self.problem.k
        if self.steps <= self.settings.memory or not transport_dominates(self.problem, len(point.V)):
            return maximise_model(point.omega, point.V, self.model, k)
        steps, tol = self.settings.max_steps, FORCING**2
        return maximise_model(point.omega, point.V, self.model, k, steps=steps, tol=tol)

    def inner_step(self, point: Point) -> Step:
        """Return a point on the way as a step that need not be certified."""
        return Step(point.soft, point.transport.plan, point.transport.g, self.reg, Event.INNER, certify=False)

    def examined(self) -> _StageEnd:
        """Return what the point proves, and what the directions outside of its subspace may add."""
        point, problem = self.point, self.problem
        self.cost = _size(point.cost, problem)
        lower = lower_bound(problem, point.soft, point.transport.g)
        worthwhile = self.fixed_reg or _relative_gap(point.top_sum, lower) <= self.certify_gap
        spectrum = self._spectrum(worthwhile)
        top = spectrum.top_sum
        return _StageEnd(point, lower, spectrum, top - point.top_sum, _relative_gap(top, lower))

    def _spectrum(self, worthwhile: bool) -> Spectrum:
        """Return the leading eigenpairs of V: in all directions, but where they are many and it is not worth it."""
        problem, point = self.problem, self.point
        plan, partial = point.transport.plan, point.subspace.inner.r < problem.r
        if partial and problem.r < MANY:
            return Spectrum.of_plan(problem, plan)
        inside = Spectrum.of(point.V, problem.k).lifted(point.subspace.Q)
        if partial and (worthwhile or not point.expands):
            # A gap that is the answer must be exact; a bound need not be.
            precision = (self.settings.marginal_tol if self.fixed_reg else self.settings.expansion_tol) * self._allowed
            return Spectrum.of_plan(problem, plan, precision, inside.vectors)
        return inside

    @property
    def _allowed(self) -> float:
        """The gap that a stage of this reg may leave."""
        return self.tol * self.cost if self.fixed_reg else self.settings.stage_gap * self.reg

    def needs_directions(self, end: _StageEnd) -> bool:
        """Return whether the stage goes on in another subspace, since this one leaves more than a stage may."""
        if end.gap <= self.tol and not self.fixed_reg:
            return False
        partial = end.missing > self.settings.expansion_tol * self._allowed
        unfinished = self.by_newton and end.point.gap > max(self.stage_gap, self._allowed if self.fixed_reg else 0.0)
        return (partial or unfinished) and self.steps < self.settings.max_steps

    def expand(self, end: _StageEnd) -> None:
        """Go on with V's leading eigenvectors, all directions kept; where those are many, with a Newton step's."""
        point, model = self.point, self.model
        wider = directions.united(point.subspace.Q, end.spectrum.first)
        many = wider.shape[1] > MAX_DIRECTIONS and not transport_dominates(self.problem, self.problem.r)
        self.by_newton = self.by_newton or many
        if self.by_newton:
            self.point = newton_step(point, end.spectrum, self.reg, self._inner_tol, model)
            self.inner_gap = self.settings.expansion_tol * max(self.stage_gap, end.missing)
        else:
            model.widen(wider.T @ point.subspace.Q)
            self._begin(Subspace.of(self.problem, wider), point.soft, point.transport.g)

    def next_stage(self, end: _StageEnd) -> None:
        """Go on with a smaller reg, or, where reg is fixed, with a gap that is met more closely."""
        self.steps, point, stage_gap = 0, self.point, self.settings.stage_gap
        if end.gap <= self.certify_gap:
            self.certify_gap = max(self.tol, self.settings.schedule.steepest * end.gap)
        if self.fixed_reg:  # the loop wants more: what directions outside add, or transport that converged
            self.share /= 2.0
            self._begin(point.subspace, point.soft, point.transport.g)
            return
        # What is certified is the gap of the stage and the blur of its plan, so many reg.
        blur = max(point.cost - end.lower.value, 0.0) / self.reg
        allowed = self.tol * end.spectrum.top_sum
        expected_gap = (point.gap / self.reg + stage_gap) / 2.0  # between what it was and what it may be
        self.reg = self.settings.schedule.next_reg(self.reg, blur, expected_gap, allowed)
        self.stage_gap = max(stage_gap * self.reg, self.settings.schedule.target * allowed - blur * self.reg)
        self.inner_gap = self.stage_gap
        self._begin(point.subspace, point.soft, point.transport.g)

    def _first_model(self, V: Spectrum) -> CurvatureModel:
        """Return a model under which the first step is about as long as the Fantope is wide."""
        return CurvatureModel(V.size / (2.0 * np.sqrt(V.k)), self.settings.memory)


def _size(cost: float, problem: Problem) -> float:
    """Return the cost, or what is next to nothing where the measures coincide."""
    return max(cost, NEGLIGIBLE * problem.spread, _TINY)


def _relative_gap(top: float, lower: Lower) -> float:
    """Return the gap that is left below the sum of the k largest eigenvalues, as a share of it."""
    return (top - lower.value) / top if top > 0.0 else 0.0
