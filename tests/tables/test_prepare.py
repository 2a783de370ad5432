"""Tables made ready to compare: the same bits from every library, names of rows and columns, and a full report."""

import datetime
import html

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import subspaceot as sot
from subspaceot.tables.preparing.categories import MOST_CATEGORIES
from subspaceot.tables.preparing.report import Reason

RNG = np.random.default_rng(3)
DAYS = [datetime.date(2026, 6, 1 + i) for i in range(20)]


def columns(seed, shift=0.0, n=20):
    """Return the columns of one month: numbers, categories, dates, text, one constant, missing values."""
    rng = np.random.default_rng(seed)
    kWh = rng.standard_normal(n) * 2 + 10 + shift
    kind = rng.choice(["flat", "house", "farm"], n).tolist()
    return {
        "kWh": [None if i == 3 else float(x) for i, x in enumerate(kWh)],
        "kind": [None if i == 5 else x for i, x in enumerate(kind)],
        "price, €": (rng.standard_normal(n) * 1000).tolist(),
        "day": DAYS[:n],
        "note": [f"remark {seed} {i}" for i in range(n)],
        "rate": [0.25] * n,
        "rooms": rng.integers(1, 9, n).tolist(),
        "heated": (rng.random(n) < 0.5).tolist(),
    }


JUNE, JULY = columns(1), columns(2, shift=6.0)
LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
NUMBERS = ("kWh", "price, €", "rooms", "heated")


def both(library="pandas"):
    return LIBRARIES[library](JUNE), LIBRARIES[library](JULY)


def left_out(prepared):
    return {column.name: column.reason for column in prepared.report.left_out}


# --- what is compared ---------------------------------------------------------------------------------------------


def test_numbers_are_kept_and_all_else_is_reported():
    prepared = sot.prepare(*both())
    assert prepared.X.names == prepared.Y.names == NUMBERS
    expected = {"day": Reason.TIMES, "kind": Reason.NO_NUMBERS, "note": Reason.NO_NUMBERS, "rate": Reason.CONSTANT}
    assert left_out(prepared) == expected
    first, second = prepared.report.samples
    assert (first.rows, first.kept, dict(first.missing)) == (20, 19, {"kWh": 1})
    assert (second.rows, second.kept) == (20, 19)


def test_what_is_prepared_is_what_numpy_computes():
    prepared = sot.prepare(*both())
    kept = np.delete(np.arange(20), 3)
    X, Y = (np.array([np.array(month[name], dtype=float)[kept] for name in NUMBERS]).T for month in (JUNE, JULY))
    centre = (X.mean(axis=0) + Y.mean(axis=0)) / 2
    scale = np.sqrt((((X - centre) ** 2).mean(axis=0) + ((Y - centre) ** 2).mean(axis=0)) / 2)
    np.testing.assert_allclose(prepared.X, X / scale, rtol=1e-14)
    np.testing.assert_allclose(prepared.Y, Y / scale, rtol=1e-14)
    assert list(prepared.scales.values()) == pytest.approx(scale, rel=1e-14)
    np.testing.assert_array_equal(sot.prepare(*both(), scale=None, ignore="rate").X, X)


@pytest.mark.parametrize("options", [{}, {"encode": True}, {"scale": None, "missing": "mean", "encode": "kind"}])
@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_every_library_gives_the_same_bits(library, options):
    one, other = sot.prepare(*both(), **options), sot.prepare(*both(library), **options)
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.Y, other.Y)
    assert one.X.names == other.X.names
    assert str(one.report) == str(other.report)
    np.testing.assert_array_equal(one.X.index, other.X.index)


def test_duckdb_gives_the_same_bits():
    duckdb = pytest.importorskip("duckdb")
    june, july = both("pyarrow")  # noqa: RUF059 -- DuckDB finds it by its name
    relations = duckdb.sql("select * from june"), duckdb.sql("select * from july")
    one, other = sot.prepare(*both(), encode=True), sot.prepare(*relations, encode=True)
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.Y, other.Y)
    numbers = duckdb.sql('select rooms, "price, €" from june'), duckdb.sql('select "price, €", rooms from july')
    result, expected = sot.srw(*numbers, 1), sot.srw(*(frame[["rooms", "price, €"]] for frame in both()), 1)
    assert (result.lower, result.upper, result.names) == (expected.lower, expected.upper, expected.names)


