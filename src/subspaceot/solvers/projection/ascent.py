"""Ascent over orthonormal bases U for the projection robust distance, W_p^p(U^T X, U^T Y).

The cost is smoothed by entropy, less at each stage, and maximised by a quasi-Newton method (Lin et al. 2020 use
gradient steps whose length the user tunes). What counts in the end is the exact transport in the basis found.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...core import fantope
from ...core.costs import SquaredDistances
from ...core.coupling import Coupling, Dense
from ...core.moments import displacement_times, powers_of_distances
from ...core.problem import Problem
from ...linalg.forcing import FORCING
from ...runtime.types import Array
from ...transport import FALL, Entropic, Transport, exact_transport
from ..potential_drift import potential_within
from ..step import NEGLIGIBLE
from .subspaces import maximise, projected


@dataclass(frozen=True, slots=True)
class Schedule:
    """How much entropy smooths each stage, as shares of the cost: first, first * decay, and so on.

    Without a last share, a `tol` of 1e-5 takes 2.7 times as long (n = 80, k = 2, 3), and bases cost up to 1e-4 more.
    """

    first: float = 0.02  # a standard deviation of a tenth of the distance
    decay: float = FALL
    last: float = 2e-4  # no stage that smooths less is followed by another

    def shares(self, tol: float) -> Iterator[float]:
        """Yield the share of each stage, until the next one would be below `tol`."""
        share = self.first
        yield share
        while share * self.decay > tol and share > self.last:
            share *= self.decay
            yield share


_SCHEDULE = Schedule()


@dataclass(frozen=True, eq=False, slots=True)
class Candidate:
    """A basis with the exact transport in it."""

    U: Array  # (r, k)
    transport: Transport
    gradient_norm: float  # of the cost, its part that leaves the span, relative to the cost; 0 at a local maximum

    @property
    def cost(self) -> float:
        """The cost of the exact transport."""
        return self.transport.value


def ascend(
    problem: Problem, U: Array, p: float, tol: float, g: Array | None = None, size: float | None = None
) -> Candidate:
    """Return a local maximum near the basis `U`, given a potential `g` (m,) and the `size` of its cost, or neither."""
    smoothed = _SmoothedCost(problem, p, g)
    if size is None:
        smoothed.at(U, size=smoothed.unsmoothed(U), share=_SCHEDULE.first)
        size = smoothed.unsmoothed(U)
    gradient_norm = 0.0
    for share in _SCHEDULE.shares(tol):
        if size <= NEGLIGIBLE * problem.spread ** (0.5 * p):  # the measures coincide in this basis
            break
        U, gradient = maximise(partial(smoothed.at, size=size, share=share), U, size=size, tol=FORCING * share)
        size = smoothed.unsmoothed(U)
        gradient_norm = float(np.linalg.norm(gradient)) / max(size, np.finfo(float).tiny)
    return Candidate(U, exact_in_basis(problem, U, p, smoothed.g), gradient_norm)


def evaluate(problem: Problem, U: Array, p: float) -> Candidate:
    """Return the basis `U` as it is, with the gradient of its exact plan."""
    transport = exact_in_basis(problem, U, p)
    gradient = projected(U, _gradient(problem, U, transport.plan, p))
    return Candidate(U, transport, float(np.linalg.norm(gradient)) / max(transport.value, np.finfo(float).tiny))


def exact_in_basis(problem: Problem, U: Array, p: float, g: Array | None = None) -> Transport:
    """Return the exact transport between the projections onto `U`; a potential `g` (m,) from nearby speeds it up."""
    C = powers_of_distances(problem.X @ U, problem.Y @ U, p)
    return exact_transport(C, problem.a, problem.b, g, tol=NEGLIGIBLE)


def basis_with_mean(problem: Problem, V: Array) -> Array:
    """Return the basis of the difference of the means and the k - 1 directions orthogonal to it that hold most of V.

    Projecting onto it keeps the means, which must differ, as far apart as they are: its cost is no less than that.
    """
    difference = problem.a @ problem.X - problem.b @ problem.Y
    first = difference[:, None] / np.linalg.norm(difference)
    rest = V - first @ (first.T @ V)
    rest -= (rest @ first) @ first.T
    others = fantope.leading_vectors(fantope.symmetric(rest), problem.k - 1)
    Q: Array = np.linalg.qr(np.hstack([first, others]))[0]
    return Q


class _SmoothedCost:
    """The entropic cost of bases; each transport starts from the last one's potential."""

    def __init__(self, problem: Problem, p: float, g: Array | None) -> None:
        self.problem, self.p, self.g = problem, p, g
        self.plan: Coupling | None = None
        self.linear_potential = np.zeros_like(problem.b)  # of the last plan in its own basis, were it a linear map

    def unsmoothed(self, U: Array) -> float:
        """Return what the last plan costs in the basis `U`, the independent one if there is none yet.

        The exact transport to come needs all n x m costs, so the plan's masses are asked for as an array, too.
        """
        C = powers_of_distances(self.problem.X @ U, self.problem.Y @ U, self.p)
        return float(self.problem.a @ C @ self.problem.b if self.plan is None else np.sum(self.plan.dense() * C))

    def at(self, U: Array, size: float, share: float) -> tuple[float, Array]:
        """Return the cost of the basis `U`, smoothed by a `share` of its `size`, and its gradient in U."""
        problem, p = self.problem, self.p
        x, y = problem.X @ U, problem.Y @ U
        costs = SquaredDistances(x, y) if p == 2.0 else powers_of_distances(x, y, p)
        g = self.g
        if g is not None and self.plan is not None and p == 2.0:
            # Where g is to be found if the plan stays as it is: 0.92 of the time at n = 300.
            g = g + potential_within(problem, x, y, self.plan.T @ x) - self.linear_potential
        answer = Entropic(share * size, tol=FORCING * share).solve(costs, problem.a, problem.b, g)
        transported = answer.plan.T @ x
        self.g, self.plan = answer.g, answer.plan
        self.linear_potential = potential_within(problem, x, y, transported)
        if p == 2.0:
            return answer.value, 2.0 * displacement_times(problem.X, problem.Y, answer.plan, x, y, transported)
        return answer.value, _gradient(problem, U, answer.plan, p)


def _gradient(problem: Problem, U: Array, plan: Coupling, p: float) -> Array:
    """Return the gradient (r, k) in U of the cost of `plan`, sum_ij plan_ij |U^T (x_i - y_j)|^p."""
    x, y = problem.X @ U, problem.Y @ U
    if p != 2.0:  # d |z|^p = p |z|^(p - 2) z.dz, taken as 0 where z is 0; all n x m distances are formed anyway
        C = powers_of_distances(x, y, p)
        plan = Dense(plan.dense() * np.where(C > 0.0, C, np.inf if p < 2.0 else 0.0) ** (1.0 - 2.0 / p))
    return p * displacement_times(problem.X, problem.Y, plan, x, y)
