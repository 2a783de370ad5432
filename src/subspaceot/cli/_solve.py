"""The calls of the library that several commands share."""

from typing import TYPE_CHECKING

import click

from ..core import validate
from ._errors import BadInput
from ._print import note
from ._progress import gap_bar, spinner
from ._rows import Sample
from ._samples import Samples
from ._stderr import watched

if TYPE_CHECKING:
    from ..path.curve import Path
    from ..result import Result
    from ..tables.summary import Summary

_LONG = 4000**2  # pairs of points: from here on a solve takes minutes


def require_memory(first: Sample, second: Sample) -> None:
    """Refuse what cannot fit into memory, and say so where it will take long."""
    n, m = len(first.points), len(second.points)
    validate.require_memory(n, m, first.points.shape[1])
    if n * m > _LONG:
        note(f"{n} by {m} points will take several minutes; --sample N uses N random rows of each")


def require_k(k: int, d: int) -> None:
    """Refuse a k that is larger than the number of columns."""
    if k > d:
        raise BadInput(f"-k must be between 1 and {d}, the number of columns that are compared; got {k}.")


def require_solvable(samples: Samples, k: int | str) -> None:
    """Refuse, before any work is done, a k that is too large and what cannot fit into memory."""
    if isinstance(k, int):
        require_k(k, samples.d)
    require_memory(*samples.each)


def compared(samples: Samples, k: int, tol: float) -> "Summary":
    """Return the comparison of the two samples."""
    from ..tables.summary import Summary

    first, second = samples.each
    W = wasserstein_of(first, second)
    result = W if k == samples.d and W.gap <= tol else _solved(first, second, k, tol, None)
    return Summary(result, W, samples.columns)


def compared_at_elbow(samples: Samples, tol: float) -> "tuple[Summary, str, Path]":
    """Return the comparison at the elbow of the curve over k, the reason for this k, and the curve."""
    from ..tables.choice import choose_k
    from ..tables.summary import Summary

    first, second = samples.each
    choice = choose_k(first.points, second.points, first.weights, second.weights, progress=watched())
    known = choice.result
    result = known if known.gap <= tol else _solved(first, second, choice.k, tol, known)
    return Summary(result, choice.W, samples.columns), choice.reason, choice.path


def _solved(first: Sample, second: Sample, k: int, tol: float, init: "Result | None") -> "Result":
    """Return S_k of two samples, from an earlier result on if there is one."""
    from ..distances import srw

    with gap_bar(f"distance for k = {k}", tol) as callback:
        return srw(
            *(first.points, second.points, k, first.weights, second.weights), tol=tol, init=init, callback=callback
        )


def wasserstein_of(first: Sample, second: Sample) -> "Result":
    """Return the Wasserstein distance of two samples."""
    from ..distances import wasserstein

    with spinner("Wasserstein distance"):
        return wasserstein(first.points, second.points, first.weights, second.weights)


def curve_of(samples: Samples) -> "Path":
    """Return the curve over the first k, to a tolerance at which its shape can be read."""
    from ..path.curve import srw_path
    from ..tables.choice import LOOKED_AT

    first, second = samples.each
    ks = range(1, min(samples.d, LOOKED_AT) + 1)
    return srw_path(first.points, second.points, ks, first.weights, second.weights, tol=1e-2, progress=watched())


def leave(converged: bool) -> None:
    """End with exit code 1 where something did not converge."""
    if not converged:
        click.get_current_context().exit(1)
