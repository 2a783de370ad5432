"""Theorems, tested on intervals: no tolerance enters but rounding."""

import numpy as np
import pytest
import reference
import strategies
import tolerances
from hypothesis import given
from hypothesis import strategies as st

import subspaceot as sot


def interval(X, Y, k, a=None, b=None, tol=tolerances.LAW_GAP):
    return sot.srw(X, Y, k, a, b, tol=tol)


def slack(X, Y, a=None, b=None):
    return tolerances.BOUND * reference.spread(X, Y, a, b)


def exact_cost(X, Y, a, b, omega=None):
    """Return W^2 in d_Omega, by POT."""
    a, b = reference.weights(a, len(X)), reference.weights(b, len(Y))
    return reference.transport_cost(reference.cost_matrix(X, Y, omega), a, b)


def assert_overlap(one, other, eps, factor=1.0):
    """Check that two intervals can hold one value, the second after multiplication by `factor`."""
    assert one.lower <= factor * other.upper + eps
    assert factor * other.lower <= one.upper + eps


# --- the shape in k (DESIGN, fact 6) ----------------------------------------------------------------------------------


@given(strategies.pairs())
def test_shape_in_k(pair):
    X, Y, a, b = pair
    d, eps = X.shape[1], slack(*pair)
    W2 = exact_cost(X, Y, a, b)
    S = {k: interval(X, Y, k, a, b) for k in range(1, d + 1)}
    assert all(result.converged for result in S.values())
    for k in range(1, d + 1):
        assert S[k].lower <= W2 + eps
        assert S[k].upper >= k / d * W2 - eps
    for k in range(1, d):
        low, high = S[k], S[k + 1]
        assert low.lower <= high.upper + eps  # non-decreasing
        assert high.lower <= (k + 1) / k * low.upper + eps
        assert (d - k) * high.upper - (d - k - 1) * low.lower >= W2 - d * eps
        # A plan for one k bounds the value for the other.
        eigenvalue = {j: np.sort(np.linalg.eigvalsh(S[j].displacement))[::-1][k] for j in (k, k + 1)}
        assert low.upper + eigenvalue[k] >= high.lower - eps
        assert high.upper - eigenvalue[k + 1] >= low.lower - eps
        # So does a soft projector: (k / (k + 1)) Omega_{k+1} is feasible for k.
        assert exact_cost(X, Y, a, b, k / (k + 1) * high.omega) <= low.upper + eps
    for k in range(2, d):
        assert S[k - 1].lower + S[k + 1].lower <= 2 * S[k].upper + eps  # concave


@given(strategies.pairs())
def test_k_equal_to_d_is_the_wasserstein_distance(pair):
    X, Y, a, b = pair
    W2, eps = exact_cost(X, Y, a, b), slack(*pair)
    for result in (sot.srw(X, Y, X.shape[1], a, b), sot.wasserstein(X, Y, a, b)):
        assert abs(result.lower - W2) <= eps
        assert abs(result.upper - W2) <= eps
        assert result.status is sot.Status.CONVERGED


@given(strategies.clouds(max_d=3), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_data_in_a_subspace_have_the_wasserstein_distance_from_its_dimension_on(clouds, extra, seed):
    rank = clouds[0].shape[1]
    U = np.linalg.qr(np.random.default_rng(seed).standard_normal((rank + extra, rank)))[0]
    X, Y = (cloud @ U.T for cloud in clouds)
    W2, eps = exact_cost(*clouds, None, None), slack(*clouds)
    for k in range(rank, rank + extra + 1):
        result = interval(X, Y, k)
        assert result.lower - eps <= W2 <= result.upper + eps
        assert result.gap <= tolerances.LAW_GAP


# --- a distance -----------------------------------------------------------------------------------------------------


@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.floats(1e-3, 1e3))
def test_diracs_are_as_far_apart_as_their_points(d, seed, size):
    x, y = size * np.random.default_rng(seed).standard_normal((2, d))
    for k in range(1, d + 1):
        result = sot.srw([x], [y], k)
        assert result.distance == pytest.approx(np.linalg.norm(x - y), rel=tolerances.ROUNDING)
        assert result.converged


@given(strategies.problems())
def test_symmetry(problem):
    X, Y, k, a, b = problem
    assert_overlap(interval(X, Y, k, a, b), interval(Y, X, k, b, a), slack(X, Y, a, b))


@given(strategies.clouds(sides=3), st.data())
def test_triangle_inequality(clouds, data):
    X, Y, Z = clouds
    k = data.draw(st.integers(1, X.shape[1]))
    a, b, c = (data.draw(strategies.weights(len(cloud))) for cloud in clouds)
    direct = np.sqrt(max(interval(X, Z, k, a, c).lower, 0))
    detour = np.sqrt(interval(X, Y, k, a, b).upper) + np.sqrt(interval(Y, Z, k, b, c).upper)
    assert direct <= detour + np.sqrt(slack(X, Z, a, c))


