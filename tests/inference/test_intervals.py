"""Confidence intervals: planted populations, laws, refusals. How often they cover: benchmarks/coverage.py."""

import numpy as np
import pandas as pd
import pytest
import reference
import tolerances

import subspaceot as sot
from subspaceot.inference.projected_transport import sampling_noise, transport
from subspaceot.inference.samples import Samples
from subspaceot.inference.shares import Shares

D = 6
NORMAL = 1.959964  # quantile of a 95 % interval


def shifted(n=240, m=None, shift=1.0, seed=0, d=D):
    """Return samples of two normal laws whose means differ along the second axis."""
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, d)), rng.standard_normal((m or n, d))
    Y[:, 1] += shift
    return X, Y


def uniform(X, Y):
    return Samples.of(X, Y, np.ones(len(X)), np.ones(len(Y)))


def numbers(found):
    return np.array([found.estimate, found.low, found.high, found.standard_error, found.noise])


def rows(found):
    return np.array([(row.share, row.low, row.high) for row in found.features])


# --- the distance -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_planted_shift_is_covered(k):
    found = sot.intervals(*shifted(shift=1.2), k, n_splits=5)
    truth = np.mean(np.sum(found.bases[:, 1, :] ** 2, axis=1)) * 1.2**2
    assert found.bases.shape == (10, D, k)
    assert truth > 1.0  # the direction was found
    assert found.low < truth < found.high
    assert found.low < found.estimate < found.high
    assert found.high - found.low == pytest.approx(2 * NORMAL * found.standard_error)
    assert found.reason is None


def test_the_standard_error_is_that_of_the_delta_method():
    X, Y = shifted(n=4000, m=1000, shift=2.0, d=2)
    error = transport(uniform(X[:, 1:], Y[:, 1:])).standard_error
    assert error == pytest.approx(2 * 2.0 * np.sqrt(1 / 4000 + 1 / 1000), rel=0.1)


def test_the_level_scales_the_interval():
    X, Y = shifted()
    wide, narrow = (sot.intervals(X, Y, 1, level=level, n_splits=5) for level in (0.95, 0.5))
    assert wide.estimate == narrow.estimate
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(NORMAL / 0.6744898)


@pytest.mark.parametrize("k", [1, 2])
def test_transport_is_exact_and_its_potentials_prove_it(k):
    rng = np.random.default_rng(3)
    X, Y, a, b = rng.standard_normal((9, k)), rng.standard_normal((7, k)), rng.random(9), rng.random(7)
    at = transport(Samples.of(X, Y, a, b))
    truth = reference.transport_cost(reference.cost_matrix(X, Y), a / a.sum(), b / b.sum())
    assert at.cost == pytest.approx(truth)
    assert np.trace(at.displacement) == pytest.approx(truth)
    assert at.samples.a @ at.f + at.samples.b @ at.g == pytest.approx(truth)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_noise_is_what_sampling_adds(k):
    rng = np.random.default_rng(k)
    excess, noise = [], []
    for _ in range(60):
        X, Y = rng.standard_normal((2, 60, k))
        X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)  # the means add as much at any k, and vary most
        excess.append(transport(uniform(X, Y)).cost)
        first = rng.standard_normal((2, 60, k))
        at = sampling_noise(uniform(*first), rng)
        noise.append(np.trace(at))
        assert at.shape == (k, k)
    assert np.mean(noise) == pytest.approx(np.mean(excess) + k * 2 / 60, rel=0.2)


# --- laws ---------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_numbers():
    X, Y = shifted()
    first, again, generator, other = (
        sot.intervals(X, Y, 1, n_splits=5, rng=rng) for rng in (7, 7, np.random.default_rng(7), 8)
    )
    for same in (again, generator):
        np.testing.assert_array_equal(numbers(first), numbers(same))
        np.testing.assert_array_equal(rows(first), rows(same))
    assert first.estimate != other.estimate


