"""Tables of every library: columns are matched by name, nothing is rounded, and errors name the column."""

import contextlib
import datetime
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import dask.dataframe
import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pytest

import subspaceot as sot
from subspaceot.core.validate import as_measures, as_pair, as_points, as_weights
from subspaceot.tables import choice

RNG = np.random.default_rng(18)
NAMES = ["age", "dose", "mass", "time"]
X, Y = RNG.standard_normal((12, 4)), RNG.standard_normal((9, 4)) @ np.diag([1.0, 3.0, 1.0, 0.2]) + 0.5

LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "record batch": pa.record_batch,
    "narwhals": lambda columns: narwhals.from_native(pl.DataFrame(columns)),
}
EAGER = ["pandas", "polars", "pyarrow"]
DAY, WAIT = datetime.datetime(2026, 1, 1), datetime.timedelta(seconds=1)


def says(*parts):
    """Return a pattern that matches a message with these parts, in this order."""
    return "(?s)" + ".*".join(re.escape(part) for part in parts)


def table(library, values, names=NAMES):
    """Return the columns of an array as a table."""
    return LIBRARIES[library](dict(zip(names, values.T, strict=True)))


def permuted(library, values):
    return table(library, values[:, ::-1], NAMES[::-1])


def assert_same_bits(one, other):
    assert (one.lower, one.upper, one.cost) == (other.lower, other.upper, other.cost)
    np.testing.assert_array_equal(one.omega, other.omega)
    np.testing.assert_array_equal(one.sparse_plan.toarray(), other.sparse_plan.toarray())


# --- columns are matched by name ----------------------------------------------------------------------------------


@pytest.mark.parametrize("second", LIBRARIES)
@pytest.mark.parametrize("first", LIBRARIES)
def test_another_order_of_columns_is_put_right(first, second):
    points_X, points_Y = as_pair(table(first, X), permuted(second, Y))
    np.testing.assert_array_equal(points_X, X)
    np.testing.assert_array_equal(points_Y, Y)
    assert points_X.flags.c_contiguous
    assert points_Y.flags.c_contiguous


CALLS = {
    "srw": lambda A, B: sot.srw(A, B, 2),
    "wasserstein": sot.wasserstein,
    "prw": lambda A, B: sot.prw(A, B, 2),
    "max-sliced": lambda A, B: sot.prw(A, B, 1),
    "path": lambda A, B: sot.srw_path(A, B, [1, 3]).results[1],
    "choice": lambda A, B: choice.choose_k(A, B).path.results[2],
}


@pytest.mark.parametrize("library", EAGER)
@pytest.mark.parametrize("call", CALLS)
def test_the_order_of_columns_changes_no_bit(call, library):
    result = CALLS[call](table(library, X), permuted(library, Y))
    assert_same_bits(result, CALLS[call](X, Y))
    assert result.names == tuple(NAMES)


@pytest.mark.parametrize("library", EAGER)
def test_functions_without_a_result_match_columns_too(library):
    A, B = table(library, X[:, :2], NAMES[:2]), table(library, Y[:, 1::-1], NAMES[1::-1])
    curves, expected = sot.planar.angle_curves(A, B), sot.planar.angle_curves(X[:, :2], Y[:, :2])
    np.testing.assert_array_equal(curves.cost, expected.cost)
    plan = np.full((12, 9), 1 / 108)
    moved = sot.geodesic.barycentric(table(library, X), permuted(library, Y), plan, 0.5)
    np.testing.assert_array_equal(moved, sot.geodesic.barycentric(X, Y, plan, 0.5))


@pytest.mark.parametrize("call", [*CALLS.values(), sot.planar.angle_curves, lambda A, B: sot.pairwise([A, B], 1)])
def test_other_columns_are_refused_everywhere(call):
    with pytest.raises(ValueError, match=says("must have the same columns; missing in", "'mass'", "'height'")):
        call(table("pandas", X), table("pandas", Y, ["age", "dose", "height", "time"]))


@pytest.mark.parametrize("library", EAGER)
def test_what_is_missing_on_each_side_is_listed(library):
    A, B = table(library, X[:, :3], ["age", "dose", "mass"]), table(library, Y, ["time", "dose", "x", "y"])
    message = "`X` and `Y` must have the same columns; missing in `Y`: 'age', 'mass'; missing in `X`: 'time', 'x', 'y'."
    with pytest.raises(ValueError, match=says(message, "pass arrays to match them by position")):
        sot.srw(A, B, 1)


