"""Distances between all pairs of several measures, computed in parallel where the caller says so."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any
from uuid import uuid4

import numpy as np

from .core import validate
from .core.rounding import down, up
from .distances import as_settings, srw
from .projection import prw
from .result import Result
from .runtime.isolation import isolated
from .runtime.parallel import find_workers, progress_bar
from .runtime.types import Array
from .solvers import Solver

METRICS = ("srw", "prw", "wasserstein")

Measure = tuple[Array, Array | None]  # points (n, d) and weights (n,), None if uniform

# Calls of `pairwise` that were interrupted: solves of theirs that still run in threads of this process stop at their
# next step. Solves in processes are ended with the process.
_interrupted: set[str] = set()


@dataclass(frozen=True, eq=False, repr=False)
class Pairwise:
    """Distances between N measures with certified bounds: distances, not squares."""

    distance: Array  #: (N, N) symmetric, zero diagonal
    lower: Array  #: (N, N) certified lower bounds of the exact distances
    upper: Array  #: (N, N) certified upper bounds
    unconverged: tuple[tuple[int, int], ...]  #: pairs i < j that missed `tol`; their bounds are valid all the same

    @property
    def converged(self) -> bool:
        """Whether every pair reached what was asked."""
        return not self.unconverged

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
    measures: Iterable[Any],
    k: int | None = None,
    *,
    metric: str = "srw",
    tol: float = 1e-2,
    reg: float | None = None,
    method: str | Solver = "auto",
    n_jobs: int | None = None,
    progress: bool = False,
) -> Pairwise:
    """Return the symmetric matrices of distances between all pairs of `measures` and of certified bounds on them.

    Parameters
    ----------
    measures : iterable of N >= 2 measures
        Each is an array_like (n_i, d), or a tuple (points, weights). Sizes may differ, d may not. A tuple of two is
        always read as points and weights: write two points as a list or an array. The columns of tables are matched by
        name to those of the first table.
    k : int
        Dimension of the subspace, 1..d. "wasserstein" uses all directions whatever k is, and may leave it out.
    metric : {"srw", "prw", "wasserstein"}
        Which distance: that of `srw`, of `prw` (with p = 2), or of `wasserstein`.
    tol : float
        Certified relative gap of each squared distance at which to stop.
    reg, method
        As for `srw`, and for that metric only.
    n_jobs : int, optional
        How many pairs to solve at once, -1 for one per core: in processes, or wherever `joblib.parallel_config` says
        (then also the number, where `n_jobs` is left out; a Dask cluster always uses all its workers). One after
        another by default.
    progress : bool
        Show on stderr how many pairs are finished.

    Returns
    -------
    Pairwise
        `distance`, `lower`, `upper`, and whether all pairs `converged`.

    Notes
    -----
    Ctrl-C stops the call and the workers that it started. A Dask cluster stays as it is and may finish the pairs that
    are being solved.

    The matrices are the same bit by bit wherever they are computed, as long as processors and libraries are the same:
    elsewhere sums round differently, and an iteration may then end elsewhere in the interval.

    Examples
    --------
    >>> import subspaceot as sot
    >>> sot.pairwise([[[0.0, 0.0]], [[3.0, 4.0]], [[0.0, 1.0]]], k=1).distance.round(3)
    array([[0.   , 5.   , 1.   ],
           [5.   , 0.   , 4.243],
           [1.   , 4.243, 0.   ]])
    """
    metric = validate.as_choice(metric, "metric", METRICS)
    clouds = validate.as_measures(measures)
    d = clouds[0][0].shape[1]
    k = _as_k(k, metric, d)
    validate.require_defaults(metric, reg, method)
    solver, tol, reg = as_settings(method, tol, reg)
    progress = validate.as_flag(progress, "progress")
    workers = find_workers(validate.as_jobs(n_jobs))

    N = len(clouds)
    # Heavy pairs first: none is left for the end, when the other workers have nothing to do.
    pairs = sorted(combinations(range(N), 2), key=lambda pair: -len(clouds[pair[0]][0]) * len(clouds[pair[1]][0]))
    if not (metric == "prw" and k == 1):  # that sorts, and forms nothing large
        largest = [(len(clouds[i][0]), len(clouds[j][0])) for i, j in pairs[: workers.at_once]]
        validate.require_memory_at_once(largest, d)
    call = uuid4().hex
    solve = partial(_solve, call=call, metric=metric, k=k, tol=tol, reg=reg, solver=solver)
    try:
        with progress_bar(len(pairs), progress) as finished:
            answers = workers.map(solve, [(clouds[i], clouds[j]) for i, j in pairs], finished)
    except BaseException:
        _interrupted.add(call)
        raise

    distance, lower, upper = np.zeros((3, N, N))
    unconverged = []
    for (i, j), (middle, low, high, converged) in zip(pairs, answers, strict=True):
        for matrix, value in ((distance, middle), (lower, low), (upper, high)):
            matrix[i, j] = matrix[j, i] = value
        if not converged:
            unconverged.append((i, j))
    return Pairwise(distance=distance, lower=lower, upper=upper, unconverged=tuple(sorted(unconverged)))


def _solve(
    first: Measure, second: Measure, *, call: str, metric: str, k: int, tol: float, reg: float | None, solver: Solver
) -> tuple[float, float, float, bool]:
    """Return distance, lower and upper bound of one pair, and whether it converged."""
    # Points and weights come as one argument: joblib leaves large arrays that are arguments of their own with a single
    # Dask worker, and they would be lost with it.
    (X, a), (Y, b) = first, second
    if metric == "prw":
        result: Result = prw(X, Y, k, a, b, tol=tol)
    else:
        result = srw(X, Y, k, a, b, tol=tol, reg=reg, method=solver, callback=lambda _: call in _interrupted)
    low, high = down(math.sqrt(result.lower)), up(math.sqrt(result.upper))
    if result.upper == 0.0:  # one and the same measure
        low = high = 0.0
    return result.distance, max(low, 0.0), high, result.converged


def _as_k(k: Any, metric: str, d: int) -> int:
    """Return the dimension of the subspace: all directions for the ordinary Wasserstein distance."""
    if metric == "wasserstein" and k is None:
        return d
    k = validate.as_dimension(k, d)
    return d if metric == "wasserstein" else k
