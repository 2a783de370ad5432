"""The number of directions in which two samples differ: found where planted, 0 for one law, and used by `srw`."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import tolerances

import subspaceot as sot
from benchmarks import selection as benchmark
from subspaceot.core import validate
from subspaceot.inference.permutation import Sample
from subspaceot.inference.selection import direction_of

FEW = {"n_permutations": 39}  # p = 0.025 at least
SCALES = np.array([4.0, 4.0, 1.0, 1.0, 1.0])


def pair(seed=0, n=80, d=5):
    """Return two samples of one law."""
    return np.random.default_rng(seed).standard_normal((2, n, d))


def planted(k_star, seed, n=120, d=6):
    """Return two samples whose laws differ in a standard deviation of 4 along k* directions, and those (d, k*)."""
    rng = np.random.default_rng([seed, k_star])
    U = np.linalg.qr(rng.standard_normal((d, d)))[0][:, :k_star]
    X, Y = rng.standard_normal((2, n, d))
    return X, Y + 3.0 * (Y @ U) @ U.T, U


def sine(A, B):
    """Return the sine of the largest angle between two subspaces with orthonormal bases of one size."""
    return float(np.linalg.norm(A - B @ (B.T @ A), 2))


# What is found -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k_star", [1, 2, 3])
def test_planted_directions_are_found(k_star):
    X, Y, U = planted(k_star, seed=4)
    selected = sot.select_k(X, Y, **FEW)
    assert selected.k == k_star
    assert np.allclose(selected.basis.T @ selected.basis, np.eye(k_star), rtol=0, atol=tolerances.ROUNDING)
    assert sine(selected.basis, U) < 0.3  # estimated from 120 points
    assert selected.p_values[:-1] == (1 / 40,) * k_star
    assert selected.p_values[-1] > 0.05
    assert not selected.limited
    assert f"k={k_star}, {k_star} direction" in repr(selected)
    assert repr(selected).count("\n  test ") == k_star + 1


def test_nothing_is_found_in_one_law():
    selected = sot.select_k(*pair(), **FEW)
    assert selected.k == 0
    assert selected.basis.shape == (5, 0)
    assert len(selected.p_values) == 1
    assert selected.p_values[0] > 0.05
    assert "no difference found at alpha=0.05" in repr(selected)


def test_the_first_test_is_the_two_sample_test():
    X, Y = pair()
    expected = sot.two_sample_test(X, Y, n_permutations=39, rng=7)
    selected = sot.select_k(X, Y, n_permutations=39, rng=7)
    assert selected.p_values == (expected.p_value,)
    assert selected.deciding == (expected.leading.name,)


def test_alpha_is_the_level_of_each_test():
    X, Y = pair()
    p = sot.select_k(X, Y, **FEW).p_values[0]
    assert sot.select_k(X, Y, alpha=p - 0.01, **FEW).k == 0
    assert sot.select_k(X, Y, alpha=p, max_k=1, **FEW).k == 1


def test_max_k_ends_the_search():
    X, Y = pair()
    selected = sot.select_k(X, Y * SCALES, max_k=1, **FEW)
    assert (selected.k, selected.limited) == (1, True)
    assert len(selected.p_values) == 1
    assert "1 direction or more found" in repr(selected)


@pytest.mark.parametrize("line", [[[1.0]], [[1.0, -2.0, 3.0]]])
def test_on_a_line_nothing_is_left_after_one_direction(line):
    rng = np.random.default_rng(0)
    X, Y = 1e3 + rng.standard_normal((50, 1)) @ line, 1e3 + 5.0 * rng.standard_normal((50, 1)) @ line
    selected = sot.select_k(X, Y, **FEW)
    assert (selected.k, selected.limited, len(selected.p_values)) == (1, False, 1)
    assert np.abs(selected.basis.T @ np.transpose(line)) == pytest.approx(np.linalg.norm(line))


def test_points_that_are_all_the_same_do_not_differ():
    assert sot.select_k(np.ones((6, 2)), np.ones((5, 2)), **FEW).p_values == (1.0,)


def test_more_dimensions_than_points():
    rng = np.random.default_rng(5)
    X, Y = rng.standard_normal((2, 15, 60))
    Y[:, 0] *= 40.0
    selected = sot.select_k(X, Y, max_k=2, **FEW)
    assert selected.k >= 1
    assert abs(selected.basis[0, 0]) > 0.95
    assert np.allclose(selected.basis.T @ selected.basis, np.eye(selected.k), rtol=0, atol=tolerances.ROUNDING)


def test_units_of_length_change_nothing():
    X, Y = pair()
    near, far = (sot.select_k(X * scale, Y * SCALES * scale, **FEW) for scale in (1.0, 2.0**40))
    assert near.p_values == far.p_values
    assert np.allclose(near.basis, far.basis, rtol=0, atol=tolerances.ROUNDING)


# Directions ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def correlated():
    """Return a test of features that correlate, the first of which varies more in `Y`, and the pool."""
    rng = np.random.default_rng(2)
    L = np.linalg.cholesky(0.8 ** np.abs(np.subtract.outer(np.arange(4), np.arange(4))))
    X, Y = rng.standard_normal((2, 500, 4)) @ L.T
    Y[:, 0] += 2.0 * rng.standard_normal(500)
    return sot.two_sample_test(X, Y, n_permutations=19), Sample.of(X, Y, None, None, None, None).pool


def of_component(test, index, p_sliced):
    """Return the test as if one component had decided, and P_1 alone had this p-value."""
    parts = [replace(part, score=float(i == index)) for i, part in enumerate(test.components)]
    return replace(test, components=(replace(parts[0], p_value=p_sliced), *parts[1:]))


def test_where_the_variance_ratio_decides_points_move_along_the_covariances_with_its_direction(correlated):
    test, pool = correlated
    v = test.components[3].direction
    u = pool.lift(direction_of(of_component(test, 3, p_sliced=1.0), 0.05, pool))
    assert abs(v[0]) < 0.85  # as v, about Sigma^-1 e_0, needs the other features to tell the first from them
    assert abs(u[0]) > 0.98


@pytest.mark.parametrize("index", [0, 2])
def test_other_components_give_their_own_direction(correlated, index):
    test, pool = correlated
    u = pool.lift(direction_of(of_component(test, index, p_sliced=1.0), 0.05, pool))
    assert abs(u @ test.components[index].direction) == pytest.approx(1.0)


def test_the_max_sliced_direction_comes_first_where_it_shows_the_difference(correlated):
    test, pool = correlated
    u = pool.lift(direction_of(of_component(test, 3, p_sliced=0.05), 0.05, pool))
    assert abs(u @ test.components[0].direction) == pytest.approx(1.0)


# Input ---------------------------------------------------------------------------------------------------------------


def test_the_number_of_workers_changes_nothing():
    X, Y = pair(n=20, d=3)
    one, two = (sot.select_k(X, Y * SCALES[:3], n_jobs=n_jobs, rng=3, **FEW) for n_jobs in (1, 2))
    assert one.k > 0
    assert one.p_values == two.p_values
    assert np.array_equal(one.basis, two.basis)


def test_columns_of_tables_are_matched_by_name():
    X, Y = pair()
    expected = sot.select_k(X, Y * SCALES, **FEW)
    table_X, table_Y = pd.DataFrame(X, columns=list("abcde")), pd.DataFrame(Y * SCALES, columns=list("abcde"))
    selected = sot.select_k(table_X, table_Y[list("dbeca")], **FEW)
    assert selected.columns == tuple("abcde")
    assert selected.p_values == expected.p_values
    assert np.array_equal(selected.basis, expected.basis)


def test_points_without_weight_do_not_count():
    X, Y = pair()
    far = np.vstack([Y, 1e3 * Y[:20]])
    b = np.repeat([1.0, 0.0], [80, 20])
    assert sot.select_k(X, far, np.ones(80), b, **FEW).p_values == sot.select_k(X, Y, **FEW).p_values
    assert sot.select_k(X, far, max_k=1, **FEW).k == 1


def test_too_few_units_are_said_to_be_so():
    X, Y = pair()
    selected = sot.select_k(X, Y * SCALES, units=(np.arange(80) % 2, 2 + np.arange(80) % 2), **FEW)
    assert selected.k == 0
    assert selected.smallest_p == pytest.approx(1 / 3)  # 6 labellings, two of which always look alike
    assert "no data could have p below 0.3333" in repr(selected)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"alpha": 0.0}, ValueError, "`alpha` must be between 0 and 1, both excluded; got 0."),
        ({"alpha": 1}, ValueError, "`alpha` must be between 0 and 1, both excluded; got 1."),
        ({"alpha": float("nan")}, ValueError, "`alpha` must be between 0 and 1, both excluded; got nan."),
        ({"alpha": "0.05"}, TypeError, "`alpha` must be a real number"),
        ({"alpha": 0.001}, ValueError, "alpha=0.001; got 199. Pass 999 or more."),
        ({"n_permutations": 18}, ValueError, "`n_permutations` must be at least 19"),
        ({"max_k": 0}, ValueError, "`max_k` must be between 1 and the dimension d=5; got 0."),
        ({"max_k": 6}, ValueError, "`max_k` must be between 1 and the dimension d=5; got 6."),
        ({"max_k": 1.0}, TypeError, "`max_k` must be an integer"),
        ({"progress": 1}, TypeError, "`progress` must be True or False"),
        ({"rng": None}, TypeError, "`rng` must be"),
    ],
)
def test_bad_settings_are_refused(settings, error, message):
    with pytest.raises(error, match=re.escape(message)):
        sot.select_k(*pair(n=10), **settings)


def test_three_points_are_too_few():
    with pytest.raises(ValueError, match="`Y` must hold at least 4 points"):
        sot.select_k(np.eye(5), np.eye(5)[:3])


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.01, 0.003])
def test_the_least_number_of_permutations_is_the_one_that_is_advised(alpha):
    least = round(1 / alpha + 0.499) - 1
    validate.require_attainable(alpha, least)
    with pytest.raises(ValueError, match=f"Pass {least} or more"):
        validate.require_attainable(alpha, least - 1)


# srw -----------------------------------------------------------------------------------------------------------------


def test_srw_solves_for_the_selected_k():
    X, Y = pair(n=40)
    automatic = sot.srw(X, Y * SCALES, k="auto", tol=1e-2)
    selected = sot.select_k(X, Y * SCALES)
    assert automatic.selection.p_values == selected.p_values
    assert automatic.k == selected.k >= 2
    fixed = sot.srw(X, Y * SCALES, k=selected.k, tol=1e-2)
    assert (automatic.lower, automatic.upper) == (fixed.lower, fixed.upper)
    assert f"{selected.k} directions found at alpha=0.05" in repr(automatic)
    assert fixed.selection is None
    assert "alpha" not in repr(fixed)


def test_srw_says_where_nothing_was_found():
    X, Y = pair()
    result = sot.srw(X, Y, k="auto", tol=1e-2)
    assert (result.k, result.selection.k) == (1, 0)
    assert "no difference found at alpha=0.05" in repr(result)


def test_srw_hands_the_weights_on():
    X, Y = pair()
    b = np.repeat([1.0, 0.0], [80, 20])
    result = sot.srw(X, np.vstack([Y, 1e3 * Y[:20]]), k="auto", b=b, tol=1e-2)
    assert result.selection.k == 0


def test_srw_matches_columns_before_it_selects():
    X, Y = pair(n=30)
    tables = [pd.DataFrame(Z, columns=list("abcde")) for Z in (X, Y * SCALES)]
    result = sot.srw(tables[0], tables[1][list("edcba")], k="auto", tol=1e-2)
    assert result.names == result.selection.columns == tuple("abcde")
    assert result.k == sot.srw(X, Y * SCALES, k="auto", tol=1e-2).k


@pytest.mark.parametrize("k", ["Auto", "2", None, 2.0, True])
def test_srw_takes_an_integer_or_auto(k):
    with pytest.raises(TypeError, match='`k` must be an integer or "auto"; got'):
        sot.srw(*pair(), k=k)


def test_other_functions_take_an_integer():
    with pytest.raises(TypeError, match="`k` must be an integer; got 'auto'"):
        sot.prw(*pair(), k="auto")


# The benchmark -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", benchmark.FEATURES)
def test_the_benchmark_plants_what_it_says(kind):
    U, _, _ = benchmark.drawn(2, np.random.default_rng(0))
    different, same = (np.cov(benchmark.FEATURES[kind](k_star, np.random.default_rng(0))[1].T) for k_star in (2, 0))
    difference = different - same
    E = np.linalg.qr(benchmark.root() @ U)[0] if kind == "mixed" else U
    outside = np.eye(benchmark.D) - E @ E.T
    assert np.linalg.norm(outside @ difference @ outside) < tolerances.ROUNDING * np.linalg.norm(difference)


def test_the_benchmark_counts():
    counts, seconds = benchmark.selected(benchmark.independent, 1, 2, 19)
    assert counts.total() == 2
    assert seconds > 0.0
