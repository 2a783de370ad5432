"""Many points and an Omega that is no projector: kernels, the coupling that is never formed, and its interval."""

import numpy as np
import pytest
from tolerances import BOUND, ROUNDING

import subspaceot as sot
from subspaceot import instances
from subspaceot.core import nearest, potentials, tiles
from subspaceot.core.certificate import proven, upper_bound
from subspaceot.core.completed import Completed
from subspaceot.core.coupling import Dense, Sparse
from subspaceot.core.marginals import met, rounded
from subspaceot.core.moments import displacement, mean_costs, squared_distances
from subspaceot.core.problem import Problem
from subspaceot.core.tiled_kernel import TiledKernel, soft_minimum
from subspaceot.solvers.large.sample import sampled
from subspaceot.solvers.large.soft import Soft, matters
from subspaceot.solvers.loop import run

SINGLE = 2e-4  # of sums of kernels whose exponents, about 100, are rounded to single precision


def points(n, m, q, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, q)), rng.standard_normal((m, q)), rng


def one_law(n, m):
    X, Y, _ = points(n, m, 12)
    return instances.Instance(X, Y, None, None, truth=None, subspace=None)


# --- kernels against NumPy --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m", "q"), [(1, 1, 7), (5, 300, 8), (300, 257, 30), (4100, 20, 9)])
def test_minima_in_many_directions(n, m, q):
    X, Y, rng = points(n, m, q)
    g = rng.standard_normal(m)
    least = nearest.minimum(X, Y, g)
    differences = [((x - Y) ** 2).sum(axis=1) - g for x in X]
    np.testing.assert_allclose(least, [row.min() for row in differences], rtol=ROUNDING, atol=ROUNDING)


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e6])
def test_minima_where_single_precision_cannot_tell_points_apart(scale):
    X, Y, rng = points(50, 600, 10)
    Y = scale * (Y[0] + 1e-9 * Y)
    g = 1e-12 * scale**2 * rng.standard_normal(600)
    least = tiles.minimum(scale * X, Y, g)
    expected = np.array([(((scale * x - Y) ** 2).sum(axis=1) - g).min() for x in X])
    np.testing.assert_allclose(least, expected, rtol=1e-14)


@pytest.mark.parametrize("scale", [0.0, 1e-30, 1e30])
def test_minima_of_numbers_that_are_none_in_single_precision(scale):
    X, Y, _ = points(20, 30, 8)
    X, Y, g = scale * X, scale * Y, np.zeros(30)
    assert tiles.minimum(X, Y, g) is None
    np.testing.assert_allclose(nearest.minimum(X, Y, g), squared_distances(X, Y).min(axis=1), rtol=1e-9)


def test_soft_minima_from_good_and_bad_guesses():
    X, Y, rng = points(70, 300, 9)
    g, b, reg = rng.standard_normal(300), rng.dirichlet(np.ones(300)), 0.1
    exponents = (g - squared_distances(X, Y)) / reg
    top = exponents.max(axis=1, keepdims=True)
    expected = -reg * (top[:, 0] + np.log(np.exp(exponents - top) @ b))
    for guess in (None, expected, expected + 0.5, np.zeros(70)):
        np.testing.assert_allclose(soft_minimum(X, Y, g, b, reg, guess), expected, atol=reg * SINGLE)


def test_products_with_a_kernel_that_is_never_formed():
    X, Y, rng = points(1100, 300, 7)
    f, g, B = rng.standard_normal(1100), rng.standard_normal(300), rng.standard_normal((300, 3))
    kernel = TiledKernel.of(X, Y, f, g, 0.5)
    K = np.zeros(kernel.shape)
    for rows, columns, masses in kernel.blocks():
        K[rows, columns] = masses
    expected = np.exp((f[:, None] + g - squared_distances(X, Y)) / 0.5)
    np.testing.assert_allclose(K[expected > 1e-30], expected[expected > 1e-30], rtol=SINGLE)
    np.testing.assert_allclose(kernel @ B, K @ B, rtol=ROUNDING, atol=ROUNDING * K.max())
    np.testing.assert_allclose(kernel.transposed_times(f), K.T @ f, rtol=ROUNDING, atol=ROUNDING * K.sum())


