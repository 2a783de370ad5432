"""`features()`, `matches()` and `summary()`: names in, names out."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import subspaceot as sot


@pytest.fixture(scope="module")
def samples():
    """Two tables that differ by 3 in `shift` and by 1 in `also`, whose rows have labels."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2, 40, 4))
    Y[:, 2] += 3.0
    Y[:, 0] += 1.0
    names = ["also", "noise", "shift", "more noise"]
    first = pd.DataFrame(X, columns=names, index=[f"before {i}" for i in range(40)])
    return first, pd.DataFrame(Y, columns=names, index=[f"after {i}" for i in range(40)])


@pytest.fixture(scope="module")
def result(samples):
    return sot.srw(*samples, 2)


def test_features_are_named_and_the_largest_comes_first(samples, result):
    table = result.features()
    assert table.columns == ("name", "share", "low", "high", "mean_X", "mean_Y", "direction_1", "direction_2")
    assert table["name"][0] == "shift"
    assert table["share"].sum() == pytest.approx(1.0)
    assert np.all(np.diff(table["share"]) <= 0.0)
    assert np.isnan(table["low"]).all()
    first, second = samples
    for row in table:
        at = list(first.columns).index(row["name"])
        assert row["share"] == result.feature_share[at]
        assert row["mean_X"] == pytest.approx(first[row["name"]].mean())
        assert row["mean_Y"] == pytest.approx(second[row["name"]].mean())
        assert [row["direction_1"], row["direction_2"]] == result.basis[at].tolist()


def test_means_are_weighted_and_columns_of_arrays_are_numbered():
    table = sot.srw([[0.0, 0.0], [4.0, 0.0], [9.0, 9.0]], [[1.0, 1.0]], 1, a=[1.0, 3.0, 0.0]).features()
    assert set(table["name"]) == {"0", "1"}
    assert table["mean_X"][list(table["name"]).index("0")] == pytest.approx(3.0)


def test_confidence_intervals_come_beside_the_shares(samples):
    result, intervals = sot.srw(*samples, 1), sot.intervals(*samples, 1)
    table = result.features(intervals)
    ends = {row.name: (row.low, row.high) for row in intervals.features}
    assert {row["name"]: (row["low"], row["high"]) for row in table} == ends
    assert table["low"][0] <= table["share"][0] <= table["high"][0]


def test_intervals_of_something_else_are_refused(samples, result):
    intervals = sot.intervals(*samples, 1)
    with pytest.raises(ValueError, match=r"`intervals` must be for the k=2 directions of the result; got some for k=1"):
        result.features(intervals)
    renamed = [sample.rename(columns={"shift": "drift"}) for sample in samples]
    with pytest.raises(ValueError, match=r"`intervals` must be for the columns of the result.*'drift'.*got some for"):
        sot.srw(*renamed, 1).features(intervals)
    with pytest.raises(TypeError, match=r"`intervals` must be what `sot.intervals\(X, Y, k\)` returns; got 0.95"):
        result.features(0.95)


def test_index_labels_come_back(samples, result):
    table = result.matches()
    plan = result.sparse_plan
    assert len(table) == plan.nnz
    assert set(table["row_X"]) == set(samples[0].index)
    assert set(table["row_Y"]) == set(samples[1].index)
    first = [list(samples[0].index).index(label) for label in table["row_X"]]
    second = [list(samples[1].index).index(label) for label in table["row_Y"]]
    np.testing.assert_array_equal(plan.toarray()[first, second], table["mass"])
    np.testing.assert_allclose(np.bincount(first, table["part"]), 1.0)


def test_displacements_sum_to_what_the_plan_costs(samples, result):
    table, D = result.matches(), samples[0].to_numpy()[:, None] - samples[1].to_numpy()
    every = np.einsum("ijp,pq,ijq->ij", D, result.omega, D)
    assert table["mass"] @ table["squared_displacement"] == pytest.approx(np.sum(result.sparse_plan.toarray() * every))


def test_rows_without_labels_are_numbered(samples):
    table = sot.srw(samples[0].to_numpy(), samples[1].reset_index(drop=True), 1).matches()
    assert table["row_X"].dtype.kind == table["row_Y"].dtype.kind == "i"
    assert set(table["row_X"]) == set(range(40))


@pytest.mark.parametrize("index", [range(100, 140), pd.date_range("2026-01-01", periods=40)])
def test_labels_may_be_numbers_or_times(samples, index):
    table = sot.srw(samples[0].set_axis(index), samples[1], 1).matches()
    assert set(table.to_pandas()["row_X"]) == set(index)


