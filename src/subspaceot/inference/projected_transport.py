"""Exact transport between projected samples, with the standard error of its cost.

sqrt(n) (W^2(mu_n, nu) - W^2(mu, nu)) is asymptotically normal with the variance of the optimal potential f(x), for laws
that differ (del Barrio and Loubes 2019): potentials are the influence function of W^2.
"""

from dataclasses import dataclass

import numpy as np

from ..core.problem import Problem
from ..distances import wasserstein
from ..runtime.types import Array, Indices
from ..transport import monotone_coupling, monotone_potentials
from .samples import Samples


@dataclass(frozen=True, eq=False, slots=True)
class ProjectedTransport:
    """W^2 between two samples in a subspace, and how much each point contributes."""

    samples: Samples  # (n, k), (m, k)
    cost: float  # W^2
    displacement: Array  # (k, k) matrix V of the optimal plan, of trace W^2
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
    return transport(samples.projected(U))


def transport(at: Samples) -> ProjectedTransport:
    """Return exact transport between samples in few dimensions, on the line by sorting."""
    if at.X.shape[1] > 1:
        result = wasserstein(at.X, at.Y, at.a, at.b)
        return ProjectedTransport(at, result.cost, result.displacement, *result.potentials)
    problem = Problem.of(at.X, at.Y, 1, at.a, at.b, dense=False)
    x, y, unit = problem.X[:, 0], problem.Y[:, 0], problem.frame.unit
    plan = monotone_coupling(x, y, problem.masses)
    f, g, _ = monotone_potentials(plan, x, y, 2.0)
    cost = unit * float(plan.mass @ (x[plan.rows] - y[plan.columns]) ** 2)
    return ProjectedTransport(at, cost, np.array([[cost]]), unit * f, unit * g)


def sampling_noise(at: Samples, rng: np.random.Generator) -> Array:
    """Return by how much V (k, k) between these samples exceeds that of their populations, on average.

    W^2 is jointly convex, so its mean over samples is too large. Half of W^2 between two halves of one sample is what
    sampling adds on that side; it falls with the number of points like n^(-min(1, 2/k)).
    """
    first, second = at.halves(rng)
    sides = Samples(first.X, second.X, first.a, second.a), Samples(first.Y, second.Y, first.b, second.b)
    decay = 0.5 ** min(1.0, 2.0 / at.X.shape[1])
    noise: Array = 0.5 * decay * sum(transport(side).displacement for side in sides)
    return noise


def standard_error(samples: Samples, f: Array, g: Array) -> float:
    """Return the standard error of the sum of both weighted means of f (n,) and g (m,)."""
    variance = _variance_of_mean(samples.a, f, samples.unit_X) + _variance_of_mean(samples.b, g, samples.unit_Y)
    return float(np.sqrt(variance))


def _variance_of_mean(weights: Array, values: Array, unit: Indices | None) -> float:
    """Return the variance of a mean with random weights of sum 1, to first order.

    What a unit adds to the mean is the sum over its points. With few units their mean square is too small, as the mean
    follows them.
    """
    parts = weights * (values - weights @ values)
    if unit is None:
        return float(np.sum(parts**2))
    sums = np.bincount(unit, parts)
    return float(np.sum(sums**2)) * len(sums) / (len(sums) - 1)