def test_columns_in_another_order_change_no_bit():
    june, july = both()
    one, other = sot.prepare(june, july), sot.prepare(june, july[july.columns[::-1]])
    np.testing.assert_array_equal(one.Y, other.Y)


def test_a_renamed_column_is_an_error_without_preparing_and_left_out_with_it():
    june, july = (frame[["kWh", "rooms"]].dropna() for frame in both())
    renamed = july.rename(columns={"rooms": "Rooms"})
    with pytest.raises(ValueError, match=r"must have the same columns; missing in `Y`: 'rooms'; missing in `X`: 'Roo"):
        sot.srw(june, renamed, 1)
    prepared = sot.prepare(june, renamed)
    assert left_out(prepared) == {"rooms": Reason.NOT_IN_ALL, "Rooms": Reason.NOT_IN_ALL}
    assert "left out, as not every table has them: 'rooms' of A" in str(prepared)
    with pytest.raises(ValueError, match="A and B share no column name: A has 'kWh'; B has 'Rooms'"):
        sot.prepare(june[["kWh"]], renamed[["Rooms"]])


# --- rows ---------------------------------------------------------------------------------------------------------


def test_labels_of_rows_come_back_in_matches():
    june, july = both()
    june.index = [f"flat {i}" for i in range(20)]
    prepared = sot.prepare(june, july)
    matches = sot.srw(prepared.X, prepared.Y, 1).matches()
    assert set(matches["row_X"]) == set(june.index) - {"flat 3"}
    assert set(matches["row_Y"].tolist()) == set(range(20)) - {3}  # rows of the table, not of what is left of it
    polars = sot.srw(*(getattr(sot.prepare(*both("polars")), side) for side in "XY"), 1).matches()
    np.testing.assert_array_equal(polars["row_Y"], matches["row_Y"])


def test_means_come_back_in_the_units_of_the_table():
    prepared = sot.prepare(*both(), ignore="heated")
    result = sot.srw(prepared.X, prepared.Y, 1)
    means = {row["name"]: (row["mean_X"], row["mean_Y"]) for row in result.features()}
    kept = np.delete(np.arange(20), 3)
    for name in NUMBERS[:3]:
        expected = [np.mean(np.array(month[name], dtype=float)[kept]) for month in (JUNE, JULY)]
        assert means[name] == pytest.approx(expected, rel=1e-12)
    listed = next(line.split() for line in str(result.summary(("june", "july"))).splitlines() if "kWh" in line)
    assert [float(cell) for cell in listed[-2:]] == pytest.approx(means["kWh"], rel=1e-4)


def test_new_rows_of_a_table_are_scaled_like_the_data():
    june, july = (frame[["kWh", "rooms"]].dropna() for frame in both())
    prepared = sot.prepare(june, july)
    result = sot.srw(prepared.X, prepared.Y, 1)
    expected = np.ascontiguousarray(june) / [prepared.scales["kWh"], prepared.scales["rooms"]] @ result.basis
    np.testing.assert_array_equal(result.project(june[["rooms", "kWh"]]), expected)
    np.testing.assert_array_equal(result.project(prepared.X), expected)
    np.testing.assert_array_equal(result.project(prepared.X.values), expected)
    np.testing.assert_array_equal(result.transport(june), result.transport(prepared.X))
    with pytest.raises(ValueError, match="the data and `Z` must be on one scale; they come from two calls"):
        result.project(sot.prepare(june, july * 3.0).X)
    with pytest.raises(ValueError, match="the data and `Z` must be on one scale; got `Z` from `prepare`"):
        sot.srw(june, july, 1).project(prepared.X)


def test_tables_on_different_scales_are_not_compared():
    june, july = (frame[["kWh", "rooms"]].dropna() for frame in both())
    one, other = sot.prepare(june, july), sot.prepare(june, june + 1)
    with pytest.raises(ValueError, match="`X` and `Y` must be on one scale; they come from two calls of `prepare`"):
        sot.srw(one.X, other.Y, 1)
    with pytest.raises(ValueError, match="got `X` from `prepare`, which has divided its columns, and `Y` as it came"):
        sot.srw(one.X, july, 1)
    assert sot.srw(one.X, one.Y.values, 1).converged  # an array has no names, so nothing is known of it


