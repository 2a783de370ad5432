"""The parts of the search for a basis: quasi-Newton ascent over subspaces, the bundle method, branch and bound."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tolerances import ROUNDING

from subspaceot.core.problem import Problem
from subspaceot.solvers.projection.angles import best_angle
from subspaceot.solvers.projection.ascent import Schedule
from subspaceot.solvers.projection.bundle import STATIONARY, _shortest_combination, refined
from subspaceot.solvers.projection.slices import Slice, slice_at
from subspaceot.solvers.projection.subspaces import maximise, projected


@pytest.mark.parametrize(
    ("tol", "shares"),
    [(0.1, [0.02]), (0.01, [0.02]), (1e-3, [0.02, 0.006, 0.0018]), (1e-9, [0.02, 0.006, 0.0018, 5.4e-4, 1.62e-4])],
)
def test_stages_end_before_tol_or_at_the_last_share(tol, shares):
    assert list(Schedule().shares(tol)) == pytest.approx(shares)


@given(st.integers(0, 1000), st.integers(1, 3))
def test_the_largest_trace_is_that_of_leading_eigenvectors(seed, k):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((6, 6))
    V = A @ A.T
    U = np.linalg.qr(rng.standard_normal((6, k)))[0]
    top = float(np.linalg.eigvalsh(V)[-k:].sum())
    basis, gradient = maximise(lambda U: (float(np.trace(U.T @ V @ U)), 2.0 * V @ U), U, size=top, tol=1e-6)

    np.testing.assert_allclose(basis.T @ basis, np.eye(k), atol=ROUNDING)
    np.testing.assert_allclose(gradient, projected(basis, 2.0 * V @ basis), atol=ROUNDING * top)
    assert np.linalg.norm(gradient) <= 1e-3 * top
    assert np.trace(basis.T @ V @ basis) == pytest.approx(top, rel=1e-4)


@given(st.integers(0, 1000), st.integers(1, 8), st.integers(2, 6))
def test_the_shortest_combination_is_no_longer_than_any(seed, count, r):
    rng, u = np.random.default_rng(seed), np.eye(r)[0]
    gradients = rng.standard_normal((count, r)) + rng.standard_normal(r)
    shares, shortest = _shortest_combination([Slice(u, None, 1.0, gradient) for gradient in gradients])
    tangents = gradients - np.outer(gradients @ u, u)

    assert shares.min() >= 0.0
    assert shares.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(shortest, shares @ tangents, atol=ROUNDING)
    # Wolfe's condition: all of the convex hull lies beyond the plane through the shortest point, orthogonal to it.
    assert (tangents @ shortest >= shortest @ shortest - 1e-9).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_bundle_method_ends_where_plans_meet(seed):
    rng = np.random.default_rng(seed)
    problem = Problem.of(rng.standard_normal((30, 4)), 1.2 * rng.standard_normal((25, 4)), 1)
    start = slice_at(problem, np.linalg.qr(rng.standard_normal((4, 1)))[0][:, 0], 2.0)
    found = refined(problem, start, 2.0)

    assert found.best.cost >= start.cost
    assert found.gradient_norm <= STATIONARY
    np.testing.assert_allclose(found.mixture.row_sums(), problem.a, rtol=1e-12)
    np.testing.assert_allclose(found.mixture.column_sums(), problem.b, rtol=1e-12)
    moment = np.einsum("ij,ijr,ijs->rs", found.mixture.dense(), *2 * [problem.X[:, None] - problem.Y])
    assert found.best.u @ moment @ found.best.u == pytest.approx(found.best.cost, rel=STATIONARY)


@pytest.mark.parametrize("seed", range(5))
def test_no_angle_of_many_is_better_than_the_best(seed):
    rng = np.random.default_rng(seed)
    problem = Problem.of(rng.standard_normal((12, 2)), rng.standard_normal((9, 2)) * [1.0, 1.5], 1)
    best = slice_at(problem, best_angle(problem), 2.0).cost
    for angle in np.linspace(0.0, np.pi, 1000):
        assert slice_at(problem, np.array([np.cos(angle), np.sin(angle)]), 2.0).cost <= best * (1.0 + 1e-12)