def test_only_the_side_that_lacks_something_is_listed():
    with pytest.raises(ValueError, match=says("columns; missing in `X`: 'time'. Select")):
        sot.srw(table("polars", X[:, :3], NAMES[:3]), table("polars", Y), 1)


def test_long_lists_and_names_are_shortened():
    A, B = (pd.DataFrame(np.ones((2, 1000)), columns=[f"{side}{i}" for i in range(1000)]) for side in "uv")
    with pytest.raises(ValueError, match=says("missing in `Y`: 'u0', 'u1', 'u2', 'u3', 'u4' and 995 more; ")) as error:
        as_pair(A, B.rename(columns={"v0": "v" * 10_000}))
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("library", EAGER)
def test_a_table_against_an_array_is_by_position(library):
    result = sot.srw(X, permuted(library, Y), 2)
    assert_same_bits(result, sot.srw(X, Y[:, ::-1], 2))
    assert result.names == tuple(NAMES[::-1])
    assert sot.srw(table(library, X), Y, 2).names == tuple(NAMES)
    with pytest.raises(ValueError, match="same number of columns"):
        sot.srw(table(library, X), Y[:, :3], 2)


def test_arrays_have_no_names():
    assert sot.srw(X, Y, 2).names is None
    assert sot.wasserstein(X.tolist(), Y).names is None


def test_labels_that_are_no_strings_are_matched_as_they_are():
    A, B = pd.DataFrame(X), pd.DataFrame(Y)
    result = sot.srw(A, B[[3, 1, 0, 2]], 2)
    assert_same_bits(result, sot.srw(X, Y, 2))
    assert result.names == ("0", "1", "2", "3")
    with pytest.raises(ValueError, match=says("missing in `Y`: 0, 1, 2, 3; missing in `X`: '0', '1', '2', '3'")):
        sot.srw(A, B.rename(columns=str), 2)
    levels = pd.MultiIndex.from_product([["u", "v"], [1, 2]])
    two = [pd.DataFrame(values, columns=levels) for values in (X, Y)]
    assert sot.srw(two[0], two[1].iloc[:, ::-1], 1).names == ("('u', 1)", "('u', 2)", "('v', 1)", "('v', 2)")


@pytest.mark.parametrize(
    "value",
    [
        pd.DataFrame(np.ones((2, 3)), columns=["u", "v", "u"]),
        pd.DataFrame(np.ones((2, 2)), columns=[1, "1"]),
        pa.table([[1.0], [2.0], [3.0]], names=["u", "v", "u"]),
    ],
)
def test_a_name_that_comes_twice_is_refused(value):
    with pytest.raises(ValueError, match=r"`X` must have a different name for each column; '[u1]' names 2 of them"):
        as_points(value, "X")


@pytest.mark.parametrize("library", EAGER)
def test_pairwise_matches_all_measures_to_the_first_table(library):
    measures = [X, (table(library, Y), None), permuted(library, X + 1), (permuted(library, Y), np.arange(9))]
    expected = [X, Y, X + 1, Y]
    for (points, _), values in zip(as_measures(measures).each, expected, strict=True):
        np.testing.assert_array_equal(points, values)
    with pytest.raises(ValueError, match=says("`measures[1]` and `measures[3]` must", "`measures[3]`: 'time'")):
        as_measures([*measures[:3], table(library, Y[:, :3], NAMES[:3])])


@pytest.mark.parametrize("library", EAGER)
def test_tables_of_integers_are_read_at_once_and_never_rounded(library):
    large = [2**53, -(2**53), 2**60]
    values = as_points(LIBRARIES[library]({"u": [1, 2, 3], "v": large}), "X")
    assert values.tolist() == [[1.0, 2.0**53], [2.0, -(2.0**53)], [3.0, 2.0**60]]
    assert values.flags.c_contiguous
    with pytest.raises(ValueError, match=says("got 9007199254740993 in row 1 (counted from 0) of column 'v'")):
        as_points(LIBRARIES[library]({"u": [1, 2, 3], "v": [1, 2**53 + 1, 0]}), "X")
    with pytest.raises(ValueError, match="must not have missing values; got 1 in column 'v'"):
        as_points(
            LIBRARIES[library](
                {
                    "u": [1, 2, 3],
                    "v": pa.array([1, None, 3])
                    if library == "pyarrow"
                    else pd.array([1, None, 3], "Int64")
                    if library == "pandas"
                    else [1, None, 3],
                }
            ),
            "X",
        )


