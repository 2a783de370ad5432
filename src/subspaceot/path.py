"""The whole curve k -> S_k^2, from large k to small, each k starting from the last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from . import _validate
from ._types import Array
from .certificate import ATOL, Certificate, Lower, Upper
from .elbow import Elbow, find_elbow
from .problem import Problem
from .result import Result
from .solvers import Auto, InteriorPoint, OneSolve, Start, run
from .status import Status

_RESTART = 0.003  # of the cost: how far optimal pairs may be from tight when the search starts at a neighbour's proof


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """Certified S_k^2 for several k. `results[k]` is what `srw` would return, with bounds its neighbours may prove."""

    ks: tuple[int, ...]  #: ascending
    results: Mapping[int, Result]

    @property
    def cost(self) -> Array:
        """S_k^2 for each of `ks`: the middle of each interval."""
        return np.array([self.results[k].cost for k in self.ks])

    @property
    def lower(self) -> Array:
        """Certified lower bound of each S_k^2."""
        return np.array([self.results[k].lower for k in self.ks])

    @property
    def upper(self) -> Array:
        """Certified upper bound of each S_k^2."""
        return np.array([self.results[k].upper for k in self.ks])

    @property
    def converged(self) -> bool:
        """Whether every k reached `tol`."""
        return all(result.converged for result in self.results.values())

    def elbow(self) -> Elbow:
        """Return the k after which the curve only creeps, or None with the reason. Needs consecutive `ks`."""
        if len(self.ks) < 2 or self.ks[-1] - self.ks[0] != len(self.ks) - 1:
            raise ValueError(f"`ks` must be consecutive for an elbow; got {list(self.ks)}. Leave `ks` out for 1..d.")
        problem = self.results[self.ks[0]].problem
        return find_elbow(self.ks, self.lower, self.upper, ATOL * problem.spread * problem.frame.unit)

    def __repr__(self) -> str:
        """The range of k and the worst gap on one line."""
        worst = max(self.results.values(), key=lambda result: result.gap)
        return (
            f"Path(k={self.ks[0]}..{self.ks[-1]}: squared distance from {self.cost[0]:.6g} to {self.cost[-1]:.6g}, "
            f"worst gap {worst.gap:.1e} at k={worst.k}, {'CONVERGED' if self.converged else 'NOT CONVERGED'})"
        )


def srw_path(
    X: Any, Y: Any, ks: Sequence[int] | None = None, a: Any = None, b: Any = None, *, tol: float = 1e-3
) -> Path:
    """Return certified S_k^2 for all requested k.

    Solved from large k to small, each starting from what is known about its neighbours (paper, section 5.4): every
    plan bounds every k from above, and mixtures of two proofs bound the k between them from below. Where that is
    already tight enough nothing is solved, and the result's history is empty.

    Parameters
    ----------
    X, Y, a, b, tol
        As for `srw`.
    ks : sequence of int, optional
        Which k, each once, in any order; 1..d by default.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(100, 6, 2, rng=0)
    >>> path = sot.srw_path(data.X, data.Y)
    >>> path.ks, path.converged, path.elbow().k
    ((1, 2, 3, 4, 5, 6), True, 2)
    """
    X, Y = _validate.as_pair(X, Y)
    wanted = _validate.as_dimensions(ks, X.shape[1], "ks")
    tol = _validate.as_positive(tol, "tol")
    whole = Problem.of(X, Y, wanted[-1], a, b)
    downwards = wanted[::-1]
    results: dict[int, Result] = {}
    # Every other k first, to a quarter of the gap: most of those between are then proven by their neighbours alone.
    for k in downwards[::2]:
        results[k] = _solved(whole.at(k), results, 0.25 * tol)
    for k in downwards[1::2]:
        results[k] = _solved(whole.at(k), results, tol)
    for k in downwards:
        known = _proven(whole.at(k), results)
        gap = known.gap(whole.spread)
        status = Status.CONVERGED if gap <= tol else results[k].status
        results[k] = Result(whole.at(k), known, status, results[k].history, None)
    return Path(ks=tuple(wanted), results=MappingProxyType({k: results[k] for k in wanted}))


def _solved(problem: Problem, results: dict[int, Result], tol: float) -> Result:
    """Return the result for one k, from what the others prove if that is enough, else by a run that starts there."""
    if problem.k == problem.r:
        outcome = run(problem, OneSolve(), tol=tol)
        return Result(problem, outcome.certificate, outcome.status, outcome.history, None)
    if not results:
        outcome = run(problem, Auto(), tol=tol)
        return Result(problem, outcome.certificate, outcome.status, outcome.history, None)
    known = _proven(problem, results)
    if known.gap(problem.spread) <= tol:
        return Result(problem, known, Status.CONVERGED, (), None)
    start = Start(omega=known.lower.omega, V=known.upper.V, g=known.lower.g, reg=_RESTART * known.upper.value)
    polish = InteriorPoint()
    outcome = run(problem, polish if problem.r <= polish.most_directions else Auto(), tol=tol, start=start)
    certificate = known.improved(*outcome.certificate.ends)
    return Result(problem, certificate, outcome.status, outcome.history, None)


def _proven(problem: Problem, results: dict[int, Result]) -> Certificate:
    """Return the best interval for this k that the certificates at hand prove."""
    uppers = [result.certificate.upper for result in results.values()]
    sums = [float(np.linalg.eigvalsh(upper.V)[-problem.k :].sum()) for upper in uppers]
    best = int(np.argmin(sums))
    upper = Upper(value=sums[best], plan=uppers[best].plan, V=uppers[best].V)
    return Certificate(lower=_mixture(problem, results), upper=upper)


def _mixture(problem: Problem, results: dict[int, Result]) -> Lower:
    """Return the best lower bound for this k among mixtures of a proof for a smaller k and one for a larger.

    d_Omega^2 is linear in Omega, so theta Omega_1 + (1 - theta) Omega_2 with potentials mixed alike is a proof for the
    k that it has as trace: bounds become their concave hull. Omega = 0 proves S_0 = 0, and the identity carries the
    potentials of the largest k.
    """
    proofs = {result.problem.k: result.certificate.lower for _, result in sorted(results.items(), reverse=True)}
    last = proofs[max(proofs)]
    zero = Lower(value=0.0, omega=0.0 * last.omega, f=0.0 * last.f, g=0.0 * last.g)
    everything = Lower(value=last.value, omega=np.eye(problem.r), f=last.f, g=last.g)
    proofs = {0: zero, problem.r: everything, **proofs}
    best = proofs.get(problem.k, zero)
    for smaller in (k for k in proofs if k < problem.k):
        for larger in (k for k in proofs if k > problem.k):
            theta = (larger - problem.k) / (larger - smaller)
            p, q = proofs[smaller], proofs[larger]
            value = theta * p.value + (1.0 - theta) * q.value
            if value > best.value or best is zero:
                best = Lower(
                    value=value,
                    omega=theta * p.omega + (1.0 - theta) * q.omega,
                    f=theta * p.f + (1.0 - theta) * q.f,
                    g=theta * p.g + (1.0 - theta) * q.g,
                )
    return best
