"""What a caller set for NumPy and BLAS does not reach our computations, and comes back after them.

BLAS runs on one thread. Measured on two cores, `srw` with `tol=1e-3` (n = 100 to 2,000, d = 20 to 2,000): two threads
take 0.87 to 1.23 times as long on an idle machine, 1.1 to 12 times as long beside two other busy processes. One thread
also rounds the same way everywhere.

NumPy's error handling is its default one, under which the solvers are tested: with `np.seterr(all="raise")` an
underflow that means nothing would stop them.
"""

import os
import threading
from collections.abc import Callable
from functools import cached_property, wraps
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numpy as np
from threadpoolctl import get_cached_controller

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)

_ERRORS = {"divide": "warn", "over": "warn", "invalid": "warn", "under": "ignore"}  # NumPy's defaults


def isolated(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function, to run with one BLAS thread and NumPy's default error handling.

    Entering takes 0.01 ms; within another isolated function it takes next to nothing.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if _here.inside:
            return function(*args, **kwargs)
        with _one_thread, np.errstate(**_ERRORS):  # type: ignore[arg-type]
            return function(*args, **kwargs)

    return call


def isolated_properties(cls: C) -> C:
    """Return the class with its public properties and methods isolated: many compute when they are asked for."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, cached_property):
            member.func = isolated(member.func)
        elif isinstance(member, property) and member.fget is not None:
            setattr(cls, name, property(isolated(member.fget), doc=member.__doc__))
        elif isinstance(member, FunctionType):
            setattr(cls, name, isolated(member))
    return cls


class _Here(threading.local):
    """What belongs to the current thread."""

    inside = False  # an isolated function
    limited: tuple[tuple[Any, int], ...] = ()  # libraries whose limit is this thread's own, with the limit before


class _OneThread:
    """A context in which BLAS uses one thread, entered once per thread of the caller.

    Most libraries have one limit for the whole process: the first who enters sets it, the last who leaves puts back
    what was there before.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.inside = 0  # threads
        self.limited: dict[str, tuple[Any, int]] = {}  # file of a library to itself and its limit before

    def __enter__(self) -> None:
        with self.lock:
            # Libraries that were loaded since the last call are found by the number of imported modules.
            libraries = [library for library in get_cached_controller().lib_controllers if library.user_api == "blas"]
            own = []
            for library in libraries:
                before = library.get_num_threads()
                if before is None or before == 1:
                    continue
                if _of_thread(library):
                    own.append((library, before))
                else:
                    self.limited.setdefault(library.filepath, (library, before))
                _set_threads(library, 1)
            _here.limited = tuple(own)
            _here.inside = True
            self.inside += 1

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.inside -= 1
            _here.inside = False
            for library, before in _here.limited:
                _set_threads(library, before)
            if self.inside == 0:
                self._restore()

    def _restore(self) -> None:
        """Put back the limits of the process, but for those that somebody else has changed meanwhile."""
        for library, before in self.limited.values():
            if library.get_num_threads() == 1:
                _set_threads(library, before)
        self.limited = {}

    def after_fork(self) -> None:
        """Forget the threads that a child process does not have."""
        self.inside = int(_here.inside)
        if not self.inside:
            self._restore()
        self.lock.release()


def _of_thread(library: Any) -> bool:
    """Return whether each thread has its own limit."""
    return (library.internal_api, getattr(library, "threading_layer", None)) == ("openblas", "openmp")


def _set_threads(library: Any, count: int) -> None:
    """Set a limit, whichever thread has set one last: threadpoolctl would ignore all others."""
    if library.internal_api == "openblas":
        library.clear_controlling_thread(force=True)
        library.set_num_threads(count)
        library.clear_controlling_thread()
    else:
        library.set_num_threads(count)


_here = _Here()
_one_thread = _OneThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(  # when no other thread is half-way in or out
        before=_one_thread.lock.acquire,
        after_in_parent=_one_thread.lock.release,
        after_in_child=_one_thread.after_fork,
    )
