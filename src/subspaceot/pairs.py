"""Distances between all pairs of several measures, computed in parallel where the caller says so."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

import numpy as np

from .chunks import front as chunks
from .chunks.settings import Chunked
from .core import validate
from .core.rounding import down, up
from .core.shown import Shown
from .core.table import Table
from .distances import as_settings, for_size, srw
from .projection import prw
from .result import Result
from .runtime.isolation import isolated
from .runtime.parallel import find_workers, progress_bar
from .runtime.types import Array, PointsLike, TableLike, Weights
from .solvers import Large, Solver

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METRICS = ("srw", "prw", "wasserstein")

Measure = tuple[Array, Array | None]  # points (n, d) and weights (n,), None if uniform
Measured: TypeAlias = PointsLike | tuple[PointsLike, Weights]  # as callers give it

# Calls of `pairwise` that were interrupted: solves of theirs that still run in threads of this process stop at their
# next step. Solves in processes are ended with the process.
_interrupted: set[str] = set()


@dataclass(frozen=True, eq=False, repr=False)
class Pairwise(Shown):
    """Distances between N measures with certified bounds: distances, not squares.

    The matrices are the same bit by bit wherever they are computed, as long as processors and libraries are the same.
    Elsewhere sums round differently, and an iteration may then end elsewhere in the interval.
    """

    distance: Array  #: (N, N) symmetric, zero diagonal
    lower: Array  #: (N, N) certified lower bounds of the exact distances
    upper: Array  #: (N, N) certified upper bounds
    unconverged: tuple[tuple[int, int], ...]  #: pairs i < j that missed `tol`; their bounds are valid all the same
    names: tuple[str, ...] | None = None  #: of the measures: the keys of a dict, the values of `group`; None of a list

    @property
    def converged(self) -> bool:
        """Whether every pair reached what was asked."""
        return not self.unconverged

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        kind: str = "heatmap",
        names: Sequence[str] | None = None,
        what: str = "distance",
    ) -> "Axes":
        """Draw the distances as a heat map, or as a map whose distances resemble them; return matplotlib's axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; pyplot's current axes by default. The extra `cli` brings matplotlib.
        kind : {"heatmap", "map"}
            Coloured cells, or points in the plane by metric scaling with its stress, which needs scikit-learn.
        names : sequence of str, optional
            What to call the measures; by default their own names, or their numbers from 0 on.
        what : str
            What is drawn, with its unit.

        Examples
        --------
        >>> import subspaceot as sot
        >>> from matplotlib.figure import Figure
        >>> pairs = sot.pairwise({"a": [[0.0, 0.0]], "b": [[3.0, 4.0]], "c": [[0.0, 1.0]]}, k=1)
        >>> axes = pairs.plot(Figure().add_subplot(), what="S_1 in metres")
        >>> [label.get_text() for label in axes.get_xticklabels()]
        ['a', 'b', 'c']
        """
        from .plotting.canvas import current
        from .plotting.pairs import draw_pairs

        kind = validate.as_choice(kind, "kind", ("heatmap", "map"))
        labels = validate.as_labels(self.names if names is None else names, "names", len(self.distance))
        return draw_pairs(self.distance, labels, kind=kind, what=str(what), ax=current(ax))

    def to_frame(self) -> Table:
        """Return a table with one row per pair of measures, which has `to_pandas()` and `to_polars()`.

        Its columns are `first` and `second`, the names of the measures or their numbers from 0 on; `distance`, `lower`
        and `upper`; and `converged`, whether the pair reached `tol`.

        Examples
        --------
        >>> import subspaceot as sot
        >>> sot.pairwise({"a": [[0.0, 0.0]], "b": [[3.0, 4.0]], "c": [[0.0, 1.0]]}, k=2).to_frame()["distance"].round(3)
        array([5.   , 1.   , 4.243])
        """
        N = len(self.distance)
        rows, columns = np.triu_indices(N, 1)
        names = np.array(self.names if self.names is not None else range(N), dtype=object)
        pairs, missed = zip(rows.tolist(), columns.tolist(), strict=True), set(self.unconverged)
        return Table(
            {
                "first": names[rows],
                "second": names[columns],
                "distance": self.distance[rows, columns],
                "lower": self.lower[rows, columns],
                "upper": self.upper[rows, columns],
                "converged": [pair not in missed for pair in pairs],
            }
        )

    def __repr__(self) -> str:
        """The range of distances, the widest interval and the pairs that missed `tol`, on one line."""
        N = len(self.distance)
        i, j = np.unravel_index(np.argmax(self.upper - self.lower), (N, N))
        off_diagonal = self.distance[~np.eye(N, dtype=bool)]
        missed = f"{len(self.unconverged)} of {N * (N - 1) // 2} pairs NOT CONVERGED"
        return (
            f"Pairwise({N} measures: distances from {off_diagonal.min():.6g} to {off_diagonal.max():.6g}, widest "
            f"interval [{self.lower[i, j]:.6g}, {self.upper[i, j]:.6g}], {'CONVERGED' if self.converged else missed})"
        )


@isolated
def pairwise(
    measures: Iterable[Measured] | Mapping[str, Measured] | TableLike,
    k: int | None = None,
    *,
    group: str | None = None,
    metric: str = "srw",
    tol: float = 1e-2,
    reg: float | None = None,
    method: str | Solver | Chunked = "auto",
    n_jobs: int | None = None,
    progress: bool = False,
) -> Pairwise:
    """Return the symmetric matrices of distances between all pairs of `measures` and of certified bounds on them.

    Parameters
    ----------
    measures : iterable or dict of N >= 2 measures, or one table
        Each is an array_like (n_i, d), or a tuple (points, weights); write two points as a list, not as a tuple. Sizes
        may differ, d may not. The columns of tables are matched by name to those of the first table. The keys of a dict
        are names. Data larger than memory are given as for `srw`, with the name of a column as weights, and their pairs
        are solved one after another.
    k : int
        Dimension of the subspace, 1..d. "wasserstein" uses all directions whatever k is, and may leave it out.
    group : str, optional
        Column of one table that names the measure of each row; the other columns are coordinates.
    metric : {"srw", "prw", "wasserstein"}
        Which distance: that of `srw`, of `prw` (with p = 2), or of `wasserstein`.
    tol : float
        Certified relative gap of each squared distance at which to stop.
    reg, method
        As for `srw`, and for that metric only.
    n_jobs : int, optional
        How many pairs to solve at once, -1 for one per core; one after another by default. They are solved in processes
        that Ctrl-C ends, or where `joblib.parallel_config` says. That also gives the number where `n_jobs` is left out;
        a Dask cluster always uses all its workers, and after Ctrl-C may finish the pairs that are being solved.
    progress : bool
        Show on stderr how many pairs are finished.

    Returns
    -------
    Pairwise
        `distance`, `lower`, `upper`, `names`, and whether all pairs `converged`; `to_frame()` has a row per pair.

    Examples
    --------
    >>> import subspaceot as sot
    >>> sot.pairwise([[[0.0, 0.0]], [[3.0, 4.0]], [[0.0, 1.0]]], k=1).distance.round(3)
    array([[0.   , 5.   , 1.   ],
           [5.   , 0.   , 4.243],
           [1.   , 4.243, 0.   ]])
    """
    metric = validate.as_choice(metric, "metric", METRICS)
    if group is None and isinstance(measures, list | tuple | Mapping):
        each = list(measures.values() if isinstance(measures, Mapping) else measures)
        if any(chunks.wanted(method, *_parts(value)) for value in each):
            validate.require_here(n_jobs, metric)
            return _in_chunks(
                tuple(map(str, measures)) if isinstance(measures, Mapping) else None,
                each,
                k,
                metric,
                tol,
                reg,
                method,
                progress,
            )
    given = validate.as_measures(measures, group)
    samples = given.each
    solver = _PairSolver.of(metric, k, tol, reg, method, samples[0][0].shape[1])
    progress = validate.as_flag(progress, "progress")
    workers = find_workers(validate.as_jobs(n_jobs))
    pairs = _largest_first([len(points) for points, _ in samples])
    solver.require_memory([(samples[i][0], samples[j][0]) for i, j in pairs[: workers.at_once]])
    try:
        with progress_bar(len(pairs), progress) as finished:
            intervals = workers.map(solver.solve, [(samples[i], samples[j]) for i, j in pairs], finished)
    except BaseException:
        _interrupted.add(solver.call)
        raise
    return _collected(given.names, len(samples), pairs, intervals)


@dataclass(frozen=True, slots=True)
class _Interval:
    """What is known about the distance of one pair."""

    distance: float
    lower: float
    upper: float
    converged: bool

    @classmethod
    def of(cls, result: Result) -> "_Interval":
        """Return the distance with its bounds."""
        if result.upper == 0.0:  # one and the same measure
            return cls(result.distance, 0.0, 0.0, result.converged)
        low, high = down(math.sqrt(result.lower)), up(math.sqrt(result.upper))
        return cls(result.distance, max(low, 0.0), high, result.converged)


@dataclass(frozen=True, slots=True)
class _PairSolver:
    """How each pair of one call is solved."""

    call: str  # names the call among those that run at the same time
    metric: str
    k: int
    tol: float
    reg: float | None
    solver: Solver

    @classmethod
    def of(cls, metric: str, k: Any, tol: Any, reg: Any, method: Any, d: int) -> "_PairSolver":
        """Return the settings of a call, each valid and all of them compatible."""
        k = _as_k(k, metric, d)
        validate.require_defaults(metric, reg, method)
        solver, tol, reg = as_settings(method, tol, reg)
        return cls(uuid4().hex, metric, k, tol, reg, solver)

    def require_memory(self, pairs: list[tuple[Array, Array]]) -> None:
        """Raise MemoryError if these pairs of points do not fit into memory at the same time."""
        if self.metric == "prw" and self.k == 1:
            return  # sorts, and forms no matrix of all pairs of points
        sizes = [(len(X), len(Y)) for X, Y in pairs]
        if self.metric != "prw":
            sizes = [(n, m) for n, m in sizes if not isinstance(for_size(self.solver, self.reg, n, 1, m), Large)]
        if sizes:
            validate.require_memory_at_once(sizes, pairs[0][0].shape[1])

    def solve(self, first: Measure, second: Measure) -> _Interval:
        """Return the distance of one pair with its bounds."""
        # Points and weights come as one argument: joblib leaves large arrays that are arguments of their own with a
        # single Dask worker, and they would be lost with it.
        (X, a), (Y, b) = first, second
        if self.metric == "prw":
            result: Result = prw(X, Y, self.k, a, b, tol=self.tol)
        else:
            result = srw(
                *(X, Y, self.k, a, b),
                tol=self.tol,
                reg=self.reg,
                method=self.solver,
                callback=lambda _: self.call in _interrupted,
            )
        return _Interval.of(result)


def _parts(value: Any) -> tuple[Any, Any]:
    """Return points and weights of a measure as the caller gave it."""
    return value if isinstance(value, tuple) and len(value) == 2 else (value, None)


def _in_chunks(
    names: tuple[str, ...] | None, each: list[Any], k: Any, metric: str, tol: Any, reg: Any, method: Any, progress: Any
) -> Pairwise:
    """Return the distances between measures of which some are read in chunks: one pair after another."""
    pairs, intervals = list(combinations(range(len(each)), 2)), []
    with progress_bar(len(pairs), validate.as_flag(progress, "progress")) as finished:
        for i, j in pairs:
            (X, a), (Y, b) = _parts(each[i]), _parts(each[j])
            k_here = chunks.as_sources(X, Y, a, b)[0].d if metric == "wasserstein" else k
            intervals.append(_Interval.of(srw(X, Y, k_here, a, b, tol=tol, reg=reg, method=method)))
            if finished is not None:
                finished(len(intervals))
    return _collected(names, len(each), pairs, intervals)


def _largest_first(sizes: list[int]) -> list[tuple[int, int]]:
    """Return all pairs i < j, those that take longest first: at the end no worker waits for a long one."""
    return sorted(combinations(range(len(sizes)), 2), key=lambda pair: -sizes[pair[0]] * sizes[pair[1]])


def _collected(
    names: tuple[str, ...] | None, N: int, pairs: list[tuple[int, int]], intervals: list[_Interval]
) -> Pairwise:
    """Return the symmetric matrices of what was found for each pair."""
    distance, lower, upper = np.zeros((3, N, N))
    for (i, j), found in zip(pairs, intervals, strict=True):
        distance[i, j] = distance[j, i] = found.distance
        lower[i, j] = lower[j, i] = found.lower
        upper[i, j] = upper[j, i] = found.upper
    unconverged = sorted(pair for pair, found in zip(pairs, intervals, strict=True) if not found.converged)
    return Pairwise(distance=distance, lower=lower, upper=upper, unconverged=tuple(unconverged), names=names)


def _as_k(k: Any, metric: str, d: int) -> int:
    """Return the dimension of the subspace: d for the Wasserstein distance."""
    if metric == "wasserstein" and k is None:
        return d
    k = validate.as_dimension(k, d)
    return d if metric == "wasserstein" else k
