"""The null band: permuted values by brute force, their order statistics, and what lies within or above."""

import copy

import numpy as np
import pytest
from scipy.stats import binom

import subspaceot as sot
from subspaceot.core.validate import memory
from subspaceot.inference.labellings import Labellings, stream
from subspaceot.inference.null_band import NullBand

N, D = 24, 4
FEW = 19


def samples(seed=0, n=N, m=N, d=D):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal((m, d))


def masks(n, m, count, rng=0, units=None, strata=None):
    """Return the labellings that `null_band` draws for a seed, as documented: those of `two_sample_test`."""
    entropy = int(np.random.default_rng(rng).integers(2**63))
    labellings = Labellings.of(n, m, units, strata)
    return [labellings.draw(stream(entropy, i)) for i in range(1, count + 1)]


def of_null(null, cost, level):
    """Return a band of given numbers for one k."""
    null = np.asarray(null, dtype=float)[:, None]
    return NullBand((1,), np.array([float(cost)]), null, level, exhaustive=False, unconverged=0)


# What the numbers are ------------------------------------------------------------------------------------------------


def test_permuted_values_are_those_of_relabelled_rows():
    """The intervals of `srw`, solved ten times as closely, hold every permuted value but for half of `tol`."""
    X, Y = samples(n=20, m=15)
    Y *= 1.5
    tol = 1e-2
    band = sot.null_band(X, Y, 2, n_permutations=FEW, tol=tol, rng=7)
    pooled = np.vstack([X, Y])
    relabelled = [np.arange(35) < 20, *masks(20, 15, FEW, rng=7)]
    for value, in_X in zip([band.cost, *band.null], relabelled, strict=True):
        assert in_X.sum() == 20
        exact = sot.srw(pooled[in_X], pooled[~in_X], 2, tol=0.1 * tol)
        assert (1 - tol) * exact.lower <= value[0] <= (1 + tol) * exact.upper
    assert np.ptp(band.null) > 5 * tol * band.mean[0]  # the labellings differ by more than they are tested to


def test_weights_travel_with_their_points():
    X, Y = samples(n=12, m=10)
    rng = np.random.default_rng(1)
    a, b = rng.integers(1, 9, 12), rng.integers(1, 9, 10)
    band = sot.null_band(X, Y, 1, a, b, n_permutations=FEW, tol=1e-3)
    pooled, weights = np.vstack([X, Y]), np.concatenate([a, b])
    for value, in_X in zip(band.null, masks(12, 10, FEW), strict=True):
        exact = sot.srw(pooled[in_X], pooled[~in_X], 1, weights[in_X], weights[~in_X], tol=1e-4)
        assert value[0] == pytest.approx(exact.cost, rel=2e-3)
    uniform = sot.null_band(X, Y, 1, n_permutations=FEW, tol=1e-3)
    assert np.abs(uniform.null - band.null).max() > 0.05 * uniform.mean[0]


def test_points_without_weight_do_not_count():
    X, Y = samples()
    far = np.vstack([X, [[1e3] * D]])
    without = sot.null_band(X, Y, 1, n_permutations=FEW)
    beside = sot.null_band(far, Y, 1, [1.0] * N + [0.0], [1.0] * N, n_permutations=FEW)
    np.testing.assert_allclose(beside.null, without.null, rtol=1e-2)


def test_several_ks_are_those_of_separate_calls():
    X, Y = samples()
    tol = 1e-2
    together = sot.null_band(X, Y, [3, 1], n_permutations=FEW, tol=tol)
    assert together.ks == (1, 3)
    assert together.null.shape == (FEW, 2)
    for column, k in enumerate(together.ks):
        alone = sot.null_band(X, Y, k, n_permutations=FEW, tol=tol)
        assert alone.ks == (k,)
        np.testing.assert_allclose(together.null[:, column], alone.null[:, 0], rtol=tol)
        np.testing.assert_allclose(together.cost[column], alone.cost[0], rtol=tol)
    assert np.all(np.diff(together.null, axis=1) > 0.0)


# Its order statistics ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "level", "outside"),
    [(99, 0.95, 1), (99, 0.9, 4), (99, 0.98, 0), (39, 0.95, 0), (19, 0.95, 0), (5, 0.5, 0)],
)
def test_the_band_covers_the_level_of_permuted_values(count, level, outside):
    """Of B + 1 exchangeable values, the observed one is outside with probability 2 (outside + 1) / (B + 1)."""
    values = np.random.default_rng(0).permutation(count)
    band = of_null(values, 0.0, level)
    assert (band.low[0], band.high[0]) == (outside, count - 1 - outside)
    assert np.mean((values >= band.low) & (values <= band.high)) >= level
    if count + 1 >= 2 / (1 - level):
        assert 2 * (outside + 1) / (count + 1) <= 1 - level + 1e-12


