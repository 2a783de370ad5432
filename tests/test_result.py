"""What a result derives from its proof, compared with the formulas written out."""

import dataclasses
import re

import numpy as np
import problems
import pytest
import reference
import tolerances

import subspaceot as sot

SETTINGS = [{}, {"max_iter": 1}, {"method": "supergradient", "max_iter": 5}, {"method": "frank-wolfe", "reg": 0.1}]
every_problem = pytest.mark.parametrize("problem", problems.NAMED)
every_setting = pytest.mark.parametrize("keywords", SETTINGS, ids=str)


def solve(problem, keywords=None):
    X, Y, k, a, b = problems.NAMED[problem]()
    result = sot.srw(X, Y, k, a, b, **(keywords or {}))
    return result, X, Y, k, reference.weights(a, len(X)), reference.weights(b, len(Y))


# --- the number -----------------------------------------------------------------------------------------------------


@every_problem
@every_setting
def test_numbers_fit_together(problem, keywords):
    result, _, _, k, *_ = solve(problem, keywords)
    assert result.k == k
    assert result.distance == pytest.approx(np.sqrt(result.cost), rel=tolerances.ROUNDING)
    if result.reg is None:
        assert result.cost == pytest.approx((result.lower + result.upper) / 2, rel=tolerances.ROUNDING)
    assert 0 <= result.lower <= result.upper
    assert result.gap == (result.upper - result.lower) / result.upper
    assert result.n_iter == len(result.history)
    for value in (result.cost, result.distance, result.lower, result.upper, result.gap):
        assert type(value) is float


def test_repr_shows_distance_interval_and_status():
    result, *_ = solve("plain")
    text = repr(result)
    assert "\n" not in text
    for number in (result.distance, result.lower, result.upper):
        assert f"{number:.6g}" in text
    assert "CONVERGED" in text
    assert "k=2" in text


def test_repr_shows_the_regularisation():
    result, *_ = solve("plain", {"reg": 0.25})
    assert "reg=0.25" in repr(result)
    assert re.search(r"\bCONVERGED_REGULARISED\b", repr(result))


# --- the subspace ---------------------------------------------------------------------------------------------------


@every_problem
@every_setting
def test_basis_and_spectrum(problem, keywords):
    result, X, _, k, _, _ = solve(problem, keywords)
    basis, spectrum, omega, d = result.basis, result.spectrum, result.omega, X.shape[1]
    assert basis.shape == (d, k)
    assert spectrum.shape == (d,)
    np.testing.assert_allclose(basis.T @ basis, np.eye(k), rtol=0, atol=tolerances.ROUNDING)
    assert (np.diff(spectrum) <= 0).all()
    np.testing.assert_allclose(spectrum, np.linalg.eigvalsh(omega)[::-1], rtol=0, atol=tolerances.ROUNDING)
    np.testing.assert_allclose(omega @ basis, basis * spectrum[:k], rtol=0, atol=tolerances.ROUNDING)
    largest = basis[np.argmax(np.abs(basis), axis=0), np.arange(k)]
    assert (largest > 0).all()


def test_basis_is_the_planted_subspace():
    data = sot.instances.fragmented_hypercube(60, 8, 2, 3, rotate=True)
    result = sot.srw(data.X, data.Y, 2)
    overlap = np.linalg.svd(result.basis.T @ data.subspace, compute_uv=False)
    assert overlap.min() > 0.95  # a random plane of R^8 overlaps by about 0.5


@every_problem
def test_project(problem):
    result, X, Y, k, _, _ = solve(problem)
    np.testing.assert_array_equal(result.project(X), X @ result.basis)
    assert result.project(Y[:1].tolist()).shape == (1, k)


@pytest.mark.parametrize(("Z", "error"), [(np.ones((2, 3)), ValueError), (np.ones(4), ValueError), ("abc", TypeError)])
def test_project_names_its_argument(Z, error):
    result, *_ = solve("plain")
    with pytest.raises(error, match="`Z` must"):
        result.project(Z)


# --- features, points, gradients ------------------------------------------------------------------------------------


@every_problem
@every_setting
def test_feature_share(problem, keywords):
    result, X, Y, _, _, _ = solve(problem, keywords)
    share = result.feature_share
    assert share.shape == (X.shape[1],)
    assert share.min() >= 0
    assert share.sum() == pytest.approx(1, abs=tolerances.ROUNDING)
    values, vectors = np.linalg.eigh(result.omega)
    root = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    V = reference.displacement(X, Y, result.plan)
    expected = np.diag(root @ V @ root) / np.sum(result.omega * V)
    np.testing.assert_allclose(share, expected, rtol=0, atol=tolerances.MATRIX_ROOT)


