"""Numbers, names, solvers, soft projectors and memory: every error names the argument, what came and the fix."""

import decimal
import fractions
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from subspaceot.core.validate import (
    as_choice,
    as_count,
    as_dimension,
    as_nonnegative,
    as_positive,
    as_ranks,
    as_reg,
    as_rng,
    as_soft_projector,
    as_solver,
    memory,
    require_memory,
)


def says(*parts):
    """Return a pattern that matches a message with these parts, in this order."""
    return ".*".join(re.escape(part) for part in parts)


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
