"""Bounds are valid whatever they are made from: garbage in gives a loose interval, never a wrong one."""

import numpy as np
import problems
import pytest
import reference
import tolerances
from proof import assert_coupling

from subspaceot.core import certificate, fantope
from subspaceot.core.certificate import Certificate, Lower, Upper
from subspaceot.core.coupling import Dense
from subspaceot.core.fantope import SoftProjector
from subspaceot.core.marginals import Masses, rounded
from subspaceot.core.potentials import feasible
from subspaceot.core.problem import Problem

every_problem = pytest.mark.parametrize("name", problems.NAMED)


def make(name):
    """Return the problem in its own coordinates, with its exact value there."""
    problem = Problem.of(*problems.NAMED[name]())
    return problem, reference.srw_sdp(problem.X, problem.Y, problem.k, problem.a, problem.b)


def soft_projectors(problem):
    rng = np.random.default_rng(0)
    r, k = problem.r, problem.k
    yield np.eye(r) * k / r
    for size in (0.1, 1.0, 10.0):
        A = size * rng.standard_normal((r, r))
        yield fantope.project(A + A.T, k)


def potentials(m):
    rng = np.random.default_rng(1)
    yield np.zeros(m)
    for size in (1e-3, 1.0, 1e3, 1e9):
        yield size * rng.standard_normal(m)
    for shift in (-1e12, 1e8):  # potentials have a free constant, which must not cost digits
        yield np.full(m, shift)


def plans(a, b):
    rng = np.random.default_rng(2)
    n, m = len(a), len(b)
    yield np.outer(a, b)
    yield rng.random((n, m))
    yield 1e9 * rng.random((n, m))
    yield 1e-9 * rng.random((n, m))
    yield rng.random((n, m)) ** 40  # nearly all mass in few pairs
    yield np.full((n, m), 1e-300)
    one = np.full((n, m), 1e-12)
    one[0, 0] = 1.0
    yield one


@every_problem
def test_lower_bounds_from_garbage_potentials(name):
    problem, truth = make(name)
    for omega in soft_projectors(problem):
        C = reference.cost_matrix(problem.X, problem.Y, omega)
        exact = reference.transport_cost(C, problem.a, problem.b)
        for g in potentials(len(problem.b)):
            lower = certificate.lower_bound(problem, SoftProjector(omega), g)
            # Potentials that are far apart leave rounding errors of that size in f and g.
            slack = tolerances.BOUND * problem.spread + 1e-15 * np.ptp(g)
            assert np.isfinite(lower.value)
            assert (lower.f[:, None] + lower.g <= C + slack).all()
            assert lower.value == pytest.approx(problem.a @ lower.f + problem.b @ lower.g, abs=slack)
            assert lower.value <= exact + slack
            assert lower.value <= truth + slack + tolerances.REFEREE * problem.spread


@every_problem
def test_upper_bounds_from_garbage_plans(name):
    problem, truth = make(name)
    for plan in plans(problem.a, problem.b):
        before = plan.copy()
        upper = certificate.upper_bound(problem, Dense(plan))
        np.testing.assert_array_equal(plan, before)
        assert_coupling(upper.plan.dense(), problem.a, problem.b)
        V = reference.displacement(problem.X, problem.Y, upper.plan.dense())
        assert upper.value == pytest.approx(reference.top_sum(V, problem.k), abs=tolerances.BOUND * problem.spread)
        assert upper.value >= truth - tolerances.REFEREE * problem.spread


@every_problem
def test_c_transforms_only_raise_the_value(name):
    problem, _ = make(name)
    C = reference.cost_matrix(problem.X, problem.Y)
    for g in potentials(len(problem.b)):
        once = problem.a @ (C - g).min(axis=1) + problem.b @ g
        f, g_after = feasible(C, g)
        assert problem.a @ f + problem.b @ g_after >= once - 1e-14 * max(1.0, np.abs(g).max())


@every_problem
def test_rounding_leaves_a_coupling_alone(name):
    problem, _ = make(name)
    coupling = rounded(Dense(np.outer(problem.a, problem.b)), problem.masses).plan
    again = rounded(coupling, problem.masses).plan
    np.testing.assert_allclose(
        again.dense(), coupling.dense(), rtol=tolerances.ROUNDING, atol=tolerances.ROUNDING * problem.a.max()
    )


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-9, 1e-12])
def test_rounding_moves_little_where_little_is_wrong(size):
    rng = np.random.default_rng(3)
    a, b = rng.dirichlet(np.ones(20)), rng.dirichlet(np.ones(30))
    plan = np.outer(a, b)
    wrong = plan * (1 + size * rng.standard_normal(plan.shape))
    error = np.abs(wrong.sum(axis=1) - a).sum() + np.abs(wrong.sum(axis=0) - b).sum()
    moved = np.abs(rounded(Dense(wrong), Masses(a, 0 * a, b, 0 * b)).plan.dense() - wrong).sum()
    assert moved <= 2 * error + tolerances.ROUNDING  # Altschuler, Weed & Rigollet (2017), lemma 7


def test_a_plan_with_an_empty_row_is_repaired():
    a, b = np.array([0.5, 0.5]), np.array([0.25, 0.75])
    masses = Masses(a, 0 * a, b, 0 * b)
    assert_coupling(rounded(Dense(np.array([[0.0, 0.0], [1.0, 1.0]])), masses).plan.dense(), a, b)


def test_each_end_keeps_the_better_offer():
    eye, none = np.eye(1), np.zeros(1)
    at = Certificate(Lower(1.0, SoftProjector(eye), none, none), Upper(3.0, Dense(eye), eye))
    better = Lower(2.0, SoftProjector(eye), none, none), Upper(2.5, Dense(eye), eye)
    worse = Lower(0.5, SoftProjector(eye), none, none), Upper(4.0, Dense(eye), eye)
    assert at.improved(*better).lower is better[0]
    assert at.improved(*better).upper is better[1]
    assert at.improved(*worse).lower is at.lower
    assert at.improved(*worse).upper is at.upper


@pytest.mark.parametrize(
    ("lower", "upper", "gap"),
    [(1.0, 2.0, 0.5), (2.0, 2.0, 0.0), (0.0, 0.0, 0.0), (0.0, 1e-300, 1.0), (2.0 - 2.0**-52, 2.0, 2.0**-53)],
)
def test_gap_is_0_only_if_both_ends_are_equal(lower, upper, gap):
    assert certificate.relative_gap(lower, upper) == gap


@pytest.mark.parametrize("scale", [0.5, 1.001, 2.0, -1.0, 1e3])
def test_an_omega_that_left_the_fantope_proves_no_more_than_is_true(scale):
    problem, exact = make("plain")
    V = np.diag(np.arange(problem.r, dtype=float))
    omega = scale * fantope.project(V, problem.k) + (scale - 1.0) * V
    lower = certificate.lower_bound(problem, SoftProjector(omega), np.zeros_like(problem.b))

    assert lower.value <= exact + tolerances.BOUND * problem.spread
    assert np.trace(lower.omega) == pytest.approx(problem.k)
    assert -1e-9 <= np.linalg.eigvalsh(lower.omega).min() <= np.linalg.eigvalsh(lower.omega).max() <= 1.0 + 1e-9
