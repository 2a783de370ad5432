"""The calls of the library that several commands share."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import click

from ._errors import BadInput
from ._interrupt import EXIT_CODE, interrupted, stoppable
from ._print import note
from ._progress import Show, gap_bar, spinner
from ._rows import Sample, part_of_each
from ._samples import Samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.status import Iterate
    from ..path.curve import Path
    from ..result import Result
    from ..tables.summary import Summary

_CHOOSE_ROWS = 2000  # a side: the elbow of more is the same, and each k takes longer
_MANY_TOL = 1e-2  # of W of many rows: beside S_k, and for a share of it
_MANY_SECONDS = 30.0  # for each distance of many rows: where a few directions stand out no more are needed


def require_k(k: int, d: int) -> None:
    """Refuse a k that is larger than the number of columns."""
    if k > d:
        raise BadInput(f"-k must be between 1 and {d}, the number of columns that are compared; got {k}.")


def compared(samples: Samples, k: int, tol: float, seconds: float | None = None) -> "Summary":
    """Return the comparison of the two samples."""
    from ..tables.summary import Summary

    first, second = samples.each
    result = solved(first, second, k, tol, None, seconds)
    return Summary(result, result if k == samples.d else wasserstein_of(first, second), samples.columns)


def compared_at_elbow(
    samples: Samples, tol: float, seconds: float | None, seed: int
) -> "tuple[Summary, str, Path | None]":
    """Return the comparison at the elbow of the curve over k, the reason for this k, and the curve of all rows."""
    from ..core.potentials import is_large
    from ..tables.choice import choose_k
    from ..tables.summary import Summary

    first, second = samples.each
    many = is_large(len(first.points), len(second.points))
    part = samples.part(part_of_each(samples.each, _CHOOSE_ROWS, seed)) if many else samples
    with spinner("choosing k"):
        X, Y = part.each
        choice = choose_k(X.points, Y.points, X.weights, Y.weights)
    if many:
        reason = f"{choice.reason} Chosen on {len(X.points):,} rows a side."
        return compared(samples, choice.k, tol, seconds), reason, None
    known = choice.result
    result = known if known.gap <= tol else solved(first, second, choice.k, tol, known, seconds)
    return Summary(result, choice.W, samples.columns), choice.reason, choice.path


def solved(first: Sample, second: Sample, k: int, tol: float, init: "Result | None", seconds: float | None) -> "Result":
    """Return S_k of two samples, from an earlier result on if there is one.

    After Ctrl-C, or so many seconds, what is known by then; of many rows after `_MANY_SECONDS` by default.
    """
    from ..core.potentials import is_large
    from ..core.status import Status
    from ..distances import srw

    many = is_large(len(first.points), len(second.points))
    seconds = _MANY_SECONDS if seconds is None and many else seconds
    with until_stopped(gap_bar(f"distance for k = {k}", tol), seconds) as callback:
        result = srw(
            *(first.points, second.points, k, first.weights, second.weights), tol=tol, init=init, callback=callback
        )
    if result.status is Status.STOPPED and not interrupted():
        note(f"the distance was stopped after {seconds:g} s; --seconds S gives it longer, and narrows its interval")
    return result


def wasserstein_of(first: Sample, second: Sample) -> "Result | None":
    """Return the Wasserstein distance of two samples; None, with a remark, where it would take too long."""
    from ..core.nearest import TREE_DIMENSIONS
    from ..core.potentials import is_large
    from ..distances import srw, wasserstein

    X, Y, a, b = first.points, second.points, first.weights, second.weights
    d = X.shape[1]
    if interrupted():
        return None
    if not is_large(len(X), len(Y)):
        with spinner("Wasserstein distance"):
            return wasserstein(X, Y, a, b)
    if d > TREE_DIMENSIONS:
        note(f"W in all {d} directions is left out: it would take long for so many rows")
        return None
    with until_stopped(gap_bar("Wasserstein distance", _MANY_TOL), _MANY_SECONDS) as callback:
        return srw(X, Y, d, a, b, tol=_MANY_TOL, callback=callback)


@contextmanager
def until_stopped(
    bar: AbstractContextManager[Show], seconds: float | None = None
) -> "Iterator[Callable[[Iterate], bool]]":
    """Yield a callback for a solve that shows its progress, and ends it after Ctrl-C, or so many seconds."""
    with stoppable(seconds) as stopped, bar as show:

        def callback(iterate: "Iterate") -> bool:
            show(iterate)
            return stopped()

        yield callback


def curve_of(samples: Samples) -> "Path":
    """Return the curve over the first k, to a tolerance at which its shape can be read."""
    from ..path.curve import srw_path
    from ..tables.choice import LOOKED_AT

    first, second = samples.each
    ks = range(1, min(samples.d, LOOKED_AT) + 1)
    with spinner("curve over k"):
        return srw_path(first.points, second.points, ks, first.weights, second.weights, tol=1e-2)


def leave(converged: bool) -> None:
    """End with exit code 1 where something did not converge, with another one where Ctrl-C was the reason."""
    if interrupted():
        click.get_current_context().exit(EXIT_CODE)
    if not converged:
        click.get_current_context().exit(1)
