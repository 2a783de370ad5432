"""Each ingredient of a bound is needed: without it, the exact referee objects to problems that pass with it.

Which seeds are hit depends on the processor's order of summation, so several are tried and one is enough; with all
ingredients none of them may fail.
"""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from judged import complaints

import subspaceot as sot
from fuzz.exact import power_of_two, top_sum
from fuzz.referee import Case, truth
from subspaceot import projection
from subspaceot.certify import certified, differences, powers
from subspaceot.core import certificate, rounding
from subspaceot.core.certificate import Upper
from subspaceot.core.coupling import Dense
from subspaceot.core.marginals import MetCoupling
from subspaceot.core.problem import Problem
from subspaceot.core.rounding import UNIT
from subspaceot.core.span import Defect

SEEDS = range(25)


def replace_everywhere(monkeypatch, original, replacement):
    """Replace a function in every module of the package that holds it under its name."""
    found = 0
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "subspaceot" and vars(module).get(original.__name__) is original:
            monkeypatch.setattr(module, original.__name__, replacement)
            found += 1
    assert found  # or there is nothing left to be weakened


def count_no_rounding(monkeypatch):
    """Take away all that moves bounds outwards for rounding errors."""
    for original in (rounding.up, rounding.down, rounding.rounded_down):
        replace_everywhere(monkeypatch, original, lambda value: value)
    replace_everywhere(monkeypatch, rounding.gamma, lambda n: 0.0)
    for module in (certificate, differences, powers, projection):
        monkeypatch.setattr(module, "UNIT", 0.0)
    monkeypatch.setattr(rounding, "UNIT", 0.0)
    monkeypatch.setattr(rounding, "UNDERFLOW", 0.0)


def normal_problem(seed):
    rng = np.random.default_rng(seed)
    n, m, d = rng.integers(2, 9, 3)
    return rng.standard_normal((n, d)), rng.standard_normal((m, d)) + 0.5, int(rng.integers(1, d + 1))


def objections_to_srw(seeds=SEEDS):
    found = []
    for seed in seeds:
        X, Y, k = normal_problem(seed)
        found += complaints(sot.srw(X, Y, k, tol=1e-6), X, Y)
    return found


def objections_to_prw(seeds=SEEDS):
    found = []
    for seed in seeds:
        X, Y, k = normal_problem(seed)
        for p in (1.0, 2.0):
            found += complaints(sot.prw(X, Y, k, p=p), X, Y)
    return found


def objections_to_one_point(seeds=SEEDS):
    """The only coupling of many points and one leaves no doubt about the answer."""
    found = []
    for seed in seeds:
        X, Y, k = normal_problem(seed)
        exact = truth(Case(X, Y[:1]), k, Fraction(2))
        found += complaints(sot.srw(X, Y[:1], k, tol=1e-6), X, Y[:1], truth=exact)
    return found


# --- outward rounding -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("objections", [objections_to_srw, objections_to_prw, objections_to_one_point])
def test_outward_rounding(monkeypatch, objections):
    assert objections() == []
    count_no_rounding(monkeypatch)
    found = objections()
    assert any("above the cost" in complaint or "lower is above" in complaint for complaint in found)


def shared_outlier(seed, distance):
    """Return samples of a few points that move little beside one that is far away, and bounds of W^2.

    Every row moves to its own, so that the answer is known.
    """
    rng = np.random.default_rng(seed)
    X = 4.0 * np.arange(6.0)[:, None] + rng.random((6, 2))
    Y = X + 0.1 * rng.standard_normal((6, 2))
    X[0], Y[0] = [distance, 0.3], [distance, 0.4]
    case = Case(X, Y)
    unit = power_of_two(2 * case.exponent) / case.n
    low, high = top_sum(case.X, case.Y, np.diag([1] * case.n).astype(object), 2)
    return X, Y, (low * unit, high * unit)


def objections_to_outliers(distance):
    found = []
    for seed in SEEDS:
        X, Y, exact = shared_outlier(seed, distance)
        found += complaints(sot.srw(X, Y, 2), X, Y, truth=exact)
    return found


@pytest.mark.parametrize("distance", [1e2, 1e4])
def test_outward_rounding_of_upper_bounds(monkeypatch, distance):
    assert objections_to_outliers(distance) == []
    count_no_rounding(monkeypatch)
    assert any("upper is below" in complaint for complaint in objections_to_outliers(distance))


# --- differences instead of expanded squares --------------------------------------------------------------------------


def work_with_expanded_squares(monkeypatch):
    monkeypatch.setattr(certified, "cancellation_prone", lambda problem, tol: None)
    monkeypatch.setattr(certified, "sharpened", lambda problem, points, known, tol, search: iter([known]))


