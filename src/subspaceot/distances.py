"""The fronts of the core: choose a solver, run it, return the result."""

from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from .certify.certified import solve
from .chunks import front as chunks
from .chunks.settings import Chunked
from .core import fantope, validate
from .core.columns import Points
from .core.potentials import is_large
from .core.problem import Frame, Problem
from .result import Result
from .runtime.isolation import isolated
from .runtime.types import Array, PointsLike, Weights
from .solvers import BY_NAME, Auto, Callback, Large, OneSolve, Solver, Start
from .solvers.start import blurred_start

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .inference.selection import SelectedK

_NOTHING = 1e-9  # of the spread: a smaller cost of an earlier result is no scale to start from
_RESTART = 0.01  # of the cost: the reg at which an ascent goes on from an earlier result


@isolated
def srw(
    X: PointsLike,
    Y: PointsLike,
    k: int | Literal["auto"],
    a: Weights = None,
    b: Weights = None,
    *,
    tol: float = 1e-3,
    reg: float | None = None,
    method: str | Solver | Chunked = "auto",
    init: "ArrayLike | Result | None" = None,
    max_iter: int | None = None,
    callback: Callback | None = None,
) -> Result:
    """Return the subspace robust Wasserstein distance S_k of two weighted samples, with a certified interval.

    S_k^2 = min over plans of the sum of the k largest eigenvalues of V = max over Omega in F_k of W^2 in d_Omega

    Rounding is counted: the interval holds in exact arithmetic for the doubles as given, weights normalised exactly.

    Parameters
    ----------
    X, Y : array_like (n, d), (m, d)
        The points: anything NumPy makes numeric, or tables of pandas, polars or pyarrow. The columns of two tables are
        matched by name, all others by position. What float64 cannot hold exactly is refused, not rounded. Data larger
        than memory are paths of Parquet files, folders of them and .npy files, `numpy.memmap`, `pyarrow.dataset`, Dask
        arrays and dataframes; the answer is then a `ChunkedResult`, whose interval holds for all rows.
    k : int or "auto"
        Dimension of the subspace, 1..d. At k = d this is the Wasserstein distance W. "auto" is the number of
        directions that `select_k` finds at its default settings, or 1 where it finds no difference; the result's
        `selection` says which, and holds the p-values.
    a, b : array_like (n,), (m,), optional
        Weights, non-negative, normalised to sum 1; uniform by default. Of files and frames, the name of a column.
    tol : float
        Certified relative gap at which to stop; with `reg`, relative gap of the regularised problem.
    reg : float, optional
        Solve the paper's entropy-regularised problem of this strength, in squared data units. The interval still
        bounds the exact, unregularised value.
    method : str or solver
        "auto", or one of "quasi-newton", "interior-point", and the paper's "supergradient" (Algorithm 1) and
        "frank-wolfe" (Algorithm 2, needs `reg`), or an object from `subspaceot.solvers` with its own settings, or
        `Chunked`, the settings for data larger than memory.
    init : array_like (d, d) or Result, optional
        Where to start: an Omega in F_k, or an earlier result on similar data, for this or another k.
    max_iter : int, optional
        Limit on outer iterations; the solver has its own by default. The interval is valid wherever it stops.
    callback : callable, optional
        Called with an `Iterate` after each outer iteration, which holds the bounds that are known by then; returning
        True stops the run.

    Returns
    -------
    Result
        `distance`, `cost`, `lower`, `upper`, `gap`, `omega`, `basis`, `plan` and what follows from them.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(100, 30, 2, rng=0, rotate=True)
    >>> result = sot.srw(data.X, data.Y, k=2)
    >>> result.converged, result.gap <= 1e-3
    (True, True)
    >>> result.lower <= result.cost <= result.upper
    True
    """
    if chunks.wanted(method, X, Y):
        call = chunks.Call(k, tol, reg, method, init, max_iter, callback)
        # Its answer has the names of a Result, but for what belongs to single rows. A union of types would burden those
        # who have arrays, which is nearly everybody.
        return cast(Result, chunks.answer(X, Y, a, b, call, in_memory=srw))
    solver, tol, reg = as_settings(method, tol, reg)
    if max_iter is not None:
        max_iter = validate.as_count(max_iter, "max_iter")
    callback = validate.as_callback(callback)
    X, Y = validate.as_named_pair(X, Y)
    selection = None
    if validate.is_auto(k):
        selection = _selected(X, Y, a, b)
        k = max(1, selection.k)
    solver = for_size(solver, reg, len(X), X.shape[1], len(Y))
    large = isinstance(solver, Large)
    problem = Problem.of(X, Y, k, a, b, dense=not large)
    start = None if init is None else _as_start(init, problem, large=large)
    if reg is None and problem.k == problem.r and not large:
        solver, start = OneSolve(), None
    unit = problem.frame.unit
    outcome = solve(
        problem,
        solver,
        tol=tol,
        reg=None if reg is None else reg / unit,
        start=start,
        max_iter=max_iter,
        callback=callback,
    )
    return Result(problem, outcome.certificate, outcome.status, outcome.history, reg, selection=selection)


