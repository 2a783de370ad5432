"""Whether a result's claims are true, in exact arithmetic on the doubles as given.

This file knows only numbers and arrays: it imports nothing from the library that it judges. Each check returns
complaints, one sentence each; none means that the claim holds.
"""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from mpmath import mp

from .exact import (
    Bounds,
    Integers,
    aligned,
    completed,
    floor_power,
    integers,
    is_positive_semidefinite,
    power_of_two,
    real_power,
    staircase,
    top_sum,
)

MARGINALS = Fraction(4, 2**52)  # relative: how far a plan's sums may be from the weights
UNDERFLOW = Fraction(4, 2**1074)  # absolute: four times the smallest positive double
ATOMS = 5  # times n + m: the most that a sparse plan may have
_GAP = Fraction(4, 2**52)  # relative: the rounding of (upper - lower) / upper in doubles
_ENUMERATED = 6  # points a side whose permutations are all tried
_ROOT_BITS = 200  # of a root that is no integer


@dataclass(frozen=True)
class Evidence:
    """What a result claims, and the objects that shall prove it."""

    k: int
    lower: float
    upper: float
    gap: float
    status: str
    tol: float | None  # None: the status says nothing about the gap
    factor: Any  # (d, q): F of the lower bound, or None
    potentials: tuple[Any, Any]  # f (n,), g (m,)
    plan: Any  # (n, m)
    upper_plan: Any = None  # (n, m): proves `upper` where `plan` does not
    sparse_plan: Any = None  # (n, m), dense, if it was asked for
    p: Fraction = Fraction(2)
    projected: bool = False  # P_k, else S_k
    substitute: Any = None  # (d, q): a factor to use where the result shows none


@dataclass
class Verdict:
    """What is wrong with a result, and which bounds its proofs give for others to be compared with."""

    complaints: list[str] = field(default_factory=list)
    proven_lower: Fraction | None = None
    proven_upper: Fraction | None = None
    factor_missing: bool = False


class Case:
    """Two weighted measures as integers: points times 2^exponent, masses over `total`."""

    def __init__(self, X: Any, Y: Any, a: Any = None, b: Any = None) -> None:
        (self.X, self.Y), self.exponent = aligned(integers(X), integers(Y))
        v, w = (integers(np.ones(len(Z)) if c is None else c)[0] for Z, c in ((X, a), (Y, b)))
        self.a, self.b, self.total = v * w.sum(), w * v.sum(), v.sum() * w.sum()
        self.n, self.d = self.X.shape
        self.m = len(self.Y)

    @cached_property
    def orders(self) -> tuple[list[int], list[int]]:
        """The points of both sides, sorted along the column that extends furthest."""
        Z = np.vstack([self.X, self.Y])
        column = int(np.argmax(Z.max(axis=0) - Z.min(axis=0)))
        return [sorted(range(len(P)), key=P[:, column].__getitem__) for P in (self.X, self.Y)]

    def squares(self, F: Integers | None = None) -> Integers:
        """Return |F^T (x_i - y_j)|^2 (n, m) in units of 2^(2 exponent); without F, |x_i - y_j|^2."""
        here, there = (self.X, self.Y) if F is None else (self.X @ F, self.Y @ F)
        return sum((np.subtract.outer(u, v) ** 2 for u, v in zip(here.T, there.T, strict=True)), start=0)

    def coupling(self, plan: Any) -> tuple[Integers, int]:
        """Return a coupling close to the plan as integers over the second value; its marginals are exact."""
        P, exponent = integers(plan)
        P, unit = P * (self.total << max(exponent, 0)), 1 << max(-exponent, 0)
        return completed(P, self.a * unit, self.b * unit, *self.orders), self.total * unit

    def cost(self, P: Integers, total: int, k: int, p: Fraction) -> Bounds:
        """Return bounds of the most that a k-dimensional projection of a coupling can cost, as far as it is known."""
        unit = power_of_two(2 * self.exponent)
        bounds = []
        if p <= 2:
            low, high = (max(value, Fraction(0)) * unit / total for value in top_sum(self.X, self.Y, P, k))
            bounds.append((real_power(low, p / 2)[0], real_power(high, p / 2)[1]))
        if p != 2:
            C = self.squares()
            low = high = Fraction(0)
            for i, j in np.argwhere(P):
                below, above = real_power(C[i, j] * unit, p / 2)
                low, high = low + P[i, j] * below, high + P[i, j] * above
            bounds.append((low / total, high / total))
        return min(bounds, key=lambda pair: pair[1])


# Answers that need no solver ------------------------------------------------------------------------------------------


