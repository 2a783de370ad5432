"""Two samples that are one measure give exactly 0; the smallest change of a point or weight does not."""

from fractions import Fraction

import numpy as np
import pytest

import subspaceot as sot
from fuzz.referee import Case, truth
from subspaceot.certify.coincidence import plan_within_groups, shared_groups


def points(n=8, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def permuted():
    X = points()
    order = np.random.default_rng(1).permutation(len(X))
    return X, X[order], None, None


def permuted_with_weights():
    X, a = points(), np.random.default_rng(2).random(8)
    order = np.random.default_rng(1).permutation(len(X))
    return X, X[order], a, a[order]


def repeated():
    """Every row three times against every row five times."""
    X = points()
    return np.repeat(X, 3, axis=0), np.tile(X, (5, 1)), None, None


def split():
    """Atoms split into unequal parts that sum exactly: integers over a power of two."""
    X, a = points(), np.arange(1.0, 9.0)
    parts = [np.array([0.125, 0.25, weight - 0.375]) for weight in a]
    return X, np.repeat(X, 3, axis=0), a, np.concatenate(parts)


def split_and_scaled():
    """The same with weights in other units: shares are equal as fractions, sums are not."""
    X, Y, a, b = split()
    return X, Y, 3.0 * a, 7.0 * b


def zero_weights():
    """Points without weight, different on both sides, far away and close by."""
    X, Y, a, b = split()
    far = 1e12 * np.eye(1, 3)
    return np.vstack([X, far]), np.vstack([far, -far, Y + 0.0, X[:1] + 1e-9]), [*a, 0.0], [0.0, 0.0, *b, 0.0]


def negative_zeros():
    X = np.array([[0.0, 1.0], [-0.0, 2.0], [3.0, -0.0]])
    return X, X[::-1] * np.where(X[::-1] == 0.0, -1.0, 1.0), None, None


def one_place():
    return np.full((3, 2), 7.0), np.full((5, 2), 7.0), [1.0, 2.0, 3.0], None


def tiny_weights():
    X = points()
    a = np.array([1.0, 1e-30, 0.5, 1e-16, 1e-8, 1.0, 3.0, 1e-25])
    return X, X[::-1], a, a[::-1]


def mixed_scales():
    X = points() * np.array([1e-12, 1.0, 1e12]) + np.array([1e3, 0.0, 1e15])
    return X, X[::-1], None, None


EQUAL = [
    permuted,
    permuted_with_weights,
    repeated,
    split,
    split_and_scaled,
    zero_weights,
    negative_zeros,
    one_place,
    tiny_weights,
    mixed_scales,
]
every_case = pytest.mark.parametrize("make", EQUAL, ids=lambda make: make.__name__)


def assert_zero(result):
    assert (result.lower, result.upper, result.cost, result.distance, result.gap) == (0.0,) * 5
    assert result.status is sot.Status.CONVERGED


@every_case
def test_the_referee_agrees_that_they_are_equal(make):
    X, Y, a, b = make()
    assert truth(Case(X, Y, a, b), 1, Fraction(2)) == (0, 0)


@every_case
def test_srw_and_wasserstein(make):
    X, Y, a, b = make()
    for k in range(1, X.shape[1] + 1):
        assert_zero(sot.srw(X, Y, k, a, b))
    result = sot.wasserstein(X, Y, a, b)
    assert_zero(result)
    for i, j in np.argwhere(result.plan > 0.0):  # nothing leaves its place
        np.testing.assert_array_equal(X[i], Y[j])


@every_case
@pytest.mark.parametrize("p", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("k", [1, 2])
def test_prw(make, k, p):
    X, Y, a, b = make()
    assert_zero(sot.prw(X, Y, k, a, b, p=p))


@every_case
def test_path(make):
    X, Y, a, b = make()
    path = sot.srw_path(X, Y, a=a, b=b)
    assert not path.lower.any()
    assert not path.upper.any()
    for result in path.results.values():
        assert_zero(result)


@every_case
@pytest.mark.parametrize("metric", ["srw", "prw", "wasserstein"])
def test_pairwise(make, metric):
    X, Y, a, b = make()
    other = np.ones((1, X.shape[1]))
    k = None if metric == "wasserstein" else 1
    result = sot.pairwise([(X, a), (Y, b), (other, None)], k, metric=metric, progress=False)
    for matrix in (result.lower, result.distance, result.upper):
        assert matrix[0, 1] == matrix[1, 0] == 0.0
        assert matrix[0, 2] > 0.0


@pytest.mark.parametrize("reg", [1e-3, 1.0])
def test_with_regularisation(reg):
    X, Y, a, b = split()
    assert_zero(sot.srw(X, Y, 1, a, b, reg=reg))


# --- near misses ------------------------------------------------------------------------------------------------------


def groups(X, Y, a=None, b=None):
    a = np.ones(len(X)) if a is None else np.asarray(a, dtype=float)
    b = np.ones(len(Y)) if b is None else np.asarray(b, dtype=float)
    return shared_groups(X[a > 0], Y[b > 0], a[a > 0], b[b > 0])


@every_case
def test_the_same_places(make):
    X, Y, a, b = make()
    a = np.ones(len(X)) if a is None else np.asarray(a, dtype=float)
    b = np.ones(len(Y)) if b is None else np.asarray(b, dtype=float)
    here, there = groups(X, Y, a, b)
    massive_X, massive_Y = X[a > 0] + 0.0, Y[b > 0] + 0.0
    same_group = here[:, None] == there
    same_place = (massive_X[:, None] == massive_Y).all(axis=2)
    np.testing.assert_array_equal(same_group, same_place)
    plan = plan_within_groups(here, there, a[a > 0] / a.sum(), b[b > 0] / b.sum()).toarray()
    np.testing.assert_array_equal(plan > 0.0, same_place)
    np.testing.assert_allclose(plan.sum(axis=1), a[a > 0] / a.sum(), rtol=1e-15)
    np.testing.assert_allclose(plan.sum(axis=0), b[b > 0] / b.sum(), rtol=1e-15)


@every_case
@pytest.mark.parametrize("row", [0, -1])
def test_one_unit_in_the_last_place_of_a_point(make, row):
    X, Y, a, b = make()
    X = X.copy()
    row = row if a is None else np.flatnonzero(a)[row]  # a point without weight may be anywhere
    X[row, -1] = np.nextafter(X[row, -1], np.inf)
    assert groups(X, Y, a, b) is None


def test_a_point_in_the_middle():
    """Its change leaves the extremes of each column as they are."""
    X = np.array([[0.0, 0.0], [0.3, 0.6], [1.0, 1.0]])
    Y = X.copy()
    Y[1, 0] = np.nextafter(0.3, 1.0)
    assert groups(X, Y) is None
    result = sot.srw(X, Y, 1)
    shift = Fraction(Y[1, 0]) - Fraction(0.3)
    assert result.lower <= shift**2 / 3 <= result.upper
    assert result.upper > 0.0


@pytest.mark.parametrize("make", [permuted_with_weights, split, tiny_weights, zero_weights])
def test_one_unit_in_the_last_place_of_a_weight(make):
    X, Y, a, b = make()
    b = np.array(b, dtype=float)
    i = int(np.argmin(np.where(b > 0.0, b, np.inf)))
    b[i] = np.nextafter(b[i], np.inf)
    assert groups(X, Y, a, b) is None
    result = sot.srw(X, Y, 1, a, b)
    assert result.upper > 0.0
    assert result.lower <= result.upper


def test_equal_weights_of_different_counts():
    """Twice one point among three, once among two: the places are shared, the shares are not."""
    X, Y = np.array([[0.0], [0.0], [1.0]]), np.array([[0.0], [1.0]])
    assert groups(X, Y) is None
    result = sot.srw(X, Y, 1)
    assert result.lower <= Fraction(1, 6) <= result.upper


@pytest.mark.parametrize("count", [3, 7, 10, 49])
def test_shares_that_no_double_holds(count):
    """1 / count as many weights of 1, or as one part of 0.1 in a sum of 0.1 count: equal only as exact fractions."""
    X = np.arange(count, dtype=float)[:, None]
    assert groups(X, X[::-1], np.ones(count), np.full(count, 0.1)) is not None
    assert groups(X, X[::-1], np.ones(count), np.append(np.full(count - 1, 0.1), np.nextafter(0.1, 1))) is None