def test_masses_do_not_depend_on_what_comes_along():
    X, Y, rng = points(1100, 600, 7)
    f, g = rng.standard_normal(1100), rng.standard_normal(600)
    whole, part = (TiledKernel.of(X[:end], Y, f[:end], g, 0.5) for end in (1100, 3))
    first, few = (next(kernel.blocks())[2].copy() for kernel in (whole, part))
    np.testing.assert_array_equal(first[:3], few)


# --- samples ----------------------------------------------------------------------------------------------------------


def test_samples_keep_heavy_points_and_means():
    instance = instances.zipf_texts(3000, 12, rng=0, m=200)
    problem = Problem.of(instance.X, instance.Y, 2, instance.a, instance.b)
    (rows, a), (columns, b) = sampled(problem, 500)
    assert abs(len(rows) - 500) <= 1
    assert len(columns) == 200
    np.testing.assert_array_equal(b, problem.b)
    heavy = np.flatnonzero(problem.a > 2.0 / 500)
    assert set(heavy) <= set(rows)
    assert a.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(a[np.isin(rows, heavy)], problem.a[heavy], rtol=0.05)


# --- the method -------------------------------------------------------------------------------------------------------

KINDS = {
    "hypercube": (lambda: instances.fragmented_hypercube(1500, 12, 2, rng=0, rotate=True), 4, 700),
    "wishart": (lambda: instances.wishart_gaussians(1500, 12, 4, rng=0, m=1200, noise=0.3), 4, 700),
    "weights": (lambda: instances.zipf_texts(1500, 25, rng=0, m=900), 3, 700),
    "one law": (lambda: one_law(1500, 1300), 2, 1500),  # a sample of noise is other noise
}


@pytest.fixture
def few_pairs(monkeypatch):
    monkeypatch.setattr(potentials, "LARGE_PAIRS", 10_000)


@pytest.mark.parametrize("kind", KINDS)
def test_interval_and_coupling(kind, few_pairs):
    make, k, size = KINDS[kind]
    data = make()
    problem = Problem.of(data.X, data.Y, k, data.a, data.b)
    solver = Soft(sample=size)
    outcome = run(problem, solver, tol=6e-2)
    certificate = proven(problem, outcome.certificate)
    assert matters(certificate.lower.soft) > k
    assert certificate.gap <= 6e-2
    exact = sot.srw(data.X, data.Y, k, a=data.a, b=data.b, tol=1e-2)
    lower, upper = (end.value * problem.frame.unit for end in certificate.ends)
    assert lower <= exact.upper
    assert exact.lower <= upper

    plan = certificate.upper.plan
    assert isinstance(plan, Completed)
    masses = plan.dense()
    assert masses.min() >= 0.0
    np.testing.assert_allclose(masses.sum(axis=1), problem.a, rtol=1e-11)
    np.testing.assert_allclose(masses.sum(axis=0), problem.b, rtol=1e-11)
    V = displacement(problem.X, problem.Y, Dense(masses))
    np.testing.assert_allclose(certificate.upper.V, V, atol=BOUND)
    assert certificate.upper.value >= np.linalg.eigvalsh(V)[-k:].sum()
    f, g, L = certificate.lower.f, certificate.lower.g, certificate.lower.factor
    C = ((problem.X @ L)[:, None, :] - problem.Y @ L) ** 2
    assert (f[:, None] + g <= C.sum(axis=2)).all()


def completed_plan():
    data = instances.fragmented_hypercube(300, 9, 2, rng=0)
    problem = Problem.of(data.X, data.Y[:280], 4)
    *_, step = run_steps(problem)
    return problem, step.plan


def run_steps(problem):
    for count, step in enumerate(Soft(sample=150).steps(problem, 5e-2, None, None)):
        yield step
        if count == 1:
            return