@pytest.mark.parametrize("k", [1, 2])
def test_rotation_keeps_the_distance_and_scaling_squares_it(k):
    X, Y = shifted(shift=1.5)
    X[:, 2] *= 2.0
    Q = np.linalg.qr(np.random.default_rng(5).standard_normal((D, D)))[0]
    plain = sot.intervals(X, Y, k, n_splits=5)
    rotated = sot.intervals(X @ Q + 3.0, Y @ Q + 3.0, k, n_splits=5)
    np.testing.assert_allclose(numbers(rotated), numbers(plain), rtol=0.01)
    scaled = sot.intervals(4.0 * X, 4.0 * Y, k, n_splits=5)
    np.testing.assert_allclose(numbers(scaled), 16.0 * numbers(plain), rtol=tolerances.ROUNDING)
    np.testing.assert_allclose([row.share for row in scaled.features], [row.share for row in plain.features])


def test_weights_count_in_proportion_and_points_without_weight_not_at_all():
    X, Y = shifted()
    plain = sot.intervals(X, Y, 1, n_splits=5)
    same = sot.intervals(X, Y, 1, np.full(len(X), 3.0), np.full(len(Y), 0.5), n_splits=5)
    np.testing.assert_allclose(numbers(same), numbers(plain), rtol=tolerances.ROUNDING)
    more = np.vstack([X, np.full((5, D), 100.0)])
    same = sot.intervals(more, Y, 1, np.append(np.ones(len(X)), np.zeros(5)), n_splits=5)
    np.testing.assert_allclose(numbers(same), numbers(plain), rtol=tolerances.ROUNDING)


def test_a_weight_is_a_repeated_point_for_the_cost_and_one_observation_for_the_error():
    X, Y = (Z[:, 1:2] for Z in shifted(n=40, m=50))
    counts = 1 + np.arange(40) % 3
    weighted = transport(Samples.of(X, Y, counts.astype(float), np.ones(50)))
    repeated = transport(uniform(np.repeat(X, counts, axis=0), Y))
    assert weighted.cost == pytest.approx(repeated.cost)
    assert weighted.standard_error > 1.05 * repeated.standard_error


def test_weights_say_which_population_is_meant():
    X, Y = shifted(n=400, shift=0.0)
    Y[::2, 1] += 2.0
    moved = np.where(np.arange(400) % 2 == 0, 1.0, 1e-6)
    found = sot.intervals(X, Y, 1, None, moved, n_splits=5)
    assert found.low < 4.0 * np.mean(found.bases[:, 1, 0] ** 2) < found.high
    assert found.estimate > 1.5 * sot.intervals(X, Y, 1, n_splits=5).estimate


def test_the_arguments_stay_as_they_are():
    X, Y = shifted(n=40)
    copies = X.copy(), Y.copy()
    sot.intervals(X, Y, 1, n_splits=5)
    np.testing.assert_array_equal(X, copies[0])
    np.testing.assert_array_equal(Y, copies[1])


def test_halves_share_out_all_points_and_labels_move_with_weights():
    rng = np.random.default_rng(0)
    X, Y = np.arange(9.0)[:, None], 20.0 + np.arange(12.0)[:, None]
    samples = Samples.of(X, Y, 1.0 + X[:, 0], 1.0 + Y[:, 0])
    first, second = samples.halves(rng)
    assert [len(Z) for Z in (first.X, second.X, first.Y, second.Y)] == [4, 5, 6, 6]
    np.testing.assert_array_equal(np.sort(np.concatenate([first.X, second.X]), axis=0), samples.X)
    np.testing.assert_allclose([half.a.sum() for half in (first, second)], 1.0)
    dealt = samples.relabelled(rng)
    assert (len(dealt.X), len(dealt.Y)) == (9, 12)
    assert not np.array_equal(np.sort(dealt.X, axis=0), samples.X)
    pooled = {
        **dict(zip(samples.X[:, 0], samples.a * 9, strict=True)),
        **dict(zip(samples.Y[:, 0], samples.b * 12, strict=True)),
    }
    for Z, weights in ((dealt.X, dealt.a), (dealt.Y, dealt.b)):
        expected = np.array([pooled[z] for z in Z[:, 0]])
        np.testing.assert_allclose(weights, expected / expected.sum())


# --- features -----------------------------------------------------------------------------------------------------


def sparse(n=500, seed=0):
    """Return samples that differ along two axes with shares 0.64 and 0.36."""
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((2, n, D))
    Y[:, [0, 3]] += np.array([0.8, 0.6]) * 1.2
    return X, Y