@pytest.mark.parametrize("library", EAGER)
def test_one_table_is_no_list_of_measures(library):
    with pytest.raises(TypeError, match=r"`measures` must be a list of .*; got one (DataFrame|Table)"):
        sot.pairwise(table(library, X), 1)
    with pytest.raises(TypeError, match=says("`measures[1]` must be", "got a list of both")):
        sot.pairwise([table(library, X), [table(library, X), np.ones(12)]], 1)


@pytest.mark.parametrize("library", EAGER)
def test_new_points_are_projected_by_name(library):
    result = sot.srw(table(library, X), table(library, Y), 2)
    np.testing.assert_array_equal(result.project(permuted(library, Y)), Y @ result.basis)
    np.testing.assert_array_equal(result.project(Y), Y @ result.basis)
    with pytest.raises(ValueError, match=says("the data and `Z` must", "missing in `Z`: 'dose'", "in the data: 'x'")):
        result.project(table(library, Y, ["age", "x", "mass", "time"]))
    np.testing.assert_array_equal(sot.srw(X, Y, 2).project(permuted(library, Y)).shape, (9, 2))


# --- values -------------------------------------------------------------------------------------------------------

NUMBERS = [0, 1, 0]
COLUMNS = {
    "pandas int64": pd.Series(NUMBERS),
    "pandas uint8": pd.Series(NUMBERS, dtype="uint8"),
    "pandas float16": pd.Series(NUMBERS, dtype="float16"),
    "pandas float32": pd.Series(NUMBERS, dtype="float32"),
    "pandas longdouble": pd.Series(np.array(NUMBERS, np.longdouble)),
    "pandas bool": pd.Series(NUMBERS, dtype=bool),
    "pandas Int64": pd.Series(NUMBERS, dtype="Int64"),
    "pandas UInt16": pd.Series(NUMBERS, dtype="UInt16"),
    "pandas Float64": pd.Series(NUMBERS, dtype="Float64"),
    "pandas boolean": pd.Series(NUMBERS, dtype="boolean"),
    "pandas arrow int": pd.Series(NUMBERS, dtype="int64[pyarrow]"),
    "pandas arrow double": pd.Series(NUMBERS, dtype="double[pyarrow]"),
    "pandas arrow bool": pd.Series(NUMBERS, dtype=bool).astype("bool[pyarrow]"),
    "pandas sparse": pd.Series(pd.arrays.SparseArray([float(x) for x in NUMBERS])),
    "pandas objects": pd.Series([0, Decimal(1), Fraction(0)], dtype=object),
    "polars Int64": pl.Series(NUMBERS),
    "polars UInt64": pl.Series(NUMBERS, dtype=pl.UInt64),
    "polars Int128": pl.Series(NUMBERS, dtype=pl.Int128),
    "polars Float32": pl.Series(NUMBERS, dtype=pl.Float32),
    "polars Boolean": pl.Series(NUMBERS).cast(pl.Boolean),
    "polars Decimal": pl.Series([Decimal(x) for x in NUMBERS]),
    "pyarrow int64": pa.chunked_array([[0], [1, 0]]),
    "pyarrow halffloat": pa.chunked_array([np.array(NUMBERS, np.float16)]),
    "pyarrow bool": pa.chunked_array([[False, True, False]]),
    "pyarrow decimal": pa.chunked_array([[Decimal(x) for x in NUMBERS]]),
}


def frame_of(column):
    """Return a table of the column's own library with this column and one of floats."""
    if isinstance(column, pd.Series):
        return pd.DataFrame({"u": column, "v": [0.5, 1.5, 2.5]})
    make = pl.DataFrame if isinstance(column, pl.Series) else pa.table
    return make({"u": column, "v": [0.5, 1.5, 2.5]})


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_of_every_numeric_type(kind):
    points = as_points(frame_of(COLUMNS[kind]), "X")
    assert points.dtype == np.float64
    np.testing.assert_array_equal(points, [[0.0, 0.5], [1.0, 1.5], [0.0, 2.5]])


