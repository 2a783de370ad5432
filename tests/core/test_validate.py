"""Points and weights: every input error names the argument, what came and the fix; good input passes."""

import contextlib
import decimal
import fractions
import re
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from subspaceot.core.validate import (
    as_pair,
    as_points,
    as_weights,
)

GRID = np.arange(6.0).reshape(3, 2)


def says(*parts):
    """Return a pattern that matches a message with these parts, in this order."""
    return ".*".join(re.escape(part) for part in parts)


def with_entry(value, row=1, column=0):
    array = GRID.copy()
    array[row, column] = value
    return array


def as_matrix(A):
    """Return a NumPy matrix, whose warning must not depend on the modules that were imported before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.asmatrix(A)


def read_only(array):
    array.flags.writeable = False
    return array


# --- as_points --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(GRID.tolist(), id="list"),
        pytest.param(tuple(map(tuple, GRID)), id="tuple"),
        pytest.param(list(GRID), id="list of arrays"),
        pytest.param(GRID.astype(int), id="int"),
        pytest.param(GRID.astype(np.uint8), id="uint8"),
        pytest.param(GRID.astype(np.float32), id="float32"),
        pytest.param(GRID.astype(np.float16), id="float16"),
        pytest.param(GRID.astype(np.longdouble), id="longdouble"),
        pytest.param(GRID.astype(">f8"), id="other byte order"),
        pytest.param(np.asfortranarray(GRID), id="Fortran order"),
        pytest.param(np.repeat(GRID, 2, axis=1)[:, ::2], id="strided"),
        pytest.param(read_only(GRID.copy()), id="read-only"),
        pytest.param(
            as_matrix(GRID),
            id="matrix",
            marks=pytest.mark.filterwarnings("ignore::PendingDeprecationWarning"),
        ),
        pytest.param(np.ma.masked_array(GRID), id="masked array without masked entries"),
        pytest.param(pd.DataFrame(GRID), id="DataFrame"),
        pytest.param(pd.DataFrame({"u": [0, 2, 4], "v": [1.0, 3.0, 5.0]}), id="DataFrame of two types"),
        pytest.param(pd.DataFrame(GRID).astype("Int64"), id="DataFrame of nullable integers"),
        pytest.param(GRID.astype(object), id="Python floats"),
        pytest.param([[decimal.Decimal(int(x)) for x in row] for row in GRID], id="decimals"),
        pytest.param([[fractions.Fraction(int(x)) for x in row] for row in GRID], id="fractions"),
    ],
)
def test_points_of_every_kind_become_float64_rows(value):
    points = as_points(value, "X")
    assert type(points) is np.ndarray
    assert points.dtype == np.float64
    assert points.dtype.isnative
    assert points.flags.c_contiguous
    np.testing.assert_array_equal(points, GRID)


def test_booleans_count_as_zero_and_one():
    np.testing.assert_array_equal(as_points([[True, False]], "X"), [[1.0, 0.0]])
    np.testing.assert_array_equal(as_points(pd.DataFrame({"u": [True, False]}), "X"), [[1.0], [0.0]])


def test_points_already_right_are_not_copied():
    assert as_points(GRID, "X") is GRID


def test_a_single_point_on_a_line_is_enough():
    assert as_points([[7]], "X").shape == (1, 1)


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (None, ["`X`", "(n, d)", "None"]),
        ("points", ["`X`", "str", "dtype=float"]),
        ([["1", "2"]], ["`X`", "list", "<U1", "dtype=float"]),
        ([[b"1"]], ["`X`", "S1", "dtype=float"]),
        ([[None, 1.0]], ["`X`", "object", "dtype=float"]),
        ({"u": [1.0]}, ["`X`", "dict", "object"]),
        (iter([[1.0]]), ["`X`", "iterator", "object"]),
        (GRID.astype("datetime64[s]"), ["`X`", "datetime64", "since one `start`", "(X - start) / numpy.timedelta64"]),
        (GRID.astype("timedelta64[s]"), ["`X`", "timedelta64", "seconds", "X / numpy.timedelta64(1, 's')"]),
        ([[np.timedelta64(1, "s"), "a"]], ["`X`", "list", "dtype=float"]),
        (np.array([[np.timedelta64(1, "s")]], dtype=object), ["`X`", "object", "dtype=float"]),
        (GRID + 1j, ["`X`", "complex128", "`X.real`"]),
        (GRID.astype(np.complex64), ["`X`", "complex64", "`X.real`"]),
        (scipy.sparse.csr_matrix(GRID), ["`X`", "dense", "csr_matrix", "`X.toarray()`"]),
        (scipy.sparse.csr_array(GRID), ["`X`", "dense", "csr_array", "`X.toarray()`"]),
        (scipy.sparse.coo_array(GRID), ["`X`", "dense", "coo_array", "`X.toarray()`"]),
        (pd.DataFrame({"u": [1.0], "city": ["Bern"]}), ["`X`", "numeric", "'city'", "select_dtypes"]),
        (pd.DataFrame({"u": [1.0], 7: [1j]}), ["`X`", "numeric", "column 7", "complex128", "select_dtypes"]),
        (pd.DataFrame({"kind": pd.Categorical([1, 2])}), ["`X`", "'kind'", "category", "select_dtypes"]),
        (
            pd.DataFrame({"day": pd.to_datetime(["2020-01-01"])}),
            ["`X`", "'day'", "datetime64", "(X['day'] - start) / pandas.Timedelta('1s')"],
        ),
    ],
)
def test_points_of_a_wrong_kind(value, parts):
    with pytest.raises(TypeError, match=says(*parts)):
        as_points(value, "X")


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (3.0, ["`Y`", "two dimensions", "shape ()", "[[Y]]"]),
        (
            np.arange(5),
            ["`Y`", "two dimensions", "(5,)", "`Y[:, None]`", "5 points", "`Y[None, :]`", "5 coordinates"],
        ),
        (pd.Series([1.0, 2.0]), ["`Y`", "two dimensions", "(2,)", "`Y[:, None]`"]),
        (np.zeros((2, 3, 4)), ["`Y`", "two dimensions", "(2, 3, 4)", "`Y.reshape(len(Y), -1)`"]),
        ([], ["`Y`", "at least one point", "(0,)", "non-empty"]),
        ([[]], ["`Y`", "at least one point", "(1, 0)", "non-empty"]),
        (np.zeros((0, 3)), ["`Y`", "at least one point", "(0, 3)", "non-empty"]),
        (np.zeros((3, 0)), ["`Y`", "at least one point", "(3, 0)", "non-empty"]),
        (pd.DataFrame(), ["`Y`", "at least one point", "(0, 0)", "non-empty"]),
        ([[1.0, 2.0], [3.0]], ["`Y`", "different lengths", "same length"]),
        (with_entry(np.nan), ["`Y`", "finite", "NaN in row 1", "column 0", "Remove"]),
        (with_entry(np.inf, row=2, column=1), ["`Y`", "finite", "inf in row 2", "column 1", "Remove"]),
        (with_entry(-np.inf, row=0), ["`Y`", "finite", "-inf in row 0", "column 0", "Remove"]),
        (with_entry(np.nan).astype(np.float32), ["`Y`", "NaN in row 1"]),
        (pd.DataFrame(with_entry(np.nan)), ["`Y`", "missing values", "1 in column 0", "dropna"]),
        (pd.DataFrame({"u": pd.array([1, None], dtype="Int64")}), ["`Y`", "1 in column 'u'"]),
        (pd.DataFrame(with_entry(np.inf), columns=["u", "v"]), ["`Y`", "finite", "inf in row 1", "column 'u'"]),
        (pd.DataFrame(GRID, columns=["u", "u"]), ["`Y`", "different name for each column", "'u' names 2"]),
        (np.ma.masked_equal(GRID, 2.0), ["`Y`", "NaN in row 1"]),
        (np.ma.masked_equal(GRID.astype(int), 2), ["`Y`", "NaN in row 1"]),
        (with_entry(2e150), ["`Y`", "1e+150", "overflow", "2e+150 in row 1", "Rescale"]),
        (with_entry(-1e300, row=2), ["`Y`", "1e+150", "overflow", "1e+300 in row 2", "Rescale"]),
    ],
)
def test_points_of_a_wrong_value(value, parts):
    with pytest.raises(ValueError, match=says(*parts)):
        as_points(value, "Y")


def test_the_first_bad_row_is_named():
    array = np.zeros((4, 3))
    array[3, 0] = np.nan
    array[2, 2] = np.nan
    array[2, 1] = np.inf
    with pytest.raises(ValueError, match=says("inf in row 2", "column 1")):
        as_points(array, "X")


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(np.float64).max, reason="no longer type here")
def test_a_longdouble_beyond_float64_is_reported_as_infinite():
    with pytest.raises(ValueError, match=says("`X`", "inf in row 0")):
        as_points(np.array([[np.longdouble("1e400")]]), "X")


@pytest.mark.parametrize("size", [1e150, -1e150, 1e-300, 5e-324])
def test_values_up_to_the_limit_pass(size):
    assert as_points([[size]], "X")[0, 0] == size


@pytest.mark.parametrize("scale", [1, np.nan, 1e200])
def test_points_are_never_modified(scale):
    array = np.asfortranarray(GRID) * scale
    before = array.copy()
    with contextlib.suppress(ValueError):
        as_points(array, "X")
    np.testing.assert_array_equal(array, before)


def test_a_dataframe_is_never_modified():
    frame = pd.DataFrame({"u": pd.array([1, None], dtype="Int64"), "v": [1.0, np.nan]})
    before = frame.copy()
    with pytest.raises(ValueError, match="missing values"):
        as_points(frame, "X")
    pd.testing.assert_frame_equal(frame, before)


def test_validation_imports_neither_pandas_nor_narwhals_nor_scipy_sparse():
    code = (
        "import sys; from subspaceot.core.validate import as_points; as_points([[1.0]], 'X');"
        "sys.exit(any(name in sys.modules for name in ('pandas', 'narwhals', 'scipy.sparse', 'ot')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- as_pair ----------------------------------------------------------------------------------------------


def test_a_pair_may_have_different_numbers_of_points():
    X, Y = as_pair([[1, 2]], [[3, 4], [5, 6]])
    assert X.shape == (1, 2)
    assert Y.shape == (2, 2)


def test_a_pair_of_different_dimensions():
    with pytest.raises(ValueError, match=says("`X` and `Y`", "`X` with 2", "`Y` with 3", "same features")):
        as_pair(np.zeros((4, 2)), np.zeros((4, 3)))


def test_a_pair_names_the_one_that_is_wrong():
    with pytest.raises(ValueError, match=says("`X`", "two dimensions")):
        as_pair([1.0], GRID)
    with pytest.raises(ValueError, match=says("`Y`", "NaN")):
        as_pair(GRID, with_entry(np.nan))


# --- as_weights -------------------------------------------------------------------------------------------


def test_no_weights_are_uniform():
    np.testing.assert_array_equal(as_weights(None, 4, "a", "X"), np.ones(4))


@pytest.mark.parametrize(
    "value",
    [
        [1, 0, 3],
        (1.0, 0.0, 3.0),
        np.array([1, 0, 3], dtype=np.float32),
        np.array([1, 0, 3], dtype=np.uint8),
        read_only(np.array([1.0, 0.0, 3.0])),
        np.array([1.0, 9.0, 0.0, 9.0, 3.0])[::2],
        pd.Series([1, 0, 3], index=[5, 6, 7]),
        [1e-300, 0, 3e-300],
        [1e-320, 0, 3e-320],
        [0.4e308, 0, 1.2e308],
    ],
)
def test_weights_of_every_kind_and_size_keep_their_ratios(value):
    weights = as_weights(value, 3, "a", "X")
    assert type(weights) is np.ndarray
    assert weights.dtype == np.float64
    np.testing.assert_allclose(weights / weights.sum(), [0.25, 0, 0.75], rtol=1e-3 if np.max(value) < 1e-310 else 1e-7)
    assert 0.5 <= weights.max() < 1.0
    given = np.asarray(value, dtype=float)
    np.testing.assert_array_equal(np.frexp(weights)[0], np.frexp(given)[0])  # times a power of two, nothing else


def test_a_sum_beyond_the_largest_number_does_not_overflow():
    weights = as_weights([1.7e308] * 4, 4, "a", "X")
    assert np.isfinite(weights.sum())
    assert (weights == weights[0]).all()


def test_booleans_choose_points():
    np.testing.assert_array_equal(as_weights([True, False, True], 3, "a", "X"), [0.5, 0.0, 0.5])


def test_weights_are_a_new_array():
    value = np.array([0.25, 0.75])
    weights = as_weights(value, 2, "a", "X")
    weights[0] = 9
    np.testing.assert_array_equal(value, [0.25, 0.75])


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("uniform", ["`b`", "one per row of `Y`", "str"]),
        (["1", "2", "3"], ["`b`", "<U1", "dtype=float"]),
        ([None, 1, 2], ["`b`", "object", "dtype=float"]),
        ([1j, 1, 2], ["`b`", "complex128", "`b.real`"]),
        (scipy.sparse.csr_array([[1.0, 2.0, 3.0]]), ["`b`", "csr_array", "`b.toarray()`"]),
    ],
)
def test_weights_of_a_wrong_kind(value, parts):
    with pytest.raises(TypeError, match=says(*parts)):
        as_weights(value, 3, "b", "Y")


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ([1, 2], ["`b`", "3 points of `Y`", "(2,)", "None for uniform"]),
        ([], ["`b`", "3 points of `Y`", "(0,)"]),
        (1.0, ["`b`", "3 points of `Y`", "()"]),
        ([[1], [2], [3]], ["`b`", "3 points of `Y`", "(3, 1)", "`b.ravel()`"]),
        (np.ones((3, 3)), ["`b`", "3 points of `Y`", "(3, 3)"]),
        ([1, np.nan, np.inf], ["`b`", "finite", "NaN at position 1", "Use 0"]),
        ([1, 2, np.inf], ["`b`", "finite", "inf at position 2", "Use 0"]),
        ([1, -0.5, -1], ["`b`", "not be negative", "-0.5 at position 1", "Use 0"]),
        ([1, 1, -5e-324], ["`b`", "not be negative", "position 2"]),
        ([0, 0, 0], ["`b`", "positive sum", "3 zeros", "uniform"]),
        (np.ma.masked_equal([1, 2, 3], 2), ["`b`", "NaN at position 1"]),
    ],
)
def test_weights_of_a_wrong_value(value, parts):
    with pytest.raises(ValueError, match=says(*parts)):
        as_weights(value, 3, "b", "Y")