def test_missing_values_can_be_refused():
    with pytest.raises(ValueError, match=r"^A has missing or infinite values: 'kWh' 1\. Fill them in, use ") as e:
        sot.prepare(*both(), missing="error")
    assert 'use `missing="drop"` to leave out those rows' in str(e.value)


@pytest.mark.parametrize(("how", "of"), [("mean", np.mean), ("median", np.median)])
def test_missing_values_are_filled_in_whichever_table_they_are_in(how, of):
    prepared = sot.prepare(*both(), missing=how, scale=None)
    value = of([x for x in JUNE["kWh"] + JULY["kWh"] if x is not None])
    assert prepared.X.values[3, 0] == prepared.Y.values[3, 0] == pytest.approx(value, rel=1e-14)
    assert f"filled in 1 missing value of A, each with the {how} of its column over all rows" in str(prepared)
    assert prepared.X.index is None  # every row is there


def test_filling_in_does_not_depend_on_the_labels():
    june, july = both()
    swapped = pd.concat([june[::2], july[1::2]]), pd.concat([june[1::2], july[::2]])
    one, other = (sot.prepare(*pair, missing="mean", scale=None) for pair in ((june, july), swapped))
    assert other.Y.index[1] == 3
    assert one.X.values[3, 0] == pytest.approx(other.Y.values[1, 0], rel=1e-14)  # row 3 of June


def test_infinite_values_are_left_out_but_never_filled_in():
    june, july = both()
    june.loc[7, "price, €"] = -np.inf
    assert sot.prepare(june, july).report.samples[0].kept == 18
    with pytest.raises(ValueError, match="missing or infinite values: 'price, €' 1"):
        sot.prepare(june, july, missing="mean")


def test_a_column_without_values_is_left_out():
    june, july = both()
    prepared = sot.prepare(june.assign(old=np.nan, gone=None), july.assign(old=1.0, gone=2.0))
    assert left_out(prepared)["old"] is left_out(prepared)["gone"] is Reason.NO_VALUES
    with pytest.raises(ValueError, match='Every row of A has a missing value; `missing="drop"` would leave none'):
        sot.prepare(june[:2].assign(rooms=[np.nan, 1.0], kWh=[2.0, np.nan]), july)


def test_weights_and_labels_follow_their_rows():
    june, july = (
        frame.assign(w=np.arange(20.0), donor=[f"{name}{i // 5}" for i in range(20)])
        for name, frame in zip("ab", both(), strict=True)
    )
    prepared = sot.prepare(june, july, weights="w", units="donor", strata="heated")
    np.testing.assert_array_equal(prepared.a, np.delete(np.arange(20.0), 3))
    assert prepared.units[1].tolist() == [f"b{i // 5}" for i in range(20) if i != 3]
    assert prepared.X.names == ("kWh", "price, €", "rooms")
    assert sot.srw(prepared.X, prepared.Y, 1, prepared.a, prepared.b).converged
    test = sot.two_sample_test(prepared.X, prepared.Y, units=prepared.units, n_permutations=19)
    assert test.p_value <= 1.0
    mean = np.average(prepared.X.values, axis=0, weights=prepared.a), np.average(prepared.Y, axis=0, weights=prepared.b)
    centre = np.mean(mean, axis=0)
    squares = [np.average((Z - centre) ** 2, axis=0, weights=w) for Z, w in zip(
        (prepared.X.values, prepared.Y.values), (prepared.a, prepared.b), strict=True)]  # fmt: skip
    np.testing.assert_allclose(np.mean(squares, axis=0), 1.0)


# --- categories ---------------------------------------------------------------------------------------------------


