"""One step of the interior-point method: the equations it solves, and how far it can go."""

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.core.certificate import lower_bound, upper_bound
from subspaceot.core.fantope import SoftProjector
from subspaceot.core.moments import displacement
from subspaceot.core.problem import Problem
from subspaceot.linalg.workspace import Workspace
from subspaceot.solvers.interior_point.central_path import _Equations, _Roots, iterates
from subspaceot.solvers.interior_point.iterate import cold_start
from subspaceot.solvers.interior_point.system import Graph, NewtonSystem

N, D, K = 30, 6, 2


@pytest.fixture(params=range(3))
def start(request):
    rng = np.random.default_rng(request.param)
    data = sot.instances.fragmented_hypercube(N, D, 3, rng=request.param, rotate=True)
    problem = Problem.of(data.X, data.Y, K, rng.uniform(0.5, 1.5, N), rng.uniform(0.5, 1.5, N))
    graph = Graph((rng.random((N, N)) < 0.7) | np.eye(N, dtype=bool))
    zero = np.zeros(N)
    return problem, graph, cold_start(problem, graph, (K / D) * np.eye(D), zero, zero)


def definite(rng, count, r):
    A = rng.standard_normal((count, r, r))
    return A @ A.transpose(0, 2, 1) + 0.1 * np.eye(r)


def test_a_full_step_is_feasible(start):
    problem, graph, point = start
    equations = _Equations(problem, graph, NewtonSystem(graph, problem.X, problem.Y, Workspace()), point)
    corrector = equations.direction(1e-3, equations.direction(0.0))
    for move in (corrector, equations.centred(corrector, 1e-3, 2)[0]):
        end = point.moved(move, 1.0, 1.0)
        np.testing.assert_allclose(graph.row_sums(end.pi), problem.a, atol=1e-10)
        np.testing.assert_allclose(graph.column_sums(end.pi), problem.b, atol=1e-10)
        V = displacement(problem.X, problem.Y, graph.coupling(end.pi))
        np.testing.assert_allclose(end.T, end.Z + end.s * np.eye(D) - V, atol=1e-9)
        differences = problem.X[graph.rows] - problem.Y[graph.columns]
        costs = np.einsum("ni,ij,nj->n", differences, end.omega, differences)
        np.testing.assert_allclose(end.slack, costs - end.f[graph.rows] - end.g[graph.columns], atol=1e-10)
        assert np.trace(end.omega) == pytest.approx(K)


def test_centred_steps_are_no_shorter(start):
    problem, graph, point = start
    equations = _Equations(problem, graph, NewtonSystem(graph, problem.X, problem.Y, Workspace()), point)
    mu = 0.1 * point.complementarity() / (len(graph.rows) + 2 * D)
    corrector = equations.direction(mu, equations.direction(0.0))
    move, lengths = equations.centred(corrector, mu, 2)

    assert sum(lengths) >= sum(equations.step_lengths(corrector))
    assert lengths == equations.step_lengths(move)


def test_centring_saves_steps(start):
    problem, graph, point = start
    centred = [at for at, _ in iterates(problem, graph, point, 1e-6, Workspace(), 2)]
    plain = [at for at, _ in iterates(problem, graph, point, 1e-6, Workspace(), 0)]

    assert len(centred) < len(plain)
    assert max(centred[-1].gap, plain[-1].gap) <= 1e-6
    assert centred[-1].cost == pytest.approx(plain[-1].cost, rel=2e-6)


def proven_gap(problem, graph, point):
    lower = lower_bound(problem, SoftProjector(point.omega), point.g).value
    upper = upper_bound(problem, graph.coupling(np.maximum(point.pi, 0.0))).value
    assert lower <= upper
    return upper - lower


def test_full_steps_prove_more(start):
    problem, _, _ = start
    graph, zero = Graph(np.ones((N, N), dtype=bool)), np.zeros(N)
    first = cold_start(problem, graph, (K / D) * np.eye(D), zero, zero)
    gaps = [
        (proven_gap(problem, graph, at), proven_gap(problem, graph, full))
        for at, full in iterates(problem, graph, first, 1e-4, Workspace(), 2)
        if at.gap < 0.1
    ]

    assert len(gaps) >= 3
    assert sum(full for _, full in gaps) < 0.9 * sum(at for at, _ in gaps)


def test_steps_end_inside_the_cones(start):
    problem, graph, point = start
    eye = np.eye(D)
    for at, _ in iterates(problem, graph, point, 1e-6, Workspace(), 2):
        for matrix in (at.omega, eye - at.omega, at.T, at.Z):
            assert np.linalg.eigvalsh(matrix)[0] > 0.0
        assert min(at.pi.min(), at.slack.min()) > 0.0


def test_steps_end_where_they_are_short(start, monkeypatch):
    problem, graph, point = start
    monkeypatch.setattr(_Equations, "step_lengths", lambda *_: (0.001, 0.001))
    assert len(list(iterates(problem, graph, point, 1e-6, Workspace(), 2))) == 1


def test_the_way_to_the_edge():
    rng = np.random.default_rng(0)
    A = definite(rng, 4, 5)
    moves = rng.standard_normal((4, 5, 5))
    moves += moves.transpose(0, 2, 1)
    moves[3] = np.eye(5)  # never leads out
    *steps, last = _Roots(A).to_edge(moves)

    assert last == np.inf
    for step, matrix, move in zip(steps, A, moves, strict=False):
        assert np.linalg.eigvalsh(matrix + step * move)[0] == pytest.approx(0.0, abs=1e-9)


def test_products_are_lifted_to_mu():
    rng = np.random.default_rng(1)
    A, B, mu = definite(rng, 2, 5), definite(rng, 2, 5), 2.0
    lifts = _Roots(A).lifts(B @ A, mu)
    for matrix, other, lift in zip(A, B, lifts, strict=True):
        before = np.sort(np.linalg.eigvals(other @ matrix).real)
        after = np.sort(np.linalg.eigvals((other + lift) @ matrix).real)
        assert before[0] < mu < before[-1]
        np.testing.assert_allclose(after, np.maximum(before, mu), rtol=1e-9)


def test_points_of_next_to_no_mass_get_theirs():
    """With a ridge that is common to all columns, light ones never got more than a hundredth of it."""
    data = sot.instances.fragmented_hypercube(N, D, 3, rng=0, rotate=True)
    b = np.ones(N)
    b[:5] = 1e-9
    problem, graph, zero = Problem.of(data.X, data.Y, K, None, b), Graph(np.ones((N, N), dtype=bool)), np.zeros(N)
    first = cold_start(problem, graph, (K / D) * np.eye(D), zero, zero)
    *_, (last, _) = iterates(problem, graph, first, 1e-5, Workspace(), 2)

    np.testing.assert_allclose(graph.column_sums(last.pi), problem.b, rtol=1e-3)
