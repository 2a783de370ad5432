"""Answers that are tiny against the spread of the data: the truth is inside, and where it can be, so is `tol`."""

from fractions import Fraction

import numpy as np
import pytest
from judged import complaints

import subspaceot as sot
from fuzz.exact import power_of_two, top_sum
from fuzz.referee import Case, truth
from subspaceot.certify.gaps import compress_gaps

TOL = 1e-3  # the default of `srw`, `prw` and `wasserstein`


def assert_true(result, X, Y, a=None, b=None, *, exact=None, tol=TOL, sparse=False):
    """Check a result in exact arithmetic, against its own proof and what is known of the answer."""
    assert complaints(result, X, Y, a, b, tol=tol, truth=exact, sparse=sparse) == []


def assert_converged(result, tol=TOL):
    assert result.status is sot.Status.CONVERGED
    assert result.gap <= tol


def results(X, Y, a=None, b=None, *, ks, powers=(2.0,)):
    """Yield what every function says of one problem, for several k."""
    for k in ks:
        yield sot.srw(X, Y, k, a, b)
        for p in powers:
            yield sot.prw(X, Y, k, a, b, p=p)
    path = sot.srw_path(X, Y, ks, a=a, b=b)
    yield from (path.results[k] for k in path.ks)


# --- time stamps beside a temperature ---------------------------------------------------------------------------------


def stamps(step, count=20):
    """Return the same time stamps, and a column that differs by 1: S_k^2 = W^2 = 1 for every k."""
    t = step * np.arange(count)
    return np.c_[t, 0.0 * t], np.c_[t, 0.0 * t + 1.0]


@pytest.mark.parametrize("step", [1.0, 1e2, 1e4, 86_400.0, 1e6, 1e8, 1e10])
def test_stamps_and_a_shift(step):
    X, Y = stamps(step)
    for result in results(X, Y, ks=(1, 2)):
        assert_true(result, X, Y, exact=1)
        assert_converged(result)
    result = sot.wasserstein(X, Y)
    assert_true(result, X, Y, exact=1, sparse=True)
    assert_converged(result)


@pytest.mark.parametrize("step", [1e4, 1e6, 1e10])
@pytest.mark.parametrize("tol", [1e-6, 1e-9])
def test_a_gap_is_what_it_says(step, tol):
    """With `t * 1e4` and tol = 1e-6 a gap of 2e-3 once was called converged."""
    X, Y = stamps(step)
    for k in (1, 2):
        result = sot.srw(X, Y, k, tol=tol)
        assert_true(result, X, Y, exact=1, tol=tol)
        assert result.converged == (result.gap <= tol)
    assert sot.srw(*stamps(1e4), 2, tol=tol).converged


@pytest.mark.parametrize("origin", [0.0, 1.6e9])
def test_every_p(origin):
    X, Y = stamps(1e6)
    X[:, 0] += origin
    Y[:, 0] += origin
    for p in (1.0, 1.5, 2.0, 3.0):
        for k in (1, 2):
            result = sot.prw(X, Y, k, p=p)
            assert_true(result, X, Y, exact=1)
            assert result.lower >= 0.99


@pytest.mark.parametrize("step", [1e4, 1e6, 1e9])
def test_pairwise(step):
    X, Y = stamps(step)
    for metric in ("srw", "prw", "wasserstein"):
        result = sot.pairwise([X, Y, X[::-1]], None if metric == "wasserstein" else 1, metric=metric)
        assert result.lower[0, 1] <= 1.0 <= result.upper[0, 1]
        assert result.lower[0, 1] >= 0.99
        assert result.upper[0, 2] == 0.0


def daily(days, seconds, origin=0.0):
    """Return stamps of rows, three a day and seven a day."""
    day = origin + seconds * np.arange(days)
    return np.repeat(day, 3), np.repeat(day, 7)


