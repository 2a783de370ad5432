"""The max-sliced distance: the direction in which two clouds are farthest apart, by sorting alone.

h(u) = W_p^p(u^T X, u^T Y) costs O((n + m) (r + log)) per direction, and so does its gradient. It is a minimum of smooth
functions, one per plan, so its maximum lies on a crease: a quasi-Newton method climbs the smooth slopes up to it, then
the gradients of the plans that meet there are combined, until they pull in no direction.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np
import scipy.sparse

from ...core import fantope
from ...core.coupling import Sparse
from ...core.problem import Problem
from ...runtime.types import Array
from ...transport import MonotoneCoupling, monotone_coupling
from .angles import best_angle
from .span import across, climb

_STATIONARY = 1e-3  # of the cost: plans that pull less than this pull in no direction
_NEAR_OPTIMAL = 1e-3  # of the cost: plans that cost at most this much more at u are combined
_ROUNDS = 150
_LEAST_REACH = 1e-6  # of the unit sphere
_CLIMBS = 3  # starts worth climbing from, besides random ones


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """A direction and a plan along it."""

    u: Array  # (r,) unit vector
    stairs: MonotoneCoupling
    cost: float  # of the plan along u
    gradient: Array  # (r,) of that cost in u


@dataclass(frozen=True, eq=False, slots=True)
class Peak:
    """A direction that no small turn improves."""

    best: Slice
    gradient_norm: float  # of a mixture of plans that are optimal here, nearly; relative to the cost
    mixture: Sparse  # (n, m) that mixture


def max_sliced(problem: Problem, p: float, random_starts: Iterable[Array]) -> Peak:
    """Return the highest peak found from the directions in which means, spreads or plans differ, and `random_starts`.

    In the plane all directions are searched.
    """
    if problem.r == 2 and p == 2.0:
        return _settled(problem, slice_at(problem, best_angle(problem), p), p)
    likely = sorted((slice_at(problem, u, p) for u in _likely_directions(problem)), key=lambda at: -at.cost)
    starts = [at.u for at in likely[:_CLIMBS]] + list(random_starts)

    def cost(U: Array) -> tuple[float, Array]:
        at = slice_at(problem, U[:, 0], p)
        return at.cost, at.gradient[:, None]

    size = likely[0].cost
    if size == 0.0:  # as far as anyone can see, the measures coincide
        return _settled(problem, likely[0], p)
    peaks = [slice_at(problem, climb(cost, u[:, None], size=size, tol=0.01 * _STATIONARY)[0][:, 0], p) for u in starts]
    return _settled(problem, max(peaks + likely[:1], key=lambda at: at.cost), p)


def slice_at(problem: Problem, u: Array, p: float) -> Slice:
    """Return the optimal plan along the unit vector `u`."""
    return _along(problem, u, p, monotone_coupling(problem.X @ u, problem.Y @ u, problem.masses))


def plan_of(problem: Problem, stairs: MonotoneCoupling) -> Sparse:
    """Return the plan as a coupling, without the steps that carry nothing."""
    massive = stairs.mass > 0.0
    shape = len(problem.a), len(problem.b)
    return Sparse.of(stairs.rows[massive], stairs.columns[massive], stairs.mass[massive], shape)


def _along(problem: Problem, u: Array, p: float, stairs: MonotoneCoupling) -> Slice:
    """Return what a given plan costs along `u`, optimal or not."""
    x, y = problem.X @ u, problem.Y @ u
    moves = x[stairs.rows] - y[stairs.columns]
    lengths = np.abs(moves)
    pull = p * stairs.mass * np.sign(moves) * lengths ** (p - 1.0)
    on_x = np.bincount(stairs.rows, pull, minlength=len(x))
    on_y = np.bincount(stairs.columns, pull, minlength=len(y))
    return Slice(u, stairs, float(stairs.mass @ lengths**p), problem.X.T @ on_x - problem.Y.T @ on_y)


def _likely_directions(problem: Problem) -> list[Array]:
    """Return unit vectors along which the means differ most, the spreads, and then the plans along those."""
    X, Y, a, b = problem.X, problem.Y, problem.a, problem.b
    difference = a @ X - b @ Y
    spreads = (X.T * a) @ X - (Y.T * b) @ Y
    vectors = np.linalg.eigh(spreads)[1]
    directions = [vectors[:, 0], vectors[:, -1]]
    if problem.r == 2:
        directions += [np.array([np.cos(angle), np.sin(angle)]) for angle in np.linspace(0.0, np.pi, 32)]
    if np.any(difference):
        directions.insert(0, difference / np.linalg.norm(difference))
    for u in tuple(directions):
        V = _displacement(problem, plan_of(problem, monotone_coupling(X @ u, Y @ u, problem.masses)))
        directions.append(fantope.leading_vectors(V, 1)[:, 0])
    return directions


def _settled(problem: Problem, at: Slice, p: float) -> Peak:
    """Return the peak next to `at`, a method of Wolfe's kind: the shortest combination of gradients is the way up.

    Where a step of length `reach` that way does not pay, the plan at its end says why: its gradient joins in.
    """
    reach, near = 0.01, [at]
    least = np.finfo(float).tiny
    for _ in range(_ROUNDS):
        shares, pull = _shortest(np.array([across(at.u[:, None], plan.gradient[:, None])[:, 0] for plan in near]))
        size = float(np.linalg.norm(pull))
        if size <= _STATIONARY * at.cost or size <= least or reach < _LEAST_REACH:
            break
        u = at.u + (reach / size) * pull
        ahead = slice_at(problem, u / np.linalg.norm(u), p)
        if ahead.cost >= at.cost + 0.1 * reach * size:
            at = ahead
            seen_from_here = (_along(problem, at.u, p, plan.stairs) for plan in near)
            near = [plan for plan in seen_from_here if plan.cost <= (1.0 + _NEAR_OPTIMAL) * at.cost] + [at]
            continue
        why = _along(problem, at.u, p, ahead.stairs)
        if why.cost <= (1.0 + _NEAR_OPTIMAL) * at.cost and why.gradient @ pull < 0.5 * size**2:
            near.append(why)
        else:
            reach *= 0.3
    else:  # out of rounds: the last plan may have joined or left since
        shares, pull = _shortest(np.array([across(at.u[:, None], plan.gradient[:, None])[:, 0] for plan in near]))
        size = float(np.linalg.norm(pull))
    mixed = (
        share * plan_of(problem, plan.stairs).masses for share, plan in zip(shares, near, strict=True) if share > 0.0
    )
    return Peak(
        at,
        size / max(at.cost, least),
        Sparse(scipy.sparse.csr_array(reduce(lambda first, second: first + second, mixed))),
    )


def _shortest(gradients: Array) -> tuple[Array, Array]:
    """Return the weights of the shortest convex combination of the rows, and that combination."""
    from scipy.optimize import nnls  # takes longer to import than the rest of the package

    if len(gradients) == 1:
        return np.ones(1), gradients[0]
    one = 100.0 * float(np.abs(gradients).max()) + np.finfo(float).tiny  # the weight of "they sum to 1"
    shares = nnls(np.vstack([gradients.T, np.full(len(gradients), one)]), np.append(np.zeros(gradients.shape[1]), one))[
        0
    ]
    shares /= shares.sum()
    return shares, shares @ gradients


def _displacement(problem: Problem, plan: Sparse) -> Array:
    """Return V (r, r) of a sparse plan."""
    rows, columns, mass = plan.atoms()
    moves = problem.X[rows] - problem.Y[columns]
    V: Array = (moves.T * mass) @ moves
    return V
