"""P_k: what the basis attains is recomputed by POT, what no basis can exceed from the coupling that proves it."""

import time
from functools import cache

import numpy as np
import problems
import proof
import pytest
import reference
import strategies
import tolerances
from hypothesis import given
from hypothesis import strategies as st

import subspaceot as sot
from subspaceot import projection

POWERS = [1, 1.5, 2, 3]


def powers_of_distances(X, Y, p, basis=None):
    if basis is not None:
        X, Y = X @ basis, Y @ basis
    return reference.cost_matrix(X, Y) ** (p / 2)


def projected_cost(X, Y, a, b, basis, p=2):
    """Return W_p^p of the projections, by POT."""
    a, b = reference.weights(a, len(X)), reference.weights(b, len(Y))
    return reference.transport_cost(powers_of_distances(X, Y, p, basis), a, b)


def assert_proven(result, X, Y, k, a=None, b=None, p=2):
    """Check both ends of the interval from what the result hands out."""
    a, b = reference.weights(a, len(X)), reference.weights(b, len(Y))
    # Powers of distances: relative to the largest that has mass, in which sums are rounded.
    slack = tolerances.BOUND * powers_of_distances(X[a > 0], Y[b > 0], p).max()
    np.testing.assert_allclose(result.basis.T @ result.basis, np.eye(k), rtol=0, atol=tolerances.PROJECTOR)
    np.testing.assert_allclose(result.omega, result.basis @ result.basis.T, rtol=0, atol=tolerances.PROJECTOR)
    C = powers_of_distances(X, Y, p, result.basis)

    assert result.cost == result.lower
    assert abs(result.cost - reference.transport_cost(C, a, b)) <= slack
    proof.assert_coupling(result.plan, a, b)
    assert result.sparse_plan.nnz <= len(X) + len(Y) - 1
    np.testing.assert_array_equal(result.sparse_plan.toarray(), result.plan)
    assert abs(result.cost - np.sum(result.plan * C)) <= slack
    assert abs(result.cost - a @ result.point_cost) <= slack
    f, g = result.potentials
    assert (f[:, None] + g <= C + slack + 1e-13 * C).all()
    assert abs(result.cost - (a @ f + b @ g)) <= slack

    ceiling = result.upper_plan.toarray()
    proof.assert_coupling(ceiling, a, b)
    bounds = [np.sum(ceiling * powers_of_distances(X, Y, p))]
    if p <= 2:
        bounds.append(max(reference.top_sum(reference.displacement(X, Y, ceiling), k), 0) ** (p / 2))
    if k < np.linalg.matrix_rank(np.vstack([X[a > 0] - Y[b > 0][0], Y[b > 0] - Y[b > 0][0]])):
        assert abs(result.upper - min(bounds)) <= 1e2 * slack
    assert result.lower <= result.upper + slack


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("name", problems.NAMED)
def test_proof(name, p):
    X, Y, k, a, b = problems.NAMED[name]()
    assert_proven(sot.prw(X, Y, k, a, b, p=p), X, Y, k, a, b, p)


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("name", problems.NAMED)
def test_proof_of_max_sliced(name, p):
    X, Y, _, a, b = problems.NAMED[name]()
    assert_proven(sot.prw(X, Y, 1, a, b, p=p), X, Y, 1, a, b, p)


@given(strategies.pairs(), st.sampled_from(POWERS))
def test_proof_of_any_pair(pair, p):
    X, Y, a, b = pair
    for k in range(1, X.shape[1] + 1):
        assert_proven(sot.prw(X, Y, k, a, b, p=p), X, Y, k, a, b, p)


# --- theorems ---------------------------------------------------------------------------------------------------------


