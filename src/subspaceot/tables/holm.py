"""P-values of several tests, corrected for there being several."""

from typing import Any

import numpy as np

from ..runtime.types import Array


def holm(p_values: Any) -> Array:
    """Return p-values (q,) corrected by Holm's method (1979), in the order given.

    The i-th smallest of q is multiplied by q - i + 1; none becomes smaller than one before it, or larger than 1. To
    reject what is at most alpha then makes one wrong rejection or more with a probability of at most alpha, whatever
    the dependence of the tests.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return corrected