@pytest.mark.parametrize("kind", [*COLUMNS, "pyarrow array"])
def test_weights_may_be_a_column_of_any_library(kind):
    weights = as_weights(COLUMNS.get(kind, pa.array(NUMBERS)), 3, "a", "X")
    np.testing.assert_array_equal(weights / weights.sum(), [0.0, 1.0, 0.0])


def test_missing_weights_are_refused():
    for weights in (pd.Series([1, None, 2], dtype="Int64"), pl.Series([1, None, 2]), pa.chunked_array([[1, None, 2]])):
        with pytest.raises(ValueError, match=says("`a` must be finite; got NaN at position 1")):
            sot.srw(X[:3], Y, 1, weights)


def test_tables_of_one_type_are_read_like_those_of_many():
    one = pl.DataFrame(X, schema=NAMES)
    for frame in (one, one.cast(pl.Float32), one.to_pandas(), one.to_arrow()):
        points = as_points(frame, "X")
        assert points.flags.c_contiguous
        np.testing.assert_allclose(points, X, rtol=1e-7)
        mixed = frame_with_integers(frame)
        np.testing.assert_array_equal(as_points(mixed, "X")[:, :4], points)


def frame_with_integers(frame):
    column = list(range(12))
    if isinstance(frame, pd.DataFrame):
        return frame.assign(count=column)
    if isinstance(frame, pl.DataFrame):
        return frame.with_columns(count=pl.Series(column))
    return frame.append_column("count", [column])


@pytest.mark.parametrize("library", EAGER)
def test_tables_are_never_modified(library):
    frame = LIBRARIES[library]({"u": [1, None, 3], "v": [1.0, 2.0, float("nan")]})
    before = LIBRARIES[library]({"u": [1, None, 3], "v": [1.0, 2.0, float("nan")]})
    with contextlib.suppress(ValueError):
        as_points(frame, "X")
    assert str(frame) == str(before)


# --- integers beyond 2^53 and other numbers that would be rounded -------------------------------------------------

ODD = 2**53 + 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(np.array([[0, 1], [ODD, 2]]), str(ODD), id="int64"),
        pytest.param(np.array([[0, 1], [-ODD, 2]]), str(-ODD), id="negative"),
        pytest.param(np.array([[0, 1], [2**64 - 1, 2]], np.uint64), str(2**64 - 1), id="uint64"),
        pytest.param([[0, 1], [ODD, 2]], str(ODD), id="list of integers"),
        pytest.param([[0, 0.5], [ODD, 2]], str(ODD), id="list with floats"),
        pytest.param(((0, -1), (2**63 + 1, 2)), str(2**63 + 1), id="unsigned beside negative"),
        pytest.param([np.array([0, 1]), np.array([ODD, 0.5], object)], str(ODD), id="list of arrays"),
        pytest.param([[0, 1], [2**70 + 1, 2]], str(2**70 + 1), id="more than 64 bits"),
        pytest.param([[0, 1], [np.int64(ODD), 0.5]], str(ODD), id="NumPy integers beside floats"),
    ],
)
def test_integers_that_would_be_rounded_are_refused(value, shown):
    with pytest.raises(ValueError, match=says("`X`", "exactly", f"got {shown} in row 1", "column 0", "one offset")):
        sot.srw(value, [[0.0, 0.0]], 1)


BIG = [
    pd.Series([0, ODD]),
    pd.Series([0, ODD], dtype="Int64"),
    pd.Series([0, ODD], dtype="uint64[pyarrow]"),
    pd.Series([0, ODD], dtype=object),
    pd.Series([0, Decimal(ODD)], dtype=object),
    pd.Series([0, 2**80 + 1]),
    pl.Series([0, ODD]),
    pl.Series([0, 2**80 + 1], dtype=pl.Int128),
    pl.Series([Decimal(0), Decimal(ODD)]),
    pa.chunked_array([[0], [ODD]]),
    pa.chunked_array([[Decimal(0), Decimal(ODD)]]),
]


