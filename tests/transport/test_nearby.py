"""Exact transport among few pairs: the same answer as among all, whatever the potentials it starts from."""

import numpy as np
import pytest
import reference
import tolerances
from hypothesis import given
from hypothesis import strategies as st
from proof import assert_transported

from subspaceot.transport import Entropic, exact_transport, nearest_pairs, restricted


@pytest.fixture(autouse=True, params=[1, restricted._PAIRS], ids=["one pair a point", "as many as usual"])
def pairs(request, monkeypatch):
    """From so few pairs that more must join, and from as many as usual."""
    monkeypatch.setattr(restricted, "_PAIRS", request.param)


def problem(n, m, seed=0, weights=np.ones_like):
    rng = np.random.default_rng(seed)
    C = reference.cost_matrix(rng.standard_normal((n, 3)), 2 * rng.standard_normal((m, 3)))
    a, b = (rng.dirichlet(weights(np.ones(size))) for size in (n, m))
    return C, a, b


def assert_optimal(answer, C, a, b, tol=1e-5):
    exact = exact_transport(C, a, b)
    size = C.max()
    assert_transported(answer.plan.dense(), a, b)
    assert (answer.f[:, None] + answer.g <= C + 1e-12 * size).all()
    assert answer.value == pytest.approx(a @ answer.f + b @ answer.g, abs=1e-12 * size)
    assert exact.value - tol * exact.value - 1e-12 * size <= answer.value <= exact.value + 1e-12 * size
    assert exact.value - 1e-12 * size <= np.sum(answer.plan.dense() * C) <= exact.value * (1 + tol) + 1e-12 * size


@pytest.mark.parametrize("level", [1e-3, 1e-2, 1e-1])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 30), (40, 1), (60, 60), (150, 90)])
def test_from_entropic_potentials(sizes, level):
    C, a, b = problem(*sizes)
    g = Entropic(level * float(a @ C @ b), tol=1e-4).solve(C, a, b).g
    assert_optimal(exact_transport(C, a, b, g, tol=1e-5), C, a, b)


@pytest.mark.parametrize("start", ["zero", "random", "huge"])
def test_from_potentials_that_tell_nothing(start):
    C, a, b = problem(120, 100)
    rng = np.random.default_rng(1)
    g = {"zero": np.zeros(100), "random": rng.standard_normal(100), "huge": 1e6 * rng.standard_normal(100)}[start]
    assert_optimal(exact_transport(C, a, b, g, tol=1e-5), C, a, b)


@given(
    st.integers(1, 80),
    st.integers(1, 80),
    st.integers(0, 10**6),
    st.sampled_from([0.02, 0.1, 1.0, 100.0]),
    st.booleans(),
)
def test_any_weights_and_ties(n, m, seed, concentration, ties):
    C, a, b = problem(n, m, seed, lambda ones: concentration * ones)
    a, b = (weights + 1e-12 for weights in (a, b))
    if ties:
        C, a, b = np.round(C), np.ceil(20 * a), np.ceil(20 * b)
    a, b = a / a.sum(), b / b.sum()
    assert_optimal(exact_transport(C, a, b, np.zeros(m), tol=1e-9), C, a, b, tol=1e-9)


def test_coinciding_measures_cost_nothing():
    C = reference.cost_matrix(X := np.random.default_rng(0).standard_normal((50, 2)), X)
    a = np.full(50, 1 / 50)
    answer = exact_transport(C, a, a, np.zeros(50))
    assert answer.value == pytest.approx(0.0, abs=tolerances.ROUNDING)


def test_arguments_are_not_modified():
    arrays = (*problem(30, 40), np.zeros(40))
    copies = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    exact_transport(*arrays, tol=1e-5)
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 40), st.integers(0, 1000), st.booleans())
def test_nearest_pairs_are_the_smallest_of_their_row_or_column(n, m, count, seed, ties):
    A = np.random.default_rng(seed).random((n, m))
    if ties:
        A = np.round(3 * A)
    mask = nearest_pairs(A, count)
    for lines, marks in ((A, mask), (A.T, mask.T)):
        for line, marked in zip(lines, marks, strict=True):
            wanted = min(count, len(line))
            last = np.sort(line)[wanted - 1]
            assert marked.sum() >= wanted
            assert marked[line < last].all()
    rows = np.sort(A, axis=1)[:, min(count, m) - 1]
    columns = np.sort(A, axis=0)[min(count, n) - 1]
    assert (A[mask] <= np.maximum(rows[:, None], columns)[mask]).all()
    assert mask.sum() <= n * min(count, m) + m * min(count, n)