def test_coupling_is_an_array_that_is_not_there():
    problem, plan = completed_plan()
    masses, B = plan.dense(), problem.Y[:, :3]
    assert plan.shape == masses.shape == (300, 280)
    assert plan.T.shape == (280, 300)
    assert plan.count == masses.size
    np.testing.assert_array_equal(plan.T.dense(), masses.T)
    np.testing.assert_array_equal(plan.sparse().toarray(), masses)
    rows, columns, mass = plan.atoms()
    np.testing.assert_array_equal(masses[rows, columns], mass)
    for coupling, array in ((plan, masses), (plan.T, masses.T), (plan.T.T, masses)):
        B = problem.Y[:, :3] if array.shape[1] == 280 else problem.X[:, :3]
        np.testing.assert_allclose(coupling @ B, array @ B, atol=ROUNDING)
        np.testing.assert_allclose(coupling @ B[:, 0], array @ B[:, 0], atol=ROUNDING)
        np.testing.assert_allclose(coupling.row_sums(), array.sum(axis=1), rtol=1e-11)
        np.testing.assert_allclose(coupling.column_sums(), array.sum(axis=0), rtol=1e-11)


def test_costs_of_points_without_the_array():
    problem, plan = completed_plan()
    expected = mean_costs(problem.X, problem.Y, Dense(plan.dense()))
    np.testing.assert_allclose(mean_costs(problem.X, problem.Y, plan), expected, atol=BOUND)


def test_bounds_take_the_coupling_as_it_is():
    problem, plan = completed_plan()
    for coupling in (rounded(plan, problem.masses), met(plan, problem.masses)):
        assert coupling.plan is plan
        assert not coupling.changed
        for unplaced, weights in ((coupling.unplaced_a, problem.a), (coupling.unplaced_b, problem.b)):
            assert (unplaced > 0.0).all()
            assert (unplaced < 1e-10 * weights).all()
    dense = upper_bound(problem, Dense(plan.dense()))
    assert upper_bound(problem, plan).value == pytest.approx(dense.value, rel=1e-9)


def test_all_of_the_space():
    data = one_law(400, 350)
    problem = Problem.of(data.X, data.Y, 12)
    solver = Soft()
    for step in solver.steps(problem, 5e-2, None, None):
        assert step.lower.value <= step.upper.value
        break
    exact = sot.wasserstein(data.X, data.Y)
    assert step.lower.value * problem.frame.unit <= exact.upper


# --- few pairs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m", "q"), [(1, 1, 8), (40, 900, 9), (4100, 300, 12)])
def test_nearest_in_many_directions(n, m, q):
    X, Y, rng = points(n, m, q)
    g = rng.standard_normal(m)
    places = nearest.nearest(X, Y, g, 5)
    values = squared_distances(X, Y) - g
    expected = np.sort(values, axis=1)[:, : min(5, m)]
    np.testing.assert_allclose(np.take_along_axis(values, places, axis=1), expected, atol=1e-4)
    assert all(len(set(row)) == len(row) for row in places)


def test_nearest_of_numbers_that_are_none_in_single_precision():
    X, Y, _ = points(20, 30, 8)
    places = nearest.nearest(1e30 * X, 1e30 * Y, np.zeros(30), 3)
    np.testing.assert_array_equal(places[:, 0], squared_distances(X, Y).argmin(axis=1))


@pytest.mark.parametrize("kind", ["hypercube", "wishart"])
def test_few_pairs_prove_nearly_as_much_as_all(kind, few_pairs):
    make, k, _ = KINDS[kind]
    data = make()
    result = sot.srw(data.X, data.Y, k, tol=3e-2, method="large")
    plan, problem = result.sparse_plan, result.problem
    assert plan.nnz <= 5 * sum(plan.shape)
    np.testing.assert_allclose(plan.sum(axis=1), problem.a, rtol=1e-14)
    np.testing.assert_allclose(plan.sum(axis=0), problem.b, rtol=1e-14)
    V = displacement(problem.X, problem.Y, Sparse(plan))
    assert np.linalg.eigvalsh(V)[-k:].sum() <= 1.005 * result.certificate.upper.value
    assert result.gap <= 3e-2