@every_problem
@every_setting
def test_point_cost(problem, keywords):
    result, X, Y, _, a, _ = solve(problem, keywords)
    expected = np.zeros(len(X))
    for i in np.flatnonzero(a):
        for j in range(len(Y)):
            expected[i] += result.plan[i, j] / a[i] * (X[i] - Y[j]) @ result.omega @ (X[i] - Y[j])
    scale = reference.cost_matrix(X, Y).max()
    np.testing.assert_allclose(result.point_cost, expected, rtol=0, atol=tolerances.ROUNDING * scale)
    inside = np.sum(result.omega * result.displacement)
    assert a @ result.point_cost == pytest.approx(inside, abs=tolerances.ROUNDING * scale)


@every_problem
@every_setting
def test_gradients_are_their_formula(problem, keywords):
    result, X, Y, _, a, b = solve(problem, keywords)
    grad_X = 2 * (a[:, None] * X - result.plan @ Y) @ result.omega
    grad_Y = 2 * (b[:, None] * Y - result.plan.T @ X) @ result.omega
    np.testing.assert_allclose(result.grad_X, grad_X, rtol=0, atol=1e-11)
    np.testing.assert_allclose(result.grad_Y, grad_Y, rtol=0, atol=1e-11)
    # Moving both clouds together changes nothing, so all the pulls cancel.
    np.testing.assert_allclose(result.grad_X.sum(axis=0) + result.grad_Y.sum(axis=0), 0, atol=1e-11)


def test_results_are_frozen():
    result, *_ = solve("plain")
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.status = sot.Status.MAX_ITER
    with pytest.raises(AttributeError):
        result.lower = 0.0


# --- history and callback -------------------------------------------------------------------------------------------


@every_problem
@pytest.mark.parametrize("method", ["auto", "quasi-newton", "interior-point", "supergradient"])
def test_history_of_the_exact_problem_only_improves(problem, method):
    result, *_ = solve(problem, {"method": method, "max_iter": 30})
    history = result.history
    assert [record.iteration for record in history] == list(range(1, len(history) + 1))
    assert (np.diff([record.lower for record in history]) >= 0).all()
    assert (np.diff([record.upper for record in history]) <= 0).all()
    assert (np.diff([record.elapsed for record in history]) >= 0).all()
    assert all(record.reg >= 0 and record.elapsed > 0 for record in history)
    assert history[-1].lower == pytest.approx(result.lower, rel=tolerances.ROUNDING)
    assert history[-1].upper == pytest.approx(result.upper, rel=tolerances.ROUNDING)


@pytest.mark.parametrize("method", ["auto", "supergradient", "frank-wolfe"])
def test_history_of_the_regularised_problem(method):
    result, *_ = solve("plain", {"method": method, "reg": 0.3})
    assert all(record.reg == pytest.approx(0.3, rel=1e-15) for record in result.history)
    assert result.history[-1].lower == pytest.approx(result.lower, rel=tolerances.ROUNDING)
    assert result.history[-1].upper == pytest.approx(result.upper, rel=tolerances.ROUNDING)


@every_setting
def test_callback_receives_the_records_of_the_history(keywords):
    seen = []
    result, *_ = solve("plain", keywords | {"callback": seen.append})
    assert len(seen) == result.n_iter
    assert all(one is other for one, other in zip(seen, result.history, strict=True))
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen[0].lower = 0.0


@pytest.mark.parametrize("method", ["auto", "quasi-newton", "interior-point", "supergradient"])
@pytest.mark.parametrize("last", [1, 2, 3])
def test_callback_stops_by_returning_true(method, last):
    result, *_ = solve("plain", {"method": method, "tol": 1e-9, "callback": lambda record: record.iteration == last})
    assert result.status is sot.Status.STOPPED
    assert not result.converged
    assert result.n_iter == last
    assert "STOPPED" in repr(result)


@pytest.mark.parametrize("answer", [None, False, 0, "no"])
def test_callback_goes_on_otherwise(answer):
    result, *_ = solve("plain", {"callback": lambda record: answer})
    assert result.status is sot.Status.CONVERGED


def test_what_a_callback_raises_reaches_the_caller():
    def stop(record):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve("plain", {"callback": stop})
