"""Many points without a matrix of all pairs: against the dense route on the same data, and the proofs recomputed."""

import numpy as np
import pytest
import tolerances

import subspaceot as sot
from subspaceot.core import potentials
from subspaceot.core.coupling import Dense, Sparse
from subspaceot.core.problem import Problem
from subspaceot.solvers import Large, Outcome, run
from subspaceot.solvers.large.between import transport_between
from subspaceot.solvers.large.cells import Cells
from subspaceot.solvers.large.glue import glued

TOL = 1e-2


@pytest.fixture
def large(monkeypatch):
    """Take the large route from 10,000 pairs on."""
    monkeypatch.setattr(potentials, "LARGE_PAIRS", 10_000)


def hypercube(n, m=None, k_star=2, d=8):
    return sot.instances.fragmented_hypercube(n, d, k_star, rng=0, m=m, rotate=True)


def weights(n, seed=0):
    return np.random.default_rng(seed).exponential(size=n) + 1e-3


# --- cells and plans --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 16, 64, 500, 1000])
def test_cells_hold_all_mass(count):
    points, w = np.random.default_rng(0).standard_normal((500, 3)), weights(500)
    cells = Cells.of(points, w, count)
    assert cells.mass.sum() == pytest.approx(w.sum())
    np.testing.assert_allclose(cells.mass @ cells.mean, w @ points)
    for cell in range(len(cells)):
        rows = np.flatnonzero(cells.of_row == cell)
        np.testing.assert_allclose(cells.mean[cell], w[rows] @ points[rows] / cells.mass[cell])
    assert len(cells) <= max(count, 1) or len(cells) == 500


@pytest.mark.parametrize("count", [4, 64])
def test_glued_plans_have_the_weights_as_sums_and_the_cells_plan_between_cells(count):
    rng = np.random.default_rng(1)
    X, Y, a, b = rng.standard_normal((300, 2)), rng.standard_normal((200, 2)), weights(300), weights(200, 1)
    a, b = a / a.sum(), b / b.sum()
    cells, others = Cells.of(X, a, count), Cells.of(Y, b, count)
    transport = transport_between(cells, others, None, None, 0.0)
    plan = glued(transport.plan, cells, others, a, b)
    np.testing.assert_allclose(plan.row_sums(), a, atol=1e-14)
    np.testing.assert_allclose(plan.column_sums(), b, atol=1e-14)
    assert plan.count <= 300 + 200
    between = np.zeros((len(cells), len(others)))
    i, j, mass = plan.atoms()
    np.add.at(between, (cells.of_row[i], others.of_row[j]), mass)
    np.testing.assert_allclose(between, transport.plan.dense(), atol=1e-14)


def test_few_pairs_do_where_a_potential_is_known(monkeypatch):
    """Transport among candidate pairs ends at the same cost as among all of them, once its own potential chose them."""
    rng = np.random.default_rng(2)
    X, Y, a = rng.standard_normal((400, 2)), 1.5 * rng.standard_normal((400, 2)), np.full(400, 1 / 400)
    cells, others = Cells.of(X, a, 400), Cells.of(Y, a, 400)
    exact = transport_between(cells, others, None, None, 0.0)
    plan = glued(exact.plan, cells, others, a, a)
    monkeypatch.setattr("subspaceot.solvers.large.between.ALL_PAIRS", 10)
    few = transport_between(cells, others, exact.g, plan, 0.0)
    assert few.value == pytest.approx(exact.value, rel=1e-9)


# --- the route --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "m", "k", "weighted"), [(400, 400, 2, False), (300, 500, 2, True), (500, 300, 1, False), (400, 350, 3, True)]
)
def test_both_routes_agree(large, monkeypatch, n, m, k, weighted):
    data = hypercube(n, m)
    a, b = (weights(n), weights(m, 1)) if weighted else (None, None)
    result = sot.srw(data.X, data.Y, k, a, b, tol=TOL, method="large")
    monkeypatch.setattr(potentials, "LARGE_PAIRS", 10**9)
    dense = sot.srw(data.X, data.Y, k, a, b, tol=1e-3)
    assert not isinstance(result.coupling, Dense)
    assert result.lower <= dense.upper
    assert dense.lower <= result.upper
    assert result.gap <= 3 * TOL or k == 3  # beyond the spikes Omega is no projector


