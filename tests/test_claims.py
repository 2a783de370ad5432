"""What a result claims, proven from what it shows, in exact arithmetic on the doubles as given."""

from fractions import Fraction

import numpy as np
import problems
import pytest
from judged import complaints, dense

import subspaceot as sot
from fuzz.exact import is_positive_semidefinite

FOUR_ULP = Fraction(4, 2**52)

SETTINGS = [
    {},
    {"tol": 1e-8},
    {"max_iter": 1},
    {"method": "supergradient", "max_iter": 5},
    {"method": "interior-point"},
    {"method": "frank-wolfe", "reg": 0.1},
]
every_problem = pytest.mark.parametrize("problem", problems.NAMED)
every_setting = pytest.mark.parametrize("keywords", SETTINGS, ids=str)


def exact(array):
    """Return an array of fractions."""
    return np.vectorize(Fraction, otypes=[object])(np.asarray(array, dtype=float))


def shares(weights, n):
    weights = exact(np.ones(n) if weights is None else weights)
    return weights / weights.sum()


def assert_factor(factor, k):
    """Check that F^T F has no eigenvalue above 1 and a trace of at most k."""
    F = exact(factor)
    gram = F.T @ F
    assert gram.trace() <= k
    scale = max(entry.denominator for entry in gram.flat)  # powers of two, so that the largest serves all
    M = np.diag([Fraction(1)] * len(gram)).astype(object) * scale - gram * scale
    assert is_positive_semidefinite(np.vectorize(int, otypes=[object])(M))


def assert_lower(result, X, Y, a, b, p=2):
    """Check that factor and potentials prove `lower`; pairs of points without weight are promised too."""
    assert_factor(result.factor, result.k)
    F, (f, g) = exact(result.factor), (exact(potential) for potential in result.potentials)
    x, y = exact(X) @ F, exact(Y) @ F
    for i in range(len(x)):
        for j in range(len(y)):
            square = ((x[i] - y[j]) ** 2).sum()
            total = f[i] + g[j]
            assert total <= 0 or total**2 <= square**p
    assert result.lower <= (shares(a, len(X)) * f).sum() + (shares(b, len(Y)) * g).sum()


def assert_marginals(plan, a, b):
    plan = dense(plan)
    assert plan.min() >= 0
    P = exact(plan)
    for sums, weights in ((P.sum(axis=1), shares(a, len(P))), (P.sum(axis=0), shares(b, P.shape[1]))):
        for total, weight in zip(sums, weights, strict=True):
            assert abs(total - weight) <= FOUR_ULP * weight


# --- srw --------------------------------------------------------------------------------------------------------------


@every_problem
@every_setting
def test_factor_and_potentials_prove_the_lower_bound(problem, keywords):
    X, Y, k, a, b = problems.NAMED[problem]()
    assert_lower(sot.srw(X, Y, k, a, b, **keywords), X, Y, a, b)


@every_problem
@every_setting
def test_marginals_to_four_units_in_the_last_place(problem, keywords):
    X, Y, k, a, b = problems.NAMED[problem]()
    result = sot.srw(X, Y, k, a, b, **keywords)
    assert_marginals(result.plan, a, b)
    assert_marginals(result.sparse_plan, a, b)
    assert result.sparse_plan.nnz <= 5 * (len(X) + len(Y))


@every_problem
def test_the_referee_has_no_objection(problem):
    X, Y, k, a, b = problems.NAMED[problem]()
    assert complaints(sot.srw(X, Y, k, a, b), X, Y, a, b, tol=1e-3, sparse=True) == []
    for p in (1.0, 2.0, 3.0):
        assert complaints(sot.prw(X, Y, k, a, b, p=p), X, Y, a, b, sparse=True) == []


@every_problem
def test_omega_is_the_product_of_its_factor(problem):
    X, Y, k, a, b = problems.NAMED[problem]()
    result = sot.srw(X, Y, k, a, b)
    beyond = result.omega - result.factor @ result.factor.T
    # Where k exceeds the dimension of the data, Omega has directions in which nothing differs.
    spare = k - np.linalg.matrix_rank(np.vstack([X, Y]) - X[0])
    assert np.linalg.eigvalsh(beyond)[0] >= -1e-9
    assert np.trace(beyond) <= max(spare, 0) + 1e-9