@pytest.mark.parametrize("days", [30, pytest.param(365, marks=pytest.mark.slow)])
@pytest.mark.parametrize("k", [1, 2])
def test_daily_stamps_and_a_shift(days, k):
    """Three rows a day against seven: no double is 1 / 1095 or 1 / 2555, yet all mass must stay in its day."""
    t, s = daily(days, 86_400.0, 1.6e9)
    X, Y = np.c_[t, 0.0 * t], np.c_[s, 0.0 * s + 5.0]
    result = sot.srw(X, Y, k)
    assert result.lower <= 25.0 <= result.upper
    assert_converged(result)
    if days < 100:
        assert_true(result, X, Y, exact=25)


def temperatures(days, seconds, origin=0.0):
    """Return stamps with random temperatures, and what it costs at least to stay within each day, exactly."""
    rng = np.random.default_rng(1)
    t, s = daily(days, seconds, origin)
    X, Y = np.c_[t, 10.0 + 5.0 * rng.standard_normal(len(t))], np.c_[s, 12.0 + 5.0 * rng.standard_normal(len(s))]
    within = Fraction(0)
    for day in range(days):
        of_day = Case(X[3 * day : 3 * day + 3, 1:], Y[7 * day : 7 * day + 7, 1:])
        within += truth(of_day, 1, Fraction(2))[0]
    return X, Y, within / days