def test_planted_shares_are_in_their_intervals():
    found = sot.intervals(*sparse(), 1)
    share, low, high = rows(found).T
    truth = np.array([0.64, 0, 0, 0.36, 0, 0])
    assert (low <= truth).all()
    assert (truth <= high).all()
    np.testing.assert_allclose(share, truth, atol=0.08)
    assert (low[[0, 3]] > 0.1).all()
    assert (high - low).max() < 0.3
    assert all(row.identified for row in found.features)


def test_simultaneous_intervals_contain_the_others():
    X, Y = sparse()
    each, together = (sot.intervals(X, Y, 1, simultaneous=flag, n_splits=8) for flag in (False, True))
    assert (rows(together)[:, 1] <= rows(each)[:, 1]).all()
    assert (rows(together)[:, 2] >= rows(each)[:, 2]).all()
    assert np.sum(rows(together)[:, 2]) > 1.05 * np.sum(rows(each)[:, 2])
    assert "simultaneous" in repr(together)
    np.testing.assert_array_equal(numbers(each), numbers(together))


def test_two_directions_that_are_as_good_are_not_identified_alone_but_together():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((2, 600, D))
    Y[:, [2, 4]] *= 2.0
    one, two = (sot.intervals(X, Y, k, n_splits=5) for k in (1, 2))
    assert not any(row.identified for row in one.features)
    assert {(row.low, row.high) for row in one.features} == {(None, None)}
    assert "not identified" in repr(one)
    assert all(row.identified for row in two.features)
    assert all(two.features[j].low < 0.5 < two.features[j].high for j in (2, 4))
    assert all(two.features[j].share < 0.05 for j in (0, 1, 3, 5))


def test_products_of_halves_have_no_bias_where_squares_have_one():
    rng = np.random.default_rng(2)
    u = np.array([0.8, 0.6, *np.zeros(18)])
    halves = [u + 0.15 * rng.standard_normal((2, 20)) for _ in range(400)]
    shares = Shares.of([tuple((half / np.linalg.norm(half))[:, None] for half in pair) for pair in halves])
    np.testing.assert_allclose(shares.share, u**2, atol=0.02)
    squares = np.mean([np.mean(pair**2 / np.sum(pair**2, axis=1, keepdims=True), axis=0) for pair in halves], axis=0)
    assert squares[0] < 0.5
    assert shares.agreement == pytest.approx(1 / (1 + 20 * 0.15**2), abs=0.03)


def test_shares_do_not_depend_on_the_order_and_signs_of_a_basis():
    rng = np.random.default_rng(4)
    pairs = [tuple(rng.standard_normal((2, 7, 2))) for _ in range(6)]
    mixed = [(first[:, ::-1], second * [1, -1]) for first, second in pairs]
    for one, other in zip(*(Shares.of(each).interval(0.9, simultaneous=False) for each in (pairs, mixed)), strict=True):
        np.testing.assert_allclose(one, other)


def test_one_column_has_the_whole_distance():
    X, Y = (Z[:, 1:2] for Z in shifted())
    (row,) = sot.intervals(X, Y, 1, n_splits=5).features
    assert (row.share, row.low, row.high) == pytest.approx((1.0, 1.0, 1.0))
    assert row.identified


def test_tables_are_matched_by_label_and_name_the_features():
    X, Y = sparse(n=120)
    names = list("abcdef")
    found = sot.intervals(pd.DataFrame(X, columns=names), pd.DataFrame(Y, columns=names)[names[::-1]], 1, n_splits=5)
    assert [row.name for row in found.features] == names
    plain = sot.intervals(X, Y, 1, n_splits=5)
    assert [row.name for row in plain.features] == ["0", "1", "2", "3", "4", "5"]
    np.testing.assert_array_equal(numbers(found), numbers(plain))
    largest = max(found.features, key=lambda row: row.share)
    assert repr(found).splitlines()[2].split()[0] == largest.name


# --- units --------------------------------------------------------------------------------------------------------


def of_donors(donors=24, rows=6, seed=0, spread=1.0, shift=3.0):
    """Return samples whose donors have effects of their own, and the donors."""
    rng = np.random.default_rng(seed)
    donor = np.repeat(np.arange(2 * donors), rows)
    Z = spread * rng.standard_normal((2 * donors, D))[donor] + 0.2 * rng.standard_normal((len(donor), D))
    half = donors * rows
    Z[half:, 1] += shift
    return Z[:half], Z[half:], (donor[:half], donor[half:])


