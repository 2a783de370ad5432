"""Where an ascent begins."""

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from ..core import fantope
from ..core.coupling import Coupling, Dense
from ..core.fantope import SoftProjector
from ..core.moments import MANY, cost_matrix, displacement, squared_distances
from ..core.problem import Problem
from ..linalg.forcing import FORCING
from ..linalg.workspace import Workspace
from ..runtime.types import Array
from ..transport import Entropic, exact_transport
from .directions import Spectrum
from .potential_drift import potential_drift
from .schedule import Schedule

_ACCURACY = FORCING**2  # of a first plan: of its columns, and the square of it of its eigenvalues


@dataclass(frozen=True, eq=False, slots=True)
class Start:
    """An Omega with what is known about it."""

    omega: SoftProjector  # in F_k
    spectrum: Spectrum  # of V, the displacement matrix of a plan that goes with it
    cost: float  # <Omega | V>
    g: Array | None = None  # (m,) potential of the second measure for `omega`
    reg: float = 0.0  # regularisation behind V and g
    energy: float | None = None  # trace V, where it is known
    interior: "Interior | None" = None  # what an interior-point method goes on from, in all r directions,
    memory: Workspace = field(default_factory=Workspace)  # and works in

    @classmethod
    def of(cls, omega: Array, V: Array, k: int, *, g: Array | None = None, reg: float = 0.0) -> "Start":
        """Return the start that two matrices (r, r) make."""
        return cls(SoftProjector(omega), Spectrum.of(V, k), float(np.sum(omega * V)), g, reg, float(np.trace(V)))


@dataclass(frozen=True, eq=False, slots=True)
class Interior:
    """A point near the central path of `_central_path`, on no particular graph: points can be mixed."""

    pi: Array  # (n, m) 0 for pairs that were no candidates
    omega: Array  # (r, r)
    f: Array  # (n,)
    g: Array  # (m,)
    T: Array  # (r, r)
    Z: Array  # (r, r)
    s: float
    gap: float  # relative

    def mixed(self, other: "Interior", share: float) -> "Interior":
        """Return `share` of this point and the rest of the other: feasible for the k between theirs, by linearity."""

        def mix(name: str) -> Any:
            return share * getattr(self, name) + (1.0 - share) * getattr(other, name)

        return Interior(**{part.name: mix(part.name) for part in fields(self)})


def wasserstein_start(problem: Problem, reg: float = 0.0, tol: float = _ACCURACY) -> Start:
    """Return the projector onto the top k eigenvectors of V at an optimal plan for |x - y|^2 (paper, section 5.4).

    The plan is exact, or entropic with `reg` and columns within `tol`.
    """
    C = squared_distances(problem.X, problem.Y)
    if reg > 0.0:
        transport = Entropic(reg, tol=tol).solve(C, problem.a, problem.b, np.zeros_like(problem.b))
    else:
        transport = exact_transport(C, problem.a, problem.b)
    plan = transport.plan
    spectrum = Spectrum.of_plan(problem, plan, _ACCURACY**2 * problem.spread)
    omega = SoftProjector(np.eye(problem.k), spectrum.vectors[:, : problem.k])
    g = None
    if problem.r < MANY:
        g = transport.g + potential_drift(problem, plan.T @ problem.X, omega.whole - np.eye(problem.r))
    return Start(omega, spectrum, spectrum.top_sum, g, reg, energy=_energy(problem, plan))


def _energy(problem: Problem, plan: Coupling) -> float:
    """Return the mean squared displacement, trace V."""
    squares = problem.a @ np.sum(problem.X**2, axis=1) + problem.b @ np.sum(problem.Y**2, axis=1)
    return float(squares - 2.0 * np.sum(problem.X * (plan @ problem.Y)))


def blurred_start(problem: Problem, omega: Array) -> Start:
    """Return `omega` in F_k with the entropic plan of its own cost, at the first reg of a schedule."""
    C = cost_matrix(problem.X, problem.Y, fantope.factor(omega))
    reg = Schedule().first * float(problem.a @ C @ problem.b)
    if reg <= 0.0:  # Omega sees no difference at all: any V will do
        return Start.of(omega, displacement(problem.X, problem.Y, Dense(np.outer(problem.a, problem.b))), problem.k)
    transport = Entropic(reg, tol=_ACCURACY).solve(C, problem.a, problem.b, np.zeros_like(problem.b))
    V = displacement(problem.X, problem.Y, transport.plan)
    return Start.of(omega, V, problem.k, g=transport.g, reg=reg)
