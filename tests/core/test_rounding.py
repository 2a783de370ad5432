"""Sums, shares and eigenvalues against exact arithmetic: bounds on the right side, and not far off."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz import exact
from subspaceot.core import eigenbounds
from subspaceot.core.eigenbounds import leading_pairs, spectral_norm_bound, top_sum_bound
from subspaceot.core.rounding import (
    UNDERFLOW,
    UNIT,
    dot_down,
    dot_up,
    down,
    exact_product,
    exact_shares,
    gamma,
    rounded_down,
    up,
)

U = Fraction(1, 2**53)
LEAST = Fraction(UNDERFLOW)

mixed = st.builds(
    lambda mantissa, exponent: float(np.ldexp(mantissa, exponent)),
    st.one_of(st.just(0.0), st.floats(0.5, 1.0), st.floats(-1.0, -0.5)),
    st.integers(-200, 200),
)


def fractions(values):
    return [Fraction(value) for value in np.ravel(values).tolist()]


def relative_errors(high, low, weights):
    """Return the exact relative errors of shares high + low."""
    exact_weights = fractions(weights)
    total = sum(exact_weights)
    for first, second, weight in zip(fractions(high), fractions(low), exact_weights, strict=True):
        yield abs(first + second - weight / total) / (weight / total) if weight else abs(first + second)


# --- one operation ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 1000, 10**6, 10**12])
def test_gamma_is_an_upper_bound(n):
    exact_gamma = n * U / (1 - n * U)
    assert exact_gamma <= Fraction(gamma(float(n))) <= exact_gamma * (1 + 16 * U)


@given(mixed)
def test_up_and_down_leave_room_for_four_roundings(value):
    x = Fraction(value)
    assert Fraction(up(value)) >= x + 3 * U * abs(x) + LEAST / 2
    assert Fraction(down(value)) <= x - 3 * U * abs(x) - LEAST / 2
    assert Fraction(float(rounded_down(np.array([value]))[0])) <= x - 3 * U * abs(x) - LEAST / 2
    assert Fraction(up(value)) <= x + 6 * U * abs(x) + 2 * LEAST
    assert Fraction(down(value)) >= x - 6 * U * abs(x) - 2 * LEAST


@given(st.lists(st.tuples(mixed, mixed), min_size=1, max_size=20))
def test_products_and_their_errors_are_exact(pairs):
    x, y = np.array(pairs).T
    product, error = exact_product(x, y)
    np.testing.assert_array_equal(product, x * y)
    for p, e, first, second in zip(*map(fractions, (product, error, x, y)), strict=True):
        assert p + e == first * second


# --- shares -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.one_of(st.just(0.0), st.floats(1e-100, 1.0), st.floats(1e-3, 1e3)), min_size=1, max_size=30))
def test_shares_to_98_bits(weights):
    weights = np.array([*weights, 1.0])
    assert max(relative_errors(*exact_shares(weights), weights)) <= Fraction(1, 2**98)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 365, 1000])
@pytest.mark.parametrize("kind", ["equal", "random", "mixed", "tiny"])
def test_shares_of_many_weights(n, kind):
    rng = np.random.default_rng(n)
    weights = {
        "equal": np.ones(n),
        "random": rng.random(n),
        "mixed": 10.0 ** rng.uniform(-30, 0, n),
        "tiny": np.append(np.full(n - 1, 1e-150), 1.0),
    }[kind]
    high, low = exact_shares(weights)
    assert max(relative_errors(high, low, weights)) <= Fraction(1, 2**98)
    assert (np.abs(low) <= 2 * UNIT * high).all()  # the first part is a double next to the share


def test_weights_of_zero_have_shares_of_zero():
    high, low = exact_shares(np.array([0.0, 3.0, 0.0, 4.0]))
    assert high[0] == low[0] == high[2] == low[2] == 0.0


# --- scalar products --------------------------------------------------------------------------------------------------


def scalar_product(weights, values):
    """Return the exact sum of w.x and the sum of |w.x|."""
    products = [w * x for w, x in zip(fractions(weights), fractions(values), strict=True)]
    return sum(products), sum(map(abs, products))


@given(st.lists(st.tuples(mixed, mixed), min_size=1, max_size=30))
def test_scalar_products_are_bounded(pairs):
    weights, values = np.array(pairs).T
    value, size = scalar_product(weights, values)
    below, above = (Fraction(bound([(weights, values)])) for bound in (dot_down, dot_up))
    # Weights may be off by 2 u, each in the direction that hurts.
    assert below <= value - 2 * U * size
    assert above >= value + 2 * U * size
    assert below >= value - 16 * U * size - 2 * LEAST
    assert above <= value + 16 * U * size + 2 * LEAST


def test_scalar_products_that_cancel():
    weights, values = np.array([1.0, 1.0, 1.0]), np.array([1e16, 1.0, -1e16])
    assert dot_down([(weights, values)]) < 1.0 < dot_up([(weights, values)])


@pytest.mark.parametrize("seed", range(20))
def test_scalar_products_that_nearly_cancel(seed):
    """Each product and weight has its own rounding error, and little is left of the sum to hide them."""
    rng = np.random.default_rng(seed)
    weights, values = rng.random(40), rng.standard_normal(40)
    values[0] -= weights @ values / weights[0]
    value, size = scalar_product(weights, values)
    assert dot_down([(weights, values)]) <= value - 2 * U * size
    assert dot_up([(weights, values)]) >= value + 2 * U * size


def test_scalar_products_of_several_pairs_are_added():
    a, f, b, g = np.array([0.25, 0.75]), np.array([4.0, -8.0]), np.array([1.0]), np.array([3.0])
    below, above = dot_down(((a, f), (b, g))), dot_up(((a, f), (b, g)))
    assert below < -2.0 < above
    assert above - below < 1e-13


def test_products_that_underflow_are_bounded():
    weights, values = np.full(10, 1e-200), np.full(10, -1e-200)
    value, _ = scalar_product(weights, values)
    assert dot_down([(weights, values)]) < value < dot_up([(weights, values)])


# --- eigenvalues ------------------------------------------------------------------------------------------------------


def exact_top_sum(V, k):
    """Return bounds of the sum of the k largest eigenvalues of a symmetric matrix of doubles, to 60 digits."""
    W, exponent = exact.integers(V)
    largest = int(np.abs(W).max())
    if largest == 0:
        return Fraction(0), Fraction(0)
    cut = largest.bit_length() - exact._BITS
    low, high = exact._top_sum(exact.shifted_array(W, -cut), k, 1 << (exact._BITS - exact._RESOLUTION))
    slack = len(V) ** 2 << (exact._BITS - exact._SLACK_BITS)
    unit = exact.power_of_two(cut + exponent)
    return (low - slack) * unit, (high + slack) * unit


def symmetric(A):
    return 0.5 * (A + A.T)


def matrices(r, seed=0):
    """Return symmetric matrices (r, r) of different kinds by name."""
    rng = np.random.default_rng([r, seed])
    Q = np.linalg.qr(rng.standard_normal((r, r)))[0]
    A = rng.standard_normal((r, r))

    def of_spectrum(values):
        return symmetric((Q * values) @ Q.T)

    scales = 10.0 ** rng.uniform(-6, 6, r)
    return {
        "normal": symmetric(A @ A.T),
        "indefinite": symmetric(A),
        "clustered": of_spectrum(1.0 + 1e-14 * rng.standard_normal(r)),
        "two clusters": of_spectrum(np.where(np.arange(r) < r // 2, 1.0, 1e-3) * (1 + 1e-10 * rng.random(r))),
        "zero": np.zeros((r, r)),
        "identity": np.eye(r),
        "rank one": np.outer(A[0], A[0]),
        "decaying": of_spectrum(10.0 ** -np.linspace(0, 20, r)),
        "mixed scales": symmetric(A @ A.T) * np.outer(scales, scales),
        "diagonal": np.diag(rng.random(r)),
        "integers": symmetric(np.round(4 * A)) * 2,
    }


@pytest.mark.parametrize("r", [1, 2, 3, 8, 20])
@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e12])
def test_sums_of_the_largest_eigenvalues_are_bounded(r, scale):
    for kind, A in matrices(r).items():
        V = scale * A
        for k in sorted({1, (r + 1) // 2, r}):
            low, high = exact_top_sum(V, k)
            bound = Fraction(top_sum_bound(V, k))
            assert bound >= high, (kind, k)
            if kind not in ("indefinite", "integers"):  # whose negative eigenvalues count as 0
                assert bound <= low * (1 + Fraction(1, 10**10)) + 4 * r * LEAST, (kind, k)


# Exact eigenvalues of matrices that have many close to each other take seconds.
@pytest.mark.parametrize("kind", matrices(1))
@pytest.mark.parametrize(("k", "scale"), [(1, 1e12), pytest.param(24, 1e-12, marks=pytest.mark.slow)])
def test_sums_of_the_largest_eigenvalues_of_large_matrices(kind, k, scale):
    V = scale * matrices(100)[kind]
    assert leading_pairs(V, k) is not None
    low, high = exact_top_sum(V, k)
    bound = Fraction(top_sum_bound(V, k))
    assert bound >= high
    if kind not in ("indefinite", "integers"):
        assert bound <= low * (1 + Fraction(1, 10**10)) + 400 * LEAST


def walsh(r):
    """Return the matrix of +1 and -1 (r, r), r a power of two, whose columns are orthogonal."""
    H = np.ones((1, 1))
    while len(H) < r:
        H = np.block([[H, H], [H, -H]])
    return H


@pytest.mark.parametrize("spectrum", ["range", "ties", "one", "few", "squares"])
@pytest.mark.parametrize("k", [1, 2, 5, 31])
def test_a_spectrum_that_is_known_exactly(spectrum, k):
    r = 128
    values = {
        "range": np.arange(r),
        "ties": np.arange(r) // 7,
        "one": np.eye(r)[3],
        "few": 1000.0 * (np.arange(r) < 4),
        "squares": np.arange(r) ** 2,
    }[spectrum].astype(float)
    H = walsh(r)
    V = (H * values) @ H.T / r  # integers over a power of two: no rounding
    assert eigenbounds._by_cholesky(V, k, *leading_pairs(V, k)) is not None
    truth = float(np.sort(values)[::-1][:k].sum())
    assert truth <= top_sum_bound(V, k) <= truth * (1 + 1e-10)


def test_wrong_eigenvectors_give_a_bound_all_the_same():
    r, k = 128, 3
    H, values = walsh(r), np.arange(128.0)
    V = (H * values) @ H.T / r
    truth = values[-k:].sum()
    rng = np.random.default_rng(0)
    good, U = leading_pairs(V, k)
    for leading in ((0.9 * good, U), (1.1 * good, U), (good, np.linalg.qr(rng.standard_normal(U.shape))[0])):
        assert truth <= top_sum_bound(V, k, leading) <= 1.3 * truth


@pytest.mark.parametrize(("r", "q"), [(1, 1), (5, 2), (3, 6), (40, 7), (200, 10)])
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e6])
def test_spectral_norms_are_bounded(r, q, scale):
    rng = np.random.default_rng(q)
    for L in (rng.standard_normal((r, q)), np.ones((r, q)), np.zeros((r, q)), np.eye(r, q)):
        L = scale * L
        bound = spectral_norm_bound(L)
        G, exponent = exact.integers(L)
        shift = 2 * exponent
        multiple = Fraction(bound) / exact.power_of_two(shift)
        gram = (G.T @ G) * multiple.denominator
        assert exact.is_positive_semidefinite(np.diag([multiple.numerator] * q).astype(object) - gram)
        assert bound <= q * np.linalg.norm(L, 2) ** 2 * (1 + 1e-12) + 2 * UNDERFLOW


@pytest.mark.parametrize(("r", "q"), [(1, 1), (50, 5), (500, 20)])
def test_spectral_norms_of_orthonormal_columns_are_one(r, q):
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((r, q)))[0]
    assert 1 - 4 * q * UNIT <= spectral_norm_bound(Q) <= 1 + 1e-11