def test_units_of_one_row_are_rows_but_for_their_number():
    X, Y = shifted(n=60, shift=2.0)
    rows = sot.intervals(X, Y, 1, n_splits=5)
    units = sot.intervals(X, Y, 1, n_splits=5, units=(np.arange(60), np.arange(60, 120)))
    np.testing.assert_allclose(units.bases, rows.bases, rtol=tolerances.ROUNDING)
    assert units.estimate + units.noise == pytest.approx(rows.estimate + rows.noise)
    assert units.standard_error == pytest.approx(rows.standard_error * np.sqrt(30 / 29))
    assert (units.units, rows.units) == ((60, 60), None)
    assert units.high - units.estimate == pytest.approx(2.0009954 * units.standard_error)  # Student, 59 degrees


def test_a_unit_of_equal_rows_counts_once():
    X, Y = shifted(n=40, m=50)
    x, y = X[:, 1:2], Y[:, 1:2]
    once = transport(Samples.of(x, y, np.ones(40), np.ones(50), np.arange(90)))
    unit = np.repeat(np.arange(90), 3)
    thrice = transport(Samples.of(np.repeat(x, 3, axis=0), np.repeat(y, 3, axis=0), np.ones(120), np.ones(150), unit))
    assert thrice.cost == pytest.approx(once.cost)
    assert thrice.standard_error == pytest.approx(once.standard_error, rel=0.02)  # potentials are not unique here
    alone = transport(uniform(np.repeat(x, 3, axis=0), np.repeat(y, 3, axis=0)))
    assert thrice.standard_error > 1.5 * alone.standard_error


def test_rows_of_a_unit_stay_in_one_half_and_on_one_side():
    rng = np.random.default_rng(0)
    X, Y, units = of_donors(donors=9)
    samples = Samples.of(X, Y, np.ones(54), np.ones(54), np.concatenate(units))
    assert samples.counts == (9, 9)
    sides = [(half.X, half.unit_X) for half in samples.halves(rng)] + [(half.Y, None) for half in samples.halves(rng)]
    assert [len(points) for points, _ in sides] == [24, 30, 24, 30]
    assert sorted(np.bincount(sides[1][1])) == [6] * 5
    dealt = samples.relabelled(rng)
    rounded = {
        tuple(row): unit for row, unit in zip(np.vstack([samples.X, samples.Y]), np.concatenate(units), strict=True)
    }
    sets = [{rounded[tuple(row)] for row in side} for side in (dealt.X, dealt.Y)]
    assert [len(side) for side in sets] == [9, 9]
    assert not sets[0] & sets[1]


def test_donors_widen_the_interval_to_what_their_means_say():
    X, Y, units = of_donors()
    found = sot.intervals(X, Y, 1, n_splits=5, units=units)
    rows = sot.intervals(X, Y, 1, n_splits=5)
    assert found.standard_error > 2.0 * rows.standard_error
    assert found.low < 9.0 < found.high
    of_means = 2 * 3.0 * np.sqrt(1.04 / 12 + 1.04 / 12)  # the delta method, 12 donors a side in each half
    assert found.standard_error == pytest.approx(of_means, rel=0.35)
    assert found.noise > 2.0 * rows.noise


def test_donors_of_one_law_give_no_interval():
    X, Y, units = of_donors(donors=12, shift=0.0)
    assert "may be 0" in sot.intervals(X, Y, 1, n_splits=5, units=units).reason


# --- the number of directions -------------------------------------------------------------------------------------


def test_k_is_selected_where_none_is_named():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((2, 120, 4))
    Y[:, :2] *= 3.0
    found = sot.intervals(X, Y, n_splits=5)
    assert (found.k, found.selected) == (2, "2 directions found at alpha=0.05")
    assert repr(found).startswith("Intervals(k=2, 2 directions found at alpha=0.05: squared distance")
    assert sot.intervals(X, Y, 2, n_splits=5).selected is None
    alike = sot.intervals(X, X[::-1], n_splits=5)
    assert (alike.k, alike.selected) == (1, "no difference found at alpha=0.05")
    assert "no difference found" in repr(alike)


