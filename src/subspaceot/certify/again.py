"""What a certificate proves, worked out once more from the caller's points and weights, its numbers not trusted."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse

from ..core.certificate import Certificate, Lower, Upper, divided, proven_upper
from ..core.completed import Completed
from ..core.coupling import Coupling, Dense, Sparse
from ..core.moments import displacement
from ..core.potentials import is_large, row_transform
from ..core.problem import Problem
from ..core.rounding import dot_down, rounded_down
from ..runtime.digits import above, below
from ..runtime.types import Array
from .certified import at_least_zero, certificate_of_one_measure
from .differences import Differences
from .powers import ceiling, power_below, power_transform

_SAME = 1e-9  # of the upper bound: sums that are made in another order or on another machine differ by less


@dataclass(frozen=True, slots=True)
class Check:
    """The interval that a result's subspace, potentials and plan prove, beside the one that the result says."""

    lower: float  #: proven by `factor` and `potentials`
    upper: float  #: proven by the plan
    claimed: tuple[float, float]  #: what the result says

    @property
    def holds(self) -> bool:
        """Whether the claimed interval is proven, up to a billionth of its upper end."""
        slack = _SAME * self.upper
        return self.lower >= self.claimed[0] - slack and self.upper <= self.claimed[1] + slack

    def __repr__(self) -> str:
        """Both intervals on one line."""
        low, high = self.claimed
        verdict = "the interval is proven" if self.holds else "the interval is NOT PROVEN"
        return (
            f"Check({verdict}: [{below(self.lower, 12)}, {above(self.upper, 12)}] by factor, potentials and plan, "
            f"[{below(low, 12)}, {above(high, 12)}] claimed)"
        )


def proven_again(problem: Problem, certificate: Certificate, p: float) -> tuple[Problem, Certificate]:
    """Return the problem, made anew of the caller's data, and what factor, potentials and plan prove of it.

    Of a certificate only these are used. What is proven with products of matrices is proven with differences of points
    too where that is feasible and the first falls short of what the certificate says.
    """
    frame = problem.frame
    again = Problem.of(frame.X, frame.Y, frame.k, *frame.weights, dense=False)
    one = certificate_of_one_measure(again)
    if one is not None:
        return again, one
    unit = (frame.scale / again.frame.scale) ** p  # 1 wherever the same numbers are summed in the same order
    claimed_lower, claimed_upper = (end.value * unit for end in certificate.ends)
    lower, upper = _lower(again, certificate.lower, unit, p), _upper(again, certificate.upper.plan, p)
    if not is_large(len(again.a), len(again.b)):
        slack = _SAME * claimed_upper
        points = Differences(again) if min(lower.value - claimed_lower, claimed_upper - upper.value) < -slack else None
        if points is not None and lower.value < claimed_lower - slack:
            lower = max(lower, _lower(again, certificate.lower, unit, p, points), key=_value)
        if points is not None and upper.value > claimed_upper + slack:
            plan = _without_negative(certificate.upper.plan)
            upper = min(upper, points.upper_bound(plan) if p == 2.0 else points.ceiling(plan, p), key=_value)
    return again, at_least_zero(Certificate(lower, upper))


def _lower(problem: Problem, lower: Lower, unit: float, p: float, points: Differences | None = None) -> Lower:
    """Return the bound that a factor (d, q) and potentials prove, lowered where they are not feasible."""
    assert lower.factor is not None  # as every proven certificate has it
    L, g = divided(lower.factor, problem.frame.k), lower.g * unit
    if points is None:
        f = power_transform(*problem.frame.centred, L, g, p)
    else:
        C = points.costs(L)
        f = rounded_down(row_transform(C if p == 2.0 else power_below(C, 0.5 * p), g))
    f = np.minimum(lower.f * unit, f)
    return replace(lower, value=dot_down(((problem.a, f), (problem.b, g))), f=f, g=g, factor=L)


def _upper(problem: Problem, plan: Coupling, p: float) -> Upper:
    """Return the bound that a plan proves, its sums computed anew and masses below 0 left out."""
    plan = _without_negative(plan)
    if p != 2.0:
        return ceiling(problem, plan, p)
    return proven_upper(problem, Upper(0.0, plan, displacement(problem.X, problem.Y, plan)))


def _without_negative(plan: Coupling) -> Coupling:
    """Return a plan without masses below 0, which no plan of ours has: they would prove too much."""
    if isinstance(plan, Completed):
        u, v, rest = (np.maximum(part, 0.0) for part in (plan.u, plan.v, plan.rest.masses.data))
        plan = replace(plan, u=u, v=v, rest=_with_masses(plan.rest, rest))
        return replace(plan, sums=_sums(plan))
    if isinstance(plan, Sparse):
        return _with_masses(plan, np.maximum(plan.masses.data, 0.0))
    return Dense(np.maximum(plan.dense(), 0.0))


def _with_masses(plan: Sparse, data: Array) -> Sparse:
    """Return a plan on the same pairs with other masses."""
    parts = data, plan.masses.indices, plan.masses.indptr
    return Sparse(scipy.sparse.csr_array(parts, shape=plan.shape))


def _sums(plan: Completed) -> tuple[Array, Array]:
    """Return the sums of rows and columns of a plan that is never formed, by two passes over all pairs."""
    rows = plan.u * (plan.kernel @ plan.v) + plan.rest.row_sums()
    return rows, plan.v * plan.kernel.transposed_times(plan.u) + plan.rest.column_sums()


def _value(bound: Lower | Upper) -> float:
    return bound.value