@pytest.mark.parametrize("distance", [1e6, 1e7])
def test_differences(monkeypatch, distance):
    X, Y, exact = shared_outlier(0, distance)
    result = sot.srw(X, Y, 2)
    assert complaints(result, X, Y, tol=1e-3, truth=exact) == []
    assert result.converged
    assert objections_to_outliers(distance) == []
    work_with_expanded_squares(monkeypatch)
    assert objections_to_outliers(distance) == []  # still true, but good for nothing
    assert sot.srw(X, Y, 2).gap > 0.01
    count_no_rounding(monkeypatch)
    found = objections_to_outliers(distance)
    assert any("the exact value" in complaint for complaint in found)


# --- Omega inside the Fantope -----------------------------------------------------------------------------------------


def test_division_into_the_fantope(monkeypatch):
    assert objections_to_srw() == []
    replace_everywhere(monkeypatch, certificate.divided, lambda L, k: L)
    assert any("factor has" in complaint for complaint in objections_to_srw())


@pytest.mark.parametrize("outside", [1e-9, 1e-12])
def test_an_omega_a_little_outside_of_the_fantope(monkeypatch, outside):
    X, Y = np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]])
    for k in (1, 2):
        assert complaints(sot.srw(X, Y, k, tol=1e-6), X, Y, truth=25) == []
    replace_everywhere(monkeypatch, certificate.divided, lambda L, k: L * math.sqrt(1.0 + outside))
    for k in (1, 2):
        found = complaints(sot.srw(X, Y, k, tol=1e-6), X, Y, truth=25)
        assert any("lower is above" in complaint or "lower <= upper fails" in complaint for complaint in found)


# --- marginals --------------------------------------------------------------------------------------------------------


def lacking_upper(lack, counted):
    """Return problem and bound of a plan that lacks a mass which has to go from -1 to 1: the answer is 4."""
    problem = Problem.of([[-1.0]], [[1.0]], 1)
    mass = np.array([[1.0 - lack]])
    masses = (np.array([lack]), np.array([lack])) if counted else None
    return problem, Upper(0.0, Dense(mass), 4.0 * mass, masses)


@pytest.mark.parametrize("lack", [1e-3, 1e-9, 2.0**-40])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_missing_mass_is_counted_in_full(monkeypatch, lack, share):
    """2 |x|^2 + 2 |y|^2 = |x - y|^2 for x = -y, so nothing less would do."""
    problem, upper = lacking_upper(lack, counted=True)
    value = certificate.proven_upper(problem, upper).value * problem.frame.unit
    assert 4.0 <= value <= 4.0 + 1e-12
    cost = certificate.cost_of_unplaced
    monkeypatch.setattr(certificate, "cost_of_unplaced", lambda *arguments: share * cost(*arguments))
    assert certificate.proven_upper(problem, upper).value * problem.frame.unit < 4.0


@pytest.mark.parametrize("lack", [1e-3, 1e-9])
def test_missing_mass_is_repaired(monkeypatch, lack):
    problem, upper = lacking_upper(lack, counted=False)
    proven = certificate.proven_upper(problem, upper)
    assert proven.value * problem.frame.unit >= 4.0
    np.testing.assert_allclose(proven.plan.dense(), 1.0, rtol=4 * 2.0**-52)
    monkeypatch.setattr(certificate, "met", lambda plan, masses: as_it_came(plan))
    assert certificate.proven_upper(problem, upper).value * problem.frame.unit < 4.0


def as_it_came(plan, masses=None):
    return MetCoupling(plan, *map(np.zeros, plan.shape))


def test_plans_of_entropic_transport_are_rounded(monkeypatch):
    X, Y, k = normal_problem(0)
    assert complaints(sot.srw(X, Y, k, reg=0.1), X, Y) == []
    monkeypatch.setattr(certificate, "rounded", as_it_came)
    found = complaints(sot.srw(X, Y, k, reg=0.1), X, Y)
    assert any("off its weight" in complaint for complaint in found)


# --- the reduction to the span ----------------------------------------------------------------------------------------

SMALL = 2.0**-20


@pytest.mark.parametrize(
    ("name", "size", "exact"),
    [
        # Points -1 and 1 in coordinates. Moved outwards by SMALL, along a line: (2 + 2 SMALL)^2.
        ("residual", 2 * SMALL, 4 * (1 + Fraction(SMALL)) ** 2),
        # In a basis whose vector has the squared length 1 + SMALL.
        ("stretch", SMALL, 4 * (1 + Fraction(SMALL))),
        # With products -1, 1 of which all are off by SMALL, relatively.
        ("gram", 2 * SMALL, 4 * (1 + Fraction(SMALL))),
    ],
)
def test_what_the_reduction_loses_is_counted_in_full(name, size, exact):
    assert exact <= Defect(**{name: size}).top_sum(4.0, 1) <= exact * (1 + 16 * Fraction(UNIT))
    assert Defect(**{name: 0.5 * size}).top_sum(4.0, 1) < exact
    assert Defect().top_sum(4.0, 1) < exact
