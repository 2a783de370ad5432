"""Newton's step for the directions of Omega: its second derivatives against differences, and what it gains."""

import numpy as np
import pytest
from tolerances import PROJECTOR, ROUNDING

import subspaceot as sot
from subspaceot.core import fantope
from subspaceot.core.costs import SquaredDistances
from subspaceot.core.fantope import SoftProjector
from subspaceot.core.problem import Problem
from subspaceot.solvers import QuasiNewton, run
from subspaceot.solvers.ascent.model import CurvatureModel, maximise_model
from subspaceot.solvers.ascent.newton import _Factor, newton_step
from subspaceot.solvers.ascent.point import ascend, evaluate
from subspaceot.solvers.ascent.subspace import MAX_DIRECTIONS, Subspace
from subspaceot.solvers.directions import Spectrum
from subspaceot.transport import Entropic

REG = 0.05
SHORT = 2e-3  # a second difference of so short a step is off by its square, and by rounding over its square: 4e-6


@pytest.fixture(scope="module")
def small():
    data = sot.instances.fragmented_hypercube(30, 8, 2, rng=0, rotate=True)
    return Problem.of(data.X, data.Y, 2)


@pytest.fixture(scope="module")
def many():
    data = sot.instances.fragmented_hypercube(60, 300, 4, rng=0)
    return Problem.of(data.X, data.Y, 2)


def entropic(problem, omega):
    costs = SquaredDistances(problem.X, problem.Y, omega)
    return Entropic(REG * problem.spread, tol=1e-13).solve(costs, problem.a, problem.b)


def second_difference(value):
    return (value(SHORT) - 2.0 * value(0.0) + value(-SHORT)) / SHORT**2


def some_move(factor, seed=2):
    C = factor._tangent_projection(np.random.default_rng(seed).standard_normal(factor.F.shape))
    return C / np.linalg.norm(C)


def factor_at(problem, w):
    U = np.linalg.qr(np.random.default_rng(1).standard_normal((problem.r, len(w))))[0]
    plan = entropic(problem, (U * w) @ U.T).plan
    return _Factor(problem, plan, U, np.asarray(w), REG * problem.spread)


def test_curvature_of_a_projector_that_changes_directions(small):
    factor = factor_at(small, [1.0, 1.0])
    C = some_move(factor)

    def value(length):
        U = np.linalg.qr(factor.U + length * C)[0]
        return entropic(small, U @ U.T).value

    np.testing.assert_allclose(factor.U.T @ C, 0.0, atol=ROUNDING)
    np.testing.assert_allclose(-2.0 * np.sum(C * factor._hessian_product(C)), second_difference(value), rtol=1e-4)


def test_curvature_of_eigenvalues_that_are_free(small):
    factor = factor_at(small, [0.7, 0.5, 0.8])
    C = some_move(factor)

    def value(length):
        F = factor.F + length * C
        return entropic(small, F @ F.T).value - factor._price * np.sum(F * F)

    assert np.sum(C * factor.F) == pytest.approx(0.0, abs=ROUNDING)  # the trace stays
    np.testing.assert_allclose(-2.0 * np.sum(C * factor._hessian_product(C)), second_difference(value), rtol=1e-4)


@pytest.mark.parametrize(("n", "m"), [(30, 30), (12, 30), (30, 12)])
def test_sensitivity_of_the_plan_to_its_costs(small, n, m):
    problem = Problem.of(small.X[:n], small.Y[:m], 2)
    factor = factor_at(problem, [1.0, 1.0])
    C = np.random.default_rng(3).standard_normal((n, m))
    costs = costs_of(problem, factor.F)
    ahead, behind = (
        Entropic(REG * problem.spread, tol=1e-13).solve(costs + sign * 1e-4 * C, problem.a, problem.b).plan.dense()
        for sign in (1, -1)
    )

    np.testing.assert_allclose(
        factor._plan_sensitivity(C), (ahead - behind) / 2e-4, atol=1e-6 * np.abs(ahead).max() / REG
    )


def costs_of(problem, F):
    difference = (problem.X @ F)[:, None] - (problem.Y @ F)[None]
    return np.einsum("ijl,ijl->ij", difference, difference)


def test_curvature_of_an_eigenvalue_of_one_beside_free_ones(small):
    factor = factor_at(small, [1.0, 0.6, 0.4])
    C = np.zeros_like(factor.F)
    C[:, 0] = np.random.default_rng(6).standard_normal(small.r)
    C -= factor.U @ (factor.U.T @ C)  # out of all that Omega has
    C /= np.linalg.norm(C)

    def value(length):
        first = (factor.U + length * C)[:, :1] / np.sqrt(1.0 + length**2)
        rest = factor.F[:, 1:]
        return entropic(small, first @ first.T + rest @ rest.T).value

    np.testing.assert_allclose(-2.0 * np.sum(C * factor._hessian_product(C)), second_difference(value), rtol=1e-4)