@pytest.mark.parametrize("days", [30, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("k", [1, 2])
def test_daily_stamps_and_random_temperatures(days, k):
    X, Y, within = temperatures(days, 86_400.0, 1.6e9)
    result = sot.srw(X, Y, k)
    assert result.lower <= within  # a plan that proves it
    if k == 2:
        assert within <= result.upper  # no mass can gain by going to another day
    assert_true(result, X, Y)
    assert_converged(result)
    # The same in which a day is moderately long: what mass could gain by going to another one is below 1e-6.
    moderate = sot.srw(*temperatures(days, 4_096.0)[:2], k)
    assert result.lower <= moderate.upper * (1 + 1e-6)
    assert moderate.lower <= result.upper * (1 + 1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2])
def test_a_year_of_random_temperatures(k):
    X, Y, within = temperatures(365, 86_400.0, 1.6e9)
    result = sot.srw(X, Y, k)
    assert_converged(result)
    assert result.lower <= within
    if k == 2:
        assert within <= result.upper


# --- one shared outlier -----------------------------------------------------------------------------------------------


def outlier(L):
    g = np.random.default_rng(0)
    X = g.standard_normal((20, 3))
    Y = X + 0.01 * g.standard_normal((20, 3))
    X[0], Y[0] = [L, 0, 0], [L, 0.01, 0]
    return X, Y


def of_identity(X, Y, k):
    """Return bounds of what the plan costs that moves each row to its own: the answer, as rows move so little."""
    case = Case(X, Y)
    unit = power_of_two(2 * case.exponent) / case.n
    low, high = top_sum(case.X, case.Y, np.diag([1] * case.n).astype(object), k)
    return low * unit, high * unit


@pytest.mark.parametrize("L", [1e2, 1e4, 1e5, 1e6, 1e7, 1e8])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_one_shared_outlier(L, k):
    X, Y = outlier(L)
    exact = of_identity(X, Y, k)
    result = sot.srw(X, Y, k)
    assert_true(result, X, Y, exact=exact, sparse=True)
    assert_converged(result)
    projected = sot.prw(X, Y, k)
    assert_true(projected, X, Y)
    assert projected.lower >= (1 - 1e-2) * float(exact[0])
    assert projected.upper <= (1 + 1e-2) * float(exact[1])


@pytest.mark.parametrize("k", [1, 2, 3])
def test_an_outlier_beyond_the_precision_of_doubles(k):
    """A mass of 1e-32 that may have to go to the outlier and back costs a hundredth of the answer."""
    X, Y = outlier(1e12)
    result = sot.srw(X, Y, k)
    assert_true(result, X, Y, exact=of_identity(X, Y, k))
    assert result.status is sot.Status.PRECISION
    assert TOL < result.gap < 0.1


@pytest.mark.parametrize("L", [1e4, 1e7, 1e8])
@pytest.mark.parametrize("p", [1.0, 3.0])
def test_one_shared_outlier_and_other_powers(L, p):
    X, Y = outlier(L)
    for k in (1, 2, 3):
        result = sot.prw(X, Y, k, p=p)
        assert_true(result, X, Y)
        assert result.lower > 0.0


@pytest.mark.parametrize("L", [1e4, 1e7])
def test_path_of_one_shared_outlier(L):
    X, Y = outlier(L)
    path = sot.srw_path(X, Y)
    for k in path.ks:
        assert_true(path.results[k], X, Y, exact=of_identity(X, Y, k))
        assert_converged(path.results[k])


# --- light points far away --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [1e2, 1e4, 1e6, 1e8, 1e12])
@pytest.mark.parametrize("weight", [1.0, 1e-4])
def test_a_far_point_whose_share_counts(distance, weight):
    """Its weight is about 1 / distance^2: at 1e8, with the weight 1e-16, once lower was 2 and upper 1."""
    a = [1.0, weight / distance**2]
    for Y in ([[1.0]], [[0.0]], [[0.0], [3.0]]):
        X = [[0.0], [distance]]
        exact = truth(Case(X, Y, a), 1, Fraction(2))
        result = sot.srw(X, Y, 1, a)
        assert_true(result, X, Y, a, exact=exact)
        if len(Y) == 1:
            assert_converged(result)
        for p in (1.0, 2.0, 3.0):
            projected = sot.prw(X, Y, 1, a, p=p)
            assert_true(projected, X, Y, a, exact=truth(Case(X, Y, a), 1, Fraction(p)))


@pytest.mark.parametrize("seed", range(40))
def test_random_problems_on_the_line(seed):
    """Points up to `scale` with weights down to 1 / scale^2, against exact rationals."""
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(0, 12)
    n, m = rng.integers(1, 8, 2)
    X, Y = (rng.standard_normal((size, 1)) * scale ** rng.uniform(0, 1, (size, 1)) for size in (n, m))
    a, b = (scale ** rng.uniform(-2, 0, size) for size in (n, m))
    case = Case(X, Y, a, b)
    exact = truth(case, 1, Fraction(2))
    assert_true(sot.srw(X, Y, 1, a, b), X, Y, a, b, exact=exact)
    for p in (1.0, 2.0, 3.0):
        exact = truth(case, 1, Fraction(p))
        assert_true(sot.prw(X, Y, 1, a, b, p=p), X, Y, a, b, exact=exact)


# --- what once crashed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_as_many_dimensions_as_points(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((100, 100)), rng.standard_normal((100, 100))
    result = sot.prw(X, Y, 1)
    assert 0.0 < result.lower <= result.upper
    u = result.factor[:, 0]
    sorted_cost = float(np.mean((np.sort(X @ u) - np.sort(Y @ u)) ** 2))
    assert result.lower == pytest.approx(sorted_cost, rel=1e-9)


def test_a_light_point_of_one_side_only():
    X, Y, a = [[0.0], [1e8]], [[0.0]], [1.0, 1e-16]
    result = sot.srw(X, Y, 1, a)
    assert_true(result, X, Y, a, exact=truth(Case(X, Y, a), 1, Fraction(2)))
    assert_converged(result)


def test_first_powers_beside_an_outlier():
    X, Y = outlier(1e8)
    for k in (1, 2, 3):
        assert_true(sot.prw(X, Y, k, p=1), X, Y)


@pytest.mark.parametrize("n", [1, 2, 10])
def test_a_start_from_a_measure_and_itself(n):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((n, 3)), rng.standard_normal((n, 3))
    for k in (1, 2, 3):
        result = sot.srw(X, Y, k, init=sot.srw(X, X, k))
        assert_true(result, X, Y)
        assert_converged(result)


REFUSED = {
    "cubes overflow": (lambda X, Y: sot.prw(1e120 * X, 1e120 * Y, 1, p=3), "`p` must"),
    "squares overflow": (lambda X, Y: sot.prw(1e155 * X, 1e155 * Y, 1, p=3), "`X` must"),
    "large powers": (lambda X, Y: sot.prw(10 * X, 10 * Y, 2, p=1000), "`p` must"),
    "light beside heavy": (lambda X, Y: sot.srw(X, Y, 1, [1.0] * (len(X) - 1) + [1e-310]), "`a` must"),
    "squares underflow": (lambda X, Y: sot.srw(1e-170 * X, 1e-170 * Y, 1), "`X` and `Y` must"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_doubles_cannot_hold_is_refused(name):
    call, message = REFUSED[name]
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=message):
        call(rng.standard_normal((6, 3)), rng.standard_normal((7, 3)))


def test_weights_that_are_all_tiny():
    rng = np.random.default_rng(0)
    X, Y, a = rng.standard_normal((6, 3)), rng.standard_normal((7, 3)), np.full(6, 1e-310)
    result = sot.srw(X, Y, 1, a)
    assert_true(result, X, Y, a)
    assert_converged(result)


@pytest.mark.parametrize("make", [lambda: stamps(1e6), lambda: outlier(1e7)], ids=["stamps", "outlier"])
def test_a_caller_who_raises_on_every_floating_point_exception(make):
    X, Y = make()
    d = X.shape[1]
    with np.errstate(all="raise"):
        for result in results(X, Y, ks=(1, d), powers=(1.0, 2.0)):
            assert result.lower <= result.upper
        assert np.geterr()["under"] == "raise"


# --- gaps made narrow -------------------------------------------------------------------------------------------------


def test_narrow_gaps_keep_differences_within_groups():
    rng = np.random.default_rng(0)
    centres = np.array([0.0, 2.0**20, 2.0**21, 2.0**30])
    X = (centres[rng.integers(0, 4, 30)] + rng.integers(0, 64, 30) / 64)[:, None]
    Y = (centres[rng.integers(0, 4, 40)] + rng.integers(0, 64, 40) / 64)[:, None]
    X, Y = np.hstack([X, rng.random((30, 1))]), np.hstack([Y, rng.random((40, 1))])
    near_X, near_Y = compress_gaps(X, Y, 1.0)
    before, after = np.concatenate([X, Y]), np.concatenate([near_X, near_Y])
    old, new = before[:, None] - before, after[:, None] - after
    close = np.abs(old) <= 1.0
    np.testing.assert_array_equal(new[close[:, :, 0], 0], old[close[:, :, 0], 0])
    # The second column has no gap to be narrowed.
    np.testing.assert_allclose(new[:, :, 1], old[:, :, 1], rtol=0, atol=1e-15)
    np.testing.assert_array_equal(np.sign(new), np.sign(old))
    assert (np.abs(new[~close]) >= 16.0).all()  # still too far for anybody
    assert (np.abs(new) <= np.abs(old) + 1e-15).all()
    assert np.ptp(after[:, 0]) <= 4 * 1.0 + 3 * 16.0


@pytest.mark.parametrize("farthest", [0.0, 1.0])
def test_nothing_to_be_narrowed(farthest):
    X = np.arange(10.0)[:, None]
    assert compress_gaps(X, X + 0.25, farthest) is None


def test_groups_of_one_column_do_not_bind_another():
    X = np.array([[0.0, 0.0], [1e9, 0.5], [2e9, -1e9]])
    near, _ = compress_gaps(X, X, 0.5)
    np.testing.assert_array_equal(near[:, 0], [0.0, 8.0, 16.0])
    np.testing.assert_array_equal(near[:, 1], [8.0, 8.5, 0.0])
