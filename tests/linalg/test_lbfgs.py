"""Limited-memory BFGS against SciPy's."""

import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der

from subspaceot.linalg.lbfgs import minimise

LIMITS = {"steps": 500, "gtol": 1e-6, "ftol": 1e-15}


def counted(function, calls):
    def wrapped(x):
        calls.append(x)
        return function(x)

    return wrapped


@pytest.mark.parametrize("size", [2, 5, 30])
def test_a_crooked_valley(size):
    def function(x):
        return rosen(x), rosen_der(x)

    ours, theirs = [], []
    x = minimise(counted(function, ours), *function(np.zeros(size)), **LIMITS)
    minimize(counted(function, theirs), np.zeros(size), jac=True, method="L-BFGS-B", options={"gtol": 1e-6})

    np.testing.assert_allclose(x, np.ones(size), atol=1e-4)
    assert len(ours) <= 2 * len(theirs)


def test_the_first_step_has_length_one():
    calls = []
    minimise(counted(lambda x: (float(np.sum((x - 9) ** 2)), 2 * (x - 9)), calls), 162.0, np.full(2, -18.0), **LIMITS)
    assert np.linalg.norm(calls[0]) == pytest.approx(1.0)


def test_creases_end_the_walk():
    """The least point of |x| + |y| / 2 has no gradient: the walk must come near it and end."""
    shift, scale = np.array([0.3, -0.7]), np.array([1.0, 0.5])

    def function(x):
        return float(scale @ np.abs(x - shift)), scale * np.sign(x - shift)

    x = minimise(function, *function(np.zeros(2)), steps=200, gtol=1e-6, ftol=1e-9)
    assert function(x)[0] <= 0.05 * function(np.zeros(2))[0]


def test_nothing_to_do():
    def function(x):
        raise AssertionError("No evaluation is needed.")

    np.testing.assert_array_equal(minimise(function, 1.0, np.zeros(3), **LIMITS), np.zeros(3))


def test_values_that_are_not_finite_are_too_long_steps():
    def function(x):
        return (np.nan, x) if x.max() > 0.5 else (float(np.sum((x - 0.4) ** 2)), 2 * (x - 0.4))

    x = minimise(function, *function(np.zeros(1)), **LIMITS)
    np.testing.assert_allclose(x, 0.4, atol=1e-5)


def test_a_slope_without_end_ends_at_a_point_that_was_tried():
    calls = []
    x = minimise(counted(lambda x: (-float(x[0]), -np.ones(1)), calls), 0.0, -np.ones(1), steps=1, gtol=0.0, ftol=0.0)
    np.testing.assert_array_equal(x, calls[-1])
