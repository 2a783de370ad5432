"""Directions that are added while an ascent goes on, and interior points that go on in more of them."""

from dataclasses import replace

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.core import fantope
from subspaceot.core.coupling import Dense
from subspaceot.core.moments import displacement
from subspaceot.core.problem import Problem
from subspaceot.linalg.workspace import Workspace
from subspaceot.solvers.ascent.model import CurvatureModel
from subspaceot.solvers.ascent.point import evaluate
from subspaceot.solvers.ascent.subspace import MAX_DIRECTIONS, Subspace
from subspaceot.solvers.directions import MANY, beside
from subspaceot.solvers.interior_point.central_path import iterates
from subspaceot.solvers.interior_point.iterate import cold_start, embed, warm_start
from subspaceot.solvers.interior_point.system import Graph


@pytest.fixture(scope="module")
def wide():
    data = sot.instances.fragmented_hypercube(MANY // 2 + 10, 2 * MANY, 2, rng=0, rotate=True)
    return Problem.of(data.X, data.Y, 2)


def point_in(problem, q):
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((problem.r, q)))[0]
    omega = fantope.project(np.diag(np.arange(q, dtype=float)), problem.k)
    return evaluate(Subspace.of(problem, Q), omega, 0.1 * problem.spread, np.zeros_like(problem.b), 1e-6)


def expansion_directions(point):
    return point.subspace.expansion_directions(point.V, point.transport.plan, point.transported)


def test_expansion_directions_lead_out_of_the_subspace_and_up(wide):
    point = point_in(wide, 6)
    directions, promised = expansion_directions(point)
    grown = point.with_directions(directions)
    gained = fantope.top_sum(grown.V, wide.k) - point.top_sum
    others = beside(point.subspace.Q, np.random.default_rng(1).standard_normal((wide.r, wide.k)))
    at_random = fantope.top_sum(point.with_directions(others).V, wide.k) - point.top_sum

    np.testing.assert_allclose(point.subspace.Q.T @ directions, 0.0, atol=1e-12)
    assert promised > 0.0
    assert gained > 10.0 * at_random


def test_a_point_is_the_same_in_a_larger_subspace(wide):
    point = point_in(wide, 6)
    grown = point.with_directions(expansion_directions(point)[0])
    subspace, plan = grown.subspace, point.transport.plan

    assert subspace.Q.shape == (wide.r, 6 + wide.k)
    np.testing.assert_allclose(subspace.Q.T @ subspace.Q, np.eye(6 + wide.k), atol=1e-12)
    np.testing.assert_allclose(grown.soft.whole, point.soft.whole, atol=1e-12)
    np.testing.assert_allclose(subspace.inner.X, wide.X @ subspace.Q, atol=1e-12)
    np.testing.assert_allclose(grown.transported, plan.T @ subspace.inner.X, atol=1e-12)
    np.testing.assert_allclose(grown.V, displacement(subspace.inner.X, subspace.inner.Y, plan), atol=1e-12)


def test_the_subspace_grows_where_omega_is_a_projector(wide):
    point = point_in(wide, 6)
    every = point.subspace.inner
    whole = replace(point, subspace=Subspace.of(every, np.eye(6)))

    assert point.expands
    assert point.expansion_directions()[1] > 0.0
    for other in (whole, replace(point, omega=wide.k * np.eye(6) / 6)):  # nothing left to take in; not a projector
        assert not other.expands
        assert other.expansion_directions() == (None, 0.0)


@pytest.mark.parametrize(
    ("n", "q", "grows"),
    [
        (25, MAX_DIRECTIONS, True),
        (25, MAX_DIRECTIONS + 1, False),
        (400, 50, True),  # transport among many points takes longer than algebra in 50 directions,
        (400, 55, False),  # but not in 55,
        (1500, 99, True),
    ],
)
def test_the_subspace_grows_as_long_as_its_algebra_is_no_burden(n, q, grows):
    X, Y = np.random.default_rng(0).standard_normal((2, n, 100))
    problem = Problem.of(X, Y, 2)
    subspace = Subspace.of(problem, np.eye(problem.r)[:, :q])

    assert q < problem.r
    assert subspace.may_grow == grows


@pytest.mark.parametrize("learned", [0, 3])
def test_a_padded_model_is_the_same_on_what_it_knew(learned):
    rng = np.random.default_rng(0)
    model = CurvatureModel(2.0, memory=5)
    for _ in range(learned):
        move = fantope.symmetric(rng.standard_normal((4, 4)))
        model.learn(move, 3.0 * move)
    known = fantope.symmetric(rng.standard_normal((4, 4)))
    before = model.times(known.ravel()).reshape(4, 4)
    model.pad(6)
    larger = np.zeros((6, 6))
    larger[:4, :4] = known
    after = model.times(larger.ravel()).reshape(6, 6)

    np.testing.assert_allclose(after[:4, :4], before, atol=1e-12)
    model.learn(np.eye(6), 2.0 * np.eye(6))  # and it goes on learning


def test_many_directions_take_few_steps():
    data = sot.instances.fragmented_hypercube(300, 1000, 2, rng=0, rotate=True)
    result = sot.srw(data.X, data.Y, 2, tol=1e-2)
    assert result.converged
    assert result.n_iter <= 20  # 25 to 33 when the subspace grows at the end of a stage only


@pytest.mark.parametrize("seed", range(4))
def test_interior_points_go_on_in_more_directions(seed):
    data = sot.instances.fragmented_hypercube(40, 10, 3, rng=seed, rotate=True)
    problem = Problem.of(data.X, data.Y, 1)
    near = sot.srw(data.X, data.Y, 1, tol=1e-2).certificate
    Q = fantope.leading_vectors(near.upper.V, 4)
    inner, graph = problem.within(Q), Graph(np.ones((40, 40), dtype=bool))
    zero = np.zeros(40)
    *_, (last, _) = iterates(inner, graph, cold_start(inner, graph, np.eye(4) / 4, zero, zero), 1e-3, Workspace(), 2)
    at = last.detach(graph)
    wider = embed(problem, at, Q)

    assert np.trace(wider.omega) == pytest.approx(problem.k)
    eye = np.eye(problem.r)
    for matrix in (wider.omega, eye - wider.omega, wider.T, wider.Z):
        assert np.linalg.eigvalsh(matrix)[0] > 0.0
    V = displacement(problem.X, problem.Y, Dense(at.pi))
    np.testing.assert_allclose(wider.T, wider.Z + wider.s * eye - V, atol=1e-9)
    again = [point for point, _ in iterates(problem, graph, warm_start(problem, graph, wider), 1e-3, Workspace(), 2)]
    cold = cold_start(problem, graph, eye / problem.r, zero, zero)
    anew = [point for point, _ in iterates(problem, graph, cold, 1e-3, Workspace(), 2)]
    assert again[-1].gap <= 1e-3
    assert len(again) < len(anew)
    assert again[-1].cost == pytest.approx(anew[-1].cost, rel=2e-3)
    assert warm_start(problem, graph, replace(wider, pi=0.0 * wider.pi)) is None  # no pair says where the path is