@given(strategies.pairs())
def test_between_the_means_and_the_subspace_robust_distance(pair):
    X, Y, a, b = pair
    slack = tolerances.BOUND * reference.spread(X, Y, a, b)
    means = reference.weights(a, len(X)) @ X - reference.weights(b, len(Y)) @ Y
    costs = []
    for k in range(1, X.shape[1] + 1):
        costs.append(sot.prw(X, Y, k, a, b).cost)
        assert means @ means - slack <= costs[-1] <= sot.srw(X, Y, k, a, b).upper + slack
    assert abs(costs[-1] - sot.wasserstein(X, Y, a, b).cost) <= slack


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_moved_by_one_vector(k, p):
    rng = np.random.default_rng(0)
    X, v = rng.standard_normal((20, 4)), rng.standard_normal(4)
    result = sot.prw(X, X + v, k, p=p)
    assert result.distance == pytest.approx(np.linalg.norm(v), rel=1e-12)
    assert result.gradient_norm < 1e-6


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_same_points(k, p):
    X = np.random.default_rng(0).standard_normal((12, 3))
    result = sot.prw(X, X[::-1], k, p=p)
    assert result.cost == pytest.approx(0, abs=1e-12)
    assert result.converged


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("k", [1, 2])
def test_no_small_rotation_improves(k, p):
    instance = sot.instances.fragmented_hypercube(60, 8, 2, rng=1, m=50, rotate=True)
    X, Y = instance.X, instance.Y
    result = sot.prw(X, Y, k, p=p)
    assert result.status in (sot.Status.STATIONARY, sot.Status.CONVERGED)
    assert result.gradient_norm <= 1e-3
    rng = np.random.default_rng(0)
    for angle in (0.3, 0.03, 0.003):
        for _ in range(20):
            basis, _ = np.linalg.qr(result.basis + angle * rng.standard_normal((8, k)))
            assert projected_cost(X, Y, None, None, basis, p) <= result.cost * (1 + tolerances.LOCAL_MAXIMUM)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize("k", [1, 2])
def test_scale(k, p, scale):
    instance = sot.instances.fragmented_hypercube(40, 6, 2, rng=0)
    one = sot.prw(instance.X, instance.Y, k, p=p)
    other = sot.prw(scale * instance.X, scale * instance.Y, k, p=p)
    assert other.cost == pytest.approx(scale**p * one.cost, rel=1e-4)
    assert other.upper == pytest.approx(scale**p * one.upper, rel=1e-3)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("p", [1.5, 2, 3])
def test_gradient(k, p):
    rng = np.random.default_rng(3)
    X, Y = rng.standard_normal((7, 4)), 2 * rng.standard_normal((6, 4))
    result = sot.prw(X, Y, k, p=p)
    dX, dY, h = rng.standard_normal(X.shape), rng.standard_normal(Y.shape), 1e-6
    for move_X, move_Y, expected in ((dX, 0, np.sum(result.grad_X * dX)), (0, dY, np.sum(result.grad_Y * dY))):
        plus, minus = (
            np.sum(result.plan * powers_of_distances(X + step * move_X, Y + step * move_Y, p, result.basis))
            for step in (h, -h)
        )
        assert expected == pytest.approx((plus - minus) / (2 * h), rel=1e-5)


# --- brute force in the plane -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_brute_force_in_the_plane(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(2, 30, 2)
    X, Y = rng.standard_normal((n, 2)), rng.standard_normal((m, 2)) @ rng.standard_normal((2, 2)) + 0.2
    a, b = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))
    theta = np.linspace(0, 180, 20_000)
    curves = sot.planar.angle_curves(X, Y, a, b, theta=theta)
    result = sot.prw(X, Y, 1, a, b)
    # The grid misses a crease by up to half a step, so the search may be above it, by the slope times that.
    assert curves.cost.max() * (1 - 1e-9) <= result.cost <= curves.cost.max() * (1 + 1e-4)
    fine = np.rad2deg(np.arctan2(result.basis[1, 0], result.basis[0, 0])) + np.linspace(-0.02, 0.02, 2001)
    assert sot.planar.angle_curves(X, Y, a, b, theta=fine).cost.max() == pytest.approx(result.cost, rel=1e-6)


def test_angle_curves_by_pot():
    instance = sot.instances.planar()
    X, Y, a, b = instance.X, instance.Y, instance.a, instance.b
    curves = sot.planar.angle_curves(X, Y, a, b, theta=[10, 55, 170])
    for angle, cost in zip(np.deg2rad(curves.theta), curves.cost, strict=True):
        u = np.array([[np.cos(angle)], [np.sin(angle)]])
        assert cost == pytest.approx(projected_cost(X, Y, a, b, u), rel=1e-12)
    assert (curves.smallest <= curves.largest).all()
    assert (curves.cost <= curves.largest * (1 + 1e-12)).all()