def test_indicators_are_ones_and_zeros_that_count_as_one_column():
    prepared = sot.prepare(*both(), encode=True, missing="mean")
    names = ["kind=(missing)", "kind=farm", "kind=flat", "kind=house"]
    at = [prepared.X.names.index(name) for name in names]
    assert at == list(range(1, 5))  # where the column was
    assert prepared.report.encoded == {"kind": ("(missing)", "farm", "flat", "house")}
    ones = prepared.X.values[:, at] * prepared.scales["kind=flat"]
    assert [names[j] for j in np.argmax(ones, axis=1)] == [f"kind={kind or '(missing)'}" for kind in JUNE["kind"]]
    np.testing.assert_allclose(ones.sum(axis=1), 1.0)
    Z = np.concatenate([prepared.X, prepared.Y])
    assert Z[:, at].var(axis=0).sum() == pytest.approx(1.0)
    assert left_out(prepared)["note"] is Reason.TOO_MANY


def test_numbers_can_be_named_as_categories():
    prepared = sot.prepare(*both(), encode=["rooms"])
    assert "rooms" not in prepared.X.names
    rooms = {month["rooms"][i] for month in (JUNE, JULY) for i in range(20) if i != 3}
    assert {name for name in prepared.X.names if name.startswith("rooms=")} == {f"rooms={count}" for count in rooms}
    assert left_out(prepared)["kind"] is Reason.NO_NUMBERS  # only what is named


def test_gaps_in_a_column_that_is_not_encoded_cost_no_rows():
    june, july = (frame.assign(remark=[None, *"abcdefghijklmnopqrs"], one="x") for frame in both())
    prepared = sot.prepare(june, july, encode=True)
    assert left_out(prepared)["remark"] is Reason.TOO_MANY
    assert left_out(prepared)["one"] is Reason.CONSTANT
    assert [sample.kept for sample in prepared.report.samples] == [18, 18]


def test_too_many_categories_are_left_out_or_refused():
    n = 2 * MOST_CATEGORIES + 4
    frame = pd.DataFrame({"x": np.arange(n) % 7, "c": [f"c{i % (MOST_CATEGORIES + 1)}" for i in range(n)]})
    prepared = sot.prepare(frame, frame[::2], encode=True)
    assert f"too many categories, or too few rows for each: 'c' ({MOST_CATEGORIES + 1})" in str(prepared)
    with pytest.raises(ValueError, match=f"`encode` takes columns of at most {MOST_CATEGORIES} categories; 'c' has 51"):
        sot.prepare(frame, frame, encode="c")
    with pytest.raises(ValueError, match="`encode` 'z' names no column of A; its columns are 'x', 'c'"):
        sot.prepare(frame, frame, encode="z")


# --- groups -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_one_table_is_split_by_a_column(library):
    frame = LIBRARIES[library](
        {name: JUNE[name] + JULY[name] for name in JUNE} | {"month": ["jun"] * 20 + ["jul"] * 20}
    )
    prepared = sot.prepare(frame, group="month")
    expected = sot.prepare(*both())
    assert prepared.names == ("jun", "jul")
    np.testing.assert_array_equal(prepared.X, expected.X)
    np.testing.assert_array_equal(prepared.Y, expected.Y)
    assert prepared.Y.index[0] == 20  # the rows of the one table


def test_rows_without_a_group_are_reported_or_refused():
    frame = pd.DataFrame({"x": np.arange(6.0), "g": ["a", "b", None, "a", "b", "a"]})
    prepared = sot.prepare(frame, group="g")
    assert "left out 1 row without a group" in str(prepared)
    with pytest.raises(ValueError, match="Column 'g' of A has 1 missing value"):
        sot.prepare(frame, group="g", missing="error")
    with pytest.raises(ValueError, match="`group` needs a column with at least two values; column 'g' holds 'a'"):
        sot.prepare(frame[frame.g == "a"], group="g")
    with pytest.raises(ValueError, match="`group` 'h' names no column of A; its columns are 'x', 'g'"):
        sot.prepare(frame, group="h")


