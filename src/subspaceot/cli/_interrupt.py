"""What ends a solve before it has converged, and keeps what is known by then: Ctrl-C, or a limit of time.

Ctrl-C for the second time ends the command.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ._stderr import print_stderr, show_cursor

_STATE = "subspaceot.interrupted"  # its place in the `meta` of click's context, which all commands of a call share

EXIT_CODE = 130  # of a command that was stopped by Ctrl-C, as shells have it


def interrupted() -> bool:
    """Return whether Ctrl-C was pressed."""
    return bool(click.get_current_context().meta.get(_STATE, False))


def note_interrupt() -> None:
    """Remember that Ctrl-C was pressed: the command prints what is known, and says with its exit code why no more."""
    click.get_current_context().meta[_STATE] = True


@contextmanager
def stoppable(seconds: float | None = None) -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether a solve is to stop, after Ctrl-C or so many seconds.

    A solve that has an interval by then is stopped in the middle of a step; one that has none yet, at the next one.
    Nothing is heard where somebody else listens to the signals, or in another thread than the main one.
    """
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupted
        return
    ctx, end = click.get_current_context(), time.monotonic() + (math.inf if seconds is None else seconds)

    def on_interrupt(*_: object) -> None:
        ctx.meta[_STATE] = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the next one does not wait for the end of a compiled loop
        show_cursor()  # which a progress bar has hidden
        print_stderr("Stopping, with what is known by now; Ctrl-C again ends at once.")
        _stop()

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        with _alarm(seconds):
            yield lambda: interrupted() or time.monotonic() >= end
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Stop the solve after so many seconds, in the middle of a step where the system can do that."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _stop(*_: object) -> None:
    """Stop the solve that is going on, if it has an answer."""
    from ..solvers import Stop, is_stoppable

    if is_stoppable():
        raise Stop
