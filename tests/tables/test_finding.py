"""What a test found, in the columns of the tables."""

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.inference.statistic import NAMES
from subspaceot.tables.finding import KINDS, Finding

COLUMNS = ("p", "q", "r")


def finding(X, Y, a=None, b=None):
    test = sot.two_sample_test(X, Y, a, b, n_permutations=19)
    return Finding(test, X, Y, a, b, COLUMNS, 0.05)


def test_a_shift_along_one_column():
    X, Y = np.random.default_rng(0).standard_normal((2, 50, 3))
    X[:, 1] += 4.0
    found = finding(X, Y)
    assert found.found
    assert found.kind == KINDS["max-sliced distance"]
    (first, *_) = found.columns(3)
    assert first.name == "q"
    assert first.weight < -0.9  # smaller in Y
    assert found.along.mean_Y > found.along.mean_X
    moments = first.moments
    assert (moments.mean_X, moments.deviation_X) == pytest.approx((X[:, 1].mean(), X[:, 1].std()))
    assert (moments.mean_Y, moments.deviation_Y) == pytest.approx((Y[:, 1].mean(), Y[:, 1].std()))
    assert np.linalg.norm(found.weights) == pytest.approx(1.0)


def test_moments_are_weighted():
    X, Y = np.random.default_rng(0).standard_normal((2, 50, 3))
    X[:, 1] += 4.0
    a, b = np.random.default_rng(1).integers(1, 4, (2, 50))
    moments = finding(X, Y, a, b).columns(1)[0].moments
    repeated = np.repeat(X[:, 1], a)
    assert (moments.mean_X, moments.deviation_X) == pytest.approx((repeated.mean(), repeated.std()))


def test_weights_do_not_depend_on_units_where_the_test_does_not():
    X, Y = np.random.default_rng(2).standard_normal((2, 60, 3)) * [1.0, 1.0, 1e-3]
    found = finding(X, Y * [1.0, 1.0, 4.0])
    assert found.rescaled
    assert found.kind == KINDS["variance ratio"]
    assert found.columns(1)[0].name == "r"


def test_every_component_has_its_words():
    assert set(KINDS) == set(NAMES)
