"""Subspace robust transport between many points where Omega is no projector: entropic plans that are never formed.

Where more than k directions matter, points that are near in all of them are rare, and cells of points are too coarse.
There all pairs are looked at, in single precision and tile by tile: Sinkhorn's iterations for one Omega, learned from
some of the points; the plan is completed to an exact coupling, and the potential made feasible.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core import fantope
from ...core.certificate import Upper, lower_bound, upper_bound
from ...core.completed import Completed
from ...core.coupling import Sparse
from ...core.fantope import SoftProjector
from ...core.marginals import completed
from ...core.moments import squared_distances
from ...core.problem import Problem
from ...core.tiled_kernel import TiledKernel, soft_minimum
from ...linalg.forcing import FORCING
from ...runtime.types import Array
from ...transport import exact_transport
from ..loop import ENOUGH
from ..start import Start
from ..step import MAX_ITER, NEGLIGIBLE, Event, Step
from .cells import Cells
from .correction import corrected
from .glue import glued
from .sample import first_omega, sampled
from .sinkhorn import Potentials, sinkhorn

_MATTERS = FORCING**2  # eigenvalues of Omega from which on a direction counts: an error of a hundredth is sampling
_FIRST_REG = FORCING  # of the cost: where Sinkhorn's iterations begin


@dataclass(frozen=True, slots=True)
class Soft:
    """Settings of the method for many points and an Omega that is no projector."""

    sample: int = 4000  # points of each side from which Omega is learned; half as many improve it, or are cells
    reg: float = 0.12  # of `tol` times the cost: adds about as much to the width of the interval
    least_reg: float = 2e-3  # of the cost, to begin with: half of it takes twice the iterations
    column_tol: float = 0.2  # of `tol`: sum of absolute errors of the columns, half of which is coupled cell by cell
    sweeps: int = 16  # at most, for each Omega, to begin with
    max_iter: int = MAX_ITER
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield one step for each reg."""
        yield from self.ascend(problem, tol, start.omega if start else first_omega(problem, self.sample))

    def ascend(self, problem: Problem, tol: float, omega: SoftProjector) -> Iterator[Step]:
        """Yield steps from an Omega on."""
        omega = compact(omega, problem.k)
        points = _seen(problem, omega)
        at = self._first(problem, points, tol)
        last = np.inf
        while True:
            potentials = sinkhorn(points, (problem.a, problem.b), (at.level, at.reg), at.f, tol=at.tol, limit=at.sweeps)
            lower = lower_bound(problem, omega, potentials.g)
            upper = self._upper(problem, points, potentials, at.reg)
            yield Step(omega, upper.plan, lower.g, reg=at.reg, event=Event.INNER, lower=lower, upper=upper)
            value = float(np.sum(omega.whole * upper.V))
            of_omega, of_reg = upper.value - value, value - lower.value
            width = of_omega + of_reg
            if last - width < FORCING * last:  # another step would not gain much
                return
            last = width
            if of_omega > ENOUGH * of_reg:
                goal = FORCING * tol * value
                omega = compact(corrected(problem, omega, upper.V, at.reg, self.sample // 2, goal), problem.k)
                points = _seen(problem, omega)
            at = at.after(potentials, finer=of_reg > ENOUGH * of_omega)

    def _first(self, problem: Problem, points: tuple[Array, Array], tol: float) -> "_Place":
        """Return where Sinkhorn's iterations begin, from exact transport between some of the points."""
        (rows, a), (columns, b) = sampled(problem, self.sample // 2)
        x, y = points
        transport = exact_transport(squared_distances(x[rows], y[columns]), a, b)
        cost = float(a @ transport.f + b @ transport.g)
        reg = max(self.reg * tol, self.least_reg) * max(cost, NEGLIGIBLE * problem.spread)
        f = soft_minimum(x, y[columns], transport.g, b, reg)
        return _Place(f, max(_FIRST_REG * cost, reg), reg, self.sweeps, self.column_tol * tol)

    def _upper(self, problem: Problem, points: tuple[Array, Array], potentials: Potentials, reg: float) -> Upper:
        """Return what the entropic plan proves, completed to a coupling."""
        a, b, Y = problem.a, problem.b, problem.Y
        kernel = TiledKernel.of(*points, potentials.f, potentials.g, reg)
        u = a / np.maximum(kernel @ b, np.finfo(np.float32).tiny)
        columns = kernel.transposed_times(u)
        v = b * np.minimum(1.0, 1.0 / np.maximum(columns, np.finfo(np.float32).tiny))
        products = kernel @ np.column_stack([v, v[:, None] * Y])
        sums, images = (u * products[:, 0], columns * v), u[:, None] * products[:, 1:]
        rest = self._rest(points, np.maximum(a - sums[0], 0.0), np.maximum(b - sums[1], 0.0))
        plan: Completed = completed(kernel, u, v, sums, rest, problem.masses)
        return upper_bound(problem, plan, images + plan.rest @ Y)

    def _rest(self, points: tuple[Array, Array], lack_a: Array, lack_b: Array) -> Sparse:
        """Return a plan on few pairs for what the entropic plan leaves over of both weights, about."""
        rows, columns = np.flatnonzero(lack_a), np.flatnonzero(lack_b)
        shape = len(lack_a), len(lack_b)
        if min(len(rows), len(columns)) == 0:
            return Sparse.of(rows[:0], columns[:0], lack_a[:0], shape)
        x, y, a, b = points[0][rows], points[1][columns], lack_a[rows], lack_b[columns]
        i, j, mass = self._coupled(x, y, a, b).atoms()
        return Sparse.of(rows[i], columns[j], mass, shape)

    def _coupled(self, x: Array, y: Array, a: Array, b: Array) -> Sparse:
        """Return a plan on few pairs for weights of about the same sum, cell by cell."""
        cells, others = Cells.of(x, a, self.sample // 2), Cells.of(y, b, self.sample // 2)
        total, other_total = cells.mass.sum(), others.mass.sum()
        C = squared_distances(cells.mean, others.mean)
        plan = exact_transport(C, cells.mass / total, others.mass / other_total).plan
        return glued(Sparse(min(total, other_total) * plan.sparse()), cells, others, a, b)


@dataclass(frozen=True, eq=False, slots=True)
class _Place:
    """Where Sinkhorn's iterations go on."""

    f: Array  # (n,)
    level: float  # the reg of the first one
    reg: float  # and of the last
    sweeps: int  # at most
    tol: float  # sum of absolute errors of the columns

    def after(self, potentials: Potentials, *, finer: bool) -> "_Place":
        """Return the place after some iterations; `finer` asks for plans nearer to the optimal one."""
        reg, sweeps = self.reg, self.sweeps
        if finer and potentials.error > self.tol:
            sweeps *= 2
        elif finer:
            reg /= 2
        return _Place(potentials.f, self.reg, reg, sweeps, self.tol)


def _seen(problem: Problem, omega: SoftProjector) -> tuple[Array, Array]:
    """Return the points of both sides as Omega sees them."""
    L = omega.factor
    return problem.X @ L, problem.Y @ L


def compact(omega: SoftProjector, k: int) -> SoftProjector:
    """Return Omega in F_k without directions in which it next to vanishes: loops over all pairs pay for each."""
    Q = omega.support
    return SoftProjector(fantope.project(omega.within(Q), k), Q)


def matters(omega: SoftProjector) -> int:
    """Return how many directions of Omega matter: k where it is a projector."""
    return int(np.count_nonzero(np.linalg.eigvalsh(omega.inner) > _MATTERS))
