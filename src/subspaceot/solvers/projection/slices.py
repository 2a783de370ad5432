"""One direction and a plan along it."""

from dataclasses import dataclass

import numpy as np

from ...core.coupling import Sparse
from ...core.problem import Problem
from ...runtime.types import Array
from ...transport import MonotoneCoupling, monotone_coupling


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """A direction and a monotone plan, with its cost sum_ij plan_ij |u^T (x_i - y_j)|^p."""

    u: Array  # (r,) unit vector
    plan: MonotoneCoupling
    cost: float  # of the plan along u
    gradient: Array  # (r,) of that cost in u

    @classmethod
    def of(cls, problem: Problem, u: Array, p: float, plan: MonotoneCoupling) -> "Slice":
        """Return what a given plan costs along `u`, optimal or not."""
        x, y = problem.X @ u, problem.Y @ u
        displacements = x[plan.rows] - y[plan.columns]
        lengths = np.abs(displacements)
        derivative = p * plan.mass * np.sign(displacements) * lengths ** (p - 1.0)
        in_x = np.bincount(plan.rows, derivative, minlength=len(x))
        in_y = np.bincount(plan.columns, derivative, minlength=len(y))
        return cls(u, plan, float(plan.mass @ lengths**p), problem.X.T @ in_x - problem.Y.T @ in_y)

    @property
    def tangent(self) -> Array:
        """The part (r,) of the gradient that is orthogonal to u."""
        orthogonal: Array = self.gradient - self.u * (self.u @ self.gradient)
        return orthogonal

    def displacement(self, problem: Problem) -> Array:
        """Return V (r, r) of the plan."""
        displacements = problem.X[self.plan.rows] - problem.Y[self.plan.columns]
        V: Array = (displacements.T * self.plan.mass) @ displacements
        return V


def slice_at(problem: Problem, u: Array, p: float) -> Slice:
    """Return the optimal plan along the unit vector `u`."""
    return Slice.of(problem, u, p, monotone_coupling(problem.X @ u, problem.Y @ u, problem.masses))


def plan_of(problem: Problem, plan: MonotoneCoupling) -> Sparse:
    """Return the plan as a coupling, without the atoms that have no mass."""
    massive = plan.mass > 0.0
    shape = len(problem.a), len(problem.b)
    return Sparse.of(plan.rows[massive], plan.columns[massive], plan.mass[massive], shape)