def test_the_proof_is_recomputed(large):
    data, a, b = hypercube(300, 400), weights(300), weights(400, 1)
    result = sot.srw(data.X, data.Y, 2, a, b, tol=TOL)
    a, b = a / a.sum(), b / b.sum()
    L, (f, g) = result.factor, result.potentials
    costs = np.sum(((data.X @ L)[:, None] - data.Y @ L) ** 2, axis=2)
    assert np.all(f[:, None] + g <= costs + tolerances.ROUNDING)
    assert a @ f + b @ g == pytest.approx(result.lower, rel=1e-9)
    assert np.linalg.eigvalsh(L.T @ L).max() <= 1.0 + 1e-12
    plan = result.sparse_plan
    assert plan.nnz <= 5 * (300 + 400)
    np.testing.assert_allclose(plan.sum(axis=1), a, rtol=1e-14)
    np.testing.assert_allclose(plan.sum(axis=0), b, rtol=1e-14)
    i, j = plan.nonzero()
    moved = data.X[i] - data.Y[j]
    V = (moved.T * np.asarray(plan[i, j]).ravel()) @ moved
    np.testing.assert_allclose(V, result.displacement, atol=1e-10)
    assert np.linalg.eigvalsh(V)[-2:].sum() == pytest.approx(result.upper, rel=1e-9)


def test_what_a_result_tells(large):
    data = hypercube(300, 300)
    result = sot.srw(data.X, data.Y, 2, tol=TOL)
    overlap = np.linalg.norm(result.basis.T @ data.subspace) ** 2
    assert overlap > 1.95
    assert result.feature_share.sum() == pytest.approx(1.0)
    assert result.point_cost.mean() == pytest.approx(result.cost, rel=2 * TOL)
    assert result.grad_X.shape == data.X.shape
    assert result.converged
    assert [record.upper for record in result.history] == sorted((r.upper for r in result.history), reverse=True)


def test_zero_weights_and_repeated_points(large):
    data = hypercube(300, 300)
    X, Y = np.vstack([data.X, data.X[:50], 5.0 + data.X[:20]]), np.repeat(data.Y, 2, axis=0)
    a = np.concatenate([np.full(50, 0.5), np.ones(250), np.full(50, 0.5), np.zeros(20)])
    result, plain = sot.srw(X, Y, 2, a, tol=TOL), sot.srw(data.X, data.Y, 2, tol=TOL)
    assert max(result.lower, plain.lower) <= min(result.upper, plain.upper)
    f, g = result.potentials
    costs = np.sum(((X @ result.factor)[:, None] - Y @ result.factor) ** 2, axis=2)
    assert np.all(f[:, None] + g <= costs + tolerances.ROUNDING)
    assert result.sparse_plan.shape == (370, 600)


def test_wasserstein_in_few_dimensions_is_exact_where_points_are_few(large):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((250, 2)), rng.standard_normal((300, 2)) * [1.0, 2.0]
    result = sot.wasserstein(X, Y)
    assert result.gap <= 1e-3


def test_other_functions_take_the_route(large):
    data = hypercube(250, 250)
    projected = sot.prw(data.X, data.Y, 2, tol=TOL)
    result = sot.srw(data.X, data.Y, 2, tol=TOL)
    assert projected.upper == pytest.approx(result.upper, rel=2 * TOL)
    assert projected.lower <= result.upper
    assert projected.gap <= 2 * TOL
    assert projected.basis.shape == (8, 2)
    path = sot.srw_path(data.X, data.Y, [1, 2], tol=TOL)
    assert path.lower[1] <= result.upper
    assert result.lower <= path.upper[1]
    table = sot.pairwise([data.X, data.Y], 2)
    assert table.lower[0, 1] ** 2 <= result.upper
    assert result.lower <= table.upper[0, 1] ** 2


