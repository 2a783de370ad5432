"""The answer does not depend on the unit or the origin of the data, and survives measures that hardly differ."""

import numpy as np
import problems
import pytest
import reference
import tolerances
from proof import assert_proven

import subspaceot as sot

FACTORS = [1e-100, 1e-8, 1e-3, 1e3, 1e8, 1e100]
TOL = 1e-3


def hypercube():
    data = sot.instances.fragmented_hypercube(40, 8, 2, 0, rotate=True)
    return data.X, data.Y, 2, None, None


def gaussians():
    data = sot.instances.wishart_gaussians(40, 6, 6, 1, m=30)
    return data.X, data.Y, 3, None, None


PROBLEMS = {make.__name__: make for make in (hypercube, gaussians)} | problems.NAMED


def assert_same_interval(result, expected, factor, rel):
    """Check that both ends are `factor` times the expected ones, to `rel` of the value."""
    assert result.status is sot.Status.CONVERGED
    for end in ("lower", "upper", "cost"):
        assert getattr(result, end) == pytest.approx(getattr(expected, end) * factor, rel=rel, abs=0)


# --- unit and origin ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_unit(problem, factor):
    X, Y, k, a, b = PROBLEMS[problem]()
    expected, result = sot.srw(X, Y, k, a, b, tol=TOL), sot.srw(factor * X, factor * Y, k, a, b, tol=TOL)
    assert_same_interval(result, expected, factor**2, TOL / 10)
    assert result.gap == pytest.approx(expected.gap, abs=TOL / 10)
    assert np.isfinite(result.displacement).all()
    assert np.isfinite(result.grad_X).all()


@pytest.mark.parametrize("factor", [1e-100, 1e100])
def test_proof_in_extreme_units(factor):
    X, Y, k, a, b = problems.zero_weights()
    assert_proven(sot.srw(factor * X, factor * Y, k, a, b), factor * X, factor * Y, k, a, b)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("method", ["quasi-newton", "interior-point", "supergradient", "frank-wolfe"])
def test_unit_with_other_solvers(method, factor):
    X, Y, k, a, b = problems.plain()
    reg = 0.5 if method == "frank-wolfe" else None
    expected = sot.srw(X, Y, k, a, b, method=method, reg=reg, max_iter=20)
    scaled_reg = None if reg is None else reg * factor**2
    result = sot.srw(factor * X, factor * Y, k, a, b, method=method, reg=scaled_reg, max_iter=20)
    assert result.status is expected.status
    for end in ("lower", "upper", "cost"):
        assert getattr(result, end) == pytest.approx(getattr(expected, end) * factor**2, rel=TOL / 10)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("direction", ["one", "random"])
def test_origin(problem, direction):
    X, Y, k, a, b = PROBLEMS[problem]()
    d = X.shape[1]
    shift = np.ones(d) if direction == "one" else np.random.default_rng(0).standard_normal(d)
    shift *= 1e6 * np.sqrt(reference.spread(X, Y, a, b)) / np.linalg.norm(shift)
    # The same rounded points moved back: what the digits that are left still say.
    near_X, near_Y = (X + shift) - shift, (Y + shift) - shift
    expected, result = sot.srw(near_X, near_Y, k, a, b, tol=TOL), sot.srw(X + shift, Y + shift, k, a, b, tol=TOL)
    assert_same_interval(result, expected, 1.0, TOL / 10)
    there = sot.srw(X, Y, k, a, b, tol=TOL)
    scale = tolerances.FAR_AWAY * reference.spread(X, Y, a, b)
    assert result.lower <= there.upper + scale
    assert there.lower <= result.upper + scale


def test_proof_far_from_the_origin():
    X, Y, k, a, b = problems.zero_weights()
    X, Y = X + 1e6, Y + 1e6
    result = sot.srw(X, Y, k, a, b)
    # Centring x - shift is exact to 1e-16 of 1e6; potentials are in squared units of order one.
    f, g = result.potentials
    C = reference.cost_matrix(X, Y, result.omega)
    assert (f[:, None] + g <= C + tolerances.FAR_AWAY * (1 + C)).all()
    V = reference.displacement(X, Y, result.plan)
    assert result.upper == pytest.approx(reference.top_sum(V, k), rel=tolerances.FAR_AWAY)


# Some of these problems need many steps, and some seconds.
FAR = [1e2, 1e4, pytest.param(1e6, marks=pytest.mark.slow), 1e8, pytest.param(1e10, marks=pytest.mark.slow), 1e12]


@pytest.mark.parametrize("distance", FAR)
@pytest.mark.parametrize("side", ["X", "Y"])
def test_a_far_point_of_no_weight_to_speak_of_hides_nothing(side, distance):
    """Its mass times its squared distance is 1e-6, so that it moves the value by no more than that."""
    X, Y, k, _, _ = problems.plain()
    far = np.eye(1, X.shape[1]) * distance
    clouds = {"X": X, "Y": Y} | {side: np.vstack([far, {"X": X, "Y": Y}[side]])}
    a, b = (np.ones(len(clouds[name])) for name in "XY")
    (a if side == "X" else b)[0] = 1e-6 / distance**2
    expected, result = sot.srw(X, Y, k), sot.srw(**clouds, k=k, a=a, b=b)
    for one, other in ((result, expected), (expected, result)):
        assert one.lower <= other.upper * (1 + 1e-5)
    assert result.gap >= -tolerances.BOUND * reference.spread(X, Y) / result.upper
    # Beyond, the last digit of its squared distances is as large as the distances among the others.
    assert result.converged or distance > 1e7


