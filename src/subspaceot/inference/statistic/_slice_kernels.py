"""W_2^2 along one direction, its gradient, and a plain ascent over directions, in compiled loops."""

from typing import Any

import numpy as np

from ...runtime.compiled import compiled
from ...runtime.types import Array, Mask


@compiled
def project(Z: Array, u: Array, place: Array) -> None:
    """Fill in the places (N,) of the points along u."""
    for i in range(len(Z)):
        total = 0.0
        for j in range(len(u)):
            total += Z[i, j] * u[j]
        place[i] = total


@compiled
def in_order(place: Array, in_X: Mask) -> Any:
    """Return the rows of X and those of Y, each by their places."""
    n = int(np.sum(in_X))
    xs, ys = np.empty(n, np.intp), np.empty(len(in_X) - n, np.intp)
    p, q = 0, 0
    for i in np.argsort(place):
        if in_X[i]:
            xs[p] = i
            p += 1
        else:
            ys[q] = i
            q += 1
    return xs, ys


@compiled
def slice_cost(Z: Array, w: Array, in_X: Mask, u: Array, pull: Array) -> float:
    """Return W_2^2 between both sides along u, for weights that sum to 1 on each.

    `pull` (N,) becomes the derivative by each projected point, halved: sum_j plan_ij (x_i - y_j) for a point of X, and
    with the other sign for one of Y. So Z^T pull is the gradient in u, halved.
    """
    place = np.empty(len(Z))
    project(Z, u, place)
    xs, ys = in_order(place, in_X)
    pull[:] = 0.0
    cost, p, q = 0.0, 0, 0
    left, right = w[xs[0]], w[ys[0]]
    while p < len(xs) and q < len(ys):
        mass, apart = min(left, right), place[xs[p]] - place[ys[q]]
        cost += mass * apart * apart
        pull[xs[p]] += mass * apart
        pull[ys[q]] -= mass * apart
        left, right = left - mass, right - mass
        if left <= 0.0:
            p += 1
            left = w[xs[min(p, len(xs) - 1)]]
        if right <= 0.0:
            q += 1
            right = w[ys[min(q, len(ys) - 1)]]
    return cost


@compiled
def tangent_of(Z: Array, pull: Array, u: Array, cost: float, tangent: Array) -> float:
    """Fill in the gradient over the unit sphere, halved, and return its squared length."""
    N, r = Z.shape
    tangent[:] = -cost * u
    for i in range(N):
        for j in range(r):
            tangent[j] += pull[i] * Z[i, j]
    length = 0.0
    for j in range(r):
        length += tangent[j] * tangent[j]
    return length


@compiled
def ascend(Z: Array, w: Array, in_X: Mask, start: Array, steps: int, tol: float) -> Any:
    """Return the cost and the direction (r,) to which gradient steps lead, each better than the last.

    A step of length 1 / cost is one of power iteration on the plan's displacement matrix. Lengths grow by half after a
    step that gained, and fall to a third after one that did not.
    """
    u, pull, tangent = start.copy(), np.empty(len(Z)), np.empty(len(start))
    cost = slice_cost(Z, w, in_X, u, pull)
    length = tangent_of(Z, pull, u, cost, tangent)
    step = 1.5
    for _ in range(steps):
        if length <= (tol * cost) ** 2 or step < 0.1:
            break
        ahead = u + (step / cost) * tangent
        ahead /= np.sqrt(np.sum(ahead * ahead))
        gained = slice_cost(Z, w, in_X, ahead, pull)
        if gained > cost:
            cost, u = gained, ahead
            length = tangent_of(Z, pull, u, cost, tangent)
            step *= 1.5
        else:
            step *= 0.3
    return cost, u
