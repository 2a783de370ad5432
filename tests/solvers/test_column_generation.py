"""Rounds of the interior-point method: why each ends, what it adds, and where the next one starts."""

from dataclasses import replace

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.core import fantope
from subspaceot.core.certificate import upper_bound
from subspaceot.core.fantope import SoftProjector
from subspaceot.core.problem import Problem
from subspaceot.linalg.workspace import Workspace
from subspaceot.solvers.interior_point.iterate import cold_start, warm_start
from subspaceot.solvers.interior_point.method import ColumnGeneration, Ended, InteriorPoint
from subspaceot.solvers.interior_point.system import Graph

N, D, K, TOL = 40, 8, 2, 1e-3


@pytest.fixture
def problem():
    data = sot.instances.fragmented_hypercube(N, D, 3, rng=0, rotate=True)
    return Problem.of(data.X, data.Y, K)


def rounds_of(problem, settings=None, mask=None):
    """Return rounds on these pairs, all by default, that start at Omega = k / r I and zero potentials."""
    omega = SoftProjector((problem.k / problem.r) * np.eye(problem.r))
    rounds = ColumnGeneration(settings or InteriorPoint(), problem, TOL, Workspace(), omega, np.zeros(len(problem.b)))
    rounds.mask[:] = True if mask is None else mask
    return rounds


def optimum(problem):
    *_, last = rounds_of(problem).solve()
    return last.lower.value, upper_bound(problem, last.plan).value


def test_a_round_with_all_pairs_and_directions_reaches_its_precision(problem):
    rounds = rounds_of(problem)
    *_, last = rounds.solve()
    assert rounds.ended is Ended.PRECISION_REACHED
    assert last.interior is not None
    lower, upper = optimum(problem)
    assert 0.0 <= upper - lower <= TOL * upper


def test_missing_pairs_end_a_round_and_join(problem):
    rounds = rounds_of(problem, InteriorPoint(pairs=2), np.eye(N, dtype=bool))
    before = rounds.mask.sum()
    *_, last = rounds.solve()
    assert rounds.ended is Ended.PAIRS_MISSING
    assert last.lower.value <= optimum(problem)[1]  # bounds are asked of all pairs, whatever the graph
    rounds.grow()
    assert rounds.mask.sum() > before
    for _ in range(10):
        *_, last = rounds.solve()
        before = rounds.mask.sum()
        if rounds.ended is Ended.PRECISION_REACHED:
            break
        missing = rounds.ended is Ended.PAIRS_MISSING  # or a start too near the border, which rounding decides
        rounds.grow()
        assert rounds.mask.sum() > before or not missing  # no round is repeated
    assert rounds.ended is Ended.PRECISION_REACHED
    lower, _ = optimum(problem)
    assert last.lower.value == pytest.approx(lower, rel=2 * TOL)
    assert rounds.mask.sum() < N * N


def test_missing_directions_end_a_round_and_join(problem):
    rounds = rounds_of(problem)
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((D, K + 1)))[0]
    rounds.restrict_to(Q)
    list(rounds.solve())
    assert rounds.ended is Ended.DIRECTIONS_MISSING
    while rounds.ended is Ended.DIRECTIONS_MISSING:
        rounds.grow()
        *_, last = rounds.solve()
    assert rounds.ended is Ended.PRECISION_REACHED
    lower, _ = optimum(problem)
    assert last.lower.value == pytest.approx(lower, rel=2 * TOL)


@pytest.mark.parametrize("limit", [{"most_steps": 1}, {"most_directions": K + 1}])
def test_limits_end_the_method(problem, limit):
    rounds = rounds_of(problem, replace(InteriorPoint(), **limit))
    rounds.restrict_to(np.eye(D)[:, : K + 1])
    while rounds.ended is not Ended.LIMIT_REACHED:
        list(rounds.solve())
        rounds.grow()


def test_dual_value_lost_to_rounding_asks_for_no_more_pairs(problem):
    rounds = rounds_of(problem)
    rounds.ended = Ended.PAIRS_MISSING
    precision = rounds._precision
    rounds.grow()  # all pairs are there already
    assert rounds._precision < precision


def test_a_warm_start_on_more_pairs_is_inside_and_near_its_marginals(problem):
    omega = fantope.project((K / D) * np.eye(D), K)
    first = cold_start(problem, Graph(np.eye(N, dtype=bool)), omega, np.zeros(N), np.zeros(N))
    graph = Graph(np.ones((N, N), dtype=bool))
    at = replace(first, gap=1e-2).detach(Graph(np.eye(N, dtype=bool)))
    warm = warm_start(problem, graph, at)
    assert min(warm.pi.min(), warm.slack.min()) > 0.0
    np.testing.assert_allclose(graph.row_sums(warm.pi), problem.a, rtol=1e-12)
    differences = problem.X[graph.rows] - problem.Y[graph.columns]
    costs = np.einsum("ei,ij,ej->e", differences, warm.omega, differences)
    assert (warm.slack >= costs - warm.f[graph.rows] - warm.g[graph.columns] - 1e-12).all()
    assert warm_start(problem, graph, replace(at, pi=0.0 * at.pi)) is None


def test_more_pairs_are_affordable_where_the_dense_part_is_larger():
    few = [InteriorPoint().affordable_pairs(100, 100, r) for r in (1, 10, 30, 90)]
    assert few == sorted(few)
    assert few[0] == 1600  # as many as there may be at first: 8 of each row and of each column
    assert few[-1] == 100 * 100
    assert InteriorPoint().affordable_pairs(1000, 1000, 5) < 50_000