@pytest.mark.parametrize("coincide", [True, False])
def test_planar_instances(coincide):
    instance = sot.instances.planar(coincide=coincide)
    X, Y, a, b = instance.X, instance.Y, instance.a, instance.b
    curves = sot.planar.angle_curves(X, Y, a, b, theta=np.linspace(0, 180, 20_000))
    P, S = sot.prw(X, Y, 1, a, b), sot.srw(X, Y, 1, a, b, tol=1e-5)
    assert curves.cost.max() * (1 - 1e-9) <= P.cost <= curves.cost.max() * (1 + 2e-4)  # at a crease between two angles
    assert curves.largest.min() >= S.lower
    if coincide:
        assert P.cost == pytest.approx(S.cost, rel=1e-5)
        assert P.cost == pytest.approx(curves.largest.min(), rel=1e-6)
    else:
        assert P.cost < 0.71 * S.lower


def test_angle_curves_of_points_on_a_line():
    curves = sot.planar.angle_curves([[0, 0], [2, 0]], [[1, 0]], theta=[0, 90])
    np.testing.assert_allclose(curves.cost, [1, 0], atol=1e-12)
    np.testing.assert_allclose(curves.smallest, [0, 0], atol=1e-12)


# --- the line ---------------------------------------------------------------------------------------------------------


@given(strategies.pairs(), st.sampled_from(POWERS))
def test_monotone_coupling_is_optimal(pair, p):
    from subspaceot.core.marginals import Masses
    from subspaceot.core.rounding import exact_shares
    from subspaceot.transport import monotone_coupling, monotone_potentials

    X, Y, a, b = pair
    a, b = np.ones(len(X)) if a is None else a, np.ones(len(Y)) if b is None else b
    x, y = X[a > 0, 0], Y[b > 0, 0]
    (a, a_low), (b, b_low) = exact_shares(a[a > 0]), exact_shares(b[b > 0])
    stairs = monotone_coupling(x, y, Masses(a, a_low, b, b_low))
    assert len(stairs.mass) == len(x) + len(y) - 1
    plan = np.zeros((len(x), len(y)))
    np.add.at(plan, (stairs.rows, stairs.columns), stairs.mass)
    proof.assert_coupling(plan, a, b)
    C = np.abs(x[:, None] - y) ** p
    slack = tolerances.BOUND * max(C.max(), 1e-300)
    assert abs(np.sum(plan * C) - reference.transport_cost(C, a, b)) <= slack
    f, g, error = monotone_potentials(stairs, x, y, p)
    assert error <= slack
    assert (f[:, None] + g <= C + slack).all()
    assert abs(a @ f + b @ g - np.sum(plan * C)) <= slack


def test_max_sliced_beats_random_directions():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((500, 300)), rng.standard_normal((500, 300))
    Y[:, 0] += 2
    result = sot.prw(X, Y, 1)
    assert result.cost > 4
    u = rng.standard_normal((300, 50))
    u /= np.linalg.norm(u, axis=0)
    random = np.mean((np.sort(X @ u, axis=0) - np.sort(Y @ u, axis=0)) ** 2, axis=0)
    assert random.max() < 0.5


def test_max_sliced_forms_no_matrix_of_pairs():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((30_000, 5)), rng.standard_normal((40_000, 5))  # 9.6 GB, if it were
    Y[:, 2] *= 2
    result = sot.prw(X, Y, 1, b=rng.random(40_000))
    assert abs(result.basis[2, 0]) > 0.99
    assert result.cost == pytest.approx(1, abs=0.1)
    assert result.sparse_plan.nnz <= 70_000 - 1


def test_plan_that_does_not_fit_is_refused(monkeypatch):
    result = sot.prw([[0.0, 1.0], [2.0, 1.0]], [[1.0, 3.0]], 1)
    monkeypatch.setattr("subspaceot.core.validate.memory._physical_memory", lambda: 10)
    with pytest.raises(MemoryError, match="GB"):
        _ = result.plan


@pytest.mark.slow
def test_max_sliced_of_a_hundred_thousand_points():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((100_000, 50)), rng.standard_normal((100_000, 50))
    Y[:, 7] += 0.5
    began = time.perf_counter()
    result = sot.prw(X, Y, 1)
    assert time.perf_counter() - began < 30
    assert abs(result.basis[7, 0]) > 0.99


