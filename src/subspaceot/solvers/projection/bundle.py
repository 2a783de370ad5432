"""A bundle method (Wolfe 1975) for the minimum over plans of smooth functions of one direction.

At a maximum some convex combination of the gradients of optimal plans vanishes. Elsewhere the shortest combination is a
direction of ascent: where a step that way does not pay, the plan that is optimal at its end was missing.
"""

from dataclasses import dataclass
from functools import reduce

import numpy as np
import scipy.sparse

from ...core.coupling import Sparse
from ...core.problem import Problem
from ...runtime.types import Array
from ..step import NEGLIGIBLE
from .slices import Slice, plan_of, slice_at
from .subspaces import MAX_STEPS

STATIONARY = 1e-3  # of the cost, as the default `tol`: gradients below it count as 0, and plans within it as optimal


@dataclass(frozen=True, eq=False, slots=True)
class SlicedMaximum:
    """A direction that is a local maximum, to first order."""

    best: Slice
    gradient_norm: float  # of a mixture of plans that are optimal here, nearly; relative to the cost
    mixture: Sparse  # (n, m) that mixture


def refined(problem: Problem, start: Slice, p: float) -> SlicedMaximum:
    """Return the local maximum next to `start`."""
    best, bundle, length = start, [start], STATIONARY
    shares, ascent = _shortest_combination(bundle)
    for _ in range(MAX_STEPS):
        slope = float(np.linalg.norm(ascent))
        if slope <= STATIONARY * best.cost or length * slope <= NEGLIGIBLE * best.cost:
            break
        u = best.u + (length / slope) * ascent
        ahead = slice_at(problem, u / np.linalg.norm(u), p)
        if ahead.cost >= best.cost + length * slope / 2.0:  # half of what the gradient promises
            best = ahead
            seen = (Slice.of(problem, best.u, p, old.plan) for old in bundle)
            bundle = [*(old for old in seen if _near_optimal(old, best)), best]
        else:
            missing = Slice.of(problem, best.u, p, ahead.plan)
            shortens = missing.gradient @ ascent < slope**2 / 2.0  # the combination, once it joins
            if shortens and _near_optimal(missing, best):
                bundle = [*(old for old, share in zip(bundle, shares, strict=True) if share > 0.0), missing]
            else:
                length /= 2.0
        shares, ascent = _shortest_combination(bundle)
    return SlicedMaximum(
        best,
        float(np.linalg.norm(ascent)) / max(best.cost, np.finfo(float).tiny),
        _mixture(problem, shares, bundle),
    )


def _near_optimal(plan: Slice, best: Slice) -> bool:
    return plan.cost <= (1.0 + STATIONARY) * best.cost


def _shortest_combination(bundle: list[Slice]) -> tuple[Array, Array]:
    """Return the weights of the shortest convex combination of tangents, and that combination."""
    from scipy.optimize import nnls  # takes longer to import than the rest of the package

    tangents = np.array([plan.tangent for plan in bundle])
    if len(tangents) == 1:
        return np.ones(1), tangents[0]
    # min |T^T s|^2 / w^2 + (1 - sum s)^2 over s >= 0 has the wanted weights but for a factor, whatever w is. SciPy 1.14
    # stops at an absolute tolerance, so that all numbers are to be of order 1.
    w = float(np.abs(tangents).max()) + np.finfo(float).tiny
    shares = nnls(np.vstack([tangents.T / w, np.ones(len(tangents))]), np.append(np.zeros(tangents.shape[1]), 1.0))[0]
    shares /= shares.sum()
    return shares, shares @ tangents


def _mixture(problem: Problem, shares: Array, bundle: list[Slice]) -> Sparse:
    """Return the convex combination of the plans."""
    parts = (share * plan_of(problem, at.plan).masses for share, at in zip(shares, bundle, strict=True) if share > 0.0)
    return Sparse(scipy.sparse.csr_array(reduce(lambda first, second: first + second, parts)))