def test_samples_of_pairwise_are_on_one_scale_and_keep_their_weights():
    frame = pd.DataFrame(RNG.standard_normal((30, 2)), columns=["x", "y"]).assign(g=list("abc") * 10, w=np.arange(30.0))
    prepared = sot.prepare(frame, group="g", weights="w")
    answer = sot.pairwise(prepared.measures, 1)
    points = [(measure.values, weights) for measure, weights in prepared.measures.values()]
    np.testing.assert_array_equal(answer.distance, sot.pairwise(points, 1).distance)
    assert answer.names == ("a", "b", "c")
    plain = frame[["x", "y"]]
    with pytest.raises(
        ValueError, match=r"`measures\[0\]` and `measures\[1\]` must be on one scale; got `measures\[0\]`"
    ):
        sot.pairwise([prepared.measures["a"], plain], 1)
    other = sot.prepare(plain, plain * 2.0).X
    with pytest.raises(ValueError, match="must be on one scale; they come from two calls of `prepare`"):
        sot.pairwise([prepared.measures["a"], (other, None)], 1)


def test_many_samples_go_to_pairwise():
    frame = pd.DataFrame({"x": RNG.standard_normal(30), "y": RNG.standard_normal(30), "g": list("abc") * 10})
    prepared = sot.prepare(frame, group="g")
    assert prepared.names == ("a", "b", "c")
    assert sot.pairwise(list(prepared.measures.values()), 1).distance.shape == (3, 3)
    with pytest.raises(ValueError, match="`X` is for two samples; there are 3: 'a', 'b', 'c'"):
        prepared.X  # noqa: B018


# --- what looks odd -----------------------------------------------------------------------------------------------


ODD = {
    "customer_id": (RNG.integers(1, 99, 20), "by its name"),
    "zip": (RNG.integers(10000, 99999, 20), "by its name"),
    "userID": (RNG.integers(1, 99, 20), "by its name"),
    "count": (np.arange(100, 120), "rises from row to row"),
    "index": (RNG.permutation(20), "no two rows"),
    "start": (20260101 + np.arange(20), "looks like dates written as numbers (20260101 to 20260120)"),
    "seen": (1_767_225_600 + RNG.integers(0, 10**6, 20), "times in seconds since 1970"),
    "seen ms": (1_767_225_600_000 + RNG.integers(0, 10**9, 20), "times in milliseconds since 1970"),
    "year": (RNG.integers(2007, 2010, 20), "looks like years"),
}
PLAIN = {
    "age": RNG.integers(1, 99, 20),
    "valid": RNG.integers(1, 99, 20),
    "pounds": RNG.permutation(20) * 7,
    "length": np.arange(20) + 0.5,
    "cells": RNG.integers(19_000_101, 21_001_231, 20),
    "years at home": RNG.integers(1, 40, 20),
}


@pytest.mark.parametrize("name", ODD)
def test_identifiers_and_dates_are_pointed_out(name):
    values, what = ODD[name]
    frame = pd.DataFrame({"x": RNG.standard_normal(20), name: values})
    (warning,) = sot.prepare(frame, frame).report.warnings
    assert warning.startswith(f"column {name!r} looks like ")
    assert what in warning
    assert "leave it out with `ignore`" in warning
    assert sot.prepare(frame, frame, ignore=name).report.warnings == ()


@pytest.mark.parametrize("name", PLAIN)
def test_measurements_are_not(name):
    frame = pd.DataFrame({"x": RNG.standard_normal(20), name: PLAIN[name]})
    assert sot.prepare(frame, frame).report.warnings == ()


def test_one_scale_that_hides_the_others_is_pointed_out():
    (warning,) = sot.prepare(*both(), scale=None).report.warnings
    assert "'price, €' has 99.9 % of the spread of all columns together" in warning
    assert '`scale="standard"`' in warning
    assert sot.prepare(*both()).report.warnings == ()


def test_few_of_many_columns_that_hide_the_others_are_pointed_out():
    values = RNG.standard_normal((20, 30)) * np.r_[900.0, 500.0, np.ones(28)]
    frame = pd.DataFrame(values, columns=[f"c{i}" for i in range(30)])
    (warning,) = sot.prepare(frame, frame, scale=None).report.warnings
    assert warning.startswith("columns 'c0', 'c1' have 99.9 % of the spread")
    assert sot.prepare(frame.iloc[:, 1:], frame, scale=None, ignore="c1").report.warnings == ()


@pytest.mark.parametrize("missing", ["drop", "median"])
def test_values_that_are_missing_in_one_sample_alone_are_pointed_out(missing):
    june, july = both()
    july.loc[5:8, "rooms"] = None
    (warning,) = sot.prepare(june, july, missing=missing).report.warnings
    assert warning == "column 'rooms' has no value in 20% of B and 0% of A: samples may differ for that reason alone"


