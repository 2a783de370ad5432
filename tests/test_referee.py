"""An interval that holds the optimum of the semidefinite program, solved by Clarabel, on hundreds of problems."""

import numpy as np
import pytest
import reference
import tolerances

import subspaceot as sot

KINDS = ["uniform", "uneven", "zero weights", "repeated points", "shared points", "grid"]
METHODS = ["quasi-newton", "interior-point", "supergradient"]


def random_problem(kind, seed):
    """Return (X, Y, a, b) with n, m <= 12 and d <= 6."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    d, (n, m) = 1 + seed % 6, rng.integers(1, 13, 2)
    X = rng.standard_normal((n, d))
    Y = rng.standard_normal((m, d)) * rng.uniform(0, 2, d) + rng.standard_normal(d) * rng.integers(2)
    a, b = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))
    if kind == "uniform":
        a = b = None
    elif kind == "zero weights":
        a[rng.permutation(n)[: n // 3]] = 0
        b[rng.permutation(m)[: m // 3]] = 0
    elif kind == "repeated points":
        X, Y = X[rng.integers(0, n, n)], Y[rng.integers(0, m, m)]
    elif kind == "shared points":
        Y[: min(n, m)] = X[: min(n, m)]
    elif kind == "grid":
        X, Y = np.round(X), np.round(Y)
    return X, Y, a, b


def assert_holds(result, optimum, X, Y, a, b):
    slack = tolerances.REFEREE * reference.spread(X, Y, a, b)
    assert result.lower - slack <= optimum <= result.upper + slack


# Each seed is a problem for every k = 1..d: 6 kinds of 42 problems make 252.
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_default(kind, seed):
    X, Y, a, b = random_problem(kind, seed)
    for k in range(1, X.shape[1] + 1):
        result = sot.srw(X, Y, k, a, b)
        assert result.status is sot.Status.CONVERGED
        assert result.gap <= 1e-3
        assert_holds(result, reference.srw_sdp(X, Y, k, a, b), X, Y, a, b)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2, 6))
def test_other_methods_and_regularised_problems(kind, seed):
    X, Y, a, b = random_problem(kind, seed)
    reg = 0.05 * reference.spread(X, Y, a, b)
    for k in range(1, X.shape[1] + 1):
        optimum = reference.srw_sdp(X, Y, k, a, b)
        for method in METHODS:
            assert_holds(sot.srw(X, Y, k, a, b, method=method, max_iter=50), optimum, X, Y, a, b)
        for method in ("auto", "frank-wolfe", "supergradient"):
            assert_holds(sot.srw(X, Y, k, a, b, method=method, reg=reg, max_iter=50), optimum, X, Y, a, b)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3, 6))
def test_tight_tolerance(kind, seed):
    X, Y, a, b = random_problem(kind, seed)
    for k in range(1, X.shape[1] + 1):
        result = sot.srw(X, Y, k, a, b, tol=1e-7)
        assert result.status is sot.Status.CONVERGED
        assert_holds(result, reference.srw_sdp(X, Y, k, a, b), X, Y, a, b)


@pytest.mark.parametrize("kind", KINDS)
def test_interrupted_runs(kind):
    X, Y, a, b = random_problem(kind, 5)
    for k in range(1, 7):
        optimum = reference.srw_sdp(X, Y, k, a, b)
        for max_iter in (1, 2, 4, 8):
            assert_holds(sot.srw(X, Y, k, a, b, max_iter=max_iter), optimum, X, Y, a, b)
