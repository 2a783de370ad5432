"""Where a curve k -> S_k^2 has its elbow: from there on it hardly rises any more."""

from dataclasses import dataclass

import numpy as np

from ..runtime.types import Array

# Increments that fall by less than this factor from one k to the next fall too evenly for an elbow. At n = 100, d = 30
# two samples of one Gaussian fall by at most 1.5 (15 seeds), hypercubes at k* = 2, 4, 7, 10 by 4.2, 3.0, 2.0 and 1.65
# at least, by 2.4 in the median at k* = 10 (100 seeds).
_CLEAR = 1.7

_FLAT = 1e-12  # of the last value: a smaller rise is none


@dataclass(frozen=True, slots=True)
class Elbow:
    """The k after which the curve hardly rises any more."""

    k: int | None  #: None where no k stands out
    confidence: float  #: 0..1: how much of the last steep increment the next one lacks
    reason: str


def find_elbow(ks: tuple[int, ...], lower: Array, upper: Array) -> Elbow:
    """Return the k after which the increments of the curve fall most, if they fall clearly.

    S_k^2 is concave in k, so its increments only fall; an elbow is where they fall at once. An increment smaller than
    the intervals around it, or than _FLAT of the curve, counts as that large.
    """
    rounding = _FLAT * float(upper[-1])
    cost, width = 0.5 * (lower + upper), upper - lower
    if ks[0] == 1:  # S_0 = 0: the first value is an increment too
        cost, width, ks = np.append(0.0, cost), np.append(0.0, width), (0, *ks)
    floor = np.maximum(0.5 * (width[1:] + width[:-1]), rounding)
    increments = np.maximum(np.diff(cost), floor)
    if len(increments) < 2 or cost[-1] <= 0.0:
        return Elbow(None, 0.0, "The curve has no rise to compare (judged by its shape alone).")
    falls = increments[:-1] / increments[1:]
    best = int(np.argmax(falls))
    k, fall = ks[best + 1], float(falls[best])
    confidence = max(0.0, 1.0 - 1.0 / fall)
    if fall < _CLEAR:
        reason = f"No k stands out: from one k to the next the rise falls by a factor of {fall:.2f} at most"
        return Elbow(None, confidence, f"{reason} (judged by the shape of the curve alone).")
    reason = f"After k={k} the rise falls by a factor of {fall:.2f}"
    return Elbow(k, confidence, f"{reason} (judged by the shape of the curve alone).")
