"""A subspace learned on one half of the data, and what the other half says about it."""

from dataclasses import dataclass

import numpy as np

from ..core.problem import Problem
from ..distances import srw
from ..runtime.types import Array
from ..solvers.projection.max_sliced import best_slice, likely_directions
from .projected_transport import ProjectedTransport, sampling_noise, transport, transport_in
from .samples import Samples

_LOOSE = 0.05  # relative gap of srw: bases at 0.02 hold the same W^2 of the populations within 1 %, in thrice the time
_ROUGH = 0.1  # of the cost, the gradient of a direction: enough to choose among local maxima, 0.999 of their cost
_STATIONARY = 0.01  # of the cost, the gradient of the chosen one: a cosine of 0.9998 with the maximum
_FLAT = 1e-9  # of the range of the data: what projecting them onto a complement leaves by rounding


@dataclass(frozen=True, eq=False, slots=True)
class Subspace:
    """What one half of the data learned."""

    basis: Array  # (d, k) orthonormal
    inner: Array  # (k, k) displacement matrix of the optimal plan in that basis, without sampling noise

    @property
    def loadings(self) -> Array:
        """M (d, k) with M M^T = P V P / tr(P V), P the projector: the squared norms of its rows are shares."""
        eigenvalues, vectors = np.linalg.eigh(self.inner)
        M: Array = self.basis @ (vectors * np.sqrt(np.maximum(eigenvalues, 0.0)))
        size = float(np.linalg.norm(M))
        return M / size if size > 0.0 else M

    @property
    def weakest(self) -> Array:
        """The unit vector (d, 1) of the subspace along which the plan costs least."""
        direction: Array = self.basis @ np.linalg.eigh(self.inner)[1][:, :1]
        return direction


@dataclass(frozen=True, eq=False, slots=True)
class HeldOut:
    """One half's subspace, measured on the other half."""

    subspace: Subspace
    transport: ProjectedTransport
    noise: float  # by which sampling makes its cost too large, on average
    null_cost: float  # of the same points with their labels permuted


def learned(half: Samples, k: int, rng: np.random.Generator) -> Subspace:
    """Return the subspace in which the samples differ most: max-sliced at k = 1, leading in S_k for more directions."""
    if k == 1:
        return Subspace(_best_direction(half), np.ones((1, 1)))
    basis = srw(half.X, half.Y, k, half.a, half.b, tol=_LOOSE).basis
    # The plan of srw would not do: it is one in all directions, so that its displacements within these are longer.
    within = half.projected(basis)
    return Subspace(basis, transport(within).displacement - sampling_noise(within, rng))


def measured(subspace: Subspace, other: Samples, rng: np.random.Generator) -> HeldOut:
    """Return what the half that did not learn the subspace says about it."""
    at = other.projected(subspace.basis)
    noise, null = sampling_noise(at, rng), transport(at.relabelled(rng))
    return HeldOut(subspace, transport(at), float(np.trace(noise)), null.cost)


def lead(subspace: Subspace, half: Samples, other: Samples) -> tuple[float, float]:
    """Return by how much the weakest direction beats the best one outside the subspace, with its standard error.

    Both are learned on `half` and measured on `other`. Where nothing is outside the lead is infinite.
    """
    rest = half.without(subspace.basis)
    if max(np.ptp(Z, axis=0).max() for Z in (rest.X, rest.Y)) <= _FLAT * max(np.ptp(half.X), np.ptp(half.Y)):
        return np.inf, 0.0
    return transport_in(other, subspace.weakest).exceeds(transport_in(other, _best_direction(rest)))


def _best_direction(samples: Samples) -> Array:
    """Return the max-sliced direction (d, 1)."""
    problem = Problem.of(samples.X, samples.Y, 1, samples.a, samples.b, dense=False)
    rough = best_slice(problem, 2.0, likely_directions(problem), tol=_ROUGH)
    return problem.frame.lift(best_slice(problem, 2.0, [rough.u], tol=_STATIONARY).u[:, None])
