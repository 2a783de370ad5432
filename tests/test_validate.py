"""Every input error has the right type and names the argument, what came and the fix; good input passes."""

import ast
import contextlib
import decimal
import fractions
import pathlib
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import subspaceot
from subspaceot.core import validate
from subspaceot.core.validate import (
    as_choice,
    as_count,
    as_dimension,
    as_nonnegative,
    as_pair,
    as_points,
    as_positive,
    as_ranks,
    as_reg,
    as_rng,
    as_soft_projector,
    as_solver,
    as_weights,
    memory,
    require_memory,
)

GRID = np.arange(6.0).reshape(3, 2)


def says(*parts):
    """Return a pattern that matches a message with these parts, in this order."""
    return ".*".join(re.escape(part) for part in parts)


def with_entry(value, row=1, column=0):
    array = GRID.copy()
    array[row, column] = value
    return array


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
            np.asmatrix(GRID),
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


# --- integers ---------------------------------------------------------------------------------------------

NOT_INTEGERS = [
    (True, "True (bool)"),
    (np.True_, "(bool)"),
    (2.0, "2.0 (float)"),
    (np.float64(2), "(float64)"),
    ("2", "'2' (str)"),
    (None, "None"),
    ([2], "[2] (list)"),
    (np.array(2), "(ndarray)"),
    (2 + 0j, "(complex)"),
    (fractions.Fraction(2), "(Fraction)"),
]


@pytest.mark.parametrize("value", [1, 30, np.int64(7), np.uint8(7), np.int32(1)])
def test_dimension_in_range(value):
    k = as_dimension(value, 30)
    assert type(k) is int
    assert k == value


@pytest.mark.parametrize("value", [0, -1, 31, np.int64(31), 10**30])
def test_dimension_out_of_range(value):
    with pytest.raises(ValueError, match=says(f"`k` must be between 1 and the dimension d=30; got {value}.")):
        as_dimension(value, 30)


def test_dimension_of_another_name():
    with pytest.raises(ValueError, match=says("`k_star`", "d=3", "got 4")):
        as_dimension(4, 3, "k_star")


@pytest.mark.parametrize(("value", "got"), NOT_INTEGERS)
def test_dimension_of_a_wrong_kind(value, got):
    with pytest.raises(TypeError, match=says("`k` must be an integer", got, "int such as 2")):
        as_dimension(value, 30)


@pytest.mark.parametrize("value", [1, 10**12, np.int16(3)])
def test_count_in_range(value):
    count = as_count(value, "max_iter")
    assert type(count) is int
    assert count == value


@pytest.mark.parametrize("value", [0, -5, np.int8(-1)])
def test_count_out_of_range(value):
    with pytest.raises(ValueError, match=says("`max_iter` must be at least 1", f"got {value}", "positive")):
        as_count(value, "max_iter")


@pytest.mark.parametrize(("value", "got"), NOT_INTEGERS)
def test_count_of_a_wrong_kind(value, got):
    with pytest.raises(TypeError, match=says("`max_iter` must be an integer", got, "int such as 2")):
        as_count(value, "max_iter")


# --- real numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1e-3, 5, 1.0, np.float32(0.5), np.int64(2), fractions.Fraction(1, 2), 5e-324])
def test_positive_numbers(value):
    number = as_positive(value, "tol")
    assert type(number) is float
    assert number == value
    assert as_nonnegative(value, "noise") == value


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (0, "0"),
        (-1e-3, "-0.001"),
        (np.nan, "nan"),
        (np.inf, "inf"),
        (-np.inf, "-inf"),
        pytest.param(10**400, "inf", id="too large"),
        pytest.param(-(10**400), "-inf", id="too small"),
    ],
)
def test_numbers_that_are_not_positive(value, got):
    with pytest.raises(ValueError, match=says("`reg` must be positive and finite", f"got {got}.", "1e-3")):
        as_positive(value, "reg")


@pytest.mark.parametrize("value", [True, np.True_, "1e-3", None, [1e-3], np.array([1e-3]), 1j, decimal.Decimal(1)])
def test_numbers_of_a_wrong_kind(value):
    for check in (as_positive, as_nonnegative):
        with pytest.raises(TypeError, match=says("`tol` must be a real number", "got ", "float such as 1e-3")):
            check(value, "tol")


def test_nonnegative_allows_zero_only_besides():
    assert as_nonnegative(0, "noise") == 0.0
    for value in (-1e-9, np.nan, np.inf):
        with pytest.raises(ValueError, match=says("`noise` must be finite and not negative", "0 or more")):
            as_nonnegative(value, "noise")


