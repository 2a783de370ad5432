"""What the shared loop makes of the steps of a solver, here written down beforehand."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
import reference

from subspaceot.core.certificate import lower_bound, upper_bound
from subspaceot.core.coupling import Dense
from subspaceot.core.fantope import SoftProjector
from subspaceot.core.problem import Problem
from subspaceot.core.status import Status
from subspaceot.solvers.loop import Stop, is_stoppable, run
from subspaceot.solvers.step import Event, Step


@dataclass(frozen=True)
class Written:
    """A solver whose steps are known."""

    written: tuple[Step, ...]
    max_iter: int = 100

    def steps(self, problem, tol, reg, start):
        yield from self.written


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    return Problem.of(rng.standard_normal((8, 3)), 1.0 + rng.standard_normal((6, 3)), 1)


def step(problem, axis, plan=None, **facts):
    """A step in the direction of an axis; without a plan, that of the independent coupling."""
    omega = SoftProjector(np.eye(1), np.eye(3)[:, [axis]])
    plan = Dense(np.outer(problem.a, problem.b)) if plan is None else plan
    return Step(omega, plan, np.zeros_like(problem.b), reg=0.1, event=Event.INNER, **facts)


def test_before_a_bound_is_taken_the_interval_is_that_of_no_work_at_all(problem):
    lower = lower_bound(problem, SoftProjector(np.eye(1), np.eye(3)[:, [1]]), np.zeros(6))
    steps = step(problem, 0, certify=False), step(problem, 1, certify=False, lower=lower), step(problem, 1)
    outcome = run(problem, Written(steps), tol=1e-9)
    unit, X, Y = problem.frame.unit, problem.frame.X, problem.frame.Y
    apart = float(problem.a @ reference.cost_matrix(X, Y) @ problem.b)
    assert [record.lower for record in outcome.history] == [0.0, lower.value * unit, lower.value * unit]
    assert [record.upper for record in outcome.history[:2]] == pytest.approx([apart, apart])
    assert outcome.history[2].upper == upper_bound(problem, steps[2].plan).value * unit
    assert outcome.status is Status.STALLED


def test_a_regularised_run_keeps_the_bounds_of_its_last_step(problem):
    steps = tuple(step(problem, axis, certify=axis != 1) for axis in (2, 0, 1))
    values = [lower_bound(problem, each.omega, each.g).value for each in steps]
    assert values[2] < max(values)  # or the test shows nothing
    kept = run(problem, Written(steps), tol=1e-9, reg=0.1).certificate
    best = run(problem, Written(steps), tol=1e-9).certificate
    assert kept.lower.value == values[2]
    assert best.lower.value == max(values)


@pytest.mark.parametrize("first", [True, False])
def test_a_bound_that_is_not_finite_is_an_error(problem, first):
    broken = replace(step(problem, 0), g=np.full(6, np.nan))
    steps = (broken,) if first else (step(problem, 0), broken)
    with pytest.raises(FloatingPointError, match="not finite"):
        run(problem, Written(steps), tol=1e-9)


def test_a_solver_without_steps_is_an_error(problem):
    with pytest.raises(RuntimeError, match="made no step"):
        run(problem, Written(()), tol=1e-9)


# Stopping ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interrupted:
    """A solver that somebody stops in the middle of its second step."""

    first: Step
    max_iter: int = 100
    stoppable: list[bool] = field(default_factory=list)

    def steps(self, problem, tol, reg, start):
        self.stoppable.append(is_stoppable())
        yield self.first
        self.stoppable.append(is_stoppable())
        raise Stop


def test_a_run_with_a_callback_is_stopped_in_the_middle_of_a_step(problem):
    seen, solver = [], Interrupted(step(problem, 0))
    outcome = run(problem, solver, tol=1e-9, callback=lambda it: seen.append(is_stoppable()))
    assert outcome.status is Status.STOPPED
    assert len(outcome.history) == 1
    assert 0.0 <= outcome.certificate.lower.value <= outcome.certificate.upper.value
    assert solver.stoppable == [False, True]  # only once there is something to answer
    assert seen == [False]
    assert not is_stoppable()


def test_a_run_that_is_stopped_certifies_its_last_step(problem):
    outcome = run(problem, Interrupted(step(problem, 0, certify=False)), tol=1e-9, callback=lambda it: None)
    assert outcome.certificate.upper.value > 0.0


def test_a_run_within_another_one_leaves_the_stop_to_that(problem):
    with pytest.raises(Stop):
        run(problem, Interrupted(step(problem, 0)), tol=1e-9)


def test_after_the_callback_has_stopped_a_run_nothing_else_is_stopped(problem):
    steps = step(problem, 0), step(problem, 1)
    assert run(problem, Written(steps), tol=1e-9, callback=lambda it: True).status is Status.STOPPED
    assert not is_stoppable()
