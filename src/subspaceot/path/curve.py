"""The whole curve k -> S_k^2: both ends, the middle, then the middles of halves, each k from its neighbours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..certify.certified import cancellation_prone, certificate_of_one_measure, certified, solve
from ..core import fantope, validate
from ..core.certificate import Certificate
from ..core.potentials import is_large
from ..core.problem import Problem
from ..core.shown import Shown
from ..core.status import Status
from ..linalg.workspace import Workspace
from ..result import Result
from ..runtime.isolation import isolated, isolated_properties
from ..runtime.types import Array, PointsLike, Weights
from ..solvers import Auto, Callback, InteriorPoint, Large, OneSolve, Outcome, Solver, Start, run
from ..solvers.start import Interior
from ..solvers.step import Step
from .elbow import Elbow, find_elbow
from .proofs import Proofs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..inference.null_band import NullBand

_SHARP = 1.5  # of `tol`: a gap that a little more work on the neighbours' proofs may close,
_CLOSE = 0.02  # a gap from which a mixture of two interior points is as good a start as any (as 0.008 is),
_NEAR = 0.1  # and one from which the mixed proof itself is a better start than none,
_BLUR = 0.7  # at a reg of so many times the gap (k* = 10: 0.8 of the time of such interior points)
_LEAST_REG = 4.0  # of `tol`: with less the ascent may take hundreds of steps where interior points take four
_PLAIN = 1.6  # of `tol`: from such a gap one step is mostly enough without centring, where no other k starts at its end
_FEW = 36  # directions: interior points live in all of them, and their steps grow with the sixth power
_PAIRS = 6  # candidates per point, besides those that carry mass at the mixture
_RESTART = 0.0005  # of the cost: how far optimal pairs may be from tight when the search starts at a neighbour's proof


@isolated_properties
@dataclass(frozen=True, eq=False, repr=False)
class Path(Shown):
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
        """Return the k after which the curve hardly rises any more, or None with the reason. Needs consecutive `ks`."""
        validate.require_consecutive(self.ks)
        return find_elbow(self.ks, self.lower, self.upper)

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        W: Result | None = None,
        band: "NullBand | None" = None,
        names: tuple[str, str] = ("X", "Y"),
    ) -> "Axes":
        """Draw the curve as shares of W^2 with its solver bounds and its elbow, and return matplotlib's axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; pyplot's current axes by default. The extra `cli` brings matplotlib.
        W : Result, optional
            What `wasserstein(X, Y)` returned; it is computed here if it is not given, but for many points. Without it
            the curve shows S_k^2 itself.
        band : NullBand, optional
            What `null_band(X, Y, k)` returned: which values come out where both samples are one.
        names : pair of str
            What to call both samples.

        Examples
        --------
        >>> import subspaceot as sot
        >>> from matplotlib.figure import Figure
        >>> data = sot.instances.fragmented_hypercube(100, 6, 2, rng=0)
        >>> axes = sot.srw_path(data.X, data.Y, tol=1e-2).plot(Figure().add_subplot())
        >>> axes.texts[0].get_text()[:12]
        'elbow: k = 2'
        """
        from ..plotting.canvas import current
        from ..plotting.curve import draw_path

        return draw_path(self, W=W, band=band, names=validate.as_pair_of_names(names, "names"), ax=current(ax))

    def __repr__(self) -> str:
        """The range of k and the worst gap on one line."""
        worst = max(self.results.values(), key=lambda result: result.gap)
        return (
            f"Path(k={self.ks[0]}..{self.ks[-1]}: squared distance from {self.cost[0]:.6g} to {self.cost[-1]:.6g}, "
            f"worst gap {worst.gap:.1e} at k={worst.k}, {'CONVERGED' if self.converged else 'NOT CONVERGED'})"
        )


@isolated
def srw_path(
    X: PointsLike,
    Y: PointsLike,
    ks: Sequence[int] | None = None,
    a: Weights = None,
    b: Weights = None,
    *,
    tol: float = 1e-3,
    callback: Callback | None = None,
) -> Path:
    """Return certified S_k^2 for all requested k.

    Every plan bounds every k from above, and mixtures of two proofs bound the k between them from below. Where that is
    tight enough nothing is solved, and the result's history is empty. Elsewhere the search starts from the same mixture
    of both neighbours: a few interior-point steps where it is close, the ascent where it is not. The paper's way down
    from the largest k (section 5.4) saves nothing.

    Parameters
    ----------
    X, Y, a, b, tol
        As for `srw`.
    ks : sequence of int, optional
        Which k, each once, in any order; 1..d by default.
    callback : callable, optional
        As for `srw`, called for one k after the other. Returning True stops: the path then has those k alone that were
        begun, and the status of the last one is STOPPED.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(100, 6, 2, rng=0)
    >>> path = sot.srw_path(data.X, data.Y)
    >>> path.ks, path.converged, path.elbow().k
    ((1, 2, 3, 4, 5, 6), True, 2)
    """
    X, Y = validate.as_named_pair(X, Y)
    wanted = validate.as_dimensions(ks, X.shape[1], "ks")
    tol = validate.as_positive(tol, "tol")
    callback = validate.as_callback(callback)
    n, m, d = len(X), len(Y), X.shape[1]
    plans = 2 if d <= _FEW else 1  # of each k: its own, and where interior points are mixed, that of one
    all_pairs = validate.fits(n, m, d, kept=plans * len(wanted))
    large = is_large(n, m) or not all_pairs
    problem = Problem.of(X, Y, wanted[-1], a, b, dense=not large)
    if large:
        results = _one_by_one(problem, wanted, tol, Large(all_pairs=all_pairs), callback)
    elif certificate_of_one_measure(problem) is not None or cancellation_prone(problem, tol) is not None:
        results = _one_by_one(problem, wanted, tol, Auto(), callback)
    else:
        search = _Search(problem, tol, callback)
        for k in _halving(wanted):
            search.solve(k)
            if search.found[k].status is Status.STOPPED:
                break
        results = {k: search.final(k) for k in wanted if k in search.found}
    return Path(ks=tuple(results), results=MappingProxyType(results))


def _one_by_one(
    problem: Problem, ks: list[int], tol: float, solver: Solver, callback: Callback | None
) -> dict[int, Result]:
    """Return results that prove nothing for each other; of many points each starts where the one before has ended."""
    results: dict[int, Result] = {}
    large, V = isinstance(solver, Large), None
    for k in ks:
        one = problem.at(k)
        exact = one.k == one.r and not large
        start = None if V is None else Start.of(fantope.maximise(V, one.k)[1], V, one.k)
        outcome = solve(one, OneSolve() if exact else solver, tol=tol, start=start, callback=callback)
        V = outcome.certificate.upper.V if large else None
        results[k] = Result(one, outcome.certificate, outcome.status, outcome.history, None)
        if outcome.status is Status.STOPPED:
            break
    return results


def _halving(ks: list[int]) -> list[int]:
    """Return both ends, the middle, the middles of both halves, and so on: each k but the ends has two neighbours."""
    order, spans = [len(ks) - 1, 0], [(0, len(ks) - 1)]
    for first, last in spans:  # which grows while it is read
        middle = (first + last) // 2
        if first < middle:
            order.append(middle)
            spans += [(first, middle), (middle, last)]
    return [ks[i] for i in dict.fromkeys(order)]


class _Search:
    """What was found so far, and for some k a point of the interior-point method before its end."""

    def __init__(self, whole: Problem, tol: float, callback: Callback | None) -> None:
        self.whole, self.tol, self.callback = whole, tol, callback
        self.found: dict[int, Outcome] = {}
        self.proofs = Proofs()
        self.interiors: dict[int, Interior] = {}
        self.memory = Workspace()

    def solve(self, k: int) -> None:
        """Find S_k^2."""
        problem = self.whole.at(k)
        # Where the points extend in fewer directions than k, that is the same as for other k.
        same = (outcome for known, outcome in self.found.items() if min(known, problem.r) == problem.k)
        self.found[k] = next(same, None) or self._search(problem)
        self.proofs.add(problem.k, self.found[k].certificate)

    def _search(self, problem: Problem) -> Outcome:
        """Return what the others prove if that is enough, else what a run finds that starts there."""
        if problem.k == problem.r:
            return run(problem, OneSolve(), tol=self.tol, callback=self.callback)
        if not self.found:
            return run(problem, Auto(), tol=self.tol, callback=self.callback)
        known = self.proofs.certificate(problem)
        if self.tol < known.gap <= _SHARP * self.tol:
            known = self.proofs.sharpened(problem, known, self.tol)
        if known.gap <= self.tol:
            return Outcome(known, Status.CONVERGED, history=(), reg=None)
        solver, start = self._way(problem, known)
        recorder = _Recorder(solver, self.tol)
        start = replace(start, memory=self.memory)
        outcome = run(problem, recorder, tol=self.tol, start=start, callback=self.callback)
        if recorder.kept and problem.r <= _FEW:
            self.interiors[problem.k] = recorder.kept[0]
        return replace(outcome, certificate=known.improved(*outcome.certificate.ends))

    def final(self, k: int) -> Result:
        """Return the result for `k` with the best bounds that all of them prove."""
        problem, found = self.whole.at(k), self.found[k]
        outcome = certified(problem, replace(found, certificate=self.proofs.certificate(problem)), self.tol)
        return Result(problem, outcome.certificate, outcome.status, outcome.history, None)

    def _way(self, problem: Problem, known: Certificate) -> tuple[Solver, Start]:
        """Return how to go on from what is known about this k, and from where.

        That is a mixture of its neighbours' interior points where there are two and it is close.
        """
        gap, (below, above) = known.gap, self.proofs.nearest(problem)
        if gap > _NEAR:
            auto = Auto()
            return auto, auto.ascent.first(problem, self.tol)
        reg = max(_BLUR * gap, _LEAST_REG * self.tol) * known.upper.value
        start = Start.of(known.lower.omega, known.upper.V, problem.k, g=known.lower.g, reg=reg)
        if gap <= _CLOSE and below in self.interiors and above in self.interiors:
            share = (above - problem.k) / (above - below)
            interior = self.interiors[below].mixed(self.interiors[above], share)
            start = replace(start, reg=_RESTART * known.upper.value, interior=interior)
            solver = InteriorPoint(pairs=_PAIRS)
            plain = above - below == 2 and gap <= _PLAIN * self.tol
            return replace(solver, centred=0) if plain else solver, start
        return Auto(), start


@dataclass(frozen=True)
class _Recorder:
    """A solver, keeping the last interior point whose gap is at least `level`."""

    solver: Solver
    level: float
    kept: list[Interior] = field(default_factory=list)
    needs_reg: ClassVar[bool] = False
    takes_reg: ClassVar[bool] = False

    @property
    def max_iter(self) -> int:
        """As many as the solver itself."""
        return self.solver.max_iter

    def steps(self, problem: Problem, tol: float, reg: float | None, start: Start | None) -> Iterator[Step]:
        """Yield the solver's own steps."""
        for step in self.solver.steps(problem, tol, reg, start):
            if step.interior is not None and (not self.kept or step.interior.gap >= self.level):
                self.kept[:] = [step.interior]
            yield step
