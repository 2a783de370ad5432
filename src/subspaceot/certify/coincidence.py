"""Whether two weighted samples are one and the same measure, in exact arithmetic."""

from fractions import Fraction

import numpy as np
import scipy.sparse

from ..runtime.types import Array, Indices


def shared_groups(X: Array, Y: Array, weights_X: Array, weights_Y: Array) -> tuple[Indices, Indices] | None:
    """Return for each point of both samples the number of its place; None if some place has different shares of them.

    Weights are any positive numbers; shares are exact fractions of their sums.
    """
    if not (np.array_equal(X.max(axis=0), Y.max(axis=0)) and np.array_equal(X.min(axis=0), Y.min(axis=0))):
        return None
    n = len(X)
    places, group = np.unique(np.concatenate([X, Y]) + 0.0, axis=0, return_inverse=True)  # -0.0 becomes 0.0
    group = group.ravel()
    here, there = group[:n], group[n:]
    counts = [np.bincount(side, minlength=len(places)) for side in (here, there)]
    if min(counts[0].min(), counts[1].min()) == 0:
        return None
    if _even(weights_X) and _even(weights_Y):
        return (here, there) if np.array_equal(counts[0] * len(Y), counts[1] * n) else None
    shares_X, shares_Y = _shares(here, weights_X, len(places)), _shares(there, weights_Y, len(places))
    return (here, there) if shares_X == shares_Y else None


def plan_within_groups(here: Indices, there: Indices, a: Array, b: Array) -> scipy.sparse.csr_array:
    """Return the coupling that spreads each point over those at its own place."""
    mass = np.bincount(here, a)
    order = np.argsort(there, kind="stable")
    first = np.searchsorted(there[order], np.arange(len(mass) + 1))
    sizes = np.diff(first)[here]
    rows = np.repeat(np.arange(len(here)), sizes)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = order[first[here[rows]] + offsets]
    atoms = a[rows] * (b[columns] / mass[here[rows]])
    return scipy.sparse.csr_array((atoms, (rows, columns)), shape=(len(here), len(there)))


def _even(weights: Array) -> bool:
    return bool(np.all(weights == weights[0]))


def _shares(group: Indices, weights: Array, count: int) -> list[Fraction]:
    """Return the exact share of each place."""
    sums = [Fraction(0)] * count
    for place, weight in zip(group.tolist(), weights.tolist(), strict=True):
        sums[place] += Fraction(weight)
    total = sum(sums)
    return [part / total for part in sums]
