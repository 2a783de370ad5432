"""Progress on stderr, for people who watch: nothing is shown where stderr is no terminal."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..runtime.printable import printable
from ._stderr import watched

if TYPE_CHECKING:
    from ..core.status import Iterate


Show = Callable[["Iterate"], None]


@contextmanager
def gap_bar(text: str, tol: float) -> Iterator[Show]:
    """Yield a callback for `srw` that shows the interval so far, and the time left.

    The bar is as long as the gap has come from 1 to `tol`, in digits.
    """

    def digits(iterate: "Iterate") -> float:
        gap = (iterate.upper - iterate.lower) / iterate.upper if iterate.upper > 0.0 else 0.0
        return -math.log10(min(max(gap, tol), 1.0))

    with _bar(text, max(-math.log10(tol), 1e-3), digits) as show:
        yield show


@contextmanager
def path_bar(text: str, count: int) -> Iterator[Show]:
    """Yield a callback for `srw_path` that shows how many of so many k are done, the interval so far, and the rest."""
    begun = 0

    def done(iterate: "Iterate") -> float:
        nonlocal begun
        begun += iterate.iteration == 1
        return min(begun, count) - 1

    with _bar(text, count, done) as show:
        yield show


@contextmanager
def _bar(text: str, total: float, done: "Callable[[Iterate], float]") -> Iterator[Show]:
    """Yield a callback that shows an interval, and how much of the total is done."""
    if not watched():
        yield lambda iterate: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[interval]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(printable(text), total=total, interval="")

        def show(iterate: "Iterate") -> None:
            low, high = math.sqrt(max(iterate.lower, 0.0)), math.sqrt(max(iterate.upper, 0.0))
            interval = f"between {low:.4g} and {high:.4g}"
            progress.update(task, completed=done(iterate), interval=interval)

        yield show


@contextmanager
def spinner(text: str) -> Iterator[None]:
    """Show that work is being done, and for how long, where nothing tells how much is left."""
    if not watched():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(printable(text), total=None)
        yield
