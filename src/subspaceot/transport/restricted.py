"""Exact transport for those who know potentials of a nearby problem: transport among few pairs, checked against all.

Hardly any pair (i, j) can carry mass in an optimal plan: those of next to no reduced cost C_ij - f_i - g_j. POT's
network simplex on 16 of them a point takes a tenth of its time on all (n = 1000), and one look at all pairs tells
whether any was missing.
"""

from dataclasses import replace

import numpy as np
import scipy.sparse

from ..core.marginals import Masses
from ..core.potentials import feasible, reduced_costs
from ..runtime.types import Array, Mask
from .inner import Transport
from .monotone import north_west_corner
from .simplex import network_simplex

_PAIRS = 16  # a point, at first; twice as many may join from round to round


def restricted_transport(C: Array, a: Array, b: Array, g: Array, *, tol: float) -> Transport:
    """Return a plan for the cost `C` (n, m) within `tol` of its optimal value, and feasible potentials that prove it.

    `g` (m,) is a potential of a problem like this one.
    """
    count = _PAIRS
    mask = nearest_pairs(reduced_costs(C, *feasible(C, g)), count)
    corner = north_west_corner(np.arange(len(a)), np.arange(len(b)), Masses(a, 0.0 * a, b, 0.0 * b))
    mask[corner.rows, corner.columns] = True  # some plan must be possible
    while count < max(C.shape):
        rows, columns = np.nonzero(mask)
        answer = network_simplex(scipy.sparse.coo_array((C[rows, columns], (rows, columns)), shape=C.shape), a, b)
        reduced = reduced_costs(C, answer.f, answer.g)
        missed = np.minimum(reduced.min(axis=1), 0.0)
        lost = -float(a @ missed)
        if lost <= tol * answer.value:
            return replace(answer, f=answer.f + missed, value=answer.value - lost)
        mask |= nearest_pairs(reduced, count) & (reduced < 0.0)
        count *= 2
    return network_simplex(C, a, b)


def nearest_pairs(reduced: Array, count: int) -> Mask:
    """Return which entries are among the `count` smallest of their row or column, by number: values may repeat."""
    from ._nearest import mark_nearest  # numba takes a third of a second to import

    n, m = reduced.shape
    mask = np.zeros((n, m), dtype=bool)
    row, columns, worst = np.empty(min(count, m)), np.full((m, min(count, n)), np.inf), np.full(m, np.inf)
    mark_nearest(reduced, row, np.zeros(row.shape, int), columns, np.zeros(columns.shape, int), worst, mask)
    return mask