def test_points_without_weight_that_lie_anywhere():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((8, 3)), rng.standard_normal((9, 3))
    a, b = rng.random(8), rng.random(9)
    a[[0, 3, 7]], b[[1, 2]] = 0.0, 0.0
    X[0], X[3], Y[1] = [1e9, 0, 0], X[1], X[0]
    X[7] = Y[2] = [1e-9, 1e5, 0.0]
    for k in (1, 2, 3):
        assert_lower(sot.srw(X, Y, k, a, b), X, Y, a, b)
        for p in (1, 2, 3):
            result = sot.prw(X, Y, k, a, b, p=p)
            assert_lower(result, X, Y, a, b, p)
            assert_marginals(result.plan, a, b)


# --- prw --------------------------------------------------------------------------------------------------------------


@every_problem
@pytest.mark.parametrize("p", [1, 2, 3])
def test_projected_results(problem, p):
    X, Y, k, a, b = problems.NAMED[problem]()
    for dimension in {1, k}:
        result = sot.prw(X, Y, dimension, a, b, p=p)
        assert_lower(result, X, Y, a, b, p)
        for plan in (result.plan, result.sparse_plan, result.upper_plan):
            assert_marginals(plan, a, b)


# --- the path ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", ["plain", "zero_weights", "flat", "whole_space"])
def test_results_of_a_path(problem):
    X, Y, _, a, b = problems.NAMED[problem]()
    path = sot.srw_path(X, Y, a=a, b=b)
    for k in path.ks:
        result = path.results[k]
        assert_lower(result, X, Y, a, b)
        assert_marginals(result.plan, a, b)
        assert complaints(result, X, Y, a, b, tol=1e-3) == []


# --- gap and status ---------------------------------------------------------------------------------------------------


@every_problem
@every_setting
def test_gap_is_the_relative_width(problem, keywords):
    X, Y, k, a, b = problems.NAMED[problem]()
    result = sot.srw(X, Y, k, a, b, **keywords)
    lower, upper = Fraction(result.lower), Fraction(result.upper)
    assert upper > 0
    assert 0 <= lower < upper  # no problem here is known to the last digit
    width = (upper - lower) / upper
    assert abs(Fraction(result.gap) - width) <= 2 * Fraction(1, 2**52) * width
    if result.reg is None:
        assert (result.status is sot.Status.CONVERGED) == (result.gap <= keywords.get("tol", 1e-3))


def test_no_gap_without_a_difference():
    X = np.random.default_rng(0).standard_normal((5, 2))
    result = sot.srw(X, X[::-1], 1)
    assert (result.lower, result.upper, result.gap) == (0.0, 0.0, 0.0)


def test_double_precision_that_is_spent():
    """Beside points 1e14 apart nothing certain can be said of a difference of 0.01."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((10, 2))
    Y = X + 0.01 * rng.standard_normal((10, 2))
    X[:, 0] += 1e14 * np.arange(10)
    Y[:, 0] = X[:, 0]
    for tol in (1e-3, 1e-6):
        result = sot.srw(X, Y, 1, tol=tol)
        assert result.status is sot.Status.PRECISION
        assert result.gap > tol
        assert not result.converged
        assert complaints(result, X, Y, tol=tol) == []
    assert "rescale" in sot.Status.PRECISION.value


@pytest.mark.parametrize("method", ["auto", "quasi-newton", "interior-point", "supergradient"])
def test_a_tolerance_below_the_precision_of_doubles(method):
    X, Y, k, a, b = problems.plain()
    result = sot.srw(X, Y, k, a, b, tol=1e-17, method=method, max_iter=200)
    assert result.status is not sot.Status.CONVERGED
    assert result.gap > 1e-17
    assert complaints(result, X, Y, a, b, tol=1e-17) == []
