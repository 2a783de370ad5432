"""Both bounds follow from `plan`, `omega` and `potentials` alone, wherever and however the run ended."""

import numpy as np
import problems
import pytest
import reference
import tolerances
from proof import assert_coupling, assert_proven

import subspaceot as sot

METHODS = ["auto", "quasi-newton", "interior-point", "supergradient"]


@pytest.mark.parametrize("problem", problems.NAMED)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("max_iter", [1, 2, 3, 7, 60])
def test_exact_problem(method, max_iter, problem):
    X, Y, k, a, b = problems.NAMED[problem]()
    result = sot.srw(X, Y, k, a, b, method=method, max_iter=max_iter)
    assert result.n_iter <= max_iter
    assert_proven(result, X, Y, k, a, b)


@pytest.mark.parametrize("problem", problems.NAMED)
@pytest.mark.parametrize("method", ["auto", "quasi-newton", "supergradient", "frank-wolfe"])
@pytest.mark.parametrize("max_iter", [1, 2, 3, 7, 60])
@pytest.mark.parametrize("reg", [0.003, 0.3])
def test_regularised_problem(reg, max_iter, method, problem):
    X, Y, k, a, b = problems.NAMED[problem]()
    scale = reference.spread(X, Y, a, b)
    result = sot.srw(X, Y, k, a, b, method=method, reg=reg * scale, max_iter=max_iter)
    assert_proven(result, X, Y, k, a, b)
    slack = tolerances.BOUND * scale
    assert result.lower - slack <= result.cost <= result.upper + slack
    # The value of the regularised problem is <Omega | V> at what it hands out.
    assert result.cost == pytest.approx(np.sum(result.omega * result.displacement), abs=slack)


@pytest.mark.parametrize("problem", problems.NAMED)
@pytest.mark.parametrize("reg", [1e-5, 10.0])
def test_extreme_regularisation(reg, problem):
    X, Y, k, a, b = problems.NAMED[problem]()
    result = sot.srw(X, Y, k, a, b, method="frank-wolfe", reg=reg * reference.spread(X, Y, a, b), max_iter=5)
    assert_proven(result, X, Y, k, a, b)


@pytest.mark.parametrize("problem", problems.NAMED)
def test_ordinary_wasserstein(problem):
    X, Y, _, a, b = problems.NAMED[problem]()
    result = sot.wasserstein(X, Y, a, b)
    assert_proven(result, X, Y, X.shape[1], a, b)
    exact = reference.transport_cost(
        reference.cost_matrix(X, Y), reference.weights(a, len(X)), reference.weights(b, len(Y))
    )
    assert result.cost == pytest.approx(exact, rel=tolerances.ROUNDING)
    assert result.converged
    assert result.k == X.shape[1]


@pytest.mark.parametrize("problem", problems.NAMED)
@pytest.mark.parametrize("keywords", [{}, {"max_iter": 1}, {"reg": 1.0}, {"reg": 0.01}], ids=str)
def test_sparse_plan_of_small_problems(problem, keywords):
    X, Y, k, a, b = problems.NAMED[problem]()
    assert_sparse(sot.srw(X, Y, k, a, b, **keywords), X, Y, k, a, b)


@pytest.mark.parametrize("keywords", [{}, {"tol": 0.1}, {"max_iter": 1}, {"reg": 3.0}, {"reg": 0.05}], ids=str)
@pytest.mark.parametrize("weights", ["uniform", "uneven"])
@pytest.mark.parametrize(("n", "m", "d", "k"), [(80, 60, 6, 2), (100, 100, 30, 2)])
def test_sparse_plan(n, m, d, k, weights, keywords):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((n, d)), 2 * rng.standard_normal((m, d))
    a, b = (None, None) if weights == "uniform" else (rng.dirichlet(np.full(n, 0.3)), rng.dirichlet(np.full(m, 0.3)))
    assert_sparse(sot.srw(X, Y, k, a, b, **keywords), X, Y, k, a, b)


@pytest.mark.parametrize("keywords", [{"tol": 0.2}, {"reg": 3.0}], ids=str)
def test_sparse_plan_in_many_dimensions(keywords):
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((100, 99)), 2 * rng.standard_normal((100, 99))
    assert_sparse(sot.srw(X, Y, 5, **keywords), X, Y, 5, None, None)


@pytest.mark.parametrize("keywords", [{}, {"reg": 1.0}, {"reg": 1e-3}, {"max_iter": 1}], ids=str)
@pytest.mark.parametrize("same", [False, True])
def test_sparse_plan_where_atoms_tie(same, keywords):
    """Points that repeat many times: entropic plans are constant on blocks, so no atom is larger than the others."""
    rng = np.random.default_rng(1)
    X = np.repeat(rng.standard_normal((3, 4)), 20, axis=0)
    Y = X[::-1].copy() if same else np.repeat(rng.standard_normal((4, 4)), 15, axis=0)
    assert_sparse(sot.srw(X, Y, 2, **keywords), X, Y, 2, None, None)


def assert_sparse(result, X, Y, k, a, b):
    sparse = result.sparse_plan
    assert sparse.format == "csr"
    assert sparse.nnz <= 5 * (len(X) + len(Y))
    plan = sparse.toarray()
    assert_coupling(plan, reference.weights(a, len(X)), reference.weights(b, len(Y)))
    # It proves an upper bound of its own, hardly worse than `upper`. A better one is no fault.
    own = reference.top_sum(reference.displacement(X, Y, plan), k)
    slack = tolerances.BOUND * reference.spread(X, Y, a, b)
    assert own <= (1 + tolerances.SPARSE) * result.upper + slack
    assert own >= result.lower - slack
