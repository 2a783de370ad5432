"""The fuzzer's referee passes honest claims and rejects wrong ones, by one unit in the last place too."""

import math
import os
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from fuzz import draw, exact, referee, run, solve

TWO = Fraction(2)


def above(value):
    return float(np.nextafter(value, math.inf))


def below(value):
    return float(np.nextafter(value, -math.inf))


def rounded(value, up):
    """Return the nearest double on one side of a fraction."""
    nearest = float(value)
    if up:
        return nearest if Fraction(nearest) >= value else above(nearest)
    return nearest if Fraction(nearest) <= value else below(nearest)


# Exact arithmetic -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        np.array([0.0, 1.0, -0.1, 1e-310, 5e-324, -1e300]),
        np.array([[1, -(2**62) - 1], [2**53 + 1, 0]]),
        np.array([0.1, 3e38], dtype=np.float32),
        np.zeros((2, 3)),
        np.array([True, False]),
    ],
)
def test_integers_are_exact(values):
    whole, exponent = exact.integers(values)
    assert whole.shape == values.shape
    expected = [Fraction(int(v)) if values.dtype.kind in "ib" else Fraction(float(v)) for v in values.ravel()]
    assert [w * exact.power_of_two(exponent) for w in whole.ravel()] == expected


def test_integers_refuse_what_is_not_finite():
    with pytest.raises(ValueError, match="`values` must be finite"):
        exact.integers(np.array([1.0, np.nan]))


@pytest.mark.parametrize("power", [Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(3, 2)])
@pytest.mark.parametrize("base_exponent", [-7, 0, 5])
def test_floor_power(power, base_exponent):
    for base in (0, 1, 2, 3, 10**20 + 7):
        result = exact.floor_power(base, base_exponent, power, -40)
        value = (base * exact.power_of_two(base_exponent)) ** power.numerator
        low, high = (Fraction(r, 2**40) ** power.denominator for r in (result, result + 1))
        assert low <= value < high


def test_positive_semidefinite_to_one_unit():
    rng = np.random.default_rng(0)
    for size in (1, 2, 5, 9):
        A = rng.integers(-(10**9), 10**9, (max(size - 1, 1), size)).astype(object)
        M = A.T @ A * 10**40  # singular for size > 1
        assert exact.is_positive_semidefinite(M)
        M[size - 1, size - 1] += 1
        assert exact.is_positive_semidefinite(M)
        M[size - 1, size - 1] -= 2
        assert exact.is_positive_semidefinite(M) == (size == 1)
    assert exact.is_positive_semidefinite(np.zeros((3, 3), dtype=object))
    assert not exact.is_positive_semidefinite(np.array([[0, 1], [1, 5]], dtype=object))
    assert not exact.is_positive_semidefinite(np.array([[-1]], dtype=object))


@pytest.mark.parametrize(("n", "m", "d"), [(4, 3, 5), (2, 3, 12), (1, 1, 7), (3, 3, 1)])
def test_top_sum(n, m, d):
    rng = np.random.default_rng(1)
    X, Y, P = rng.integers(-9, 10, (n, d)), rng.integers(-9, 10, (m, d)), rng.integers(0, 3, (n, m))
    V = np.einsum("ij,ijk,ijl->kl", P, X[:, None] - Y, X[:, None] - Y)
    eigenvalues = np.linalg.eigvalsh(V.astype(float))[::-1]
    for k in range(1, d + 1):
        low, high = exact.top_sum(X.astype(object), Y.astype(object), P.astype(object), k)
        assert low <= high
        assert float(high - low) <= 1e-24 * float(V.trace())
        assert float(low) == pytest.approx(eigenvalues[:k].sum(), rel=1e-12, abs=1e-9)


def test_top_sum_of_a_known_matrix_is_enclosed():
    """V = [[2, 1], [1, 1]] has the eigenvalue (3 + 5^0.5) / 2."""
    X, Y = np.array([[1, 1], [1, 0]], dtype=object), np.array([[0, 0]], dtype=object)
    low, high = exact.top_sum(X, Y, np.array([[1], [1]], dtype=object), 1)
    assert (2 * low - 3) ** 2 < 5 < (2 * high - 3) ** 2


