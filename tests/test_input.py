"""Bad input is refused before any work is done; good input of any kind gives the same answer."""

import numpy as np
import pandas as pd
import problems
import pytest
import scipy.sparse
from proof import assert_same_bits

import subspaceot as sot

X, Y, K, A, B = problems.plain()
N, D = X.shape
PLANE = np.diag([1.0, 1.0, 0.0, 0.0])  # a projector of trace 2


def with_entry(array, value, row=3, column=1):
    array = array.copy()
    array[row, column] = value
    return array


# --- bad input ----------------------------------------------------------------------------------------------------

BAD_POINTS = {
    "NaN": (with_entry(X, np.nan), ValueError, "NaN in row 3"),
    "inf": (with_entry(X, np.inf), ValueError, "inf in row 3"),
    "-inf": (with_entry(X, -np.inf), ValueError, "-inf in row 3"),
    "1-d": (X[0], ValueError, "two dimensions"),
    "3-d": (X[None], ValueError, "two dimensions"),
    "0-d": (1.0, ValueError, "two dimensions"),
    "empty": (X[:0], ValueError, "at least one point"),
    "no columns": (X[:, :0], ValueError, "at least one"),
    "ragged": ([[1.0, 2.0], [3.0]], ValueError, "same length"),
    "string": ("points", TypeError, "numbers"),
    "strings": ([["a", "b"], ["c", "d"]], TypeError, "numbers"),
    "objects": (np.array([[object(), 1]]), TypeError, "numbers"),
    "None": (None, TypeError, "got None"),
    "complex": (X + 1j, TypeError, "complex"),
    "sparse matrix": (scipy.sparse.csr_matrix(X), TypeError, "toarray"),
    "sparse array": (scipy.sparse.coo_array(X), TypeError, "toarray"),
    "text column": (pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), TypeError, "column 'y'"),
}

BAD_WEIGHTS = {
    "too short": (lambda w: w[:-1], ValueError, "one weight for each"),
    "too long": (lambda w: np.append(w, 0.1), ValueError, "one weight for each"),
    "column": (lambda w: w[:, None], ValueError, "one weight for each"),
    "negative": (lambda w: np.where(np.arange(len(w)) == 2, -0.1, w), ValueError, "negative"),
    "NaN": (lambda w: np.where(np.arange(len(w)) == 2, np.nan, w), ValueError, "NaN at position 2"),
    "inf": (lambda w: np.where(np.arange(len(w)) == 2, np.inf, w), ValueError, "finite"),
    "all zero": (lambda w: 0 * w, ValueError, "positive sum"),
    "string": (lambda w: "uniform", TypeError, "numbers"),
    "complex": (lambda w: w + 0j, TypeError, "real"),
    "sparse": (lambda w: scipy.sparse.csr_array(w[None]), TypeError, "dense"),
}

BAD_SETTINGS = [
    ({"k": 2.0}, TypeError, "`k` must be an integer"),
    ({"k": True}, TypeError, "`k` must be an integer"),
    ({"k": "2"}, TypeError, "`k` must be an integer"),
    ({"k": None}, TypeError, "`k` must be an integer"),
    ({"k": 0}, ValueError, f"`k` must be between 1 and the dimension d={D}; got 0"),
    ({"k": -1}, ValueError, "`k` must be between 1"),
    ({"k": D + 1}, ValueError, f"d={D}; got {D + 1}"),
    ({"tol": 0}, ValueError, "`tol` must be positive"),
    ({"tol": -1e-3}, ValueError, "`tol` must be positive"),
    ({"tol": np.nan}, ValueError, "`tol` must be positive"),
    ({"tol": np.inf}, ValueError, "`tol` must be positive"),
    ({"tol": "small"}, TypeError, "`tol` must be a real number"),
    ({"tol": None}, TypeError, "`tol` must be a real number"),
    ({"reg": 0}, ValueError, "`reg` must be positive"),
    ({"reg": -1.0}, ValueError, "`reg` must be positive"),
    ({"reg": np.nan}, ValueError, "`reg` must be positive"),
    ({"reg": "auto"}, TypeError, "`reg` must be a real number"),
    ({"method": "simplex"}, ValueError, "`method` must be one of 'auto'"),
    ({"method": 3}, TypeError, "`method` must be one of"),
    ({"method": None}, TypeError, "`method` must be one of"),
    ({"method": sot.solvers.FrankWolfe}, TypeError, "`method` must be one of"),
    ({"method": "frank-wolfe"}, ValueError, "`reg` must be a positive number"),
    ({"method": sot.solvers.FrankWolfe()}, ValueError, "`reg` must be a positive number"),
    ({"max_iter": 0}, ValueError, "`max_iter` must be at least 1"),
    ({"max_iter": -3}, ValueError, "`max_iter` must be at least 1"),
    ({"max_iter": 2.5}, TypeError, "`max_iter` must be an integer"),
    ({"callback": 3}, TypeError, "`callback` must be"),
    ({"init": np.eye(D - 1)}, ValueError, rf"`init` must have shape \({D}, {D}\)"),
    ({"init": np.ones(D)}, ValueError, "`init` must have shape"),
    ({"init": np.eye(D)}, ValueError, "`init` must have trace k=2"),
    ({"init": np.diag([1.5, 0.5, 0, 0])}, ValueError, "`init` must have eigenvalues between 0 and 1"),
    ({"init": np.diag([1.0, 1.5, -0.5, 0])}, ValueError, "`init` must have eigenvalues between 0 and 1"),
    ({"init": PLANE + np.triu(np.ones((D, D)), 1)}, ValueError, "`init` must be symmetric"),
    ({"init": PLANE * np.nan}, ValueError, "`init` must be finite"),
    ({"init": "identity"}, TypeError, "`init` must be"),
    ({"init": PLANE + 0j}, TypeError, "`init` must"),
]