@pytest.mark.parametrize("column", BIG, ids=lambda column: f"{type(column).__module__} {getattr(column, 'dtype', '')}")
def test_columns_that_would_be_rounded_are_refused(column):
    make = (
        pd.DataFrame if isinstance(column, pd.Series) else pl.DataFrame if isinstance(column, pl.Series) else pa.table
    )
    frame = make({"v": [0.5, 1.5], "id": column})
    with pytest.raises(ValueError, match=says("`Y` must hold numbers", "in row 1 (counted from 0) of column 'id'")):
        sot.srw([[0.0, 0.0]], frame, 1)
    with pytest.raises(
        ValueError, match=says("`b` must hold numbers", "at position 1", "numpy.asarray(b, dtype=float)")
    ):
        sot.srw([[0.0]], [[1.0], [2.0]], 1, b=column)


@pytest.mark.parametrize("big", [2**53, -(2**53), 2**60, 2**63, -(2**63), 3 * 2**61, 2**80, -(2**100) * 5])
def test_large_integers_that_float64_holds_pass(big):
    for value in ([[big, 0.5]], [[big, 1]], np.array([[big, 1]], object), pd.DataFrame({"u": [big], "v": [1]})):
        assert as_points(value, "X")[0, 0] == big


@pytest.mark.parametrize("exponent", range(50, 64))
def test_64_bit_integers_are_refused_exactly_where_they_would_be_rounded(exponent):
    offsets = np.concatenate([np.arange(70), 2 ** np.arange(7, exponent)])
    for dtype, sign in ((np.int64, 1), (np.int64, -1), (np.uint64, 1)):
        for offset in offsets:
            number = sign * (2**exponent - int(offset))
            if dtype == np.int64 and number > 2**63 - 1:
                continue
            array = np.array([[number]], dtype)
            if int(float(number)) == number:
                assert as_points(array, "X")[0, 0] == number
            else:
                with pytest.raises(ValueError, match=f"got {number} in row 0"):
                    as_points(array, "X")


@pytest.mark.parametrize("value", [Decimal("0.1"), Fraction(1, 3)])
def test_fractions_that_would_be_rounded_are_refused(value):
    with pytest.raises(ValueError, match=says("`X`", f"got {value} in row 0", "numpy.asarray(X, dtype=float)")):
        as_points([[value]], "X")
    assert as_points(np.asarray([[value]], dtype=float), "X")[0, 0] == float(value)


@pytest.mark.skipif(np.finfo(np.longdouble).eps == np.finfo(np.float64).eps, reason="no longer type here")
def test_long_doubles_that_would_be_rounded_are_refused():
    third = np.longdouble(1) / 3
    with pytest.raises(ValueError, match=says("`X`", "exactly", "in row 0", "dtype=float")):
        as_points(np.array([[third]]), "X")
    np.testing.assert_array_equal(as_points(np.array([[np.longdouble(0.1)]]), "X"), [[0.1]])


def test_decimals_that_are_no_numbers_are_missing():
    with pytest.raises(ValueError, match="missing values; got 1 in column 'u'"):
        as_points(pd.DataFrame({"u": [Decimal("nan"), Decimal(1)]}), "X")
    with pytest.raises(ValueError, match="must be finite; got NaN in row 0"):
        as_points([[Decimal("sNaN")]], "X")


def test_integers_beyond_all_floats_are_called_infinite():
    with pytest.raises(ValueError, match="must be finite; got -inf in row 0"):
        as_points([[-(10**400)]], "X")


@pytest.mark.parametrize("value", [[[0]], [[0, 2**53 - 1]], np.array([[-(2**63)]]), [[0.5, 2.0**60]], 0])
def test_the_check_works_where_every_rounding_raises(value):
    with np.errstate(all="raise"), contextlib.suppress(ValueError):
        assert as_points(value, "X").shape


# --- times --------------------------------------------------------------------------------------------------------

