"""Where a result moves points: planted maps, the plan itself, new points, weights."""

import numpy as np
import pytest
import tolerances

import subspaceot as sot
from subspaceot.core import potentials
from subspaceot.core.completed import Completed


def planted(n, seed=0, d=6, k=2):
    """Return points, a map that moves them within k directions, the gradient of a convex function, and those."""
    rng = np.random.default_rng(seed)
    U = np.linalg.qr(rng.standard_normal((d, k)))[0]

    def T(Z):
        return Z + (2.0 * np.tanh(Z @ U) + 1.0) @ U.T

    return rng, T


def by_the_plan(result, X, Y):
    plan, B = result.plan, result.basis
    images = plan @ Y / plan.sum(axis=1)[:, None]
    return X + (images - X) @ B @ B.T


@pytest.fixture(scope="module")
def solved():
    rng, T = planted(300)
    X, Y = rng.standard_normal((300, 6)), T(rng.standard_normal((250, 6)))
    return X, Y, sot.srw(X, Y, 2, tol=1e-3)


def test_points_of_the_sample_move_by_the_plan_whatever_their_order(solved):
    X, Y, result = solved
    expected = by_the_plan(result, X, Y)
    np.testing.assert_allclose(result.transport(X), expected, atol=tolerances.ROUNDING)
    order = np.random.default_rng(1).permutation(300)[:40]
    np.testing.assert_allclose(result.transport(X[order]), expected[order], atol=tolerances.ROUNDING)


def test_nothing_moves_out_of_the_subspace(solved):
    X, _, result = solved
    Z = np.concatenate([X, 3.0 * np.random.default_rng(2).standard_normal((100, 6))])
    before = Z.copy()
    steps = result.transport(Z) - Z
    np.testing.assert_array_equal(Z, before)
    np.testing.assert_allclose(steps @ result.basis @ result.basis.T, steps, atol=tolerances.ROUNDING)


def test_a_planted_map_is_found_where_the_samples_are_paired():
    """Y = T(X): the plan is known, and with it all that points of the sample do."""
    rng, T = planted(200)
    X = rng.standard_normal((200, 6))
    result = sot.srw(X, T(X), 2, tol=1e-6)
    np.testing.assert_allclose(result.transport(X), T(X), atol=5e-3)


@pytest.mark.parametrize("method", ["auto", "large"])
def test_new_points_follow_a_planted_map(method):
    """Y is another sample of the image: what is left is the error of a sample, and shrinks with it."""
    errors = []
    for n in (250, 1000):
        rng, T = planted(n)
        X, Y, Z = rng.standard_normal((n, 6)), T(rng.standard_normal((n, 6))), rng.standard_normal((400, 6))
        moved = sot.srw(X, Y, 2, tol=1e-2, method=method).transport(Z)
        errors.append(np.mean((moved - T(Z)) ** 2) / np.mean((T(Z) - Z) ** 2))
    assert errors[0] < 0.1
    assert errors[1] < 0.6 * errors[0]


def test_points_without_mass_and_repeated_points():
    rng, T = planted(80)
    X, Y = rng.standard_normal((80, 6)), T(rng.standard_normal((90, 6)))
    a = rng.exponential(size=80)
    X[40:50], a[[3, 4]] = X[30:40], 0.0
    result = sot.srw(X, Y, 2, a, tol=1e-3)
    moved = result.transport(X)
    images, share = result.plan @ Y, np.where(result.problem.frame.rows, a / a.sum(), 1.0)
    alone = np.setdiff1d(np.arange(80), [3, 4, *range(30, 50)])
    expected = X + (images / share[:, None] - X) @ result.basis @ result.basis.T
    np.testing.assert_allclose(moved[alone], expected[alone], atol=tolerances.ROUNDING)
    both = (a[30:40, None] * expected[30:40] + a[40:50, None] * expected[40:50]) / (a[30:40] + a[40:50])[:, None]
    np.testing.assert_allclose(moved[30:40], both, atol=tolerances.ROUNDING)
    np.testing.assert_array_equal(moved[30:40], moved[40:50])
    few = sot.srw(np.delete(X, [3, 4], axis=0), Y, 2, np.delete(a, [3, 4]), tol=1e-3, init=result)
    assert np.abs(few.transport(X[[3, 4]]) - moved[[3, 4]]).max() < 0.3  # as new points