@pytest.fixture
def no_work(monkeypatch):
    """Make any work on the data a failure."""

    def work(*arguments, **keywords):
        raise AssertionError("work was done before the input was refused")

    for name in ("solve", "blurred_start"):
        monkeypatch.setattr(f"subspaceot.distances.{name}", work)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("case", BAD_POINTS)
@pytest.mark.parametrize("side", ["X", "Y"])
@pytest.mark.parametrize("front", ["srw", "wasserstein"])
def test_bad_points(front, side, case):
    value, error, message = BAD_POINTS[case]
    points = {"X": X, "Y": Y} | {side: value}
    call = (lambda: sot.srw(**points, k=2)) if front == "srw" else (lambda: sot.wasserstein(**points))
    with pytest.raises(error, match=rf"(?s)^`{side}` must.*{message}"):
        call()


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("front", ["srw", "wasserstein"])
def test_different_dimensions(front):
    with pytest.raises(ValueError, match=r"`X` and `Y` must.*4.*3"):
        sot.srw(X, Y[:, :3], 2) if front == "srw" else sot.wasserstein(X, Y[:, :3])


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("case", BAD_WEIGHTS)
@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("front", ["srw", "wasserstein"])
def test_bad_weights(front, side, case):
    make, error, message = BAD_WEIGHTS[case]
    weights = {side: make({"a": A, "b": B}[side])}
    with pytest.raises(error, match=rf"(?s)^`{side}` must.*{message}"):
        sot.srw(X, Y, 2, **weights) if front == "srw" else sot.wasserstein(X, Y, **weights)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(("settings", "error", "message"), BAD_SETTINGS, ids=lambda value: str(value)[:40])
def test_bad_settings(settings, error, message):
    with pytest.raises(error, match=message):
        sot.srw(X, Y, **{"k": 2} | settings)


def test_init_from_another_dimension():
    other = sot.srw(X[:, :3], Y[:, :3], 2)
    with pytest.raises(ValueError, match=r"`init` must.*d=4.*d=3"):
        sot.srw(X, Y, 2, init=other)


def test_more_memory_than_the_machine_has(monkeypatch):
    monkeypatch.setattr("subspaceot.core.validate.memory._physical_memory", lambda: 1000)
    with pytest.raises(MemoryError, match="needs about"):
        sot.srw(X, Y, 2, method="quasi-newton")
    assert sot.srw(X, Y, 2).lower <= sot.srw(X, Y, 2, method="large").upper  # the default needs no arrays of all pairs


# --- good input of every kind -------------------------------------------------------------------------------------

GRID_X, GRID_Y = np.arange(20).reshape(5, 4) % 7, np.arange(24).reshape(6, 4) ** 2 % 11


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "convert",
    [
        np.asarray,
        lambda array: array.astype(np.float32),
        lambda array: array.astype(np.uint8),
        lambda array: np.asfortranarray(array, dtype=float),
        lambda array: np.repeat(array, 2, axis=1)[:, ::2].astype(float),
        read_only,
        lambda array: array.tolist(),
        lambda array: tuple(map(tuple, array.tolist())),
        pd.DataFrame,
        lambda array: pd.DataFrame(array.astype(np.float32), columns=list("wxyz")),
    ],
    ids=["int", "float32", "uint8", "Fortran", "strided", "read-only", "list", "tuple", "DataFrame", "float32 frame"],
)
def test_every_kind_of_points_gives_the_same_answer(convert):
    expected = sot.srw(GRID_X.astype(float), GRID_Y.astype(float), 2)
    assert_same_bits(sot.srw(convert(GRID_X), convert(GRID_Y), 2), expected)


@pytest.mark.parametrize(
    "convert", [np.array, list, tuple, pd.Series, lambda w: np.array(w, np.float32), lambda w: 10 * np.array(w)]
)
def test_every_kind_of_weights_gives_the_same_answer(convert):
    a, b = [1, 2, 3, 0, 2], [4, 1, 1, 1, 1, 0]
    expected = sot.srw(X[:5], Y[:6], 2, np.array(a, float), np.array(b, float))
    assert_same_bits(sot.srw(X[:5], Y[:6], 2, convert(a), convert(b)), expected)


@pytest.mark.parametrize("k", [np.int64(2), np.uint8(2)])
def test_numpy_integers_are_integers(k):
    assert_same_bits(sot.srw(X, Y, k, A, B), sot.srw(X, Y, 2, A, B))


def test_weights_need_not_sum_to_one():
    one, other = sot.srw(X, Y, 2, A, B), sot.srw(X, Y, 2, 8 * A, B / 4)
    assert_same_bits(one, other)
