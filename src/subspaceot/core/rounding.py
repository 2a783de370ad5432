"""Bounds on rounding errors, and sums and shares that hardly have any.

Notation of Higham, Accuracy and Stability of Numerical Algorithms: u is the unit roundoff, gamma_n = n u / (1 - n u)
bounds the relative error of a chain of n operations.
"""

import math
from collections.abc import Iterable

import numpy as np

from ..runtime.types import Array

UNIT = 2.0**-53  # u, half the distance from 1 to the next double

# What operations that underflow may lose, all of them together: each loses less than 1e-323, and no call makes 1e23.
UNDERFLOW = 1e-300

_SPLIT = 134217729.0  # 2^27 + 1: cuts a double into two halves whose products are exact


def gamma(n: float) -> float:
    """Return an upper bound of gamma_n, the relative error of n operations in a row."""
    return n * UNIT / (1.0 - n * UNIT) * (1.0 + 8.0 * UNIT)


def up(value: float) -> float:
    """Return a double above `value` by at least four roundings: what a few operations more may have lost."""
    return value + 4.0 * UNIT * abs(value) + UNDERFLOW


def down(value: float) -> float:
    """Return a double below `value` by at least four roundings."""
    return value - 4.0 * UNIT * abs(value) - UNDERFLOW


def rounded_down(potential: Array) -> Array:
    """Return potentials below the given ones by a few roundings."""
    return potential - (4.0 * UNIT * np.abs(potential) + UNDERFLOW)


def dot_down(pairs: Iterable[tuple[Array, Array]]) -> float:
    """Return a lower bound of the sum of w.x over pairs of weights w, known to 2 u relatively, and numbers x."""
    products = np.concatenate([weights * values for weights, values in pairs])
    size = math.fsum(np.abs(products).tolist())
    return down(math.fsum(products.tolist()) - 4.0 * UNIT * size)


def dot_up(pairs: Iterable[tuple[Array, Array]]) -> float:
    """Return an upper bound of the same sum."""
    return -dot_down((weights, -values) for weights, values in pairs)


def exact_shares(weights: Array) -> tuple[Array, Array]:
    """Return high and low (n,) with high + low = w / sum w up to a relative error of 2^-100.

    `weights` are positive or zero, of moderate size.
    """
    values = weights.tolist()
    total = math.fsum(values)
    rest = math.fsum([*values, -total])  # what the double `total` lacks
    high = weights / total
    product, error = exact_product(high, np.full_like(high, total))
    low = ((weights - product) - error - high * rest) / total
    return high, low


def exact_product(x: Array, y: Array) -> tuple[Array, Array]:
    """Return fl(x y) and its rounding error, which is a double itself (Dekker's product)."""
    product = x * y
    x_high, y_high = x * _SPLIT, y * _SPLIT
    x_high, y_high = x_high - (x_high - x), y_high - (y_high - y)
    x_low, y_low = x - x_high, y - y_high
    error: Array = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    return product, error