def slow_top_sum(V, k):
    with mpmath.workprec(600):
        values = sorted(mpmath.mp.eigsy(mpmath.matrix(V.tolist()), eigvals_only=True))
        return mpmath.fsum(values[-k:])


def assert_top_sum(X, Y, P, k):
    low, high = exact.top_sum(X, Y, P, k)
    difference = X[:, None] - Y
    V = np.sum(P[:, :, None, None] * difference[..., None] * difference[..., None, :], axis=(0, 1))
    top = slow_top_sum(V, k)
    with mpmath.workprec(600):
        low, high = (mpmath.mpf(bound.numerator) / bound.denominator for bound in (low, high))
        slack = top * mpmath.mpf(2) ** -500
        assert low - slack <= top <= high + slack
        assert high - low <= top * mpmath.mpf(2) ** -80


@pytest.mark.parametrize("scales", [0, 3, 12])
def test_top_sum_agrees_with_another_method(scales):
    rng = np.random.default_rng(4)
    for d in (2, 5, 11):
        stretch = 10 ** rng.integers(0, scales + 1, d)
        X, Y = ((rng.integers(-99, 100, (4, d)) * stretch).astype(object) for _ in range(2))
        P = rng.integers(0, 2**40, (4, 4)).astype(object)
        for k in range(1, d):
            assert_top_sum(X, Y, P, k)


@pytest.mark.parametrize("split", [0, 1, 10**4, 10**10, 10**20])
def test_top_sum_of_close_eigenvalues(split):
    """Four eigenvalues that differ by `split` of 10^40, in coordinates that mix them."""
    M = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]], dtype=object)
    M = np.block([[M, np.zeros((4, 2), dtype=int)], [np.zeros((2, 4), dtype=int), np.eye(2, dtype=int)]]).astype(object)
    P = np.diag([10**40, 10**40 + split, 10**40 + 3 * split, 10**40 - split, 10**44, 10**39]).astype(object)
    for k in range(1, 6):
        assert_top_sum(M, 0 * M, P, k)


def test_completed_plan_has_exact_marginals():
    rng = np.random.default_rng(2)
    for _ in range(20):
        n, m = rng.integers(1, 6, 2)
        case = referee.Case(rng.standard_normal((n, 2)), rng.standard_normal((m, 2)), rng.uniform(size=n))
        P, total = case.coupling(rng.uniform(0, 2 / (n * m), (n, m)))
        assert P.min() >= 0
        assert [Fraction(row, total) for row in P.sum(axis=1)] == [Fraction(a, case.total) for a in case.a]
        assert [Fraction(column, total) for column in P.sum(axis=0)] == [Fraction(b, case.total) for b in case.b]


# Answers that need no solver ------------------------------------------------------------------------------------------


def test_on_the_line():
    case = referee.Case([[0.0], [1e8]], [[1.0]], [1.0, 1e-16])
    tiny = Fraction(1e-16)
    expected = (1 + tiny * (10**8 - 1) ** 2) / (1 + tiny)
    assert referee.truth(case, 1, TWO) == (expected, expected)
    low, high = referee.truth(case, 1, Fraction(3, 2))
    assert low < high
    assert float(low) == pytest.approx((1 + 1e-16 * (1e8 - 1) ** 1.5) / (1 + 1e-16), rel=1e-14)


@pytest.mark.parametrize("p", [Fraction(1), Fraction(3, 2), TWO, Fraction(3)])
def test_enumeration_agrees_with_sorting(p):
    rng = np.random.default_rng(3)
    X, Y = rng.standard_normal((5, 1)), rng.standard_normal((5, 1))
    line = referee.truth(referee.Case(X, Y), 1, p)
    plane = referee.truth(referee.Case(np.c_[X, 0 * X], np.c_[Y, 0 * Y]), 2, p)  # which enumerates
    assert max(line[0], plane[0]) <= min(line[1], plane[1])
    assert float(plane[1] - plane[0]) <= 1e-40


def test_equal_measures():
    X = np.array([[0.1, 1e9], [0.3, -2.0]])
    split = referee.Case(X, X[[1, 0, 0]], [3.0, 1.0], [1.0, 2.25, 0.75])
    assert referee.truth(split, 1, TWO) == (0, 0)
    other = referee.Case(X, X[[1, 0, 0]], [3.0, 1.0], [1.0, 2.25, above(0.75)])
    assert referee.truth(other, 1, TWO) != (0, 0)


