"""Where an ascent begins, and where potentials are found after Omega has moved."""

import numpy as np
import pytest

from subspaceot.core.costs import SquaredDistances
from subspaceot.core.problem import Problem
from subspaceot.solvers.potential_drift import potential_drift
from subspaceot.solvers.start import wasserstein_start
from subspaceot.transport import Entropic


def test_potentials_of_a_linear_map_follow_omega():
    rng = np.random.default_rng(0)
    Y = rng.standard_normal((30, 3))
    b = rng.dirichlet(np.ones(30))
    stretch, shift = np.array([0.5, 2.0, 1.3]), np.array([1.0, -2.0, 0.5])
    problem = Problem.of(Y * stretch + shift, Y, 2, b, b)
    plan = np.diag(problem.b)  # x = stretch y + shift is monotone for every diagonal Omega
    move = np.diag(rng.standard_normal(3))
    drift = potential_drift(problem, plan.T @ problem.X, move)
    # Its potential has the gradient 2 Omega (y - x).
    y, x = problem.Y, problem.X
    offset = problem.a @ x - stretch * (problem.b @ y)
    exact = np.sum((y @ move) * (y - stretch * y - 2.0 * offset), axis=1)
    np.testing.assert_allclose(drift - drift.mean(), exact - exact.mean(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_first_potential_is_better_than_none(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((2, 50, 6))
    problem = Problem.of(X @ np.diag([3, 2, 1, 1, 1, 1]), Y, 2)
    start = wasserstein_start(problem, 0.1 * problem.spread)
    costs, reg = SquaredDistances(problem.X, problem.Y, start.omega.whole), 0.05 * start.cost
    exact = Entropic(reg, tol=1e-10).solve(costs, problem.a, problem.b)

    assert np.std(start.g - exact.g) < np.std(exact.g)
