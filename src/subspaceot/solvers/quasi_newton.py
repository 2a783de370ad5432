"""The default: entropic ascent in Omega with annealed regularisation and projected quasi-Newton steps."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .. import fantope
from .._types import Array
from ..moments import cost_matrix, displacement, squared_distances
from ..problem import Problem
from ..transport import Transport, sinkhorn
from ._model import CurvatureModel, maximise_model
from ._step import Start, Step


@dataclass(frozen=True, slots=True)
class QuasiNewton:
    """Maximise the smooth concave f_reg(Omega) for a falling sequence of reg."""

    first_reg: float = 0.05  # of the first estimate of the cost
    fall: float = 0.35  # from one reg to the next
    stage_gap: float = 0.4  # a stage ends when its own gap is this many reg: what follows is bias
    memory: int = 20
    model_steps: int = 30
    model_tol: float = 0.01
    marginal_tol: float = 0.01  # of reg / cost
    max_iter: int = 2000
    needs_reg: bool = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the iterates."""
        if start is None:
            start = ordinary_start(problem, self.first_reg)
        omega, g = start.omega, start.g
        scale = None
        level = reg if reg is not None else None
        while True:
            if level is None:
                C = cost_matrix(problem.X, problem.Y, fantope.factor(omega))
                level = self.first_reg * float(problem.a @ C @ problem.b)
            point = _evaluate(problem, omega, level, g, self.marginal_tol*self.first_reg)
            scale = scale or max(point.cost, 1e-300)
            mtol = self.marginal_tol * level / point.cost
            mtol = min(max(mtol, 1e-10), 1e-2)
            point = _evaluate(problem, omega, level, point.transport.g, mtol)
            model = CurvatureModel(0.5 * float(np.linalg.norm(point.V)) / np.sqrt(problem.k), self.memory)
            while True:
                gap = fantope.top_sum(point.V, problem.k) - point.cost
                done = gap <= (self.stage_gap * level if reg is None else tol * point.cost)
                yield Step(point.omega, point.transport.plan, point.transport.g, level, gap / point.cost, done)
                if done:
                    break
                W = maximise_model(point.omega, point.V, model, problem.k, steps=self.model_steps, tol=self.model_tol)
                move = W - point.omega
                slope = float(np.sum(point.V * move))
                length = 1.0
                for _ in range(10):
                    trial = _evaluate(problem, point.omega + length * move, level, point.transport.g, mtol)
                    there = float(np.sum(trial.V * move))
                    if trial.transport.value >= point.transport.value + 1e-4 * length * slope or abs(there) < .1 * slope:
                        break
                    length *= max(0.1, min(0.5, slope / (slope - there)))
                model.learn(trial.omega - point.omega, point.V - trial.V)
                point = trial
            if reg is not None:
                return
            omega, g = point.omega, point.transport.g
            level *= self.fall


@dataclass(frozen=True, eq=False, slots=True)
class _Point:
    omega: Array
    V: Array
    cost: float
    transport: Transport


def _evaluate(problem: Problem, omega: Array, reg: float, g: Array | None, tol: float) -> _Point:
    C = cost_matrix(problem.X, problem.Y, fantope.factor(omega))
    transport = sinkhorn(C, problem.a, problem.b, reg, g, tol=tol)
    V = displacement(problem.X, problem.Y, transport.plan)
    return _Point(omega, V, float(np.sum(omega * V)), transport)


def ordinary_start(problem: Problem, reg: float) -> Start:
    """Return the projector onto the top k eigenvectors of V at the (blurred) ordinary transport plan."""
    C = squared_distances(problem.X, problem.Y)
    level = reg * float(problem.a @ C @ problem.b)
    plan = sinkhorn(C, problem.a, problem.b, level, tol=1e-2).plan
    V = displacement(problem.X, problem.Y, plan)
    _, omega = fantope.maximise(V, problem.k)
    return Start(omega)
