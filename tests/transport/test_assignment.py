"""Who goes to whom: an assignment with the potentials that prove it, against POT's network simplex."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from proof import assert_coupling

from subspaceot.transport import Entropic, _shortest_paths, exact_transport
from subspaceot.transport.assignment import assigned, is_assignment


def problem(n, seed=0, d=3):
    rng = np.random.default_rng(seed)
    return reference.cost_matrix(rng.standard_normal((n, d)), 2.0 * rng.standard_normal((n, d))), np.full(n, 1.0 / n)


def assert_proven(answer, C, a, tol):
    exact, rounding = exact_transport(C, a, a).value, 1e-14 * C.max()
    assert_coupling(answer.plan.dense(), a, a)
    assert answer.plan.count == len(a)
    assert (answer.f[:, None] + answer.g <= C + rounding).all()
    assert answer.value == pytest.approx(a @ answer.f + a @ answer.g, abs=rounding)
    assert answer.value == pytest.approx(exact, rel=tol, abs=1e-13 * C.max())
    assert np.sum(answer.plan.dense() * C) == pytest.approx(exact, rel=1e-13, abs=1e-13 * C.max())


@pytest.mark.parametrize("tol", [1e-13, 1e-5])
@pytest.mark.parametrize("level", [1e-3, 1e-1])
@pytest.mark.parametrize(("n", "d"), [(1, 1), (2, 1), (60, 2), (150, 20)])
def test_from_entropic_potentials(n, d, level, tol):
    C, a = problem(n, d=d)
    g = Entropic(level * float(a @ C @ a), tol=1e-4).solve(C, a, a).g
    assert_proven(assigned(C, a, g, tol=tol), C, a, tol)


@given(st.integers(1, 60), st.integers(0, 10**6), st.sampled_from([0.0, 1e-3, 1.0, 1e3]), st.booleans())
def test_from_any_potentials(n, seed, size, ties):
    C, a = problem(n, seed)
    C = np.round(C) if ties else C
    g = size * np.random.default_rng(seed).standard_normal(n)
    assert_proven(assigned(C, a, g, tol=1e-9), C, a, 1e-9)


def test_potentials_that_do_not_settle_are_not_returned(monkeypatch):
    C, a = problem(40)
    monkeypatch.setattr(_shortest_paths, "shorten", lambda *_: False)
    assert assigned(C, a, np.zeros(40), tol=1e-9) is None
    assert exact_transport(C, a, a, np.zeros(40)).value == pytest.approx(exact_transport(C, a, a).value, rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "one_weight"),
    [
        ([0.5, 0.5], [0.5, 0.5], True),
        ([1.0], [1.0], True),
        ([0.5, 0.5], [0.25, 0.75], False),
        ([0.25, 0.75], [0.5, 0.5], False),
        ([1.0], [0.5, 0.5], False),
    ],
)
def test_what_is_an_assignment(a, b, one_weight):
    assert is_assignment(np.array(a), np.array(b)) == one_weight
