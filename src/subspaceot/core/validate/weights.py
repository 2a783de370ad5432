"""Weights: one finite number for each point, none of them negative, in proportion to the point's mass."""

import numpy as np

from ...runtime.types import Array
from .arrays import as_float64
from .messages import nonfinite

_SHARES = 1e-9  # how far from 1 a sum of shares may be
SMALLEST_SHARE = 1e-150  # of the largest weight: products of two positive weights below it underflow


def as_weights(value: object, n: int, name: str, points_name: str) -> Array:
    """Return the weights as a new array (n,), non-negative, the largest between 0.5 and 1; ones where `value` is None.

    They are scaled by a power of two, so they are the caller's numbers; whoever solves divides by their sum.
    """
    if value is None:
        return np.ones(n)
    weights = as_float64(value, name, f"a list of {n} numbers, one per row of `{points_name}`, or None")
    _require_one_per_point(weights, n, name, points_name)
    _require_finite(weights, name)
    _require_nonnegative(weights, name)
    _require_positive_sum(weights, name)
    _require_comparable(weights, name)
    return np.ldexp(weights, -int(np.frexp(weights.max())[1]))


def as_comparable_weights(a: object, b: object, n: int, m: int) -> tuple[Array, Array]:
    """Return weights (n,), (m,) of points that may change sides, in one common unit.

    Weights that sum to 1 on both sides are shares of each sample, and are multiplied by how many of its points have
    weight. So are those of one sample beside none of the other. All others are counts, and stay as they are.
    """
    weights = as_weights(a, n, "a", "X"), as_weights(b, m, "b", "Y")
    sums = [None if given is None else float(np.sum(as_float64(given, "weights", "numbers"))) for given in (a, b)]
    if None in sums or all(abs(total - 1.0) <= _SHARES for total in sums if total is not None):
        first, second = (side * (np.count_nonzero(side) / side.sum()) for side in weights)
        return first, second
    return weights[0] * (sums[0] / weights[0].sum()), weights[1] * (sums[1] / weights[1].sum())


def _require_one_per_point(weights: Array, n: int, name: str, points_name: str) -> None:
    if weights.shape == (n,):
        return
    is_column = weights.ndim != 1 and weights.size == n
    fix = f"Pass `{name}.ravel()`." if is_column else "Pass one number per point, or None for uniform weights."
    raise ValueError(
        f"`{name}` must hold one weight for each of the {n} points of `{points_name}`, shape ({n},); got "
        f"shape {weights.shape}. {fix}"
    )


def _require_finite(weights: Array, name: str) -> None:
    if not np.isfinite(weights).all():
        i = int(np.argmin(np.isfinite(weights)))
        raise ValueError(
            f"`{name}` must be finite; got {nonfinite(weights[i])} at position {i} (counted from 0). Use 0 "
            f"for a point that should not count."
        )


def _require_nonnegative(weights: Array, name: str) -> None:
    if (weights < 0).any():
        i = int(np.argmax(weights < 0))
        raise ValueError(
            f"`{name}` must not be negative; got {weights[i]:g} at position {i} (counted from 0). Use 0 for "
            f"a point that should not count."
        )


def _require_positive_sum(weights: Array, name: str) -> None:
    if not weights.any():
        n = len(weights)
        raise ValueError(
            f"`{name}` must have a positive sum; got {n} zero{'s' if n > 1 else ''}. Give at least one point "
            f"a positive weight, or pass None for uniform weights."
        )


def _require_comparable(weights: Array, name: str) -> None:
    """Raise ValueError if a positive weight vanishes beside the largest."""
    largest, smallest = float(weights.max()), float(weights[weights > 0.0].min())
    if smallest < SMALLEST_SHARE * largest:
        i = int(np.argmax(weights == smallest))
        raise ValueError(
            f"`{name}` must not hold positive weights below {SMALLEST_SHARE:g} of the largest, whose products "
            f"underflow; got {smallest:g} at position {i} (counted from 0) beside {largest:g}. Use 0 for a point that "
            f"should not count."
        )