@given(strategies.problems())
def test_distance_of_a_measure_to_itself_is_zero(problem):
    X, _, k, a, _ = problem
    result = sot.srw(X, X[::-1], k, a, None if a is None else a[::-1])
    assert abs(result.upper) <= slack(X, X, a, a)
    assert abs(result.lower) <= slack(X, X, a, a)
    assert result.gap == 0
    assert result.converged


# --- what leaves the distance alone -----------------------------------------------------------------------------------


@given(strategies.problems(), st.integers(0, 2**32 - 1))
def test_joint_rotation_and_translation(problem, seed):
    X, Y, k, a, b = problem
    rng = np.random.default_rng(seed)
    d = X.shape[1]
    Q, shift = np.linalg.qr(rng.standard_normal((d, d)))[0], rng.standard_normal(d)
    assert_overlap(interval(X, Y, k, a, b), interval(X @ Q + shift, Y @ Q + shift, k, a, b), slack(X, Y, a, b))


@given(strategies.problems(), st.floats(1e-6, 1e6), st.booleans())
def test_scaling_by_c_multiplies_by_its_square(problem, c, reflect):
    X, Y, k, a, b = problem
    c = -c if reflect else c
    result = interval(c * X, c * Y, k, a, b)
    assert_overlap(result, interval(X, Y, k, a, b), c**2 * slack(X, Y, a, b), factor=c**2)


@given(strategies.problems(), st.data())
def test_splitting_an_atom_changes_nothing(problem, data):
    X, Y, k, a, b = problem
    i = data.draw(st.integers(0, len(X) - 1))
    share = data.draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))
    weights = reference.weights(a, len(X))
    split = np.append(weights, share * weights[i])
    split[i] *= 1 - share
    result = interval(np.vstack([X, X[i]]), Y, k, split, b)
    assert_overlap(result, interval(X, Y, k, a, b), slack(X, Y, a, b))


@given(strategies.problems(), st.integers(0, 2**32 - 1), st.floats(1e-3, 1e3))
def test_order_of_points_and_total_weight_change_nothing(problem, seed, factor):
    X, Y, k, a, b = problem
    rng = np.random.default_rng(seed)
    a, b = reference.weights(a, len(X)), reference.weights(b, len(Y))
    p, q = rng.permutation(len(X)), rng.permutation(len(Y))
    result = interval(X[p], Y[q], k, factor * a[p], b[q] / factor)
    assert_overlap(result, interval(X, Y, k, a, b), slack(X, Y, a, b))


@given(strategies.problems())
def test_coordinates_that_are_always_zero_change_nothing(problem):
    X, Y, k, a, b = problem
    wide_X, wide_Y = (np.hstack([cloud, np.zeros((len(cloud), 3))]) for cloud in (X, Y))
    assert_overlap(interval(wide_X, wide_Y, k, a, b), interval(X, Y, k, a, b), slack(X, Y, a, b))


# --- known answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("size", [1.0, 3e-5, 7e4])
def test_a_point_against_the_cross_polytope(d, size):
    Y = size * np.vstack([np.eye(d), -np.eye(d)])
    for k in range(1, d + 1):
        result = sot.srw(np.zeros((1, d)), Y, k)
        truth = k / d * size**2
        eps = tolerances.BOUND * size**2
        assert result.lower - eps <= truth <= result.upper + eps
        assert result.status is sot.Status.CONVERGED
        assert np.allclose(result.displacement, size**2 / d * np.eye(d), atol=eps)


@given(strategies.planted())
def test_planted_problems(planted):
    X, Y, k, a, b, truth = planted
    eps = slack(X, Y, a, b)
    for tol in (1e-3, 1e-6):
        result = sot.srw(X, Y, k, a, b, tol=tol)
        assert result.lower - eps <= truth <= result.upper + eps
        assert result.status is sot.Status.CONVERGED


@pytest.mark.parametrize("side", ["X", "Y"])
@given(strategies.planted(min_points=3, max_points=6, max_d=4), st.integers(0, 2**32 - 1))
def test_gradients_by_finite_differences(side, planted, seed):
    X, Y, k, a, b, _ = planted
    clouds = {"X": X, "Y": Y}
    direction = np.random.default_rng(seed).standard_normal(clouds[side].shape)
    direction /= np.linalg.norm(direction)

    def cost(step):
        moved = clouds | {side: clouds[side] + step * direction}
        return interval(moved["X"], moved["Y"], k, a, b, tol=tolerances.DIFFERENCE_GAP).cost

    result = interval(X, Y, k, a, b, tol=tolerances.DIFFERENCE_GAP)
    h = tolerances.DIFFERENCE_STEP
    slope = (cost(h) - cost(-h)) / (2 * h)
    gradient = result.grad_X if side == "X" else result.grad_Y
    scale = max(result.cost, reference.spread(X, Y, a, b))
    assert np.sum(gradient * direction) == pytest.approx(slope, abs=tolerances.FINITE_DIFFERENCES * scale)
