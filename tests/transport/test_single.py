"""Entropic transport in single precision against the same in double precision."""

import numpy as np
import pytest
import reference

from subspaceot.core.costs import SquaredDistances
from subspaceot.transport import Entropic
from subspaceot.transport.sinkhorn import _kernels, entropic
from subspaceot.transport.sinkhorn._single import PRECISION, single_transport


def clouds(n, m, seed=0):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, 3)), 1.0 + rng.standard_normal((m, 3))
    return X, Y, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))


def test_exponentials():
    rng = np.random.default_rng(0)
    x = -np.sort(rng.uniform(0.0, 120.0, (5, 1001)), axis=1)
    x[:, 0] = 0.0
    x += rng.standard_normal((5, 1))
    peaks, S, row = x.max(axis=1), np.empty(x.shape, dtype=np.float32), np.empty(x.shape[1], dtype=np.float32)
    _kernels.single_exponentials(x, peaks, S, S.view(np.int32), row, row.view(np.int32))
    exact = np.exp(np.maximum(x - peaks[:, None], -80.0))
    np.testing.assert_allclose(S, exact, rtol=5e-6)


@pytest.mark.parametrize("reg", [10.0, 1.0, 0.1, 0.02])
@pytest.mark.parametrize(("n", "m"), [(40, 60), (1, 5), (5, 1)])
def test_agrees_with_double_precision(n, m, reg):
    X, Y, a, b = clouds(n, m)
    costs = SquaredDistances(X, Y)
    exact = Entropic(reg, tol=1e-12).solve(costs, a, b)
    rough = single_transport(costs, a, b, reg, exact.g + 0.3 * reg * np.sin(Y[:, 0]), tol=1e-4)
    assert rough is not None
    assert rough.converged
    np.testing.assert_allclose(rough.plan.row_sums(), a, rtol=1e-13)
    assert rough.error == pytest.approx(np.abs(rough.plan.column_sums() - b).sum(), abs=1e-13)
    np.testing.assert_allclose(rough.plan.dense(), exact.plan.dense(), rtol=0, atol=2e-3 / n)
    # Plan, potentials and value belong together.
    C = reference.cost_matrix(X, Y)
    form = np.exp((rough.f[:, None] + rough.g - C) / reg)
    np.testing.assert_allclose(rough.plan.dense(), form, rtol=1e-4, atol=1e-12)
    assert rough.value == pytest.approx(exact.value, rel=1e-5, abs=1e-5 * reg)


def test_potentials_that_rule_out_a_column_are_left_to_double_precision():
    X, Y, a, b = clouds(30, 20)
    g = np.zeros(20)
    g[7] = -100.0
    assert single_transport(SquaredDistances(X, Y), a, b, 0.5, g, tol=1e-4) is None


@pytest.mark.parametrize("tol", [1e-3, 0.5 * PRECISION])
def test_large_problems_use_it_where_the_tolerance_allows(monkeypatch, tol):
    X, Y, a, b = clouds(40, 30)
    calls = []

    def counted(*arguments, **keywords):
        calls.append(keywords)
        return single_transport(*arguments, **keywords)

    monkeypatch.setattr(entropic, "SMALL", 0)
    monkeypatch.setattr(entropic, "single_transport", counted)
    answer = Entropic(0.1, tol).solve(SquaredDistances(X, Y), a, b, np.zeros(30))
    assert answer.converged
    assert len(calls) == (tol >= PRECISION)