TIMES = {
    "pandas": (pd.Series([DAY]), "(X['day'] - start) / pandas.Timedelta('1s')"),
    "pandas UTC": (pd.Series([DAY]).dt.tz_localize("UTC"), "(X['day'] - start) / pandas.Timedelta('1s')"),
    "pandas durations": (pd.Series([WAIT]), "X['day'] / pandas.Timedelta('1s')"),
    "polars": (pl.Series([DAY]), "(X['day'] - start).dt.total_microseconds() / 1e6"),
    "polars dates": (pl.Series([DAY.date()]), "(X['day'] - start).dt.total_microseconds() / 1e6"),
    "polars durations": (pl.Series([WAIT]), "X['day'].dt.total_microseconds() / 1e6"),
    "pyarrow": (
        pa.chunked_array([[DAY]]),
        "pyarrow.compute.seconds_between(start, X['day'].cast('timestamp[us]'))",
    ),
    "pyarrow dates": (
        pa.chunked_array([[DAY.date()]]),
        "pyarrow.compute.seconds_between(start, X['day'].cast('timestamp[us]'))",
    ),
    "pyarrow durations": (
        pa.chunked_array([[WAIT]]),
        "pyarrow.compute.divide(X['day'].cast('duration[us]').cast('int64'), 1e6)",
    ),
}


@pytest.mark.parametrize("kind", TIMES)
def test_times_are_refused_with_advice_that_works(kind):
    column, advice = TIMES[kind]
    frame = LIBRARIES[kind.split()[0]]({"day": column})
    with pytest.raises(TypeError, match=says("`X` must hold numbers; got column 'day' of type", "seconds")) as error:
        sot.srw(frame, frame, 1)
    assert f"`{advice}`" in str(error.value)
    start = DAY.date() if kind == "polars dates" else DAY
    if kind == "pandas UTC":
        start = DAY.replace(tzinfo=datetime.UTC)
    names = {"X": frame, "start": start, "pandas": pd, "pyarrow": pa}
    seconds = np.asarray(eval(advice, names), dtype=float)
    assert seconds.tolist() == [0 if "start" in advice else 1]


@pytest.mark.parametrize("column", [pd.Series([DAY]), pl.Series([WAIT]), pa.chunked_array([[DAY]]), pa.array([DAY])])
def test_times_are_no_weights(column):
    with pytest.raises(TypeError, match=r"`a` must .* Convert"):
        sot.srw([[0.0]], [[1.0]], 1, column)


# --- missing values and columns that are no numbers ---------------------------------------------------------------

