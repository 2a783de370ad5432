"""Progress on stderr, for people who watch: nothing is shown where stderr is no terminal."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..runtime.printable import printable
from ._stderr import watched

if TYPE_CHECKING:
    from ..core.status import Iterate


@contextmanager
def gap_bar(text: str, tol: float) -> "Iterator[Callable[[Iterate], None]]":
    """Yield a callback for `srw` that shows how far the gap has come from 1 to `tol`, in digits, and the time left."""
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
        TextColumn("gap {task.fields[gap]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(printable(text), total=max(-math.log10(tol), 1e-3), gap="?")

        def show(iterate: "Iterate") -> None:
            gap = (iterate.upper - iterate.lower) / iterate.upper if iterate.upper > 0.0 else 0.0
            progress.update(task, completed=-math.log10(min(max(gap, tol), 1.0)), gap=f"{gap:.1e}")

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
