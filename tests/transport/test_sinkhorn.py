"""Entropic transport for every reg from 1e-5 to 10 times the mean cost: marginals met, no NaN, no empty plan."""

import numpy as np
import pytest
import reference
import tolerances

from subspaceot.core.costs import CostMatrix, SquaredDistances
from subspaceot.core.coupling import Scaled
from subspaceot.transport import Entropic
from subspaceot.transport.sinkhorn import _scalings, entropic
from subspaceot.transport.sinkhorn._scalings import BORDER

REGS = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0]  # of the mean cost
TOL = 1e-6


def gaussian():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((40, 3)), rng.standard_normal((50, 3)) + 1
    return reference.cost_matrix(X, Y), np.full(40, 1 / 40), np.full(50, 1 / 50)


def heavy_tails():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_t(1.5, (40, 3)), rng.standard_t(1.5, (30, 3))
    return reference.cost_matrix(X, Y), np.full(40, 1 / 40), np.full(30, 1 / 30)


def uneven():
    rng = np.random.default_rng(2)
    X, Y = rng.standard_normal((40, 2)), 3 * rng.standard_normal((30, 2))
    a, b = (np.exp(5 * rng.standard_normal(size)) for size in (40, 30))
    return reference.cost_matrix(X, Y), a / a.sum(), b / b.sum()


def heavy_tails_and_uneven():
    rng = np.random.default_rng(3)
    X, Y = rng.standard_t(2, (30, 4)), rng.standard_t(2, (45, 4))
    a, b = rng.dirichlet(np.full(30, 0.1)) + 1e-12, rng.dirichlet(np.full(45, 0.1)) + 1e-12
    return reference.cost_matrix(X, Y), a / a.sum(), b / b.sum()


def far_clusters():
    """Three clusters on each side, of masses that do not match, so that mass must cross large distances."""
    rng = np.random.default_rng(4)
    centres = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]])
    X = centres[rng.integers(0, 3, 30)] + rng.standard_normal((30, 2))
    Y = centres[rng.integers(0, 3, 25)] + rng.standard_normal((25, 2))
    return reference.cost_matrix(X, Y), np.full(30, 1 / 30), np.full(25, 1 / 25)


def identical():
    X = np.random.default_rng(5).standard_normal((30, 3))
    return reference.cost_matrix(X, X), np.full(30, 1 / 30), np.full(30, 1 / 30)


def one_against_many():
    rng = np.random.default_rng(6)
    return reference.cost_matrix(np.zeros((1, 2)), rng.standard_normal((20, 2))), np.ones(1), rng.dirichlet(np.ones(20))


MAKERS = [gaussian, heavy_tails, uneven, heavy_tails_and_uneven, far_clusters, identical, one_against_many]
every_problem = pytest.mark.parametrize("make", MAKERS)
every_reg = pytest.mark.parametrize("level", REGS)


def assert_entropic(answer, C, a, b, reg, tol=TOL):
    """Check what is promised: a finite plan of positive mass, of the entropic form, that meets its marginals."""
    assert np.isfinite(answer.plan.dense()).all()
    assert answer.plan.dense().min() >= 0
    error = np.abs(answer.plan.row_sums() - a).sum() + np.abs(answer.plan.column_sums() - b).sum()
    assert answer.converged
    assert answer.error <= tol
    # What it reports is measured on scalings; the plan itself has rounding errors besides.
    assert error <= tol + tolerances.MASS
    np.testing.assert_allclose(answer.plan.row_sums(), a, rtol=1e-9)
    with np.errstate(under="ignore"):
        form = np.exp((answer.f[:, None] + answer.g - C) / reg)
    # Exponents that are differences of terms of this size lose that many units of the last digit.
    size = (np.abs(answer.f).max() + np.abs(answer.g).max() + C.max()) / reg
    # Masses that vanish from the kernel stay away, as small as they are once both scalings are as large as they may be.
    lost = np.finfo(float).tiny * BORDER**2
    np.testing.assert_allclose(answer.plan.dense(), form, rtol=1e-14 * max(1.0, size), atol=lost)
    assert answer.value == pytest.approx(a @ answer.f + b @ answer.g - reg, rel=1e-12, abs=1e-12 * C.max())


@every_problem
@every_reg
def test_cold(make, level):
    C, a, b = make()
    reg = level * float(a @ C @ b)
    assert_entropic(Entropic(reg, TOL).solve(C, a, b), C, a, b, reg)


@every_problem
@every_reg
@pytest.mark.parametrize("start", ["zero", "ten times the reg", "a tenth of the reg", "random", "huge"])
def test_warm(make, level, start):
    C, a, b = make()
    reg = level * float(a @ C @ b)
    if start == "zero":
        g = np.zeros_like(b)
    elif start == "random":
        g = C.mean() * np.random.default_rng(0).standard_normal(len(b))
    elif start == "huge":
        g = 1e6 * C.max() * np.random.default_rng(0).standard_normal(len(b))
    else:
        g = Entropic(reg * (10 if start.startswith("ten") else 0.1), TOL).solve(C, a, b).g
    before = g.copy()
    assert_entropic(Entropic(reg, TOL).solve(C, a, b, g), C, a, b, reg)
    np.testing.assert_array_equal(g, before)


