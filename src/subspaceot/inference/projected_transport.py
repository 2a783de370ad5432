"""Exact transport between projected samples, with the standard error of its cost.

sqrt(n) (W^2(mu_n, nu) - W^2(mu, nu)) is asymptotically normal with the variance of the optimal potential f(x), for laws
that differ (del Barrio and Loubes 2019): potentials are the influence function of W^2.
"""

from dataclasses import dataclass

import numpy as np

from ..core.problem import Problem
from ..distances import wasserstein
from ..runtime.types import Array
from ..transport import monotone_coupling, monotone_potentials
from .samples import Samples


@dataclass(frozen=True, eq=False, slots=True)
class ProjectedTransport:
    """W^2 between two samples in a subspace, and how much each point contributes."""

    samples: Samples  # (n, k), (m, k)
    cost: float  # W^2
    f: Array  # (n,) optimal potentials
    g: Array  # (m,)

    @property
    def standard_error(self) -> float:
        """The standard error of the cost about that of the populations."""
        return standard_error(self.samples, self.f, self.g)

    def exceeds(self, other: "ProjectedTransport") -> tuple[float, float]:
        """Return how much more this costs than transport of the same points in another subspace; standard error."""
        error = standard_error(self.samples, self.f - other.f, self.g - other.g)
        return self.cost - other.cost, error


def transport_in(samples: Samples, U: Array) -> ProjectedTransport:
    """Return exact transport between the samples projected onto the basis U (d, k)."""
    at = samples.projected(U)
    if U.shape[1] > 1:
        result = wasserstein(at.X, at.Y, at.a, at.b)
        return ProjectedTransport(at, result.cost, *result.potentials)
    problem = Problem.of(at.X, at.Y, 1, at.a, at.b, dense=False)
    x, y, unit = problem.X[:, 0], problem.Y[:, 0], problem.frame.unit
    plan = monotone_coupling(x, y, problem.masses)
    f, g, _ = monotone_potentials(plan, x, y, 2.0)
    cost = float(plan.mass @ (x[plan.rows] - y[plan.columns]) ** 2)
    return ProjectedTransport(at, unit * cost, unit * f, unit * g)


def standard_error(samples: Samples, f: Array, g: Array) -> float:
    """Return the standard error of the sum of both weighted means of f (n,) and g (m,)."""
    return float(np.sqrt(_variance_of_mean(samples.a, f) + _variance_of_mean(samples.b, g)))


def _variance_of_mean(weights: Array, values: Array) -> float:
    """Return the variance of a mean with random weights of sum 1, to first order."""
    return float(np.sum((weights * (values - weights @ values)) ** 2))