def test_by_name_init_and_callback(large):
    data = hypercube(200, 200)
    seen = []
    result = sot.srw(data.X, data.Y, 2, method="large", tol=1e-9, callback=lambda it: seen.append(it) or True)
    assert result.status is sot.Status.STOPPED
    assert len(seen) == 1
    assert 0.0 < result.lower <= result.upper
    again = sot.srw(data.X, data.Y, 2, init=result, tol=TOL)
    assert again.n_iter <= 2
    from_omega = sot.srw(data.X, data.Y, 2, init=data.subspace @ data.subspace.T, tol=TOL)
    assert from_omega.converged


def test_no_array_of_all_pairs_is_formed(monkeypatch):
    """30,000 points a side would take 7 GB for one such array."""
    tracked = pytest.importorskip("tracemalloc")
    data = hypercube(30_000, 30_000, d=6)
    tracked.start()
    try:
        result = sot.srw(data.X, data.Y, 2, tol=5e-2)
        peak = tracked.get_traced_memory()[1]
    finally:
        tracked.stop()
    assert result.converged
    assert peak < 1e9


def test_plan_names_what_fits(monkeypatch):
    data = hypercube(120, 120)
    result = sot.srw(data.X, data.Y, 2, method="large", tol=TOL)
    assert result.plan.shape == (120, 120)
    monkeypatch.setattr("subspaceot.core.validate.memory._physical_memory", lambda: 1000)
    del result.__dict__["plan"]
    with pytest.raises(MemoryError, match=r"`coupling`.*`sparse_plan`"):
        _ = result.plan


def test_runs_alone():
    data = hypercube(200, 200)
    outcome = run(Problem.of(data.X, data.Y, 2), Large(cells=64, most_cells=256), tol=TOL)
    assert isinstance(outcome, Outcome)
    assert outcome.certificate.gap < 0.05


def test_other_methods_go_on_where_arrays_of_all_pairs_fit(large):
    """Two samples of one law: no direction stands out, so that cells are too coarse, and the dense methods finish."""
    X, Y = np.random.default_rng(0).standard_normal((2, 120, 12))
    result = sot.srw(X, Y, 3, tol=TOL)
    assert result.gap <= TOL
    assert sot.wasserstein(X, Y).gap <= 1e-3


def test_sparse_plan_where_omega_has_many_directions(large):
    """The plan that proves `upper` has all pairs as atoms; the sparse one is another coupling."""
    X, Y = np.random.default_rng(0).standard_normal((2, 400, 12))
    result = sot.srw(X, Y, 4, tol=0.2, method="large")
    assert not isinstance(result.coupling, Sparse)
    plan = result.sparse_plan
    assert plan.nnz <= 5 * 800
    np.testing.assert_allclose(plan.sum(axis=1), 1 / 400, rtol=1e-14)
    np.testing.assert_allclose(plan.sum(axis=0), 1 / 400, rtol=1e-14)


@pytest.mark.slow
def test_the_proof_of_twenty_thousand_points_recomputed_by_blocks():
    data = hypercube(20_000)
    result = sot.srw(data.X, data.Y, 2, tol=TOL)
    F, (f, g), plan = result.factor, result.potentials, result.sparse_plan
    x, y = data.X @ F, data.Y @ F
    for first in range(0, 20_000, 500):
        rows = slice(first, first + 500)
        C = sum((x[rows, p, None] - y[:, p]) ** 2 for p in range(F.shape[1]))
        assert (f[rows, None] + g <= C + 1e-12).all()
    assert data.a @ f + data.b @ g == pytest.approx(result.lower, rel=1e-9)
    np.testing.assert_allclose(plan.sum(axis=1), data.a, rtol=tolerances.MARGINALS)
    np.testing.assert_allclose(plan.sum(axis=0), data.b, rtol=tolerances.MARGINALS)
    rows, columns, mass = result.coupling.atoms()
    D = data.X[rows] - data.Y[columns]
    V = (D.T * mass) @ D
    np.testing.assert_allclose(result.displacement, V, atol=1e-9)
    assert np.linalg.eigvalsh(V)[-2:].sum() <= result.upper