def truth(case: Case, k: int, p: Fraction) -> Bounds | None:
    """Return bounds of the exact answer where it is known without a solver, else None."""
    if _are_equal(case):
        return Fraction(0), Fraction(0)
    if p == 2 and (np.count_nonzero(case.a) == 1 or np.count_nonzero(case.b) == 1):  # there is one coupling only
        return case.cost(np.multiply.outer(case.a, case.b), case.total**2, k, p)
    if case.d == 1:
        return _on_the_line(case, p)
    if k == case.d and case.n == case.m <= _ENUMERATED and len({*case.a, *case.b}) == 1:
        return _by_enumeration(case, p)
    return None


def _are_equal(case: Case) -> bool:
    """Return whether both measures have the same mass at each place."""
    mass: dict[tuple[int, ...], int] = {}
    for points, masses, sign in ((case.X, case.a, 1), (case.Y, case.b, -1)):
        for point, weight in zip(map(tuple, points), masses, strict=True):
            mass[point] = mass.get(point, 0) + sign * weight
    return not any(mass.values())


def _on_the_line(case: Case, p: Fraction) -> Bounds:
    """Return W_p^p in one dimension by the monotone coupling."""
    low = high = Fraction(0)
    unit = power_of_two(case.exponent)
    for i, j, mass in staircase(case.a, case.b, *case.orders):
        below, above = real_power(abs(case.X[i, 0] - case.Y[j, 0]) * unit, p)
        low, high = low + mass * below, high + mass * above
    return low / case.total, high / case.total


def _by_enumeration(case: Case, p: Fraction) -> Bounds:
    """Return W_p^p of uniform weights, n = m, as the best of all permutations."""
    C, exponent, error = _costs(case.squares(), 2 * case.exponent, p)
    best = min(sum(C[i, j] for i, j in enumerate(order)) for order in itertools.permutations(range(case.n)))
    unit = power_of_two(exponent) / case.n
    return best * unit, (best + error * case.n) * unit


def _costs(C: Integers, exponent: int, p: Fraction) -> tuple[Integers, int, int]:
    """Return floor(C^(p/2)) for an exponent, that exponent, and the largest error of an entry."""
    if p == 2:
        return C, exponent, 0
    largest = max(int(C.max()), 1).bit_length() + exponent
    unit = int(largest * p / 2) - _ROOT_BITS
    powers = [[floor_power(c, exponent, p / 2, unit) for c in row] for row in C]
    return np.array(powers, dtype=object).reshape(C.shape), unit, 1


# What a result has to prove -------------------------------------------------------------------------------------------


def judge(case: Case, claim: Evidence, known: Iterable[Bounds] = ()) -> Verdict:
    """Return what is wrong with a claim; `known` holds bounds of the exact answer from elsewhere."""
    verdict = Verdict()
    arrays = {
        "lower": claim.lower,
        "upper": claim.upper,
        "gap": claim.gap,
        "factor": claim.factor,
        "potentials[0]": claim.potentials[0],
        "potentials[1]": claim.potentials[1],
        "plan": claim.plan,
        "upper_plan": claim.upper_plan,
        "sparse_plan": claim.sparse_plan,
    }
    for name, value in arrays.items():
        if value is not None and not np.isfinite(value).all():
            verdict.complaints.append(f"{name} is not finite")
    if verdict.complaints:
        return verdict
    verdict.complaints += interval_complaints(claim)
    exact = truth(case, claim.k, claim.p)
    for bounds in [*known, *([exact] if exact else [])]:
        verdict.complaints += containment_complaints(claim, bounds, "the exact value")
    if exact == (0, 0) and not claim.lower == claim.upper == 0:
        verdict.complaints.append(f"equal measures give [{claim.lower!r}, {claim.upper!r}] instead of [0, 0]")
    _judge_plans(case, claim, verdict)
    _judge_factor(case, claim, verdict)
    return verdict


def interval_complaints(claim: Evidence) -> list[str]:
    """Check the order of the bounds, the gap and what the status says about it."""
    lower, upper, gap = Fraction(claim.lower), Fraction(claim.upper), Fraction(claim.gap)
    if not 0 <= lower <= upper:
        return [f"0 <= lower <= upper fails: [{claim.lower!r}, {claim.upper!r}], {claim.status}"]
    complaints = []
    exact = (upper - lower) / upper if upper else Fraction(0)
    if abs(gap - exact) > _GAP * exact + UNDERFLOW or (gap == 0) != (lower == upper):
        complaints.append(f"gap is {claim.gap!r}, but (upper - lower) / upper is {_shown(exact, 17)}")
    if claim.tol is not None and (claim.status == "CONVERGED") != (claim.gap <= claim.tol):
        complaints.append(f"status is {claim.status} with a gap of {claim.gap!r} at tol={claim.tol!r}")
    if claim.status == "CONVERGED" and claim.tol is not None and exact > claim.tol * (1 + _GAP):
        complaints.append(f"CONVERGED, but (upper - lower) / upper is {_shown(exact, 17)} at tol={claim.tol!r}")
    return complaints


