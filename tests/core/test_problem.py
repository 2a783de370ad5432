"""The caller's data in the problem's own coordinates, and back."""

import dataclasses

import numpy as np
import problems
import pytest
import reference
import tolerances

from subspaceot.core.problem import Problem

every_problem = pytest.mark.parametrize("name", problems.NAMED)


@every_problem
def test_distances_survive_the_change_of_coordinates(name):
    X, Y, k, a, b = problems.NAMED[name]()
    problem = Problem.of(X, Y, k, a, b)
    frame = problem.frame
    here = reference.cost_matrix(problem.X, problem.Y) * frame.unit
    there = reference.cost_matrix(X[frame.rows], Y[frame.columns])
    np.testing.assert_allclose(here, there, rtol=0, atol=tolerances.ROUNDING * there.max())


@every_problem
def test_points_without_mass_are_set_aside(name):
    X, Y, k, a, b = problems.NAMED[name]()
    problem = Problem.of(X, Y, k, a, b)
    a, b = reference.weights(a, len(X)), reference.weights(b, len(Y))
    np.testing.assert_array_equal(problem.frame.rows, a > 0)
    np.testing.assert_array_equal(problem.frame.columns, b > 0)
    np.testing.assert_allclose(problem.a, a[a > 0], rtol=tolerances.ROUNDING)
    np.testing.assert_allclose(problem.b, b[b > 0], rtol=tolerances.ROUNDING)
    assert len(problem.X) == (a > 0).sum()
    assert len(problem.Y) == (b > 0).sum()
    assert len(problem.frame.zero_weight_X) == (a == 0).sum()
    assert len(problem.frame.zero_weight_Y) == (b == 0).sum()


@every_problem
def test_centre_and_unit_scale(name):
    problem = Problem.of(*problems.NAMED[name]())
    centre = problem.a @ problem.X + problem.b @ problem.Y
    np.testing.assert_allclose(centre, 0, atol=tolerances.ROUNDING)
    assert problem.spread == pytest.approx(
        reference.spread(problem.X, problem.Y, problem.a, problem.b), rel=tolerances.ROUNDING
    )
    assert 1 <= problem.spread < 4


@every_problem
def test_the_scale_is_a_power_of_two(name):
    assert np.frexp(Problem.of(*problems.NAMED[name]()).frame.scale)[0] == 0.5


@pytest.mark.parametrize("exponent", [-400, -30, -1, 1, 40, 400])
def test_scaling_by_a_power_of_two_changes_no_bit(exponent):
    X, Y, k, a, b = problems.plain()
    one, other = Problem.of(X, Y, k, a, b), Problem.of(X * 2.0**exponent, Y * 2.0**exponent, k, a, b)
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.Y, other.Y)
    assert other.frame.scale == one.frame.scale * 2.0**exponent


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("plain", 4),
        ("many_dimensions", 8),
        ("k_above_the_rank", 4),
        ("flat", 2),
        ("zero_weights_in_many_dimensions", 7),
    ],
)
def test_dimension_of_the_span(name, rank):
    X, Y, k, a, b = problems.NAMED[name]()
    problem = Problem.of(X, Y, k, a, b)
    # n + m points with mass span n + m - 1 directions of difference, once both clouds are centred together.
    assert rank <= problem.r <= rank + 1
    assert problem.k == min(k, problem.r)
    assert problem.frame.k == k
    if problem.frame.span is not None:
        np.testing.assert_allclose(problem.frame.span.T @ problem.frame.span, np.eye(problem.r), atol=1e-14)


def test_many_more_dimensions_than_points():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((6, 5000)), rng.standard_normal((7, 5000))
    problem = Problem.of(X, Y, 3)
    assert problem.r <= 13
    np.testing.assert_allclose(
        reference.cost_matrix(problem.X, problem.Y) * problem.frame.unit,
        np.sum((X[:, None] - Y) ** 2, axis=2),
        rtol=tolerances.ROUNDING,
    )


def test_a_direction_of_little_spread_is_kept():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((10, 3)), rng.standard_normal((12, 3))
    X[:, 2] *= 1e-6
    Y[:, 2] *= 1e-6
    assert Problem.of(X, Y, 1).r == 3


def test_lift_and_lower_are_transposes():
    problem = Problem.of(*problems.many_dimensions())
    rng = np.random.default_rng(0)
    Z, W = rng.standard_normal((problem.r, 2)), rng.standard_normal((30, 2))
    np.testing.assert_allclose(problem.frame.lift(Z).T @ W, Z.T @ problem.frame.lower(W), atol=tolerances.ROUNDING)
    np.testing.assert_allclose(problem.frame.lower(problem.frame.lift(Z)), Z, atol=tolerances.ROUNDING)


def test_all_points_equal():
    problem = Problem.of(np.ones((3, 4)), np.ones((2, 4)), 2)
    assert problem.spread == 0
    assert problem.r >= 1


def test_a_problem_is_frozen():
    problem = Problem.of(*problems.plain())
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.k = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.frame.scale = 1.0


@every_problem
def test_the_callers_arrays_stay_as_they_are(name):
    X, Y, k, a, b = problems.NAMED[name]()
    arrays = [array for array in (X, Y, a, b) if array is not None]
    copies = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    problem = Problem.of(X, Y, k, a, b)
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    # What the caller does to them afterwards does not reach the problem either.
    assert not any(np.shares_memory(array, own) for array in arrays for own in (problem.X, problem.Y, problem.a))


@pytest.mark.parametrize("repeated", [0, 5])
@pytest.mark.parametrize("squeezed", [1.0, 1e-3])
def test_many_points_in_more_dimensions(repeated, squeezed):
    """Independent points are reduced by their own coordinates, others by eigenvectors: nobody sees a difference."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((160, 400)), rng.standard_normal((170, 400)) + 3.0
    X[:, :200] *= squeezed
    Y[:, :200] *= squeezed
    Y[:repeated] = X[:repeated]
    a, b = rng.dirichlet(np.ones(160)), rng.dirichlet(np.ones(170))
    problem = Problem.of(X, Y, 2, a, b)
    frame = problem.frame
    assert problem.r == 329 - repeated
    assert (frame.axes.right is not None) == (repeated == 0 and squeezed == 1.0)
    np.testing.assert_allclose(frame.span.T @ frame.span, np.eye(problem.r), atol=1e-11)
    points = np.vstack([X, Y])
    directions = (points - points.mean(axis=0))[:3].T
    np.testing.assert_allclose(frame.lift(frame.lower(directions)), directions, atol=1e-11)
    here = reference.cost_matrix(problem.X, problem.Y) * frame.unit
    there = reference.cost_matrix(X, Y)
    np.testing.assert_allclose(here, there, rtol=0, atol=tolerances.ROUNDING * there.max())
    lifted = frame.scale * frame.lift(problem.X.T).T
    np.testing.assert_allclose(lifted - lifted[0], X - X[0], atol=1e-10)
