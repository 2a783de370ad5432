"""The paper's algorithms step by step, and what every solver owes its caller."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise

import numpy as np
import problems
import pytest
import reference
import tolerances
from proof import assert_same_bits, assert_soft_projector

import subspaceot as sot
from subspaceot.core.problem import Problem
from subspaceot.solvers import BY_NAME, Auto, FrankWolfe, InteriorPoint, QuasiNewton, Supergradient
from subspaceot.solvers.schedule import Schedule

SOLVERS = [Auto(), QuasiNewton(), InteriorPoint(), Supergradient(), FrankWolfe()]
every_solver = pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)


def clouds(seed=0, n=12, m=9, d=4):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, d)), 2 * rng.standard_normal((m, d)) + [1, 0, 0, 0]
    return X, Y, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))


def keywords(solver):
    return {"method": solver, "max_iter": 20} | ({"reg": 0.5} if solver.needs_reg else {})


# --- Algorithm 1 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("tau_0", [None, 0.02, 1.0])
def test_supergradient_iterates_are_those_of_algorithm_1(k, tau_0):
    X, Y, a, b = clouds()
    solver = Supergradient(step=tau_0)
    steps = islice(solver.steps(Problem.of(X, Y, k, a, b), 1e-3, None, None), 8)
    if tau_0 is None:  # k / tr V_0
        plan = sot.wasserstein(X, Y, a, b).plan
        tau_0 = k / np.trace(reference.displacement(X, Y, plan))
    for step, omega in zip(steps, reference.algorithm_1(X, Y, k, a, b, tau_0, 8), strict=True):
        assert_soft_projector(step.omega.whole, k)
        np.testing.assert_allclose(step.omega.whole, omega, rtol=0, atol=tolerances.ITERATES)


def test_supergradient_solves_a_spiked_problem():
    data = sot.instances.fragmented_hypercube(40, 6, 2, 0, rotate=True)
    loose = sot.srw(data.X, data.Y, 2, method="supergradient", tol=0.05)
    assert loose.status is sot.Status.CONVERGED
    tight = sot.srw(data.X, data.Y, 2, tol=1e-6)
    assert loose.lower <= tight.upper
    assert tight.lower <= loose.upper


# --- Algorithm 2 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("gamma", [0.3, 2.0])
def test_frank_wolfe_iterates_are_those_of_algorithm_2(k, gamma):
    X, Y, a, b = clouds()
    history = reference.algorithm_2(X, Y, k, a, b, gamma, epsilon=0.0, max_iter=6)
    for t, (omega, plan, value) in enumerate(history, 1):
        result = sot.srw(X, Y, k, a, b, method="frank-wolfe", reg=gamma, tol=1e-9, max_iter=t)
        np.testing.assert_allclose(result.omega, omega, rtol=0, atol=tolerances.ITERATES)
        np.testing.assert_allclose(result.plan, plan, rtol=0, atol=tolerances.ITERATES)
        assert result.cost == pytest.approx(value, rel=tolerances.ITERATES)


@pytest.mark.parametrize("epsilon", [0.3, 0.05, 0.01])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_frank_wolfe_stops_by_the_papers_criterion(k, epsilon):
    X, Y, a, b = clouds(seed=1)
    history = reference.algorithm_2(X, Y, k, a, b, 0.5, epsilon)
    result = sot.srw(X, Y, k, a, b, method="frank-wolfe", reg=0.5, tol=epsilon)
    assert result.n_iter == len(history)
    assert result.converged
    assert result.cost == pytest.approx(history[-1][2], rel=tolerances.INNER * epsilon)
    V = reference.displacement(X, Y, result.plan)
    inside = np.sum(result.omega * V)
    assert reference.top_sum(V, k) - inside <= epsilon * inside * (1 + tolerances.INNER)


# --- status with reg ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "quasi-newton", "frank-wolfe", "supergradient"])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_status_tells_the_regularised_gap_from_the_certified_one(method, k):
    X, Y, a, b = clouds()
    strong = sot.srw(X, Y, k, a, b, method=method, reg=5.0, tol=0.02)
    assert strong.status is sot.Status.CONVERGED_REGULARISED
    assert strong.converged
    assert strong.gap > 0.02
    weak = sot.srw(X, Y, k, a, b, method=method, reg=0.01, tol=0.05)
    assert weak.status is sot.Status.CONVERGED
    assert weak.gap <= 0.05
    assert strong.reg == 5.0
    assert weak.reg == 0.01
    for result in (strong, weak):
        assert result.lower <= result.cost <= result.upper


@pytest.mark.parametrize("method", ["auto", "quasi-newton", "frank-wolfe", "supergradient"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_all_solvers_reach_the_same_regularised_value(method, k):
    X, Y, a, b = clouds(seed=2)
    gamma, tol = 1.0, 0.02

    def value(omega, plan):
        return np.sum(omega * reference.displacement(X, Y, plan)) + gamma * np.sum(plan * (np.log(plan) - 1))

    omega, plan, _ = reference.algorithm_2(X, Y, k, a, b, gamma, 1e-3)[-1]
    result = sot.srw(X, Y, k, a, b, method=method, reg=gamma, tol=tol)
    assert result.converged
    # The concave function f_gamma is within the paper's gap, tol <Omega|V>, of its maximum.
    assert abs(value(result.omega, result.plan) - value(omega, plan)) <= tol * result.cost


def test_interior_points_refuse_a_regularised_problem():
    X, Y, a, b = clouds()
    for k in (2, 4):
        with pytest.raises(ValueError, match="`reg`"):
            sot.srw(X, Y, k, a, b, method="interior-point", reg=0.5)


@every_solver
def test_out_of_iterations_is_said(solver):
    X, Y, a, b = clouds()
    result = sot.srw(X, Y, 2, a, b, tol=1e-9, **keywords(solver) | {"max_iter": 2})
    assert result.status is sot.Status.MAX_ITER
    assert not result.converged
    assert result.n_iter == 2
    assert result.gap > 1e-9


@pytest.mark.parametrize("status", sot.Status)
def test_a_status_is_advice(status):
    assert status.value.endswith(".")
    assert status.converged == (status.name.startswith("CONVERGED") or status is sot.Status.STATIONARY)


# --- solvers are settings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BY_NAME)
def test_a_name_stands_for_a_solver_with_default_settings(name):
    X, Y, a, b = clouds()
    solver = type(BY_NAME[name])()
    assert solver == BY_NAME[name]
    assert_same_bits(
        sot.srw(X, Y, 2, a, b, **keywords(solver)), sot.srw(X, Y, 2, a, b, **keywords(solver) | {"method": name})
    )


@every_solver
def test_settings_are_frozen(solver):
    with pytest.raises(dataclasses.FrozenInstanceError):
        solver.max_iter = 3


def test_a_walk_of_too_many_steps_ends_the_polish_and_says_so():
    X, Y = np.random.default_rng(0).standard_normal((2, 40, 6))
    result = sot.srw(X, Y, 2, tol=1e-6, method=InteriorPoint(most_steps=2))
    assert result.status is sot.Status.STALLED
    assert result.lower <= sot.srw(X, Y, 2, tol=1e-6, method=InteriorPoint()).upper
    assert result.upper >= reference.srw_sdp(X, Y, 2) - tolerances.REFEREE * reference.spread(X, Y)


def test_settings_are_respected():
    X, Y, a, b = clouds()
    assert sot.srw(X, Y, 2, a, b, method=FrankWolfe(max_iter=3), reg=0.1, tol=1e-9).n_iter == 3
    steps = [sot.srw(X, Y, 2, a, b, method=Supergradient(step=step), max_iter=2).omega for step in (1e-6, 1.0)]
    assert not np.allclose(*steps)
    steady = QuasiNewton(schedule=Schedule(decay=0.2))
    regs = [record.reg for record in sot.srw(X, Y, 2, a, b, method=steady, tol=1e-9, max_iter=40).history]
    ratios = [second / first for first, second in pairwise(regs) if second != first]
    assert len(ratios) > 2
    assert ratios == pytest.approx([0.2] * len(ratios))


@every_solver
def test_one_object_serves_two_problems(solver):
    first, second = clouds(seed=3), clouds(seed=4, n=7, m=15)
    fresh = [sot.srw(X, Y, 2, a, b, **keywords(type(solver)())) for X, Y, a, b in (first, second)]
    for (X, Y, a, b), expected in zip((first, second, first), (*fresh, fresh[0]), strict=True):
        assert_same_bits(sot.srw(X, Y, 2, a, b, **keywords(solver)), expected)


@every_solver
def test_one_object_serves_two_problems_in_turn(solver):
    """Steps of two runs, taken alternately from one object, are those of each run alone."""
    settings = (1e-3, 0.5 if solver.needs_reg else None, None)
    pair = [Problem.of(X, Y, 2, a, b) for X, Y, a, b in (clouds(seed=3), clouds(seed=4, n=7, m=15))]
    alone = [list(islice(solver.steps(problem, *settings), 5)) for problem in pair]
    runs = [solver.steps(problem, *settings) for problem in pair]
    for expected in zip(*alone, strict=True):
        for run, step in zip(runs, expected, strict=True):
            np.testing.assert_array_equal(next(run).omega.whole, step.omega.whole)


@every_solver
def test_one_object_serves_two_threads(solver):
    data = [clouds(seed=seed) for seed in range(4)]

    def solve(cloud):
        X, Y, a, b = cloud
        return sot.srw(X, Y, 2, a, b, **keywords(solver))

    serial = [solve(cloud) for cloud in data]
    with ThreadPoolExecutor(2) as pool:
        for one, other in zip(pool.map(solve, data), serial, strict=True):
            assert_same_bits(one, other)


@pytest.mark.parametrize("problem", problems.NAMED)
def test_solvers_agree_on_the_exact_value(problem):
    X, Y, k, a, b = problems.NAMED[problem]()
    slack = tolerances.BOUND * reference.spread(X, Y, a, b)
    results = [sot.srw(X, Y, k, a, b, method=name) for name in ("auto", "quasi-newton", "interior-point")]
    assert all(result.status is sot.Status.CONVERGED for result in results)
    assert max(result.lower for result in results) <= min(result.upper for result in results) + slack
