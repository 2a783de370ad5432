"""The max-sliced distance: the direction in which two samples are farthest apart, by sorting alone.

h(u) = W_p^p(u^T X, u^T Y) costs O((n + m) (r + log)) per direction, and so does its gradient. It is a minimum of smooth
functions, one per plan, so it is not smooth at its maximum: a quasi-Newton method goes as far as it can, then a bundle
method combines the gradients of the plans that are optimal there.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ...core import fantope
from ...core.problem import Problem
from ...runtime.types import Array
from .angles import best_angle
from .bundle import STATIONARY, SlicedMaximum, refined
from .slices import Slice, slice_at
from .subspaces import maximise


def max_sliced(problem: Problem, p: float, random_starts: Iterable[Array]) -> SlicedMaximum:
    """Return the best local maximum found from directions in which plans differ most, and from `random_starts`.

    In the plane the search is exhaustive.
    """
    if problem.r == 2 and p == 2.0:
        return refined(problem, slice_at(problem, best_angle(problem), p), p)
    best = best_slice(problem, p, likely_directions(problem), random_starts, tol=STATIONARY)
    return refined(problem, best, p)  # as it is where the cost is 0, and the measures coincide as far as anyone can see


def best_slice(
    problem: Problem, p: float, likely: Sequence[Array], others: Iterable[Array] = (), *, tol: float
) -> Slice:
    """Return the best direction that a quasi-Newton method finds, with gradients of about `tol` times the cost.

    It starts from `likely` directions and, unless all of these cost 0, from `others`.
    """
    best = max((slice_at(problem, u, p) for u in likely), key=_cost)
    if best.cost == 0.0:
        return best

    def cost(U: Array) -> tuple[float, Array]:
        at = slice_at(problem, U[:, 0], p)
        return at.cost, at.gradient[:, None]

    for u in (*likely, *others):
        U, _ = maximise(cost, u[:, None], size=best.cost, tol=tol)
        best = max(best, slice_at(problem, U[:, 0], p), key=_cost)
    return best


def _cost(at: Slice) -> float:
    return at.cost


def likely_directions(problem: Problem) -> list[Array]:
    """Return unit vectors in which plans differ most that are optimal where means or spreads differ most.

    In the plane, the best one for p = 2 beside them.
    """
    X, Y, a, b = problem.X, problem.Y, problem.a, problem.b
    difference = a @ X - b @ Y
    vectors = np.linalg.eigh((X.T * a) @ X - (Y.T * b) @ Y)[1]
    directions = [vectors[:, 0], vectors[:, -1]]
    if np.any(difference):
        directions.insert(0, difference / np.linalg.norm(difference))
    likely = [fantope.leading_vectors(slice_at(problem, u, 2.0).displacement(problem), 1)[:, 0] for u in directions]
    return [*directions, *likely, best_angle(problem)] if problem.r == 2 else directions + likely
