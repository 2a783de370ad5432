"""The calls of the library that several commands share."""

from typing import TYPE_CHECKING

import click

from ..core import validate
from ._clouds import Cloud, Clouds
from ._errors import BadInput
from ._progress import gap_bar, spinner
from ._say import note

if TYPE_CHECKING:
    from ..result import Result
    from ..tables.summary import Summary

_LONG = 4000**2  # pairs of points: from here on a solve takes minutes


def require_room(first: Cloud, second: Cloud) -> None:
    """Refuse what cannot fit into memory, and say so where it will take long."""
    n, m = len(first.points), len(second.points)
    validate.require_memory(n, m, first.points.shape[1])
    if n * m > _LONG:
        note(f"{n} by {m} points will take several minutes; --sample N uses N random rows of each")


def require_k(k: int, d: int) -> None:
    """Refuse a k that is larger than the number of columns."""
    if k > d:
        raise BadInput(f"-k must be between 1 and {d}, the number of columns that are compared; got {k}.")


def compared(clouds: Clouds, k: int | str, tol: float) -> "tuple[Summary, str]":
    """Return the comparison of the two clouds and the reason for its k."""
    from ..distances import srw
    from ..tables.choice import choose_k
    from ..tables.summary import Summary

    first, second = clouds.clouds
    if isinstance(k, int):
        require_k(k, clouds.d)
    require_room(first, second)
    whole = ordinary(first, second)
    reason = "as asked for"
    if not isinstance(k, int):
        with spinner("choosing k"):
            choice = choose_k(first.points, second.points, first.weights, second.weights, whole=whole)
        k, reason = choice.k, choice.reason
    with gap_bar(f"distance for k = {k}", tol) as callback:
        result = srw(first.points, second.points, k, first.weights, second.weights, tol=tol, callback=callback)
    return Summary(result, whole, clouds.columns), reason


def ordinary(first: Cloud, second: Cloud) -> "Result":
    """Return the ordinary distance of two clouds."""
    from ..distances import wasserstein

    with spinner("ordinary distance"):
        return wasserstein(first.points, second.points, first.weights, second.weights)


def leave(converged: bool) -> None:
    """End with exit code 1 where something did not converge."""
    if not converged:
        click.get_current_context().exit(1)