@isolated
def wasserstein(X: PointsLike, Y: PointsLike, a: Weights = None, b: Weights = None) -> Result:
    """Return the ordinary 2-Wasserstein distance by one exact transport: `srw` at k = d.

    Examples
    --------
    >>> import subspaceot as sot
    >>> round(sot.wasserstein([[0.0, 0.0]], [[3.0, 4.0]]).distance, 12)
    5.0
    """
    if chunks.wanted("auto", X, Y):
        return srw(X, Y, chunks.as_sources(X, Y, a, b)[0].d, a, b)
    X, Y = validate.as_named_pair(X, Y)
    return srw(X, Y, X.shape[1], a, b)


def as_settings(method: Any, tol: Any, reg: Any) -> tuple[Solver, float, float | None]:
    """Return solver, `tol` and `reg`, each valid and all of them compatible."""
    solver = validate.as_solver(method, BY_NAME)
    tol = validate.as_positive(tol, "tol")
    return solver, tol, validate.as_reg(reg, method, taken=solver.takes_reg, needed=solver.needs_reg)


def _selected(X: Points, Y: Points, a: Any, b: Any) -> "SelectedK":
    """Return the number of directions in which both samples differ."""
    from .inference.selection import select_k  # what it computes with takes long to import

    return select_k(X, Y, a, b)


def for_size(solver: Solver, reg: float | None, n: int, d: int, m: int) -> Solver:
    """Return the solver, or in place of the default the one for samples whose pairs are too many for an array."""
    fits = validate.fits(n, m, d)
    large = isinstance(solver, Auto) and reg is None and (is_large(n, m) or not fits)
    return Large(all_pairs=fits) if large else solver


def _as_start(init: Any, problem: Problem, *, large: bool) -> Start:
    """Return the start that an Omega or an earlier result stands for; of a large problem, no plan is made for it."""
    frame = problem.frame
    if not isinstance(init, Result):
        omega = validate.as_soft_projector(init, frame.d, frame.k, "init")
        omega, V = fantope.project(frame.lower(frame.lower(omega).T), problem.k), None
    else:
        before = init.problem.frame
        validate.require_same_dimension(before.d, frame.d)
        V = _moved(init.certificate.upper.V, before, frame) * (before.unit / frame.unit)
        if before.k == frame.k:
            omega = fantope.project(_moved(init.certificate.lower.omega, before, frame), problem.k)
        else:
            _, omega = fantope.maximise(V, problem.k)
    if large:
        return Start.of(omega, omega if V is None else V, problem.k)
    return blurred_start(problem, omega) if V is None else _restart(init, problem, omega, V)


def _restart(init: Result, problem: Problem, omega: Array, V: Array) -> Start:
    """Return the start at an earlier result, with its potential where it was one of as many points."""
    before, frame = init.problem.frame, problem.frame
    if not (np.array_equal(before.rows, frame.rows) and np.array_equal(before.columns, frame.columns)):
        return blurred_start(problem, omega)
    cost = float(np.sum(omega * V))
    if not cost > _NOTHING * problem.spread:  # a result that says nothing about distances of this size
        return blurred_start(problem, omega)
    g = init.certificate.lower.g * (before.unit / frame.unit)
    return Start.of(omega, V, problem.k, g=g, reg=_RESTART * cost)


def _moved(A: Array, before: Frame, after: Frame) -> Array:
    """Return a positive semidefinite matrix of one problem's coordinates in another's."""
    L = after.lower(before.lift(fantope.factor(A)))
    return L @ L.T