# --- restarts, input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2])
def test_more_starts_are_never_worse(k):
    rng = np.random.default_rng(5)
    X, Y = rng.standard_normal((15, 6)), rng.standard_normal((15, 6))
    one, more = sot.prw(X, Y, k), sot.prw(X, Y, k, n_starts=6, rng=1)
    assert more.cost >= one.cost * (1 - 1e-9)
    again = sot.prw(X, Y, k, n_starts=6, rng=np.random.default_rng(1))
    assert (again.lower, again.upper) == (more.lower, more.upper)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"p": 0.5}, ValueError, "`p` must be finite and at least 1; got 0.5"),
        ({"p": np.inf}, ValueError, "`p` must be finite and at least 1; got inf"),
        ({"p": "2"}, TypeError, "`p` must be a real number"),
        ({"n_starts": 0}, ValueError, "`n_starts` must be at least 1; got 0"),
        ({"n_starts": 1.5}, TypeError, "`n_starts` must be an integer"),
        ({"rng": "a"}, TypeError, "`rng` must be a numpy.random.Generator or an integer seed"),
        ({"tol": 0}, ValueError, "`tol` must be positive"),
        ({"k": 5}, ValueError, "`k` must be between 1 and the dimension d=3; got 5"),
        ({"k": 1.0}, TypeError, "`k` must be an integer"),
        ({"a": [1, 2]}, ValueError, "`a` must hold one weight"),
        ({"X": [[1, np.nan, 0]]}, ValueError, "NaN"),
        ({"Y": [[1, 2]]}, ValueError, "columns"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_input(settings, error, message):
    arguments = {"X": np.eye(3), "Y": np.ones((2, 3)), "k": 2} | settings
    with pytest.raises(error, match=message):
        sot.prw(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[1, 2, 3]], [[1, 2, 3]]), ValueError, "2 columns"),
        (([[1, 2]], [[1, 2]], None, None, [[1]]), ValueError, "`theta` must be one list"),
        (([[1, 2]], [[1, 2]], None, None, [np.nan]), ValueError, "`theta` must be finite"),
    ],
)
def test_bad_angles(arguments, error, message):
    with pytest.raises(error, match=message):
        sot.planar.angle_curves(*arguments[:4], theta=arguments[4] if len(arguments) > 4 else None)


# --- POT's projection robust solver -----------------------------------------------------------------------------------


def test_roundings_span_what_omega_spans():
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((6, 3)))[0]
    bases = list(projection._roundings((Q * [1.0, 0.6, 0.4]) @ Q.T, 2))
    assert len(bases) == 2
    for U in bases:
        np.testing.assert_allclose(U.T @ U, np.eye(2), atol=1e-14)
        np.testing.assert_allclose(Q @ (Q.T @ U), U, atol=1e-7)
    assert np.abs(bases[0] @ bases[0].T - bases[1] @ bases[1].T).max() > 0.01
    assert list(projection._roundings(Q[:, :2] @ Q[:, :2].T, 2)) == []


def pot_basis(instance, k, seed):
    """Return the basis that POT finds from a random start with the settings of its documentation's kind."""
    import ot.dr as dr  # takes a second, and needs autograd and pymanopt

    U0, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((instance.X.shape[1], k)))
    _, U = dr.projection_robust_wasserstein(
        instance.X, instance.Y, instance.a, instance.b, 1e-3, U0=U0, reg=0.2, k=k, maxiter=500, stopThr=1e-3
    )
    return U


def timed(work, repeats):
    """Return what `work` returns, and the median of its times."""
    seconds = []
    for _ in range(repeats):
        began = time.perf_counter()
        answer = work()
        seconds.append(time.perf_counter() - began)
    return answer, np.median(seconds)


@cache
def against_pot(k_star, n):
    """Return, for five seeds, our result, the exact cost in POT's basis, and the ratio of our time to POT's."""
    sot.prw(np.eye(3), 2 * np.eye(3), 2)  # imports and compiles what will be timed
    races = []
    for seed in range(5):
        instance = sot.instances.fragmented_hypercube(n, 30, k_star, rng=seed, rotate=True)
        U, theirs = timed(lambda instance=instance, seed=seed: pot_basis(instance, 2, seed), 3)
        result, ours = timed(lambda instance=instance: sot.prw(instance.X, instance.Y, 2, tol=1e-2), 9)
        races.append((result, projected_cost(instance.X, instance.Y, None, None, U), ours / theirs))
    return races


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 300])
@pytest.mark.parametrize("k_star", [2, 4])
def test_cost_against_pot(k_star, n):
    for result, cost, _ in against_pot(k_star, n):
        assert result.cost >= 0.999 * cost
        if k_star == 2:
            assert result.gap <= 1e-2


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 300])
@pytest.mark.parametrize("k_star", [2, 4])
def test_time_against_pot(k_star, n):
    assert np.median([ratio for _, _, ratio in against_pot(k_star, n)]) <= 1 / 15