def test_one_point_against_many():
    case = referee.Case([[0.0, 0.0]], [[3.0, 0.0], [0.0, 1.0]])
    low, high = referee.truth(case, 1, TWO)
    assert low <= Fraction(9, 2) <= high
    assert referee.truth(case, 2, TWO) == (5, 5)


def test_planted_moments():
    """The construction's plan proves its own bounds."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = draw.planted(rng, 4, 4, 1 + seed % 4)
        d = problem.X.shape[1]
        for k in range(1, d + 1):
            low, high = problem.known(k, TWO)[0]
            assert low <= high
        case = referee.Case(problem.X, problem.Y, problem.a, problem.b)
        if problem.a is None:
            assert referee.truth(case, d, TWO) == (high, high)


# Honest claims pass, wrong ones do not --------------------------------------------------------------------------------


def shift_claim():
    """Return a case and a claim without any rounding: four points moved by 3 along the first axis.

    (y - x - 3)^2 >= 0 gives f = -6 x, g = 6 y - 9.
    """
    X = np.array([[0.0, 5.0], [1.0, -7.0], [4.0, 2.0], [8.0, 0.0]])
    Y = (X + np.array([3.0, 0.0]))[[2, 0, 3, 1]]
    plan = np.eye(4)[:, [2, 0, 3, 1]] / 4
    claim = referee.Evidence(
        k=1,
        lower=9.0,
        upper=9.0,
        gap=0.0,
        status="CONVERGED",
        tol=1e-9,
        factor=np.array([[1.0], [0.0]]),
        potentials=(-6 * X[:, 0], 6 * Y[:, 0] - 9),
        plan=plan,
        sparse_plan=plan,
    )
    return referee.Case(X, Y), claim


def test_a_claim_without_rounding_passes():
    case, claim = shift_claim()
    verdict = referee.judge(case, claim, known=[(Fraction(9), Fraction(9))])
    assert not verdict.complaints
    assert verdict.proven_lower == 9
    assert verdict.proven_upper >= 9


def bumped(array, index, value):
    array = np.array(array)
    array[index] = value
    return array


WRONG = {
    "lower by one unit": ({"lower": above(9.0), "upper": 10.0}, "lower is above"),
    "upper by one unit": ({"lower": 8.0, "upper": below(9.0)}, "upper is below"),
    "bounds in the wrong order": ({"lower": 9.0, "upper": 8.0}, "lower <= upper"),
    "negative lower": ({"lower": -1.0}, "lower <= upper"),
    "gap of 0 for an open interval": ({"lower": below(9.0)}, "gap is"),
    "gap that is too small": ({"lower": 8.0, "upper": 10.0, "gap": 0.1}, "gap is"),
    "converged with a large gap": ({"lower": 8.0, "upper": 10.0, "gap": 0.2}, "status is CONVERGED"),
    "not converged with a small gap": ({"status": "MAX_ITER"}, "status is MAX_ITER"),
    "factor that is too long": ({"factor": np.array([[above(1.0)], [0.0]])}, "eigenvalue of F"),
    "factor with too large a trace": ({"factor": np.array([[1.0, 0.0], [0.0, 1e-20]])}, "trace"),
    "factor that is too short": ({"factor": np.array([[below(1.0)], [0.0]])}, "f_i \\+ g_j is above"),
    "factor of another shape": ({"factor": np.array([[1.0]])}, "factor has shape"),
    "infeasible potentials": (
        {"potentials": (np.array([above(0.0), -6, -24, -48]), np.array([33.0, 9, 57, 15]))},
        "f_i \\+ g_j is above",
    ),
    "potentials that prove less": (
        {"potentials": (np.array([0.0, above(-6.0) - 1e-14, -24, -48]), np.array([33.0, 9, 57, 15]))},
        "above a.f",
    ),
    "potentials of another length": ({"potentials": (np.zeros(3), np.zeros(4))}, "lengths"),
    "negative plan": ({"plan": bumped(np.eye(4)[:, [2, 0, 3, 1]] / 4, (0, 0), -1e-300)}, "negative"),
    "plan with a row too heavy": ({"plan": np.eye(4)[:, [2, 0, 3, 1]] * (0.25 + 5 * 2.0**-54)}, "units in the last"),
    "sparse plan with a row too light": (
        {"sparse_plan": np.eye(4)[:, [2, 0, 3, 1]] * (0.25 - 5 * 2.0**-54)},
        "units in the last",
    ),
    "plan of another shape": ({"plan": np.eye(3) / 3}, "shape"),
    "plan that costs more": ({"plan": np.full((4, 4), 1 / 16)}, "top-k sum"),
    "NaN": ({"upper": math.nan}, "upper is not finite"),
    "infinite potential": ({"potentials": (np.array([-math.inf, 0, 0, 0]), np.zeros(4))}, "not finite"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_claims_are_rejected(name):
    case, claim = shift_claim()
    change, complaint = WRONG[name]
    verdict = referee.judge(case, replace(claim, **change), known=[(Fraction(9), Fraction(9))])
    assert any(np.char.find(verdict.complaints, complaint.replace("\\", "")) >= 0), verdict.complaints


def test_four_units_in_the_last_place_are_allowed():
    case, claim = shift_claim()
    plan = claim.plan * (1 - 4 * 2.0**-52)
    assert not referee.plan_complaints(case, plan, "plan")


def test_mass_on_a_point_without_weight():
    case = referee.Case([[0.0], [1.0]], [[0.0], [2.0]], [1.0, 0.0])
    plan = np.array([[0.5, 0.5], [0.0, 0.0]])
    assert not referee.plan_complaints(case, plan, "plan")
    (complaint,) = referee.plan_complaints(case, bumped(plan, (1, 0), 5e-324), "plan")
    assert "without weight" in complaint


def test_potentials_of_points_without_weight():
    X, Y, zeros = np.array([[0.0], [1.0]]), np.array([[0.0], [2.0]]), np.zeros(2)
    plan = np.array([[0.5, 0.5], [0.0, 0.0]])
    claim = referee.Evidence(1, 0.0, 2.0, 1.0, "MAX_ITER", 1e-3, np.ones((1, 1)), (zeros, zeros), plan)
    case = referee.Case(X, Y, [1.0, 0.0])
    assert not referee.judge(case, claim).complaints
    (complaint,) = referee.judge(case, replace(claim, potentials=(np.array([0.0, above(1.0)]), zeros))).complaints
    assert complaint == "f_i + g_j is above the cost for 2 pairs without weight, as i=1, j=0"


def test_sparse_plan_with_too_many_atoms():
    n = 24
    X = np.arange(float(n))[:, None]
    case, plan = referee.Case(X, X), np.full((n, n), 1 / n**2)
    zeros = np.zeros(n)
    claim = referee.Evidence(1, 0.0, 0.0, 0.0, "CONVERGED", 1e-3, np.ones((1, 1)), (zeros, zeros), np.eye(n) / n)
    assert not referee.judge(case, claim).complaints
    complaints = referee.judge(case, replace(claim, sparse_plan=plan)).complaints
    assert "sparse_plan has 576 atoms" in complaints


def test_equal_measures_must_give_zero():
    X = np.array([[0.0], [1.0]])
    zeros = np.zeros(2)
    claim = referee.Evidence(1, 0.0, 1e-300, 1.0, "STALLED", 1e-3, np.ones((1, 1)), (zeros, zeros), np.eye(2)[::-1] / 2)
    complaints = referee.judge(referee.Case(X, X[::-1]), claim).complaints
    assert complaints == ["equal measures give [0.0, 1e-300] instead of [0, 0]"]


def test_results_are_compared_with_each_other():
    case, claim = shift_claim()
    verdict = referee.judge(case, claim)
    low = replace(claim, k=2, lower=1.0, upper=below(9.0))
    assert any("dual value" in text for text in referee.compare([(claim, verdict), (low, referee.Verdict())]))
    high = replace(claim, lower=above(float(verdict.proven_upper)), upper=20.0)
    assert any("coupling" in text for text in referee.compare([(claim, verdict), (high, referee.Verdict())]))
    assert not referee.compare([(claim, verdict), (replace(claim), verdict)])
    # S_k^2 may exceed P_k^2, but not the other way round.
    projected = replace(low, k=1, projected=True)
    assert not referee.compare([(claim, verdict), (projected, referee.Verdict())])
    assert referee.compare([(replace(claim, projected=True), verdict), (low, referee.Verdict())])


def test_distances_are_squared_exactly():
    two = Fraction(2)
    root = math.sqrt(2)
    low, high = (root, above(root)) if Fraction(root) ** 2 < 2 else (below(root), root)
    assert not referee.distance_complaints(low, high, (two, two))
    assert "too large" in referee.distance_complaints(high, high, (two, two))[0]
    assert "too small" in referee.distance_complaints(low, low, (two, two))[0]


def honest_claim(problem, k, p, rng):
    """Return a claim with proofs, rounded outwards in exact arithmetic: n = m a power of 2, uniform weights."""
    case = referee.Case(problem.X, problem.Y)
    n, d = problem.X.shape
    F = np.linalg.qr(rng.standard_normal((d, k)))[0]
    while referee.factor_complaints(F, k):
        F = F * (1 - 2.0**-52)
    whole, exponent = exact.integers(F)
    squares, unit = case.squares(whole), 2 * (case.exponent + exponent)
    costs, unit, _ = referee._costs(squares, unit, p)
    costs = costs * exact.power_of_two(unit)
    g = rng.choice([0.0, 1.0, -0.3], n) * float(costs.max()) / 4
    f = [min(costs[i, j] - Fraction(g[j]) for j in range(n)) for i in range(n)]
    f = np.array([rounded(value, up=False) for value in f])
    value = sum(map(Fraction, f)) / n + sum(map(Fraction, g)) / n
    plan = np.zeros((n, n))
    plan[linear_sum_assignment(costs.astype(float) / max(float(costs.max()), 1e-300))] = 1 / n
    upper = rounded(case.cost(*case.coupling(plan), k, p)[1], up=True)
    lower = max(rounded(value, up=False), 0.0)
    gap = (upper - lower) / upper if upper else 0.0
    potentials = (f, g) if value >= 0 else (np.zeros(n), np.zeros(n))
    return case, referee.Evidence(
        k, lower, upper, gap, "MAX_ITER" if gap > 1e-9 else "CONVERGED", 1e-9, F, potentials, plan, p=p
    )


@pytest.mark.parametrize("kind", sorted(set(draw.KINDS) - {"tiny coordinates", "huge coordinates"}))
@pytest.mark.parametrize("p", [Fraction(1), Fraction(3, 2), TWO, Fraction(3)])
def test_honest_claims_pass(kind, p):
    rng = np.random.default_rng([sorted(draw.KINDS).index(kind), p.numerator])
    for n in (2, 4, 8):
        problem = draw.KINDS[kind](rng, n, n, int(rng.integers(1, 5)))
        size = 1 << (min(len(problem.X), len(problem.Y), 8).bit_length() - 1)
        problem.X, problem.Y = problem.X[:size].astype(float), problem.Y[:size].astype(float)
        case, claim = honest_claim(problem, int(rng.integers(1, problem.X.shape[1] + 1)), p, rng)
        if referee.truth(case, claim.k, p) != (0, 0):
            assert not referee.judge(case, claim).complaints


# Problems and runs ----------------------------------------------------------------------------------------------------


def test_the_referee_does_not_import_what_it_judges():
    code = "import sys, fuzz.referee; print([name for name in sys.modules if name.startswith('subspaceot')])"
    run_ = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run_.stdout.strip() == "[]"


def test_a_draw_depends_on_seed_and_index_only():
    assert draw.describe(draw.draw(5, 17)) == draw.describe(draw.draw(5, 17))
    assert draw.describe(draw.draw(5, 17)) != draw.describe(draw.draw(5, 18))
    assert draw.describe(draw.draw(5, 17)) != draw.describe(draw.draw(6, 17))


def test_draws_cover_every_kind_function_and_setting():
    draws = [draw.draw(0, index) for index in range(600)]
    assert {one.problem.kind for one in draws} == set(draw.KINDS)
    assert {one.function for one in draws} == set(solve._CALLS)
    assert {one.options.get("method") for one in draws} >= set(draw.METHODS)
    assert {one.options.get("p") for one in draws} >= set(draw.POWERS)
    assert {one.strict for one in draws} == {True, False}
    sizes = {len(one.problem.X) for one in draws}
    assert min(sizes) == 1
    assert max(sizes) > 50


def failing(monkeypatch, error):
    def call(drawn):
        raise error

    monkeypatch.setitem(solve._CALLS, "srw", call)
    drawn = draw.draw_on_the_line(0, 0)
    assert drawn.function == "srw"
    return solve.run_one(drawn)


def test_clear_errors_are_refusals(monkeypatch):
    record = failing(monkeypatch, ValueError("`X` must not hold values beyond 1e150."))
    assert record.refused.startswith("`X`")
    assert not record.failures


@pytest.mark.parametrize("error", [ValueError("zip() argument 2 is longer"), ZeroDivisionError(), RuntimeWarning("no")])
def test_other_errors_are_failures(monkeypatch, error):
    record = failing(monkeypatch, error)
    assert record.refused is None
    assert type(error).__name__ in record.failures[0]
    assert "Traceback" in record.details


def test_a_modified_argument_is_a_failure(monkeypatch):
    def call(drawn):
        drawn.problem.X[0, 0] += 1.0
        return [], None

    monkeypatch.setitem(solve._CALLS, "srw", call)
    assert solve.run_one(draw.draw_on_the_line(0, 0)).failures == ["an argument was modified"]


def test_overtime_is_a_failure(monkeypatch):
    def call(drawn):
        while True:
            pass

    monkeypatch.setattr(solve, "_INTERRUPT", 0.05)
    monkeypatch.setitem(solve._CALLS, "srw", call)
    assert "ended after" in solve.run_one(draw.draw_on_the_line(0, 0)).failures[0]


def test_report_and_exit_code(monkeypatch, capsys):
    good = solve.Record(0, "line", "srw", statuses=["CONVERGED"], gaps=[1e-4])
    bad = solve.Record(1, "grid", "prw", failures=["lower is above the exact value: 2.0, by 1e-9 of it"])
    monkeypatch.setattr(run, "_records", lambda *arguments: [good])
    assert run.run(1, 3, False, 1) == 0
    assert "0 failed" in capsys.readouterr().out
    monkeypatch.setattr(run, "_records", lambda *arguments: [bad, good])
    assert run.run(2, 3, False, 1) == 1
    printed = capsys.readouterr().out
    assert "1 failed" in printed
    assert "lower is above the exact value: #, by # of it  (1)" in printed
    assert "python -m fuzz --only INDEX 3" in printed


@pytest.mark.parametrize("part", range(4))
def test_hostile_problems(part):
    """The library's intervals are true, whatever the data: `python -m fuzz` does the same for thousands."""
    records = [solve.run_one(draw.draw(0, index)) for index in range(part, 60, 4)]
    assert {record.index: record.failures for record in records if record.failures} == {}


def test_problems_on_the_line():
    records = [solve.run_one(draw.draw_on_the_line(0, index)) for index in range(60)]
    assert {record.index: record.failures for record in records if record.failures} == {}


def deadly(index):
    """Return an empty record, but end the process at problem 1 and never answer at problem 3."""
    if index == 1:
        os._exit(3)
    if index == 3:
        time.sleep(60)
    return solve.Record(index, "", "")


@pytest.mark.slow
def test_processes_that_die_or_hang_are_failures(monkeypatch):
    monkeypatch.setattr(run, "_SILENCE", 20.0)
    records = {record.index: record.failures for record in run.in_processes(deadly, 6, 2)}
    assert records[1] == ["the process ended with exit code 3"]
    assert records[3] == ["no answer within 20 s"]
    assert all(not records[index] for index in (0, 2, 4, 5))


@pytest.mark.slow
def test_processes():
    """The command works on two processes and ends with the exit code that it should."""
    command = [sys.executable, "-m", "fuzz", "--line", "4", "0", "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stdout.startswith("4 problems, seed 0")
    assert done.returncode == (0 if " 0 failed" in done.stdout.splitlines()[0] else 1)