# --- names and random state -------------------------------------------------------------------------------


def test_a_known_choice():
    assert as_choice("auto", "method", ("auto", "frank-wolfe")) == "auto"


def test_an_unknown_choice_lists_them():
    with pytest.raises(ValueError, match=says("`method`", "'auto', 'frank-wolfe'", "got 'atuo'")):
        as_choice("atuo", "method", ("auto", "frank-wolfe"))


@pytest.mark.parametrize("value", [None, 1, ["auto"], b"auto"])
def test_a_choice_of_a_wrong_kind(value):
    with pytest.raises(TypeError, match=says("`method`", "string", "'auto', 'frank-wolfe'", "got ")):
        as_choice(value, "method", ("auto", "frank-wolfe"))


def test_a_generator_is_used_as_it_is():
    rng = np.random.default_rng(0)
    assert as_rng(rng) is rng


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), 2**70])
def test_a_seed_makes_the_same_generator_each_time(seed):
    assert as_rng(seed).random() == as_rng(seed).random() == np.random.default_rng(int(seed)).random()


@pytest.mark.parametrize(
    "value", [None, True, 1.0, "0", np.random, np.random.RandomState(0), np.random.SeedSequence(0)]
)
def test_random_state_of_a_wrong_kind(value):
    with pytest.raises(TypeError, match=says("`rng`", "Generator or an integer seed", "got ", "default_rng(0)")):
        as_rng(value)


def test_a_negative_seed():
    with pytest.raises(ValueError, match=says("`rng`", "negative", "got -1", "such as 0")):
        as_rng(-1)


# --- settings ---------------------------------------------------------------------------------------------


class Steps:
    def steps(self):
        """Stand for a solver."""


def test_a_solver_is_named_or_is_one():
    one, other = Steps(), Steps()
    assert as_solver("one", {"one": one}) is one
    assert as_solver(other, {"one": one}) is other


@pytest.mark.parametrize("value", [None, 3, Steps, object()])
def test_a_solver_of_a_wrong_kind(value):
    with pytest.raises(TypeError, match=says("`method`", "'one', 'two'", "FrankWolfe()", "got ")):
        as_solver(value, {"one": Steps(), "two": Steps()})


def test_reg_where_it_is_taken_and_needed():
    assert as_reg(None, "auto", taken=True, needed=False) is None
    assert as_reg(1, "auto", taken=True, needed=True) == 1.0
    with pytest.raises(ValueError, match=says("`reg` must be left out for `method='exact'`", "got 1.", "auto")):
        as_reg(1, "exact", taken=False, needed=False)
    with pytest.raises(ValueError, match=says("`reg` must be a positive number for `method='entropic'`", "auto")):
        as_reg(None, "entropic", taken=True, needed=True)


def test_ranks_of_words():
    assert as_ranks(0, 1) == (0, 1)
    assert as_ranks(2, 5) == (2, 5)
    with pytest.raises(ValueError, match=says("`upto` must be larger than `skip`=5", "got 5")):
        as_ranks(5, 5)
    with pytest.raises(ValueError, match="`skip` must be at least 1"):
        as_ranks(-1, 5)


# --- soft projectors --------------------------------------------------------------------------------------

OMEGA = np.diag([1.0, 0.5, 0.5, 0.0])


@pytest.mark.parametrize("value", [OMEGA, OMEGA.tolist(), OMEGA.astype(np.float32), pd.DataFrame(OMEGA)])
def test_a_soft_projector_passes(value):
    omega = as_soft_projector(value, 4, 2, "init")
    assert omega is not value
    assert omega.dtype == np.float64
    np.testing.assert_array_equal(omega, OMEGA)