def test_points_without_mass_go_nowhere(samples):
    table = sot.srw(*samples, 1, a=[0.0] + [1.0] * 39).matches()
    assert "before 0" not in set(table["row_X"])


def test_every_kind_of_frame_gives_the_same_bits(samples, result):
    first, second = (sample.reset_index(drop=True) for sample in samples)
    kinds = [
        (first, second),
        (pl.from_pandas(first), pl.from_pandas(second)),
        (pa.Table.from_pandas(first), pa.Table.from_pandas(second)),
        (first, pl.from_pandas(second[list(reversed(second.columns))])),
    ]
    tables = [sot.srw(*pair, 2) for pair in kinds]
    arrays = sot.srw(first.to_numpy(), second.to_numpy(), 2)
    for other in tables:
        assert (other.lower, other.upper) == (arrays.lower, arrays.upper) == (result.lower, result.upper)
        for name in ("share", "mean_X", "direction_1", "name"):
            np.testing.assert_array_equal(other.features()[name], result.features()[name])
        np.testing.assert_array_equal(other.matches()["mass"], arrays.matches()["mass"])


def test_a_renamed_column_is_an_error(samples):
    with pytest.raises(ValueError, match=r"must have the same columns; missing in `Y`: 'shift'"):
        sot.srw(samples[0], samples[1].rename(columns={"shift": "drift"}), 1)


def test_summary_says_what_is_known(samples, result):
    text = str(result.summary(("before", "after")))
    assert text.splitlines()[0] == "before and after: 40 rows against 40 rows, 4 columns"
    assert "pass `test=sot.two_sample_test(X, Y)`" in text
    W = sot.wasserstein(*samples)
    share = next(line for line in text.splitlines() if line.startswith("Share of W^2"))
    assert share.split()[3] == f"{min(1.0, result.cost / W.cost):.1%}"
    assert str(result.summary(("before", "after"), W=W)) == text
    row = next(line for line in text.splitlines() if line.startswith("  row before"))
    assert result.point_cost[int(row.split()[2])] == result.point_cost.max()


def test_summary_takes_a_test_and_intervals(samples):
    found = sot.srw(*samples, 1)
    text = str(found.summary(test=sot.two_sample_test(*samples), intervals=sot.intervals(*samples, 1)))
    assert "A difference was found: p = 0.001" in text
    assert "95% confidence interval" in text
    assert "on all rows" in text


def test_summary_lists_nothing_where_no_difference_was_found():
    X, Y = np.random.default_rng(1).standard_normal((2, 20, 3))
    text = str(sot.srw(X, Y, "auto").summary())
    assert "No difference was found" in text
    assert "`features()` and `matches()` list them" in text
    assert "Columns that contribute most" not in text
    assert "no difference was found, and one direction is shown all the same" in text


def test_summary_of_projections_names_their_distance(samples):
    lengths = {}
    for p in (1.0, 2.0):
        found = sot.prw(*samples, 1, p=p)
        text = str(found.summary())
        assert "Distance P_1" in text
        assert ("Wasserstein distance W" in text) == (p == 2.0)
        lengths[p] = float(next(line for line in text.splitlines() if line.startswith("  row before")).split()[3])
    assert lengths[1.0] == pytest.approx(lengths[2.0], rel=0.05)  # both are lengths, not powers of them


def test_summary_refuses_what_is_of_other_samples(samples, result):
    with pytest.raises(ValueError, match=r"`test` must be of the samples of the result, 40 and 40 points in 4"):
        result.summary(test=sot.two_sample_test(samples[0].to_numpy()[:, :2], samples[1].to_numpy()[:, :2]))
    with pytest.raises(TypeError, match=r"`names` must be two names"):
        result.summary("before")
    with pytest.raises(TypeError, match=r"`W` must be what `sot.wasserstein\(X, Y\)` returns; got 3.0"):
        result.summary(W=3.0)


def test_summary_shows_hostile_names_as_text(samples):
    hostile = "</pre><img src=x onerror=alert(1)>"
    named = [sample.rename(columns={"shift": hostile}) for sample in samples]
    shown = sot.srw(*named, 1).summary((hostile, "\x1b[31m"))._repr_html_()
    assert shown.count("</pre>") == 1
    assert "<img" not in shown
    assert "\x1b" not in shown