@every_problem
@pytest.mark.parametrize("level", [0.1, 0.3, 1.0, 10.0])
def test_agrees_with_the_log_domain_twin(make, level):
    C, a, b = make()
    reg = level * float(a @ C @ b)
    twin = reference.sinkhorn_log(C, a, b, reg)
    answer = Entropic(reg, 1e-12).solve(C, a, b)
    np.testing.assert_allclose(answer.plan.dense(), twin, rtol=0, atol=tolerances.ENTROPIC_PLAN * a.max())
    assert np.sum(answer.plan.dense() * C) == pytest.approx(np.sum(twin * C), rel=tolerances.ENTROPIC_PLAN)


@every_problem
def test_small_reg_approaches_exact_transport(make):
    C, a, b = make()
    exact = reference.transport_cost(C, a, b)
    costs = [np.sum(Entropic(level * float(a @ C @ b), 1e-9).solve(C, a, b).plan.dense() * C) for level in (1e-2, 1e-4)]
    entropy = np.log(C.size)  # the bias of the cost is at most reg times the entropy
    for cost, level in zip(costs, (1e-2, 1e-4), strict=True):
        assert exact - 1e-8 * C.max() <= cost <= exact + level * float(a @ C @ b) * entropy + 1e-8 * C.max()


@every_problem
@pytest.mark.parametrize("level", [1e-5, 1e-2, 1.0])
def test_an_answer_that_fell_short_says_so(make, level):
    """A tolerance below rounding cannot be met; whatever comes back is finite and its error is the true one."""
    C, a, b = make()
    reg = level * float(a @ C @ b)
    answer = Entropic(reg, 1e-18).solve(C, a, b)
    error = np.abs(answer.plan.row_sums() - a).sum() + np.abs(answer.plan.column_sums() - b).sum()
    assert answer.converged == (answer.error <= 1e-18)
    assert error <= answer.error + tolerances.MASS
    assert answer.error <= 1e-6  # and it did not give up early either
    assert np.isfinite(answer.plan.dense()).all()


def test_scale_of_costs_does_not_matter():
    C, a, b = gaussian()
    reg = 0.01 * float(a @ C @ b)
    plain = Entropic(reg, TOL).solve(C, a, b)
    for factor in (2.0**-300, 2.0**300):
        scaled = Entropic(factor * reg, TOL).solve(factor * C, a, b)
        np.testing.assert_array_equal(scaled.plan.dense(), plain.plan.dense())


def test_arguments_are_not_modified():
    C, a, b = gaussian()
    for array in (C, a, b):
        array.flags.writeable = False
    before = C.copy()
    Entropic(0.1, TOL).solve(C, a, b)
    np.testing.assert_array_equal(C, before)


@every_problem
@pytest.mark.parametrize("level", [1e-4, 1e-2, 1.0])
@pytest.mark.parametrize("warm", [False, True])
def test_kernels_that_do_not_fit_are_worked_on_block_by_block(monkeypatch, make, level, warm):
    C, a, b = make()
    reg = level * float(a @ C @ b)
    solver = Entropic(reg, tol=TOL)
    dense = solver.solve(C, a, b)
    g = dense.g + 0.1 * reg * np.sin(np.arange(len(b))) if warm else None
    monkeypatch.setattr(entropic, "_LARGEST", 100 if C.size > 100 else 0)
    monkeypatch.setattr("subspaceot.runtime.blocks.BLOCK_ENTRIES", 7 * len(b))
    answer = solver.solve(C, a, b, g)
    assert isinstance(answer.plan, Scaled)
    np.testing.assert_allclose(answer.plan.column_sums(), b, atol=1.1 * TOL)
    assert answer.error <= TOL
    assert answer.value == pytest.approx(dense.value, rel=1e-6, abs=1e-6 * reg)
    # Plans of one reg whose columns are met to TOL differ by as much, times how badly the problem is conditioned.
    cost = np.sum(answer.plan.dense() * C)
    assert cost == pytest.approx(np.sum(dense.plan.dense() * C), rel=1e-3, abs=1e-12 * C.max())


def test_blocks_of_squared_distances(monkeypatch):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((40, 3)), rng.standard_normal((50, 3)) + 1
    A = rng.standard_normal((3, 3))
    a, b, omega = np.full(40, 1 / 40), np.full(50, 1 / 50), A @ A.T
    costs, solver = SquaredDistances(X, Y, omega), Entropic(0.1, tol=1e-10)
    dense = solver.solve(costs, a, b)
    monkeypatch.setattr(entropic, "_LARGEST", 0)
    monkeypatch.setattr("subspaceot.runtime.blocks.BLOCK_ENTRIES", 350)
    blocked = solver.solve(costs, a, b)
    of_matrix = solver.solve(CostMatrix(reference.cost_matrix(X, Y, omega)), a, b)
    for answer in (blocked, of_matrix):
        assert isinstance(answer.plan, Scaled)
        assert answer.converged
        np.testing.assert_allclose(answer.plan.dense(), dense.plan.dense(), rtol=1e-6, atol=1e-12)


def test_singular_newton_equations_have_no_step(monkeypatch):
    """Where points are out of reach of each other, conjugate gradients may divide by a curvature of 1e-310."""
    overflowed = np.array([np.inf, np.inf])
    monkeypatch.setattr(_scalings._CompiledSemiDual, "direction", lambda self, at, accuracy: overflowed)
    K, a, b = np.array([[0.3, 1e-300], [1e-310, 0.7]]), np.array([0.3, 0.7]), np.array([0.5, 0.5])
    answer = _scalings.scaled(K, a, b, np.ones(2), K.sum(axis=0), tol=1e-6, border=BORDER)
    assert np.isfinite(answer.error)
    assert np.isfinite([*answer.u, *answer.v]).all()