def test_excess_and_p_value():
    band = of_null([1, 2, 3, 6], 3.0, 0.9)
    assert band.mean[0] == 3.0
    assert band.excess[0] == 0.0
    assert band.p_values[0] == 3 / 5  # 3 and 6 are no less
    assert of_null([1, 2, 3, 6], 7.0, 0.9).p_values[0] == 1 / 5
    assert of_null([1, 2, 3, 6], 7.0, 0.9).excess[0] == 4.0


def test_repr_says_what_the_numbers_are():
    band = of_null([1, 2, 3, 6], 7.0, 0.9)
    for words in ("4 random labellings", "k=1: raw 7", "permutation mean 3", "excess over that mean 4", "p = 0.2"):
        assert words in repr(band)
    assert "NOT CONVERGED" not in repr(band)
    missed = NullBand(band.ks, band.cost, band.null, 0.9, exhaustive=True, unconverged=2)
    assert "2 labellings NOT CONVERGED" in repr(missed)
    assert "all 4 other labellings" in repr(missed)


# What lies within, and what above ------------------------------------------------------------------------------------


def test_samples_of_one_law_are_within_at_the_nominal_rate():
    """At level 0.8: 20 runs are outside 4 times on average, more than 10 times with probability 6e-4."""
    runs, level, bound = 20, 0.8, 10
    assert binom.sf(bound, runs, 1 - level) < 1e-3
    bands = [sot.null_band(*samples(s, 10, 10, 2), 1, level=level, n_permutations=FEW, rng=s) for s in range(runs)]
    outside = sum(not band.low[0] <= band.cost[0] <= band.high[0] for band in bands)
    assert outside <= bound
    p_values = np.array([band.p_values[0] for band in bands])
    assert p_values.min() < 0.3 < 0.7 < p_values.max()


def test_a_shift_is_above():
    X, Y = samples()
    band = sot.null_band(X, Y + 2.0 * np.eye(D)[0], [1, 2])
    assert band.n_permutations == 99
    assert np.all(band.cost > band.high)
    assert np.all(band.p_values == 0.01)
    assert np.all(band.excess > 0.0)
    assert band.unconverged == 0
    assert not band.exhaustive


def test_one_measure_twice_is_below():
    X, _ = samples()
    band = sot.null_band(X, X[::-1], 1, n_permutations=FEW)
    assert band.cost[0] == 0.0
    assert band.p_values[0] == 1.0
    assert band.excess[0] == -band.mean[0]


# Labellings ----------------------------------------------------------------------------------------------------------


def test_few_labellings_are_taken_once_each_and_mirrors_are_ties():
    X, Y = samples(n=4, m=4)
    Y += 50.0
    band = sot.null_band(X, Y, 1, n_permutations=69)
    assert band.exhaustive
    assert band.n_permutations == 69  # 70, but for the observed one
    assert band.p_values[0] == 2 / 70  # as the mirror image is no further apart
    values, counts = np.unique(band.null, return_counts=True)
    assert counts[np.argmax(values)] == 1
    assert np.all(counts[:-1] % 2 == 0)
    assert not sot.null_band(X, Y, 1, n_permutations=68).exhaustive


