"""Cost matrices and displacement matrices, against loops over all pairs."""

import numpy as np
import pytest
import reference
import tolerances

from subspaceot.core import fantope, moments
from subspaceot.core.coupling import Dense, Sparse

SIZES = [(1, 1, 1), (4, 7, 3), (9, 2, 12)]


def clouds(n, m, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal((m, d)) + 0.5, rng.dirichlet(np.ones(n * m)).reshape(n, m)


@pytest.mark.parametrize(("n", "m", "d"), SIZES)
def test_squared_distances(n, m, d):
    X, Y, _ = clouds(n, m, d)
    expected = reference.cost_matrix(X, Y)
    np.testing.assert_allclose(moments.squared_distances(X, Y), expected, rtol=0, atol=tolerances.ROUNDING)


@pytest.mark.parametrize(("n", "m", "d"), SIZES)
def test_cost_matrix_of_a_soft_projector(n, m, d):
    X, Y, _ = clouds(n, m, d)
    for k in range(1, d + 1):
        omega = fantope.project(np.cov(np.vstack([X, Y]).T).reshape(d, d), k)
        expected = reference.cost_matrix(X, Y, omega)
        C = moments.cost_matrix(X, Y, fantope.factor(omega))
        np.testing.assert_allclose(C, expected, rtol=0, atol=tolerances.ROUNDING)


@pytest.mark.parametrize(("n", "m", "d"), [*SIZES, (5, 4, 600)])
def test_displacement(n, m, d):
    X, Y, plan = clouds(n, m, d)
    V = moments.displacement(X, Y, Dense(plan))
    np.testing.assert_allclose(V, reference.displacement(X, Y, plan), rtol=0, atol=tolerances.ROUNDING)


@pytest.mark.parametrize(("n", "m", "d"), SIZES)
def test_the_cost_of_a_plan_is_its_product_with_omega(n, m, d):
    X, Y, plan = clouds(n, m, d)
    omega = fantope.project(np.diag(np.arange(d) / d), 1)
    C = moments.cost_matrix(X, Y, fantope.factor(omega))
    assert np.sum(plan * C) == pytest.approx(
        np.sum(omega * moments.displacement(X, Y, Dense(plan))), rel=tolerances.ROUNDING
    )


def test_distances_are_never_negative():
    X = np.random.default_rng(0).standard_normal((50, 3)) + 100.0
    assert moments.squared_distances(X, X).min() >= 0


@pytest.mark.parametrize("d", [3, 600])
def test_points_without_mass_do_not_move(d):
    X, Y, plan = clouds(5, 4, d)
    plan[2], plan[:, 1] = 0.0, 0.0
    V = moments.displacement(X, Y, Dense(plan))
    np.testing.assert_allclose(V, reference.displacement(X, Y, plan), rtol=0, atol=tolerances.ROUNDING)


def test_arguments_are_not_modified():
    X, Y, plan = (array.copy() for array in clouds(4, 5, 3))
    for array in (X, Y, plan):
        array.flags.writeable = False
    moments.cost_matrix(X, Y, np.eye(3))
    moments.displacement(X, Y, Dense(plan))


def test_displacement_in_parts_is_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((3000, 40)), rng.standard_normal((2500, 40))
    plan = Sparse.of(rng.integers(3000, size=6000), rng.integers(2500, size=6000), rng.random(6000), (3000, 2500))
    whole = moments.displacement(X, Y, plan)
    monkeypatch.setattr(moments, "_IN_PARTS", 1000)
    np.testing.assert_allclose(moments.displacement(X, Y, plan), whole, rtol=1e-12, atol=1e-12 * np.abs(whole).max())