def test_a_soft_projector_within_rounding_is_made_symmetric():
    noise = 1e-8 * np.random.default_rng(0).standard_normal((4, 4))
    omega = as_soft_projector(OMEGA + noise, 4, 2, "init")
    np.testing.assert_array_equal(omega, omega.T)
    np.testing.assert_allclose(omega, OMEGA, atol=1e-7)


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (OMEGA[:3, :3], ["`init`", "shape (4, 4)", "d=4", "(3, 3)", "trace 2"]),
        (OMEGA[:, :2], ["`init`", "shape (4, 4)", "(4, 2)"]),
        (np.ones(4), ["`init`", "shape (4, 4)", "(4,)"]),
        (np.where(OMEGA == 1, np.nan, OMEGA), ["`init`", "finite", "NaN in row 0", "column 0"]),
        (
            OMEGA + np.eye(4, k=1),
            ["`init`", "symmetric", "differ by 1 ", "(init + init.T) / 2", "fantope.project(init, 2)"],
        ),
        (1.7e308 * (np.eye(4, k=1) - np.eye(4, k=-1)), ["`init`", "symmetric", "differ by inf "]),
        (OMEGA + 1e-5 * np.eye(4), ["`init`", "trace k=2", "2.00004", "subspaceot.fantope.project(init, 2)"]),
        (np.full((4, 4), 1.7e308), ["`init`", "trace k=2", "inf", "subspaceot.fantope.project(init, 2)"]),
        (
            np.diag([1.1, 0.9, 0, 0]),
            ["`init`", "between 0 and 1", "smallest of 0", "largest of 1.1", "project(init, 2)"],
        ),
        (
            np.diag([1, 1, 0.1, -0.1]),
            ["`init`", "between 0 and 1", "smallest of -0.1", "largest of 1", "project(init, 2)"],
        ),
    ],
)
def test_a_matrix_that_is_no_soft_projector(value, parts):
    before = value.copy()
    with pytest.raises(ValueError, match=says(*parts)):
        as_soft_projector(value, 4, 2, "init")
    np.testing.assert_array_equal(value, before)


@pytest.mark.parametrize("value", [None, "identity", OMEGA.astype(str), OMEGA + 0j, scipy.sparse.csr_array(OMEGA)])
def test_a_soft_projector_of_a_wrong_kind(value):
    with pytest.raises(TypeError, match="`init` must"):
        as_soft_projector(value, 4, 2, "init")


# --- memory -----------------------------------------------------------------------------------------------


def test_small_problems_fit():
    require_memory(100, 100, 30)


def test_more_than_the_machine_has(monkeypatch):
    monkeypatch.setattr(memory, "_physical_memory", lambda: 8 * 10**9)
    require_memory(10_000, 10_000, 10)
    with pytest.raises(MemoryError, match=says("n=20000", "m=10000", "14.4 GB", "8 GB", "subsample")):
        require_memory(20_000, 10_000, 10)
    with pytest.raises(MemoryError, match=says("d=1000000", "GB", "subsample")):
        require_memory(1_000, 1_000, 1_000_000)


@pytest.mark.parametrize("error", [AttributeError, ValueError, OSError])
def test_a_system_that_does_not_tell_its_memory(monkeypatch, error):
    def sysconf(name):
        raise error

    monkeypatch.setattr(memory.os, "sysconf", sysconf)
    require_memory(10**9, 10**9, 10)


def test_a_system_that_answers_minus_one(monkeypatch):
    monkeypatch.setattr(memory.os, "sysconf", lambda name: -1 if name == "SC_PHYS_PAGES" else 4096)
    require_memory(10**9, 10**9, 10)


# --- where input is refused -------------------------------------------------------------------------------

SOURCE = pathlib.Path(subspaceot.__file__).parent

# Errors about the content of files are raised where files are read.
READS_FILES = ("text", "cli", "experiments")

# "file:function" that may raise such an error elsewhere, each with its reason.
ALLOWED: dict[str, str] = {}


def input_errors(path):
    """Yield the name of each function that makes an error of the kinds that refuse an argument."""
    kinds = {"ValueError", "TypeError", "MemoryError"}
    pending = [(ast.parse(path.read_text(encoding="utf-8")), "module")]
    while pending:
        node, function = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        made = node.func if isinstance(node, ast.Call) else node.exc if isinstance(node, ast.Raise) else None
        if isinstance(made, ast.Name) and made.id in kinds:
            yield function
        pending += [(child, function) for child in ast.iter_child_nodes(node)]


def test_arguments_are_refused_in_core_only():
    elsewhere = {
        f"{path.relative_to(SOURCE).as_posix()}:{function}"
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in ("core", *READS_FILES)
        for function in input_errors(path)
    }
    assert elsewhere == set(ALLOWED)


def test_arguments_are_refused_in_core_at_all():
    assert "as_dimension" in input_errors(SOURCE / "core" / "validate" / "dimensions.py")
    assert "rounding_error" in input_errors(SOURCE / "core" / "exact_numbers.py")  # made here, raised elsewhere


def test_every_check_is_public_in_the_package():
    assert all(callable(getattr(validate, name)) for name in validate.__all__)
    used = {
        node.attr
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "validate"
    }
    assert used <= set(validate.__all__)