def test_at_most_three_directions_are_selected_and_weights_do_not_depend_on_their_unit():
    X, Y = np.random.default_rng(2).standard_normal((2, 150, 5))
    found = sot.intervals(X, 4.0 * Y, None, np.full(150, 3.0), np.full(150, 0.5), n_splits=5)
    assert (found.k, found.selected) == (3, "3 directions or more found at alpha=0.05")
    assert found.low is not None


# --- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2])
def test_one_law_gives_no_interval(k):
    found = sot.intervals(*shifted(n=100, shift=0.0), k)
    assert (found.estimate, found.low, found.high, found.standard_error, found.noise) == (None,) * 5
    assert "may be 0" in found.reason
    assert found.reason in repr(found)
    assert found.features == ()


@pytest.mark.parametrize("data", ["same points", "one point"])
def test_coinciding_samples_give_no_interval(data):
    X = shifted()[0] if data == "same points" else np.ones((20, 3))
    assert "may be 0" in sot.intervals(X, X, 1, n_splits=5).reason


def test_many_directions_give_no_interval():
    found = sot.intervals(*shifted(shift=5.0), 4)
    assert (found.estimate, found.low, found.high, found.features) == (None, None, None, ())
    assert "k of at most 3" in found.reason


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"level": 1.0}, ValueError, "`level` must be between 0 and 1, both excluded; got 1"),
        ({"level": 0}, ValueError, "`level` must be between 0 and 1"),
        ({"level": "95%"}, TypeError, "`level` must be a real number"),
        ({"n_splits": 4}, ValueError, "`n_splits` must be at least 5; got 4"),
        ({"n_splits": 20.0}, TypeError, "`n_splits` must be an integer"),
        ({"simultaneous": "yes"}, TypeError, "`simultaneous` must be True or False"),
        ({"rng": None}, TypeError, "`rng` must be"),
        ({"k": D + 1}, ValueError, "`k` must be between 1 and the dimension"),
        ({"X": np.ones((7, D))}, ValueError, "`X` must hold at least 8 points of positive weight in `a`"),
        ({"b": np.append(np.ones(7), np.zeros(13))}, ValueError, "`Y` must hold at least 8 points .* got 7"),
        (
            {"units": (np.arange(20) // 4, np.arange(20) + 9)},
            ValueError,
            "at least 8 units in `X` for an interval.* got 5",
        ),
        ({"units": np.arange(20)}, TypeError, "`units` must be a pair of label arrays"),
        ({"units": (np.arange(20), np.arange(20))}, ValueError, "`units` must name different units"),
        ({"k": "auto"}, TypeError, "`k` must be an integer"),
        ({"a": np.ones(3)}, ValueError, "`a` must hold one weight for each"),
        ({"Y": np.full((20, D), np.nan)}, ValueError, "`Y` must be finite"),
    ],
)
def test_errors_say_what_to_do(change, error, says):
    X, Y = shifted(n=20)
    with pytest.raises(error, match=says):
        sot.intervals(**{"X": X, "Y": Y, **change})


def test_progress_counts_splits(capsys):
    X, Y = np.random.default_rng(0).standard_normal((2, 40, 3))
    silent = sot.intervals(X, Y + 1.0, n_splits=6)
    assert capsys.readouterr() == ("", "")
    told = sot.intervals(X, Y + 1.0, n_splits=6, progress=True)
    assert (told.low, told.high) == (silent.low, silent.high)
    assert "/6 [" in capsys.readouterr().err
    with pytest.raises(TypeError, match="`progress` must be True or False"):
        sot.intervals(X, Y, progress=1)


# --- coverage -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["shift n=500 k=1 AR(0.8)", "variance n=500 k=1 AR(0.8)", "variance n=1000 k=1 100 donors"]
)
def test_intervals_cover(name):
    from benchmarks.coverage import CASES, run

    cell = CASES[name]
    shares = cell.shares()
    found = [run(cell, np.random.default_rng(seed), shares) for seed in range(100)]
    answered = [row for row in found if not row["refused"]]
    assert len(answered) >= 95
    covers = np.mean([row["covers"] for row in answered])
    assert covers >= 0.93
    of_shares = [row for row in answered if row["shares"]]
    assert len(of_shares) >= 50
    assert np.mean([row["planted"] for row in of_shares]) >= 0.9
    assert np.mean([row["others"] for row in of_shares]) >= 0.9
    assert np.mean([row["naive"] for row in found]) < covers