@pytest.mark.parametrize("text", ["2026-06-01", "1.6.2026", "06/01/26", "2026-06-01T12:30:00Z", "2026/6/1 12:30"])
def test_dates_in_text_are_dates(text):
    frame = pd.DataFrame({"x": [1.0, 2.0], "at": [text, text]})
    assert left_out(sot.prepare(frame, frame, encode=True))["at"] is Reason.TIMES


def test_a_decimal_comma_is_pointed_out():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": ["1,5", "2", "3,25"]})
    assert "'y' (row 0 holds '1,5': a decimal comma, to be replaced by a point)" in str(sot.prepare(frame, frame))


# --- what is refused, and how it is shown -------------------------------------------------------------------------


def test_arguments_are_checked_before_any_work():
    june, july = both()
    for call, message in [
        (lambda: sot.prepare(june), "`B` must be a second table; got None"),
        (lambda: sot.prepare(june, july, group="kind"), "`group` splits one table; got several"),
        (lambda: sot.prepare({"june": june}), "at least two tables where it is a dict; got 1"),
        (lambda: sot.prepare({"june": june, "july": july}, july), "`B` must be left out where `A` is a dict"),
        (lambda: sot.prepare(june, july, scale="robust"), "`scale` must be one of 'standard'; got 'robust'"),
        (lambda: sot.prepare(june, july, missing="zero"), "`missing` must be one of 'drop', 'error', 'mean'"),
        (lambda: sot.prepare(june, july, ignore="z"), "`ignore` 'z' names no column of A"),
        (lambda: sot.prepare(june, july, weights="kind"), "`weights` 'kind' must be a column of numbers"),
        (lambda: sot.prepare(june, july[:0]), "`B` must have at least one row; got none"),
        (lambda: sot.prepare(june[["rate"]], july[["rate"]]), "Every column is constant"),
        (lambda: sot.prepare(june[["note"]], july[["note"]]), "share no column of numbers"),
        (lambda: sot.prepare(june.assign(rooms=2**53 + 1), july), "would be rounded"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match=r"`A` must be a table with named columns, such as a data frame.*got ndarray"):
        sot.prepare(np.eye(2), july)
    with pytest.raises(TypeError, match=r"`A` must be in memory; got a lazy LazyFrame"):
        sot.prepare(pl.DataFrame(JUNE).lazy(), july)


def test_nothing_of_the_caller_is_changed():
    june, july = both()
    copies = june.copy(), july.copy()
    sot.prepare(june, july, encode=True, missing="mean")
    pd.testing.assert_frame_equal(june, copies[0])
    pd.testing.assert_frame_equal(july, copies[1])


def test_hostile_names_are_escaped():
    name = "<script>alert(1)</script>\x1b[31m"
    frame = pd.DataFrame({"x": [1.0, 2.0], name: ["a", "b"]})
    prepared = sot.prepare({name: frame, "other": frame})
    assert "\x1b" not in str(prepared)
    assert "\\x1b[31m" in str(prepared)
    assert "<script" not in prepared._repr_html_()
    assert html.escape("<script>") in prepared._repr_html_()


def test_the_report_is_a_table_too():
    prepared = sot.prepare({"june": both()[0], "july": both()[1]})
    table = prepared.report.table()
    assert table.columns == ("name", "compared", "left_out", "divided_by", "missing_june", "missing_july")
    rows = {row["name"]: row for row in table}
    assert rows["kWh"]["missing_june"] == 1
    assert rows["kWh"]["divided_by"] == prepared.scales["kWh"]
    assert rows["rate"]["left_out"] == "as they are constant"


def test_points_are_arrays_for_numpy():
    prepared = sot.prepare(*both())
    assert prepared.X.values.flags.c_contiguous
    assert np.asarray(prepared.X) is prepared.X.values
    assert np.asarray(prepared.X, dtype=np.float32).dtype == np.float32
    assert repr(prepared.X) == "Points(19 rows, 4 columns: 'kWh', 'price, €', 'rooms', 'heated')"
    assert len(prepared.X) == 19
