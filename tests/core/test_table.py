"""The small table of results: rows, columns, text, HTML, data frames."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import subspaceot as sot

COLUMNS = {"name": ["height", "mass", "age"], "share": [0.5, 0.25, np.nan], "count": [3, 20, 1]}


@pytest.fixture
def table():
    return sot.Table(COLUMNS)


def test_columns_and_rows_are_what_was_given(table):
    assert table.columns == ("name", "share", "count")
    assert len(table) == 3
    np.testing.assert_array_equal(table["count"], [3, 20, 1])
    assert [row["name"] for row in table] == ["height", "mass", "age"]
    assert next(iter(table)) == {"name": "height", "share": 0.5, "count": 3}
    assert len(table.head(2)) == 2


def test_an_unknown_column_is_named_with_those_there_are(table):
    with pytest.raises(KeyError, match="There is no column 'shares'; there are 'name', 'share', 'count'"):
        table["shares"]
    with pytest.raises(KeyError, match="There is no column 0"):
        table[0]


def test_columns_cannot_be_written_to(table):
    given = np.array([1.0, 2.0])
    kept = sot.Table({"x": given})
    given[0] = 9.0
    assert kept["x"][0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        table["share"][0] = 1.0


def test_text_is_aligned_and_blank_where_nothing_is_known(table):
    assert repr(table).splitlines() == [
        "name    share  count",
        "height    0.5      3",
        "mass     0.25     20",
        "age                1",
    ]


def test_long_tables_say_how_many_rows_are_left_out():
    lines = repr(sot.Table({"x": np.arange(1025)})).splitlines()
    assert len(lines) == 22
    assert lines[-1] == "... and 1,005 more rows"


def test_data_frames_have_the_same_columns(table):
    for frame in (table.to_pandas(), table.to_polars()):
        assert list(frame.columns) == list(table.columns)
    assert table.to_pandas()["count"].dtype.kind == "i"
    assert table.to_polars()["name"].dtype == pl.String
    assert table.to_polars()["share"].to_list()[:2] == [0.5, 0.25]


def test_labels_of_several_kinds_reach_polars_as_text():
    frame = sot.Table({"row": [1, "two", ("three", 3)]}).to_polars()
    assert frame["row"].to_list() == ["1", "two", "('three', 3)"]


def test_times_keep_their_unit():
    times = pd.date_range("2026-01-01", periods=2, freq="h").to_numpy()
    table = sot.Table({"row": times})
    assert table.to_pandas()["row"].tolist() == list(pd.to_datetime(times))
    assert "2026-01-01T01" in repr(table)


HOSTILE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "\x1b[31m"]


def test_hostile_text_is_escaped():
    shown = sot.Table({HOSTILE[0]: HOSTILE})._repr_html_()
    assert "<script" not in shown
    assert "<img" not in shown
    assert "<svg" not in shown
    assert "\x1b" not in shown
    assert "\x1b" not in repr(sot.Table({"x": HOSTILE}))