def containment_complaints(claim: Evidence, bounds: Bounds, name: str) -> list[str]:
    """Check that the interval holds a number that is known to lie within `bounds`."""
    complaints = []
    if claim.lower > bounds[1]:
        complaints.append(f"lower is above {name}: {claim.lower!r}, by {_relative(claim.lower, bounds[1])}")
    if claim.upper < bounds[0]:
        complaints.append(f"upper is below {name}: {claim.upper!r}, by {_relative(claim.upper, bounds[0])}")
    return complaints


def _judge_plans(case: Case, claim: Evidence, verdict: Verdict) -> None:
    """Check the plans, and that they prove `upper`; add the exact bound that they prove."""
    plans = {"plan": claim.plan, "upper_plan": claim.upper_plan, "sparse_plan": claim.sparse_plan}
    for name, plan in plans.items():
        if plan is not None:
            verdict.complaints += plan_complaints(case, plan, name)
    if claim.sparse_plan is not None and np.count_nonzero(claim.sparse_plan) > ATOMS * (case.n + case.m):
        verdict.complaints.append(f"sparse_plan has {np.count_nonzero(claim.sparse_plan)} atoms")
    proof = claim.plan if claim.upper_plan is None else claim.upper_plan
    if np.shape(proof) != (case.n, case.m) or np.min(proof) < 0:
        return
    if claim.p == 2:
        P, exponent = integers(proof)
        top = top_sum(case.X, case.Y, P, claim.k)[0] * power_of_two(exponent + 2 * case.exponent)
        if claim.upper < top:
            verdict.complaints.append(
                f"upper is below its plan's top-k sum: {claim.upper!r}, by {_relative(claim.upper, top)}"
            )
    verdict.proven_upper = case.cost(*case.coupling(proof), claim.k, claim.p)[1]
    if claim.lower > verdict.proven_upper:
        excess = _relative(claim.lower, verdict.proven_upper)
        verdict.complaints.append(f"lower is above the cost of an exact coupling: {claim.lower!r}, by {excess}")


def plan_complaints(case: Case, plan: Any, name: str) -> list[str]:
    """Check shape, sign and marginals of a plan."""
    if np.shape(plan) != (case.n, case.m):
        return [f"{name} has shape {np.shape(plan)} instead of {(case.n, case.m)}"]
    if np.min(plan) < 0:
        return [f"{name} is negative somewhere: {np.min(plan)!r}"]
    P, exponent = integers(plan)
    unit, complaints = power_of_two(exponent), []
    for side, sums, masses in (("row", P.sum(axis=1), case.a), ("column", P.sum(axis=0), case.b)):
        if any(total for total, mass in zip(sums, masses, strict=True) if mass == 0):
            complaints.append(f"a {side} of {name} without weight holds mass")
        worst = Fraction(0)
        for total, mass in zip(sums, masses, strict=True):
            if mass:
                weight = Fraction(mass, case.total)
                worst = max(worst, (abs(total * unit - weight) - UNDERFLOW) / weight)
        if worst > MARGINALS:
            units = _shown(worst * 2**52)
            complaints.append(f"a {side} sum of {name} is off its weight by {units} units in the last place")
    return complaints


def factor_complaints(F: Any, k: int) -> list[str]:
    """Check that F^T F has no eigenvalue above 1 and a trace of at most k."""
    G, exponent = integers(F)
    G, exponent = G << max(exponent, 0), min(exponent, 0)
    gram = G.T @ G if G.shape[1] <= G.shape[0] else G @ G.T
    one, complaints = 1 << (-2 * exponent), []
    if gram.trace() > k * one:
        complaints.append(f"factor has trace F^T F above k={k} by {_shown(Fraction(gram.trace() - k * one, one))}")
    if not is_positive_semidefinite(np.diag([one] * len(gram)).astype(object) - gram):
        complaints.append("factor has an eigenvalue of F^T F above 1")
    return complaints


