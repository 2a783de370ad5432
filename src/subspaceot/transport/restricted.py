"""Exact transport for those who know potentials of a nearby problem: an assignment, or transport among few pairs.

Hardly any pair (i, j) can carry mass in an optimal plan: those of next to no reduced cost C_ij - f_i - g_j. POT's
network simplex on 16 of them a point takes a tenth of its time on all (n = 1000), and one look at all pairs tells
whether any was missing.
"""

import numpy as np
import scipy.sparse

from ..core.marginals import Masses
from ..core.potentials import feasible, reduced_costs
from ..runtime.types import Array, Mask
from .answer import Transport
from .assignment import assigned, is_assignment
from .exact import exact_transport
from .monotone import staircase

_PAIRS = 16  # a point, at first
_ADDED = 4  # a point, of those that turn out to be missing
_ROUNDS = 5  # before all pairs are asked
_FEW = 25_000  # pairs: up to here it is quickest to ask them all at once (0.9 ms against 1.4 at n = 100)


def nearby_transport(C: Array, a: Array, b: Array, g: Array, *, tol: float = 1e-5) -> Transport:
    """Return a plan for the cost `C` (n, m) within `tol` of its optimal value, and feasible potentials that prove it.

    `g` (m,) is a potential of a problem like this one: the nearer, the faster.
    """
    if is_assignment(a, b) and (answer := assigned(C, a, g, tol=tol)) is not None:
        return answer
    if C.size <= _FEW:
        return exact_transport(C, a, b)
    mask = nearest_pairs(reduced_costs(C, *feasible(C, g)), _PAIRS)
    stairs = staircase(np.zeros_like(a), np.zeros_like(b), Masses(a, 0.0 * a, b, 0.0 * b))
    mask[stairs.rows, stairs.columns] = True  # some plan must be possible
    for _ in range(_ROUNDS):
        rows, columns = np.nonzero(mask)
        sparse_C = scipy.sparse.coo_array((C[rows, columns], (rows, columns)), shape=C.shape)
        answer = exact_transport(sparse_C, a, b)
        reduced = reduced_costs(C, answer.f, answer.g)
        missed = np.minimum(reduced.min(axis=1), 0.0)
        lost = -float(a @ missed)
        if lost <= tol * answer.value:
            return Transport(
                plan=answer.plan,
                f=answer.f + missed,
                g=answer.g,
                value=answer.value - lost,
                error=answer.error,
                converged=True,
            )
        mask |= nearest_pairs(reduced, _ADDED) & (reduced < 0.0)
    return exact_transport(C, a, b)


def nearest_pairs(reduced: Array, count: int) -> Mask:
    """Return which entries are among the `count` smallest of their row or column, by number: values may repeat."""
    from ._nearest import mark_nearest  # numba takes a third of a second to import

    n, m = reduced.shape
    mask = np.zeros((n, m), dtype=bool)
    row, columns, worst = np.empty(min(count, m)), np.full((m, min(count, n)), np.inf), np.full(m, np.inf)
    mark_nearest(reduced, row, np.zeros(row.shape, int), columns, np.zeros(columns.shape, int), worst, mask)
    return mask
