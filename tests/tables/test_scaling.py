"""Columns on one scale."""

import numpy as np
import pytest

from subspaceot.tables.scaling import standardized


def test_every_column_has_deviation_one_over_both_samples():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((50, 3)) * [1.0, 10.0, 1e-6] + 4.0, rng.standard_normal((50, 3)) * [2.0, 10.0, 1e-6]
    (A, B), deviation = standardized([X, Y], [None, None])
    np.testing.assert_allclose(A * deviation, X)
    np.testing.assert_allclose(np.concatenate([A, B]).std(axis=0), 1.0, rtol=1e-12)
    np.testing.assert_allclose(A / X, (A / X)[:1].repeat(50, axis=0))  # scaled, not moved


def test_samples_count_the_same_whatever_their_size():
    X, Y = np.array([[0.0]]), np.array([[2.0]])
    (A, _), _ = standardized([X, Y], [None, None])
    (more, _), _ = standardized([X.repeat(9, axis=0), Y], [None, None])
    np.testing.assert_allclose(more, A.repeat(9, axis=0))


def test_weights_count_like_repeats():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((4, 2)), rng.standard_normal((5, 2))
    weights = np.array([1.0, 3.0, 2.0, 1.0])
    repeated = X.repeat(weights.astype(int), axis=0)
    (_, weighted), _ = standardized([X, Y], [weights, None])
    (_, plain), _ = standardized([repeated, Y], [None, None])
    np.testing.assert_allclose(weighted, plain)


@pytest.mark.parametrize("value", [0.0, 7.0, 1e9])
def test_constant_columns_are_left_out(value):
    X = np.column_stack([np.arange(3.0), np.full(3, value)])
    (A, B), deviation = standardized([X, X + np.array([1.0, 0.0])], [None, None])
    assert deviation[0] > 0.0 == deviation[1]
    assert A.shape == B.shape == (3, 1)
