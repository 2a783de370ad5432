"""Interpolation along the plan."""

import itertools

import numpy as np
import pytest
import reference
import tolerances

import subspaceot as sot

TIMES = (0.0, 0.25, 0.5, 0.75, 1.0)


def as_measure(points, weights):
    """Return a measure as a dictionary from point to mass."""
    measure = {}
    for point, weight in zip(map(tuple, points), weights, strict=True):
        measure[point] = measure.get(point, 0.0) + weight
    return measure


@pytest.fixture(scope="module")
def solved():
    data = sot.instances.fragmented_hypercube(60, 6, 2, rng=0, rotate=True)
    return data.X, data.Y, sot.srw(data.X, data.Y, 2, tol=1e-4)


def test_ends_are_the_measures(solved):
    X, Y, result = solved
    for t, points in ((0.0, X), (1.0, Y)):
        support, weights = result.interpolate(t)
        found = as_measure(support, weights)
        assert set(found) == set(map(tuple, points))
        np.testing.assert_allclose(list(found.values()), 1 / 60, rtol=1e-12)


def test_ends_with_weights_repeats_and_massless_points():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((3, 4)), 2, axis=0)
    Y, a = rng.standard_normal((5, 4)), np.array([1.0, 2.0, 0.0, 3.0, 4.0, 0.0])
    support, weights = sot.srw(X, Y, 2, a).interpolate(0)
    expected = {point: mass for point, mass in as_measure(X, a / a.sum()).items() if mass > 0}
    found = as_measure(support, weights)
    assert len(support) == len(expected)
    assert found.keys() == expected.keys()
    for point, mass in expected.items():
        assert found[point] == pytest.approx(mass, rel=1e-12)


def test_few_atoms_of_unit_mass(solved):
    X, Y, result = solved
    for support, weights in result.interpolate(TIMES):
        assert len(support) == len(weights) <= 5 * (len(X) + len(Y))
        assert weights.min() > 0
        assert weights.sum() == pytest.approx(1.0, rel=1e-12)


def test_constant_speed(solved):
    X, Y, result = solved
    atoms = result.sparse_plan.toarray()
    upper = reference.top_sum(reference.displacement(X, Y, atoms), 2)
    slack = tolerances.BOUND * reference.spread(X, Y)
    for s, t in itertools.combinations(TIMES, 2):
        (P, p), (Q, q) = result.interpolate([s, t])
        between = sot.srw(P, Q, 2, p, q, tol=1e-2)
        assert np.sqrt(max(between.lower, 0)) <= (t - s) * np.sqrt(upper) + slack
        loss = np.sqrt(upper) - np.sqrt(result.lower)
        assert np.sqrt(between.upper) >= (t - s) * np.sqrt(result.lower) - loss - slack


@pytest.mark.parametrize("t", [-0.1, 1.5, np.nan, np.inf])
def test_times_outside_are_refused(solved, t):
    X, Y, result = solved
    with pytest.raises(ValueError, match="`t` must be between 0 and 1"):
        result.interpolate(t)
    with pytest.raises(ValueError, match="`t` must be between 0 and 1"):
        sot.geodesic.barycentric(X, Y, result.plan, t)


def test_changing_the_data_later_changes_nothing():
    X, Y = np.zeros((1, 2)), np.ones((1, 2))
    result = sot.srw(X, Y, 1)
    X += 5
    np.testing.assert_array_equal(result.interpolate(0)[0], [[0.0, 0.0]])


def test_barycentric_moves_to_the_mean_of_the_images(solved):
    X, Y, result = solved
    for plan in (result.plan, result.sparse_plan):
        dense = plan.toarray() if hasattr(plan, "toarray") else plan
        images = np.array([np.average(Y, axis=0, weights=row) for row in dense])
        moved = sot.geodesic.barycentric(X, Y, plan, 0.3)
        np.testing.assert_allclose(moved, 0.7 * X + 0.3 * images, atol=1e-12)
    np.testing.assert_array_equal(sot.geodesic.barycentric(X, Y, result.plan, 0), X)


def test_barycentric_leaves_massless_points():
    moved = sot.geodesic.barycentric([[0.0], [7.0]], [[1.0]], [[1.0], [0.0]], 1.0)
    np.testing.assert_array_equal(moved, [[1.0], [7.0]])


@pytest.mark.parametrize("plan", [np.ones((2, 2)), np.full((3, 2), -0.1)])
def test_bad_plans(plan):
    with pytest.raises(ValueError, match="`plan` must"):
        sot.geodesic.barycentric(np.zeros((3, 1)), np.ones((2, 1)), plan, 0.5)
