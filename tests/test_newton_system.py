"""The equations of an interior-point step against the same, written out pair by pair."""

import numpy as np
import pytest

from subspaceot.linalg.workspace import Memory
from subspaceot.solvers.interior_point.system import Graph, NewtonSystem


def definite(rng, r):
    A = rng.standard_normal((r, r))
    return A @ A.T + np.eye(r)


@pytest.mark.parametrize(("n", "m", "r"), [(6, 5, 1), (7, 9, 3), (12, 8, 5)])
def test_solution_satisfies_the_normal_equations(n, m, r):
    rng = np.random.default_rng(r)
    X, Y = rng.standard_normal((n, r)), rng.standard_normal((m, r))
    mask = rng.random((n, m)) < 0.6
    mask[:, 0] = mask[0] = True
    graph = Graph(mask)
    w = 10.0 ** rng.uniform(-3, 3, len(graph.rows))
    T, P, Z, R = (definite(rng, r) for _ in range(4))
    rhs_f, rhs_g, rhs_omega = rng.standard_normal(n), rng.standard_normal(m), definite(rng, r)
    rhs_g += (rhs_f.sum() - rhs_g.sum()) / m  # a constant may go from f to g

    system = NewtonSystem(graph, X, Y, Memory())
    system.factor(np.ones_like(w), (P, T, R, Z))  # what a step leaves behind does not matter to the next
    system.factor(w, (T, P, Z, R))
    df, dg, dO, ds = system.solve(rhs_f, rhs_g, rhs_omega)

    pairs = list(zip(graph.rows, graph.columns, w, strict=True))
    left_f, left_g, left_omega = np.zeros(n), np.zeros(m), (T @ dO @ P + P @ dO @ T + Z @ dO @ R + R @ dO @ Z) / 2
    for i, j, weight in pairs:
        D = -np.outer(X[i], Y[j]) - np.outer(Y[j], X[i])
        excess = weight * (df[i] + dg[j] - np.sum(D * dO))
        left_f[i] += excess
        left_g[j] += excess
        left_omega -= excess * D
    size = 1e-9 * w.max()
    np.testing.assert_allclose(left_f, rhs_f, rtol=0, atol=size)
    np.testing.assert_allclose(left_g, rhs_g, rtol=0, atol=size)
    np.testing.assert_allclose(left_omega, rhs_omega - ds * np.eye(r), rtol=0, atol=size)
    assert abs(np.trace(dO)) <= 1e-10 * (1 + np.abs(dO).max())
    np.testing.assert_array_equal(dO, dO.T)