def test_a_new_point_at_the_place_of_several_moves_by_their_mean():
    """Whole numbers, such as ages, beside a column that tells rows apart and plays no part: the plan is symmetric."""
    rng = np.random.default_rng(0)
    ages, half = np.repeat(np.arange(20.0, 60.0), 5), rng.exponential(2.0, 200)
    X = np.column_stack([np.tile(10.0 * ages, 2), np.repeat([1.0, -1.0], 200)])
    Y = np.column_stack([np.tile(10.0 * ages + 10.0 * half, 2), np.repeat([1.0, -1.0], 200)])
    a = np.tile(rng.random(200) + 0.5, 2)
    result = sot.srw(X, Y, 1, a)
    np.testing.assert_allclose(result.basis, [[1.0], [0.0]], atol=1e-6)
    ten = X[:, 0] == 300.0
    steps = result.transport(X)[:, 0] - X[:, 0]
    np.testing.assert_array_equal(steps[ten][:5], steps[ten][0])  # the same row, five times
    mean = np.average(steps[ten], weights=a[ten])
    near, far = result.transport([[300.0, 0.5], [1e9, 0.0]])
    np.testing.assert_allclose(near, [300.0 + mean, 0.5], rtol=1e-5)
    assert 1e9 <= far[0] < 1e9 + 100.0


@pytest.mark.parametrize("k", [2, 4])
def test_plans_that_are_never_formed(k, monkeypatch):
    """With as many directions as matter, and with more: few atoms, or all pairs."""
    monkeypatch.setattr(potentials, "LARGE_PAIRS", 10_000)
    data = sot.instances.fragmented_hypercube(400, 12, 2, rng=0, rotate=True)
    X, Y = data.X, data.Y[:350]
    result = sot.srw(X, Y, k, tol=0.1, method="large")
    assert isinstance(result.coupling, Completed) == (k == 4)
    np.testing.assert_allclose(result.transport(X), by_the_plan(result, X, Y), atol=tolerances.BOUND)


def test_every_kind_of_result(solved):
    X, Y, result = solved
    regularised = sot.srw(X, Y, 2, reg=0.5)
    np.testing.assert_allclose(regularised.transport(X), by_the_plan(regularised, X, Y), atol=tolerances.ROUNDING)
    projected = sot.prw(X, Y, 2, p=1.5, tol=1e-2)
    np.testing.assert_allclose(projected.transport(X), by_the_plan(projected, X, Y), atol=tolerances.ROUNDING)
    same = sot.srw(X, X, 2)
    np.testing.assert_allclose(same.transport(Y), Y, atol=tolerances.ROUNDING)
    beyond = sot.srw([[0.0, 0.0, 0.0]], [[3.0, 4.0, 0.0]], 2)  # k above the rank: the other direction is still
    np.testing.assert_allclose(beyond.transport([[1.0, 1.0, 1.0]]), [[4.0, 5.0, 1.0]], atol=tolerances.ROUNDING)
    assert np.shape(result.transport(X[:1])) == (1, 6)


def test_tables_and_mistakes(solved):
    pandas = pytest.importorskip("pandas")
    X, Y, plain = solved
    names = list("abcdef")
    result = sot.srw(pandas.DataFrame(X, columns=names), pandas.DataFrame(Y, columns=names), 2)
    turned = pandas.DataFrame(X, columns=names)[names[::-1]]
    np.testing.assert_allclose(result.transport(turned), plain.transport(X), atol=tolerances.ROUNDING)
    with pytest.raises(ValueError, match=r"`Z` must have d=6 columns like the data; got 5"):
        plain.transport(X[:, :5])
    with pytest.raises(ValueError, match=r"`Z` must be finite; got NaN in row 2"):
        plain.transport(np.where(np.arange(300)[:, None] == 2, np.nan, X))
    with pytest.raises(ValueError, match="`Z` must have two dimensions"):
        plain.transport(X[0])


def test_the_estimator_moves_rows_the_same_way(solved):
    estimators = pytest.importorskip("subspaceot.sklearn")
    X, Y, _ = solved
    group = np.repeat([0, 1], [len(X), len(Y)])
    transport = estimators.SubspaceTransport(k=2).fit(np.concatenate([X, Y]), group)
    Z = np.concatenate([X[:7], np.random.default_rng(3).standard_normal((50, 6))])
    np.testing.assert_array_equal(transport.transform(Z), transport.result_.transport(Z))
    assert transport.score(np.concatenate([X, Y]), group) > 0.5
