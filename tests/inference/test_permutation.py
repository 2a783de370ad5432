"""The two-sample test: exact by enumeration, statistics against slow twins, labellings against their definition."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
import scipy.stats

import subspaceot as sot
from subspaceot.inference.labellings import Labellings, standardised, stream
from subspaceot.inference.statistic import Pool, Statistic
from subspaceot.inference.statistic._slice_kernels import ascend, slice_cost


def pair(n=12, m=9, d=3, shift=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, d)), rng.standard_normal((m, d))
    Y[:, 0] += shift
    return X, Y


def statistic_of(X, Y, a=None, b=None):
    a, b = np.ones(len(X)) if a is None else a, np.ones(len(Y)) if b is None else b
    pool = Pool.of(X, Y, a, b, min(len(X), len(Y)))
    return pool, Statistic(pool).at(pool.in_X, stream(0, 0))


# --- statistics -------------------------------------------------------------------------------------------------------


def test_slice_cost_is_transport_on_the_line():
    rng = np.random.default_rng(0)
    Z, in_X, u = rng.standard_normal((15, 4)), np.arange(15) % 5 < 2, rng.standard_normal(4)
    w = rng.random(15)
    w /= np.where(in_X, w[in_X].sum(), w[~in_X].sum())
    pull = np.empty(15)
    cost = slice_cost(Z, w, in_X, u, pull)
    expected = sot.wasserstein(Z[in_X] @ u[:, None], Z[~in_X] @ u[:, None], w[in_X], w[~in_X])
    assert expected.lower <= cost * (1 + 1e-9)
    assert cost <= expected.upper * (1 + 1e-9)
    step = 1e-6 * np.eye(4)
    numerical = [(slice_cost(Z, w, in_X, u + h, pull) - slice_cost(Z, w, in_X, u - h, pull)) / 2e-6 for h in step]
    slice_cost(Z, w, in_X, u, pull)
    np.testing.assert_allclose(2.0 * Z.T @ pull, numerical, rtol=1e-4, atol=1e-6)


def test_ascents_gain_and_stay_on_the_sphere():
    X, Y = pair(40, 30, 5, shift=1.0)
    Z, in_X = np.vstack([X, Y]), np.arange(70) < 40
    w = np.where(in_X, 1 / 40, 1 / 30)
    start = np.eye(5)[1]
    cost, u = ascend(Z, w, in_X, start, 50, 1e-3)
    assert cost > 2.0 * slice_cost(Z, w, in_X, start, np.empty(70))
    assert cost == pytest.approx(slice_cost(Z, w, in_X, u, np.empty(70)))
    assert np.linalg.norm(u) == pytest.approx(1.0)


@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_max_sliced_component_is_nearly_that_of_prw(shift):
    X, Y = pair(60, 80, 6, shift)
    _, found = statistic_of(X, Y)
    unit = np.abs(np.vstack([X, Y]) - np.vstack([X, Y]).mean(axis=0)).max() ** 2
    value = found.values[0] * unit
    best = sot.prw(X, Y, 1)
    assert value <= best.upper * (1 + 1e-9)
    assert value >= 0.9 * best.lower


def test_covariance_component_is_the_operator_norm_of_the_difference():
    X, Y = pair(30, 20, 8)
    X[:, 2] *= 3.0
    _, found = statistic_of(X, Y)
    Z = np.vstack([X, Y])
    unit = np.abs(Z - Z.mean(axis=0)).max() ** 2
    expected = np.linalg.norm(np.cov(X.T, bias=True) - np.cov(Y.T, bias=True), 2)
    assert found.values[2] * unit == pytest.approx(expected, rel=1e-9)


def test_variance_ratio_is_that_of_a_generalised_eigenvalue():
    """Both covariances with a ridge of q / N times that within the sides: a definition, not the way it is computed."""
    X, Y = pair(30, 20, 4, shift=0.5)
    X[:, 2] *= 3.0
    pool, found = statistic_of(X, Y)
    cov_X, cov_Y = np.cov(X.T, bias=True), np.cov(Y.T, bias=True)
    ridge = pool.ridge * (0.6 * cov_X + 0.4 * cov_Y)
    ratios = scipy.linalg.eigh(cov_X + ridge, cov_Y + ridge, eigvals_only=True)
    assert found.values[3] == pytest.approx(np.abs(np.log(ratios)).max(), rel=1e-9)
    direction = pool.lift(found.directions[3])
    ratio = (direction @ (cov_X + ridge) @ direction) / (direction @ (cov_Y + ridge) @ direction)
    assert abs(math.log(ratio)) == pytest.approx(found.values[3], rel=1e-6)


def test_shape_sees_clusters_with_the_moments_of_a_gaussian():
    rng = np.random.default_rng(3)
    X, Y = rng.standard_normal((2, 400, 3))
    Y[:, 1] = rng.choice([-0.95, 0.95], 400) + 0.31 * Y[:, 1]
    test = sot.two_sample_test(X, Y, n_permutations=99)
    assert test.p_value == 0.01
    assert test.leading.name == "whitened max-sliced distance"
    assert abs(test.direction[1]) > 0.95


def test_weights_count_like_repeated_points():
    X, Y = pair()
    a, b = np.arange(1.0, 13.0) % 3 + 1, np.ones(9)
    _, weighted = statistic_of(X, Y, a, b)
    _, repeated = statistic_of(np.repeat(X, a.astype(int), axis=0), Y)
    np.testing.assert_allclose(weighted.values[[0, 2]], repeated.values[[0, 2]], rtol=1e-3)


@pytest.mark.parametrize("change", ["rotated", "scaled", "moved"])
def test_statistics_do_not_depend_on_coordinates(change):
    X, Y = pair(30, 40, 5, shift=1.0)
    Q = np.linalg.qr(np.random.default_rng(1).standard_normal((5, 5)))[0]
    move = {"rotated": lambda Z: Z @ Q, "scaled": lambda Z: 1e6 * Z, "moved": lambda Z: Z + 100.0}[change]
    before = sot.two_sample_test(X, Y, n_permutations=19)
    after = sot.two_sample_test(move(X), move(Y), n_permutations=19)
    assert after.statistic == pytest.approx(before.statistic, rel=1e-3)
    assert [c.score for c in after.components] == pytest.approx([c.score for c in before.components], abs=0.05)


# --- labellings -------------------------------------------------------------------------------------------------------


def test_every_labelling_once():
    labellings = Labellings.of(3, 2, None, None)
    masks = [labellings.in_X, *labellings.others()]
    assert len(masks) == labellings.count == 10
    assert {tuple(np.flatnonzero(mask)) for mask in masks} == set(combinations(range(5), 3))
    assert labellings.symmetric is False
    assert labellings.smallest_side == 2


def test_units_move_as_wholes_within_strata():
    units = np.array([0, 0, 1, 2, 3, 3, 3, 4, 5, 6, 7])
    strata = np.array([0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1])
    labellings = Labellings.of(7, 4, units, strata)  # units 0, 1 and 4, 5 in stratum 0; 2, 3 and 6, 7 in stratum 1
    assert labellings.count == 6 * 6
    assert labellings.symmetric
    assert labellings.smallest_side == (1 + 1) + (1 + 1)
    seen = set()
    for index in range(400):
        mask = labellings.draw(stream(0, index))
        chosen = {int(unit) for unit in units[mask]}
        assert all(mask[units == unit].all() for unit in chosen)
        assert len(chosen & {0, 1, 4, 5}) == len(chosen & {2, 3, 6, 7}) == 2
        seen.add(frozenset(chosen))
    assert len(seen) == labellings.count


def test_standardised_constants_are_zero():
    values = np.array([[1.0, 2.0], [3.0, 2.0]])
    np.testing.assert_allclose(standardised(values, values), [[-1.0, 0.0], [1.0, 0.0]])


# --- the test ---------------------------------------------------------------------------------------------------------


def test_p_value_by_brute_force():
    """All 126 labellings of 5 and 4 points: the share of those whose largest standardised component is as large."""
    X, Y = pair(5, 4, 2, shift=2.0)
    test = sot.two_sample_test(X, Y, n_permutations=200)
    pool = Pool.of(X, Y, np.ones(5), np.ones(4), 4)
    rows = []
    for chosen in combinations(range(9), 5):
        mask = np.isin(np.arange(9), chosen)
        rows.append(Statistic(pool).at(mask, stream(0, 0)).values)
    values = np.array(rows)  # the first one is the observed one
    scores = ((values - values.mean(axis=0)) / values.std(axis=0)).max(axis=1)
    assert test.exhaustive
    assert test.n_permutations == 125
    assert test.p_value == pytest.approx(np.mean(scores >= scores[0] - 1e-9))
    assert test.monte_carlo_error == 0.0
    assert test.smallest_p == pytest.approx(1 / 126)


def test_swapping_the_samples_changes_nothing():
    X, Y = pair(5, 5, 3, shift=1.0)
    one, other = sot.two_sample_test(X, Y), sot.two_sample_test(Y, X)
    assert one.p_value == other.p_value
    assert one.smallest_p == pytest.approx(2 / 252)
    assert min(component.p_value for component in one.components) >= one.smallest_p


def test_a_shift_is_found_and_pointed_at():
    X, Y = pair(100, 80, 10, shift=1.5)
    test = sot.two_sample_test(X, Y, n_permutations=199)
    assert test.p_value == test.smallest_p == 1 / 200
    assert abs(test.direction[0]) > 0.8
    assert test.leading.name == "max-sliced distance"
    assert test.directions.shape == (4, 10)
    np.testing.assert_allclose(np.linalg.norm(test.directions, axis=1), 1.0)
    assert "p = 0.005" in repr(test)


def test_level_on_small_samples():
    """250 null runs with ties: rejections at 0.05 stay below the 99.9 % quantile of a binomial."""
    rejected = 0
    for seed in range(250):
        rng = np.random.default_rng([1, seed])
        X, Y = rng.integers(0, 4, (2, 8, 3)).astype(float)
        rejected += sot.two_sample_test(X, Y, n_permutations=19, rng=seed).p_value <= 0.05
    assert rejected <= scipy.stats.binom.ppf(0.999, 250, 0.05)


def test_same_numbers_for_any_number_of_workers():
    X, Y = pair(40, 50, 4)
    one = sot.two_sample_test(X, Y, n_permutations=60, rng=5)
    two = sot.two_sample_test(X, Y, n_permutations=60, rng=5, n_jobs=2)
    np.testing.assert_array_equal(one.null, two.null)
    assert one.p_value == two.p_value
    other = sot.two_sample_test(X, Y, n_permutations=60, rng=6)
    assert not np.array_equal(one.null, other.null)


def test_sequential_stops_at_twenty_exceedances():
    X, Y = pair(20, 20, 3)
    test = sot.two_sample_test(X, Y, n_permutations=999, sequential=True)
    assert test.n_permutations < 999
    assert np.sum(test.null >= test.statistic) == 20
    assert test.null[-1] >= test.statistic
    assert test.p_value == 20 / test.n_permutations
    clear = sot.two_sample_test(X, Y + 3.0, n_permutations=99, sequential=True)
    assert clear.n_permutations == 99
    assert clear.p_value == 0.01


def test_sequential_does_not_depend_on_workers():
    X, Y = pair(20, 20, 3, seed=4)
    one, two = (sot.two_sample_test(X, Y, sequential=True, n_jobs=jobs) for jobs in (1, 2))
    assert one.p_value == two.p_value
    np.testing.assert_array_equal(one.null, two.null)


def test_units_make_effects_of_donors_no_evidence():
    """Two donors a side, each with a shift of its own and 30 rows: rows alone say p = 0.01, donors cannot."""
    rng = np.random.default_rng(0)
    donors = np.repeat(np.arange(4), 30)
    Z = rng.standard_normal((120, 3)) + 3.0 * rng.standard_normal((4, 3))[donors]
    X, Y = Z[:60], Z[60:]
    assert sot.two_sample_test(X, Y, n_permutations=99).p_value == 0.01
    test = sot.two_sample_test(X, Y, units=(donors[:60], donors[60:]))
    assert test.exhaustive
    assert test.smallest_p == pytest.approx(2 / 6)
    assert test.p_value >= 1 / 3


def test_strata_remove_the_effect_of_a_batch():
    """Batches of unlike sizes, far apart: only within them do rows say whether the samples differ."""
    rng = np.random.default_rng(0)
    batches = np.array([0] * 30 + [1] * 10), np.array([0] * 10 + [1] * 30)
    X, Y = (rng.standard_normal((40, 2)) + 5.0 * batch[:, None] for batch in batches)
    assert sot.two_sample_test(X, Y, n_permutations=99).p_value == 0.01
    assert sot.two_sample_test(X, Y, n_permutations=99, strata=batches).p_value > 0.05


def test_points_without_weight_do_not_count():
    X, Y = pair(12, 12, 3)
    a = np.ones(12)
    a[3] = 0.0
    without = sot.two_sample_test(np.delete(X, 3, axis=0), Y, np.ones(11), np.ones(12), n_permutations=19)
    assert sot.two_sample_test(X, Y, a, np.ones(12), n_permutations=19).statistic == without.statistic


def test_shares_of_each_sample_are_no_counts():
    """Weights that sum to 1 on both sides, of 30 and 10 points, mean what no weights mean."""
    X, Y = pair(30, 10, 3)
    shares = sot.two_sample_test(X, Y, np.full(30, 1 / 30), np.full(10, 0.1), n_permutations=19)
    assert shares.statistic == pytest.approx(sot.two_sample_test(X, Y, n_permutations=19).statistic)


def test_columns_are_matched_by_name():
    X, Y = pair(20, 20, 3, shift=1.0)
    A, B = (pd.DataFrame(Z, columns=list("pqr")) for Z in (X, Y))
    test = sot.two_sample_test(A, B[["r", "p", "q"]], n_permutations=19)
    assert test.statistic == sot.two_sample_test(X, Y, n_permutations=19).statistic
    assert test.columns == ("p", "q", "r")


@pytest.mark.parametrize("d", [1, 2, 40])
def test_few_and_many_columns(d):
    X, Y = pair(8, 7, d, shift=20.0)
    assert sot.two_sample_test(X, Y, n_permutations=99).p_value <= 0.02


def test_one_and_the_same_point():
    test = sot.two_sample_test(np.ones((5, 2)), np.ones((6, 2)), n_permutations=19)
    assert test.p_value == 1.0
    assert test.statistic == 0.0


def test_large_samples_are_searched_on_a_part():
    """A tenth of a standard deviation: seen with 8,000 rows a side, though directions are searched on 1,000."""
    X, Y = pair(8000, 8000, 4, shift=0.1)
    assert sot.two_sample_test(X, Y, n_permutations=19).p_value == 0.05


LABELS = list("aabb")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"n_permutations": 18}, ValueError, "`n_permutations` must be at least 19"),
        ({"n_permutations": 99.0}, TypeError, "`n_permutations` must be an integer"),
        ({"units": LABELS}, TypeError, "`units` must be a pair of label arrays"),
        ({"units": (LABELS, ["c"] * 4)}, ValueError, "`units` must name at least 2 units in `Y`; got 1"),
        ({"units": (LABELS, list("bbcc"))}, ValueError, "`units` must name different units .* 'b' is in both"),
        ({"units": (LABELS, ["c", "c", "d", None])}, ValueError, "`units` must not hold missing labels; .* row 3"),
        ({"units": (LABELS[:3], LABELS)}, ValueError, "one label for each row; got 3 for the 4 rows of `X`"),
        ({"strata": (LABELS, list("aaaa"))}, ValueError, "`strata` .* 'b' has rows in `X` only"),
        (
            {"units": (LABELS, list("ccdd")), "strata": (list("xyxy"), list("xyxy"))},
            ValueError,
            "`units` must each lie within one stratum",
        ),
        ({"sequential": 1}, TypeError, "`sequential` must be True or False"),
        ({"n_jobs": 0}, ValueError, "`n_jobs` must not be 0"),
        ({"rng": "seed"}, TypeError, "`rng` must be a numpy.random.Generator"),
        ({"a": [1, 1, 1, 0]}, ValueError, "`X` must hold at least 4 points of positive weight"),
    ],
)
def test_bad_input(arguments, error, words):
    X, Y = pair(4, 4, 2)
    with pytest.raises(error, match=words):
        sot.two_sample_test(X, Y, **arguments)


def test_too_few_points():
    X, Y = pair(3, 9, 2)
    with pytest.raises(ValueError, match=r"`X` must hold at least 4 points .* got 3"):
        sot.two_sample_test(X, Y)