HOLES = {"u": [1, None, None], "v": [0.5, None, float("nan")], "w": [1.0, 2.0, 3.0], "b": [True, None, False]}
MISSING = {
    "pandas": (pd.DataFrame(HOLES | {"b": [0, 1, None]}), "X.dropna()"),
    "pandas nullable": (pd.DataFrame(HOLES).convert_dtypes(), "X.dropna()"),
    "pandas arrow": (pd.DataFrame(HOLES).convert_dtypes(dtype_backend="pyarrow"), "X.dropna()"),
    "pandas objects": (pd.DataFrame(HOLES, dtype=object), "X.dropna()"),
    "polars": (pl.DataFrame(HOLES), "X.fill_nan(None).drop_nulls()"),
    "pyarrow": (pa.table(HOLES), "X.drop_null()"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing_values_are_counted_per_column(kind):
    frame, advice = MISSING[kind]
    message = "`X` must not have missing values; got 2 in column 'u', 2 in column 'v', 1 in column 'b'. "
    with pytest.raises(ValueError, match=says(message, f"`{advice}`")):
        sot.srw(frame, np.zeros((1, 4)), 1)


@pytest.mark.parametrize("dtype", ["Float64", "double[pyarrow]", object])
def test_floats_of_two_kinds_beside_each_other(dtype):
    frame = pd.DataFrame({"u": [0.5, 1.5], "v": pd.Series([2.5, None], dtype=dtype)})
    with pytest.raises(ValueError, match="got 1 in column 'v'"):
        as_points(frame, "X")
    np.testing.assert_array_equal(as_points(frame[:1], "X"), [[0.5, 2.5]])


def test_few_columns_with_missing_values_are_named():
    frame = pl.DataFrame({f"c{j}": [None, 1.0] for j in range(8)})
    with pytest.raises(ValueError, match=says("1 in column 'c4', and 3 in 3 more columns. Fill")):
        as_points(frame, "X")


def test_a_column_without_any_value_is_missing():
    for frame in (pl.DataFrame({"u": [None, None]}), pa.table({"u": pa.nulls(2)}), pd.DataFrame({"u": [None, None]})):
        with pytest.raises(ValueError, match="2 in column 'u'"):
            as_points(frame, "X")


def test_a_missing_value_beside_a_large_integer_hides_neither():
    with pytest.raises(ValueError, match=says(f"got {ODD} in row 2", "column 'u'")):
        as_points(pl.DataFrame({"u": [None, 1, ODD]}), "X")


@pytest.mark.parametrize("library", EAGER)
def test_infinite_values_have_an_error_of_their_own(library):
    with pytest.raises(ValueError, match=says("`X` must be finite; got -inf in row 1 (counted from 0), column 'v'")):
        as_points(LIBRARIES[library]({"u": [1.0, 2.0], "v": [1.0, -np.inf]}), "X")


OTHER = {
    "pandas text": (pd.DataFrame({"u": [1.0], "city": ["Bern"]}), "select_dtypes('number')"),
    "pandas objects": (pd.DataFrame({"u": [1.0, 2.0], "city": [1, "Bern"]}), "select_dtypes('number')"),
    "pandas dates": (pd.DataFrame({"city": [DAY.date()]}), "select_dtypes('number')"),
    "pandas periods": (pd.DataFrame({"city": pd.period_range("2026", periods=2, freq="D")}), "select_dtypes('number')"),
    "pandas categories": (pd.DataFrame({"city": pd.Categorical([1, 2])}), "select_dtypes('number')"),
    "pandas complex": (pd.DataFrame({"city": [1j]}), "select_dtypes('number')"),
    "polars text": (pl.DataFrame({"city": ["Bern"]}), "select(polars.selectors.numeric())"),
    "polars categories": (pl.DataFrame({"city": pl.Series(["a"], dtype=pl.Categorical)}), "selectors.numeric()"),
    "polars lists": (pl.DataFrame({"city": [[1.0]]}), "selectors.numeric()"),
    "polars times": (pl.DataFrame({"city": [DAY.time()]}), "selectors.numeric()"),
    "pyarrow text": (pa.table({"city": ["Bern"]}), "drop_columns(['city'])"),
    "pyarrow dictionary": (pa.table({"city": pa.array([1, 2]).dictionary_encode()}), "drop_columns(['city'])"),
}


@pytest.mark.parametrize("kind", OTHER)
def test_other_columns_than_numbers_are_refused(kind):
    frame, advice = OTHER[kind]
    with pytest.raises(TypeError, match=says("`Y` must have numeric columns only; got column 'city' of type", advice)):
        sot.srw(np.zeros((1, 2)), frame, 1)


def test_text_is_no_weight():
    with pytest.raises(TypeError, match="`a` must hold numbers; got a column of type String"):
        sot.srw(X[:1], Y, 1, pl.Series(["x"]))


@pytest.mark.parametrize("library", EAGER)
def test_empty_tables_are_refused(library):
    with pytest.raises(ValueError, match="`X` must hold at least one point"):
        as_points(LIBRARIES[library]({"u": [], "v": []}), "X")


def test_lazy_tables_are_refused():
    with pytest.raises(TypeError, match=says("`X` must be in memory; got a lazy LazyFrame. Pass `X.collect()`.")):
        sot.srw(pl.DataFrame(X).lazy(), Y, 1)
    collection = dask.dataframe.from_pandas(pd.DataFrame(Y), npartitions=1)
    with pytest.raises(TypeError, match=says("`Y` must be in memory", "`Y.compute()`")):
        sot.prw(X, collection, 1)
    with pytest.raises(TypeError, match=says("`measures` must be in memory", "`measures.collect()`")):
        sot.pairwise(pl.DataFrame(X).lazy(), 1)


# --- imports ------------------------------------------------------------------------------------------------------


def test_narwhals_is_imported_with_the_first_table_only():
    code = (
        "import sys, numpy as np\n"
        "from subspaceot.core.validate import as_pair, as_weights\n"
        "as_pair(np.eye(2), [[0, 1]]), as_weights([1, 1], 2, 'a', 'X')\n"
        "libraries = {'narwhals', 'pandas', 'polars', 'pyarrow'}\n"
        "print(*sorted(libraries & set(sys.modules)))\n"
        "import polars as pl\n"
        "as_pair(pl.DataFrame(np.eye(2)), [[0, 1]])\n"
        "print(*sorted({'narwhals', 'pandas'} & set(sys.modules)))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stderr == ""
    assert run.stdout == "\nnarwhals\n"
