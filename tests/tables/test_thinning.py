"""Which rows a test sees where it does not see all of them."""

import numpy as np
import pytest

from subspaceot.tables.thinning import Side, most_rows, thinned


def test_rows_times_columns_are_limited():
    assert [most_rows(d) for d in (1, 10, 50, 500, 20_000)] == [5000, 5000, 1500, 200, 200]


def test_independent_rows_are_as_many_as_asked_for():
    sides = [Side(1000), Side(30)]
    large, small = thinned(sides, 100, np.random.default_rng(0))
    assert len(np.unique(large)) == len(large) == 100
    assert np.array_equal(small, np.arange(30))
    assert np.array_equal(large, np.sort(large))
    assert np.array_equal(large, thinned(sides, 100, np.random.default_rng(0))[0])
    assert not np.array_equal(large, thinned(sides, 100, np.random.default_rng(1))[0])


def test_every_row_is_as_likely():
    counts = np.zeros(40)
    for seed in range(400):
        (kept,) = thinned([Side(40)], 10, np.random.default_rng(seed))
        counts[kept] += 1
    assert counts.mean() == 100
    assert np.abs(counts - 100).max() < 5 * np.sqrt(75)


def test_no_stratum_is_lost():
    strata = np.repeat([0, 1, 2], [900, 99, 1])
    (kept,) = thinned([Side(1000, strata=strata)], 100, np.random.default_rng(0))
    assert np.bincount(strata[kept]).tolist() == [90, 10, 1]


@pytest.mark.parametrize("most", [50, 100, 400])
def test_what_is_kept_of_a_unit_does_not_depend_on_its_sample(most):
    """Units of 8 and of 40 rows, five of each in one sample and one of each in the other."""
    sizes = [8, 40] * 5
    sides = [Side(240, units=np.repeat(np.arange(10), sizes)), Side(48, units=np.repeat([10, 11], [8, 40]))]
    rows = thinned(sides, most, np.random.default_rng(0))
    kept = [np.bincount(side.units[row])[-len(np.unique(side.units)) :] for side, row in zip(sides, rows, strict=True)]
    expected = [min(8, -(-8 * most // 240)), min(40, -(-40 * most // 240))]
    assert kept[0].tolist() == expected * 5
    assert kept[1].tolist() == expected


def test_of_many_units_some_are_kept_with_one_row_each():
    sides = [Side(600, units=np.repeat(np.arange(200), 3)), Side(60, units=np.repeat(np.arange(200, 220), 3))]
    rows = thinned(sides, 50, np.random.default_rng(0))
    assert [len(part) for part in rows] == [50, 5]
    assert all(len(np.unique(side.units[row])) == len(row) for side, row in zip(sides, rows, strict=True))