def test_units_move_together():
    """Ten rows of each of 2 + 3 units: 10 labellings, of which each permuted value is one."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((5, 2)) * 5
    points = np.repeat(centres, 10, axis=0) + 0.1 * rng.standard_normal((50, 2))
    unit = np.repeat(np.arange(5), 10)
    names = np.array(["v", "w", "x", "y", "z"])[unit]
    band = sot.null_band(points[:20], points[20:], 1, units=(names[:20], names[20:]), n_permutations=FEW, tol=1e-3)
    assert band.exhaustive
    assert band.null.shape == (9, 1)
    expected = []
    for in_X in Labellings.of(20, 30, unit, None).others():
        assert all(len(set(in_X[unit == u])) == 1 for u in range(5))
        expected.append(sot.srw(points[in_X], points[~in_X], 1, tol=1e-4).cost)
    np.testing.assert_allclose(band.null[:, 0], expected, rtol=2e-3)


def test_strata_keep_their_points():
    """A shift between strata that X and Y have in different shares is no difference within them."""
    X, Y = samples(n=30, m=30)
    strata = np.arange(30) < 20, np.arange(30) < 10
    X[strata[0]] += 6.0
    Y[strata[1]] += 6.0
    assert sot.null_band(X, Y, 1, n_permutations=FEW).p_values[0] == 1 / 20
    within = sot.null_band(X, Y, 1, n_permutations=FEW, strata=strata)
    assert within.low[0] <= within.cost[0] <= within.high[0]
    assert within.mean[0] > 30.0  # a third of the points go from one stratum to the other, a way of 12


# The same numbers wherever they are computed -------------------------------------------------------------------------


def test_workers_do_not_change_the_numbers():
    X, Y = samples(n=10, m=9)
    alone, again = (sot.null_band(X, Y, [1, 2], n_permutations=FEW, rng=3, n_jobs=1) for _ in range(2))
    together = sot.null_band(X, Y, [1, 2], n_permutations=FEW, rng=3, n_jobs=2)
    for other in (again, together):
        np.testing.assert_array_equal(other.null, alone.null)
        np.testing.assert_array_equal(other.cost, alone.cost)
    other_seed = sot.null_band(X, Y, [1, 2], n_permutations=FEW, rng=4)
    assert not np.any(np.all(other_seed.null == alone.null, axis=1))
    np.testing.assert_array_equal(other_seed.cost, alone.cost)


def test_progress_counts_labellings(capsys):
    sot.null_band(*samples(n=6, m=6), 1, n_permutations=FEW, progress=True)
    assert "20/20" in capsys.readouterr().err
    sot.null_band(*samples(n=6, m=6), 1, n_permutations=FEW)
    assert capsys.readouterr().err == ""


def test_arguments_are_not_modified():
    X, Y = samples(n=6, m=6)
    before = copy.deepcopy((X, Y))
    sot.null_band(X, Y, 1, n_permutations=FEW)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(Y, before[1])


# Errors --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"k": 0}, ValueError, "`k` must be between 1 and the dimension d=4; got 0"),
        ({"k": [1, 5]}, ValueError, "`k` must be between 1 and the dimension d=4; got 5"),
        ({"k": [1, 1]}, ValueError, "`k` must name each dimension once; 1 comes more than once"),
        ({"k": []}, ValueError, "`k` must hold at least one dimension in 1..4; got none. Pass one"),
        ({"k": 2.0}, TypeError, "`k` must be an integer; got"),
        ({"k": "12"}, TypeError, "`k` must be an integer; got"),
        ({"k": None}, TypeError, "`k` must be an integer; got"),
        ({"level": 1.0}, ValueError, "`level` must be between 0 and 1, both excluded; got 1. Pass 0.95"),
        ({"level": "95%"}, TypeError, "`level` must be a real number"),
        ({"n_permutations": 18}, ValueError, "`n_permutations` must be at least 19"),
        ({"tol": 0.0}, ValueError, "`tol` must be positive"),
        ({"rng": -1}, ValueError, "`rng` must not be a negative seed"),
        ({"n_jobs": 0}, ValueError, "`n_jobs` must not be 0"),
        ({"progress": 1}, TypeError, "`progress` must be True or False"),
        ({"X": np.zeros((3, D))}, ValueError, "`X` must hold at least 4 points of positive weight"),
        ({"units": ([0] * N, [1] * N)}, ValueError, "`units` must name at least 2 units in `X`; got 1"),
        ({"strata": ([0] * N, [1] * N)}, ValueError, "`strata` must each have rows in `X` and in `Y`"),
    ],
)
def test_errors_name_argument_and_rule(changes, error, message):
    X, Y = samples()
    with pytest.raises(error) as raised:
        sot.null_band(**{"X": X, "Y": Y, "k": 1, **changes})
    assert str(raised.value).startswith(message)


def test_memory_of_all_workers_is_counted(monkeypatch):
    one_solve = 8 * (9 * N * N + 4 * 2 * N * D)
    monkeypatch.setattr(memory, "_physical_memory", lambda: 1.5 * one_solve)
    with pytest.raises(MemoryError, match="Running 2 solves at once"):
        sot.null_band(*samples(), 1, n_permutations=FEW, n_jobs=2)
    with pytest.raises(MemoryError, match="A solve"):
        sot.null_band(*samples(n=2 * N), 1, n_permutations=FEW)
