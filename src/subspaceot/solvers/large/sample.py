"""A small problem in place of a large one: some points of each side, with weights that stand for all."""

import numpy as np

from ...core import fantope
from ...core.fantope import SoftProjector
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...runtime.types import Array, Indices
from ..auto import Auto
from ..loop import run

SAMPLE_TOL = FORCING**2  # the error of a sample is larger


def first_omega(problem: Problem, size: int, tol: float = SAMPLE_TOL) -> SoftProjector:
    """Return the Omega of about so many random points of each side."""
    if problem.k == problem.r:
        return SoftProjector(np.eye(problem.r))
    (rows, a), (columns, b) = sampled(problem, size)
    return SoftProjector(omega_of(Problem.of(problem.X[rows], problem.Y[columns], problem.k, a, b, dense=False), tol))


def omega_of(few: Problem, tol: float) -> Array:
    """Return the best Omega (r, r) for few points, in the coordinates in which they were given."""
    omega = run(few, Auto(), tol=tol).certificate.lower.omega
    return fantope.project(few.frame.lift(few.frame.lift(omega).T), few.frame.k)


def sampled(problem: Problem, size: int) -> tuple[tuple[Indices, Array], tuple[Indices, Array]]:
    """Return rows of X and of Y, about so many of each, with weights that sum to 1."""
    rng = np.random.default_rng(0)
    return _sampled(problem.a, size, rng), _sampled(problem.b, size, rng)


def _sampled(weights: Array, size: int, rng: np.random.Generator) -> tuple[Indices, Array]:
    """Return all heavy points and some of the others, each with a chance in proportion to its weight.

    Systematic sampling: chances in a random order are summed up, and a point is taken where the sum passes an integer.
    """
    if len(weights) <= size:
        return np.arange(len(weights)), weights
    chances = np.minimum(1.0, size * weights)
    while True:  # the heavy points leave the more chances to the others
        light = chances < 1.0
        chances[light] *= (size - np.count_nonzero(~light)) / chances[light].sum()
        if chances.max() <= 1.0:
            break
        chances = np.minimum(chances, 1.0)
    order = rng.permutation(len(weights))
    passed = np.floor(np.cumsum(chances[order]) + rng.random())
    rows = np.sort(order[np.diff(passed, prepend=0.0) > 0.0])
    mass = weights[rows] / chances[rows]
    return rows, mass / mass.sum()