def test_curvature_is_symmetric_where_some_eigenvalues_are_one(small):
    factor = factor_at(small, [1.0, 0.6, 0.4])
    A, B = some_move(factor, 4), some_move(factor, 5)

    assert np.sum(A * factor._hessian_product(B)) == pytest.approx(np.sum(B * factor._hessian_product(A)), rel=1e-9)


def best_within(subspace, omega, reg, model, gap):
    """Return the point at which a subspace, from `omega` on, has no more than `gap` left to gain."""
    problem = subspace.problem
    inside = fantope.project(subspace.Q.T @ omega @ subspace.Q, problem.k)
    point = evaluate(subspace, inside, reg, np.zeros_like(problem.b), 1e-6)
    while point.gap > gap:
        move = maximise_model(point.omega, point.V, model, problem.k) - point.omega
        ahead = ascend(point, move, reg, 1e-6)
        model.learn(ahead.omega - point.omega, point.V - ahead.V)
        point = ahead
    return point


def test_a_newton_step_leads_to_a_small_subspace_and_up(many):
    """From the best of a subspace, one step gains half of what all directions do together."""
    reg, model = 0.003 * many.spread, CurvatureModel(1.0, memory=20)
    best, near = (run(many, QuasiNewton(), tol=1e-3, reg=r).certificate.lower.omega for r in (reg, 3.0 * reg))
    height = Entropic(reg, tol=1e-6).solve(SquaredDistances(many.X, many.Y, best), many.a, many.b).value
    point = best_within(Subspace.of(many, SoftProjector(near).support), near, reg, model, 1e-3 * height)
    rank = int(np.count_nonzero(np.linalg.eigvalsh(point.omega) > 1e-6))

    ahead = newton_step(point, Spectrum.of_plan(many, point.transport.plan), reg, 1e-6, model)
    Q, eigenvalues = ahead.subspace.Q, np.linalg.eigvalsh(ahead.omega)

    assert Q.shape[1] <= 2 * rank + many.k + 1
    np.testing.assert_allclose(Q.T @ Q, np.eye(Q.shape[1]), atol=ROUNDING)
    assert eigenvalues.min() >= -PROJECTOR
    assert eigenvalues.max() <= 1.0 + PROJECTOR
    assert eigenvalues.sum() == pytest.approx(many.k, abs=PROJECTOR)
    assert ahead.transport.value - point.transport.value > 0.5 * (height - point.transport.value)


def test_what_a_model_knows_is_seen_from_other_directions():
    rng = np.random.default_rng(0)
    model = CurvatureModel(2.0, memory=5)
    for _ in range(3):
        move = fantope.symmetric(rng.standard_normal((6, 6)))
        model.learn(move, 3.0 * move)
    move = np.zeros((6, 6))
    move[5, 5] = 1.0
    model.learn(move, move)
    R = np.eye(6)[:5]  # all but the last direction, which the last lesson was about
    model.seen_from(R)

    assert len(model.S) == 3
    inside = model.S[-1]
    np.testing.assert_allclose(model.times(inside), 3.0 * inside, rtol=1e-10)
    model.learn(np.eye(5), 4.0 * np.eye(5))
    np.testing.assert_allclose(model.times(np.eye(5).ravel()), 4.0 * np.eye(5).ravel(), atol=1e-10)


@pytest.mark.parametrize("reg", [None, 0.002])
@pytest.mark.parametrize("k", [2, 6])
def test_subspaces_stay_small_and_the_answer_is_certified(many, k, reg, monkeypatch):
    """Both where Omega has few directions (k < k* = 4) and where it has many (k > k*)."""
    sizes = []
    monkeypatch.setattr(
        "subspaceot.solvers.ascent.method.newton_step",
        lambda *arguments: sizes.append((ahead := newton_step(*arguments)).subspace.Q.shape[1]) or ahead,
    )
    problem = many.at(k)
    outcome = run(problem, QuasiNewton(), tol=1e-3, reg=None if reg is None else reg * problem.spread)

    assert outcome.status.name.startswith("CONVERGED")
    assert sizes
    assert max(sizes) < 0.7 * problem.r
    if k == 2:
        assert np.median(sizes) <= MAX_DIRECTIONS
