"""The proof of a result, checked from the caller's data and what the result shows, without the package's code."""

import math

import numpy as np
import reference
import tolerances


def assert_proven(result, X, Y, k, a=None, b=None):
    """Check that `plan` proves `upper`, that `omega` and `potentials` prove `lower`, and that both are in order."""
    a, b = reference.weights(a, len(X)), reference.weights(b, len(Y))
    slack = tolerances.BOUND * reference.spread(X, Y, a, b)
    assert_coupling(result.plan, a, b)
    assert_soft_projector(result.omega, k)

    V = reference.displacement(X, Y, result.plan)
    np.testing.assert_allclose(result.displacement, V, rtol=0, atol=slack)
    assert abs(result.upper - reference.top_sum(V, k)) <= slack

    f, g = result.potentials
    C = reference.cost_matrix(X, Y, result.omega)
    # Points without mass may lie far outside: their squared distances have rounding errors of their own size.
    assert (f[:, None] + g <= C + slack + 1e-14 * C).all()
    assert abs(result.lower - (a @ f + b @ g)) <= slack
    assert result.lower <= reference.transport_cost(C, a, b) + slack
    assert result.lower <= result.upper + slack


def assert_coupling(plan, a, b):
    """Check that a plan is non-negative, has the marginals, and nothing where there is no mass."""
    assert plan.shape == (len(a), len(b))
    assert plan.min() >= 0
    for sums, weights in ((map(math.fsum, plan), a), (map(math.fsum, plan.T), b)):
        np.testing.assert_allclose(list(sums), weights, rtol=tolerances.MARGINALS, atol=0)
    assert not plan[a == 0].any()
    assert not plan[:, b == 0].any()


def assert_transported(plan, a, b):
    """Check the plan of an inner solver: non-negative, with marginals to rounding of the largest weight."""
    assert plan.shape == (len(a), len(b))
    assert plan.min() >= 0
    assert np.abs(plan.sum(axis=1) - a).sum() <= tolerances.MASS
    assert np.abs(plan.sum(axis=0) - b).sum() <= tolerances.MASS


def assert_soft_projector(omega, k):
    """Check that Omega is symmetric with eigenvalues in [0, 1] and trace k."""
    np.testing.assert_array_equal(omega, omega.T)
    eigenvalues = np.linalg.eigvalsh(omega)
    assert eigenvalues[0] >= -tolerances.PROJECTOR
    assert eigenvalues[-1] <= 1 + tolerances.PROJECTOR
    assert abs(np.trace(omega) - k) <= tolerances.PROJECTOR


def assert_same_bits(one, other):
    """Check that two results agree in every bit that is no time."""
    assert (one.lower, one.upper, one.status, one.n_iter) == (other.lower, other.upper, other.status, other.n_iter)
    for name in ("plan", "omega", "basis", "displacement", "grad_X", "feature_share", "point_cost"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for mine, theirs in zip(one.potentials, other.potentials, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(one.sparse_plan.toarray(), other.sparse_plan.toarray())