def _judge_factor(case: Case, claim: Evidence, verdict: Verdict) -> None:
    """Check that factor and potentials prove `lower`; add the exact bound that they prove."""
    F, verdict.factor_missing = claim.factor, claim.factor is None
    if F is None:
        F = claim.substitute
        if F is None or factor_complaints(F, claim.k):
            return
    else:
        wrong = factor_complaints(F, claim.k)
        if F.ndim != 2 or len(F) != case.d or (claim.projected and F.shape[1] > claim.k):
            wrong.append(f"factor has shape {F.shape} with d={case.d}, k={claim.k}")
        verdict.complaints += wrong
        if wrong:
            return
    G, factor_exponent = integers(F)
    C, exponent = case.squares(G), 2 * (case.exponent + factor_exponent)
    if not verdict.factor_missing:
        verdict.complaints += potential_complaints(case, claim, C, exponent)
    C, cost_unit, _ = _costs(C, exponent, claim.p)
    (C, g), unit = aligned((C, cost_unit), integers(claim.potentials[1]))
    with_mass = np.flatnonzero(case.b)
    best_f = (C[:, with_mass] - g[with_mass]).min(axis=1)  # the most that f may be, where there is mass
    value = (case.a * best_f).sum() + (case.b * g).sum()
    verdict.proven_lower = max(Fraction(value, case.total) * power_of_two(unit), Fraction(0))
    if claim.upper < verdict.proven_lower:
        excess = _relative(claim.upper, verdict.proven_lower)
        verdict.complaints.append(f"upper is below an exact dual value: {claim.upper!r}, by {excess}")


def potential_complaints(case: Case, claim: Evidence, C: Integers, exponent: int) -> list[str]:
    """Check f_i + g_j <= |F^T (x_i - y_j)|^p for the squares C * 2^exponent, and that a.f + b.g reaches `lower`."""
    (f, g), unit = aligned(*map(integers, claim.potentials))
    if (len(f), len(g)) != (case.n, case.m):
        return [f"potentials have lengths {(len(f), len(g))} instead of {(case.n, case.m)}"]
    power = claim.p / 2
    sums, costs = np.add.outer(f, g), C**power.numerator
    raised = np.where(sums > 0, sums, 0) ** power.denominator
    shift = unit * power.denominator - exponent * power.numerator
    excess = (raised << max(shift, 0)) - (costs << max(-shift, 0))
    complaints = []
    for weighted in (True, False):
        # Pairs of points with weight prove the bound; the others are promised all the same.
        wrong = (excess > 0) & (np.multiply.outer(case.a > 0, case.b > 0) == weighted)
        if wrong.any():
            which = "" if weighted else " without weight"
            i, j = np.argwhere(wrong)[0]
            complaints.append(f"f_i + g_j is above the cost for {wrong.sum()} pairs{which}, as i={i}, j={j}")
    value = Fraction((case.a * f).sum() + (case.b * g).sum(), case.total) * power_of_two(unit)
    if claim.lower > value:
        by = _relative(claim.lower, value)
        complaints.append(f"lower is above a.f + b.g of its potentials: {claim.lower!r}, by {by}")
    return complaints


def compare(claims: list[tuple[Evidence, Verdict]]) -> list[str]:
    """Check results of one problem against the exact proofs of each other: S_k and P_k grow with k, and P_k <= S_k."""
    complaints = []
    for low, below in claims:
        for high, above in claims:
            if low is high or low.k > high.k or low.p != high.p:
                continue
            if above.proven_upper is not None and low.lower > above.proven_upper:
                complaints.append(f"lower at k={low.k} is above a coupling's cost at k={high.k}: {low.lower!r}")
            if (
                below.proven_lower is not None
                and below.proven_lower > high.upper
                and (low.projected or not high.projected)
            ):
                complaints.append(f"upper at k={high.k} is below a dual value at k={low.k}: {high.upper!r}")
    return complaints


def distance_complaints(lower: float, upper: float, bounds: Bounds) -> list[str]:
    """Check that the squares of an interval hold a number that is known to lie within `bounds`."""
    complaints = []
    below, above = Fraction(lower) ** 2, Fraction(upper) ** 2
    if below > bounds[1]:
        complaints.append(f"a lower distance is too large: {lower!r}, squared by {_relative(below, bounds[1])}")
    if above < bounds[0]:
        complaints.append(f"an upper distance is too small: {upper!r}, squared by {_relative(above, bounds[0])}")
    return complaints


def _relative(value: float | Fraction, reference: Fraction) -> str:
    """Return by how much a value differs from a reference, relatively, in words."""
    difference = abs(Fraction(value) - reference)
    return f"{_shown(difference / reference)} of it" if reference else _shown(difference)


def _shown(value: Fraction, digits: int = 3) -> str:
    """Return a fraction as a decimal number, however large it is."""
    with mp.workprec(80):
        return str(mp.nstr(mp.mpf(value.numerator) / value.denominator, digits))
