"""Exact transport: optimal by another solver's word and by duality, and never an answer where POT failed."""

import inspect

import numpy as np
import ot
import pytest
import reference
import scipy.sparse
import tolerances
from proof import assert_transported

from subspaceot import srw
from subspaceot.core.costs import CostMatrix, SquaredDistances
from subspaceot.transport import Entropic, Exact, InnerSolver, exact_transport
from subspaceot.transport.simplex import network_simplex


def problem(n, m, seed=0):
    rng = np.random.default_rng(seed)
    C = reference.cost_matrix(rng.standard_normal((n, 3)), rng.standard_normal((m, 3)))
    return C, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 6), (5, 1), (8, 8), (7, 15)])
def test_plan_and_potentials_are_optimal(n, m):
    C, a, b = problem(n, m)
    answer = exact_transport(C, a, b)
    assert_transported(answer.plan.dense(), a, b)
    assert answer.converged
    assert answer.error <= tolerances.MASS
    assert (answer.f[:, None] + answer.g <= C + tolerances.ROUNDING).all()
    assert answer.value == pytest.approx(a @ answer.f + b @ answer.g, rel=tolerances.ROUNDING)
    assert np.sum(answer.plan.dense() * C) == pytest.approx(answer.value, rel=tolerances.ROUNDING)
    assert answer.value == pytest.approx(reference.transport_linprog(C, a, b), abs=tolerances.LINPROG)


def test_integer_weights_that_tie():
    C = np.round(3 * problem(12, 12)[0])
    a = np.full(12, 1 / 12)
    answer = exact_transport(C, a, a)
    assert_transported(answer.plan.dense(), a, a)
    assert answer.value == pytest.approx(reference.transport_linprog(C, a, a), abs=tolerances.LINPROG)


def test_arguments_are_not_modified():
    arrays = problem(4, 5)
    copies = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    exact_transport(*arrays)
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


# POT's codes: 0 infeasible, 2 unbounded, 3 iteration limit. It warns and returns whatever it had.
@pytest.mark.parametrize("code", [0, 2, 3, -1])
def test_a_failure_of_the_network_simplex_is_an_error(monkeypatch, code):
    C, a, b = problem(4, 5)
    emd = ot.emd

    def failing(*arguments, **keywords):
        plan, log = emd(*arguments, **keywords)
        return plan, log | {"result_code": code, "warning": "as simulated"}

    monkeypatch.setattr(ot, "emd", failing)
    with pytest.raises(RuntimeError, match=rf"code {code}\b.*as simulated"):
        exact_transport(C, a, b)
    rng = np.random.default_rng(0)
    with pytest.raises(RuntimeError, match="network simplex"):
        srw(rng.standard_normal((4, 3)), rng.standard_normal((5, 3)), 3)


def test_the_iteration_limit_is_out_of_reach(monkeypatch):
    limits = []
    emd = ot.emd

    def watched(*arguments, **keywords):
        limits.append(keywords["numItermax"])
        return emd(*arguments, **keywords)

    monkeypatch.setattr(ot, "emd", watched)
    exact_transport(*problem(4, 5))
    assert min(limits) >= 10**9


@pytest.mark.parametrize("unit", [2.0**-80, 2.0**-40, 2.0**-10, 1.0, 2.0**40])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_unit_of_costs_changes_no_digit(unit, sparse):
    """POT's network simplex adds 1 to the largest cost; beside it, costs of 1e-12 would keep four digits."""
    rng = np.random.default_rng(0)
    near = np.kron(np.eye(20), np.ones((3, 7))) > 0.0  # twenty groups, three points against seven
    C = np.where(near, rng.random((60, 140)), 1e3)
    a, b = np.full(60, 1 / 60), np.full(140, 1 / 140)
    given = scipy.sparse.coo_array(unit * C) if sparse else unit * C
    expected, answer = network_simplex(C, a, b), network_simplex(given, a, b)
    assert np.sum(answer.plan.dense() * C) == pytest.approx(np.sum(expected.plan.dense() * C), rel=1e-9)
    assert answer.value == pytest.approx(unit * expected.value, rel=1e-9)
    assert (answer.f[:, None] + answer.g <= unit * (C + 1e-9)).all()


@pytest.mark.parametrize("weights", ["one", "any"])
@pytest.mark.parametrize("warm", [False, True])
def test_the_protocol_gives_what_the_function_does_for_any_costs(weights, warm):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2, 30, 3))
    C, a, b = reference.cost_matrix(X, Y), *rng.dirichlet(np.ones(30), 2)
    if weights == "one":
        a = b = np.full(30, 1 / 30)
    g = network_simplex(C, a, b).g + 0.1 * rng.standard_normal(30) if warm else None
    expected = exact_transport(C, a, b, g, tol=1e-6)
    for costs in (C, CostMatrix(C), SquaredDistances(X, Y)):
        answer = Exact(tol=1e-6).solve(costs, a, b, g)
        np.testing.assert_allclose(answer.plan.dense(), expected.plan.dense(), atol=1e-12)
        assert answer.value == pytest.approx(expected.value, rel=1e-6)


@pytest.mark.parametrize("solver", [Exact(tol=1e-3), Entropic(0.1, tol=1e-3)])
def test_inner_solvers_are_frozen_settings_behind_one_protocol(solver):
    wanted, given = (inspect.signature(cls.solve).parameters for cls in (InnerSolver, type(solver)))
    assert list(given) == list(wanted)
    with pytest.raises(AttributeError):
        solver.tol = 1.0
    C, a, b = problem(6, 7)
    answer = solver.solve(C, a, b)
    again = solver.solve(C, a, b, answer.g)  # nothing is remembered: the start is an argument
    assert again.converged
    assert again.value == pytest.approx(answer.value, rel=1e-2)
    np.testing.assert_array_equal(solver.solve(C, a, b).g, answer.g)