# --- measures that hardly differ ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 20, 60])
@pytest.mark.parametrize("d", [1, 2, 5, 100])
@pytest.mark.parametrize("kind", ["normal", "grid"])
def test_identical_measures(n, d, kind):
    X = np.random.default_rng(n).standard_normal((n, d))
    X = np.round(X) if kind == "grid" else X
    for k in {1, min(2, d), d}:
        for Y in (X, X[::-1].copy()):
            result = sot.srw(X, Y, k)
            assert result.gap == 0
            assert result.status is sot.Status.CONVERGED
            assert abs(result.upper) <= tolerances.BOUND * reference.spread(X, Y)
            assert_sound(result)


@pytest.mark.parametrize("method", ["quasi-newton", "interior-point", "supergradient"])
@pytest.mark.parametrize("n", [2, 3, 10])
def test_identical_measures_with_other_solvers(method, n):
    X = np.random.default_rng(n).standard_normal((n, 3))
    result = sot.srw(X, X, 1, method=method)
    assert result.gap == 0
    assert result.status is sot.Status.CONVERGED
    assert_sound(result)


@pytest.mark.parametrize("method", ["auto", "quasi-newton", "frank-wolfe", "supergradient"])
@pytest.mark.parametrize("reg", [1e-4, 0.1, 10.0])
def test_identical_measures_with_regularisation(method, reg):
    X = np.random.default_rng(0).standard_normal((6, 3))
    result = sot.srw(X, X, 1, method=method, reg=reg)
    assert_sound(result)
    assert_proven(result, X, X, 1)
    assert result.lower <= tolerances.BOUND * reference.spread(X, X)


@pytest.mark.parametrize("noise", [1e-6, 1e-4])
@pytest.mark.parametrize(("n", "d", "k"), [(5, 3, 1), (20, 4, 2), (20, 60, 2), (60, 10, 3)])
def test_nearly_identical_measures(n, d, k, noise):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    Y = X + noise * rng.standard_normal((n, d))
    result = sot.srw(X, Y, k)
    assert result.converged
    assert result.gap <= TOL
    assert_sound(result)
    assert_proven(result, X, Y, k)
    # The identity is the best plan by far, so the value is known.
    truth = reference.top_sum((X - Y).T @ (X - Y) / n, k)
    slack = tolerances.BOUND * reference.spread(X, Y)
    assert result.lower - slack <= truth <= result.upper + slack


@pytest.mark.parametrize("factor", [0.0, 1.0, 1e-100, 1e100])
@pytest.mark.parametrize(("n", "m", "d"), [(1, 1, 1), (1, 1, 5), (4, 3, 1), (4, 3, 5), (2, 3, 50)])
def test_all_points_equal(n, m, d, factor):
    point = factor * np.random.default_rng(0).standard_normal(d)
    X, Y = np.tile(point, (n, 1)), np.tile(point, (m, 1))
    for k in {1, d}:
        result = sot.srw(X, Y, k)
        assert (result.cost, result.distance, result.gap) == (0, 0, 0)
        assert result.status is sot.Status.CONVERGED
        assert_sound(result)


@pytest.mark.parametrize("reg", [None, 1e-6, 0.1])
@pytest.mark.parametrize("method", ["auto", "quasi-newton", "interior-point", "supergradient", "frank-wolfe"])
def test_all_points_equal_with_every_solver(method, reg):
    if (method, reg is None) in {("frank-wolfe", True), ("interior-point", False)}:
        pytest.skip("refused")
    result = sot.srw(np.ones((3, 4)), np.ones((2, 4)), 2, method=method, reg=reg)
    assert result.cost == 0
    assert result.converged
    assert_sound(result)


@pytest.mark.parametrize("m", [1, 2, 10])
@pytest.mark.parametrize("d", [1, 3, 40])
def test_one_point_against_many(m, d):
    rng = np.random.default_rng(0)
    x, Y = rng.standard_normal((1, d)), rng.standard_normal((m, d))
    V = (x - Y).T @ (x - Y) / m  # there is one plan only
    for k in {1, min(2, d), d}:
        result = sot.srw(x, Y, k)
        slack = tolerances.BOUND * reference.spread(x, Y)
        assert result.upper == pytest.approx(reference.top_sum(V, k), abs=slack)
        assert result.converged
        assert_sound(result)


def assert_sound(result):
    """Check that everything a result derives is finite, and of use where the measures coincide."""
    for name in ("lower", "upper", "cost", "distance", "gap", "omega", "basis", "spectrum", "plan", "displacement"):
        assert np.isfinite(getattr(result, name)).all(), name
    for name in ("feature_share", "point_cost", "grad_X", "grad_Y"):
        assert np.isfinite(getattr(result, name)).all(), name
    assert all(np.isfinite(potential).all() for potential in result.potentials)
    assert np.isfinite(result.sparse_plan.data).all()
    assert result.feature_share.sum() == pytest.approx(1)
    np.testing.assert_allclose(result.basis.T @ result.basis, np.eye(result.k), atol=tolerances.ROUNDING)
