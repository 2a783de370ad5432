"""How a loop becomes machine code."""

from collections.abc import Callable
from typing import Any

from numba import njit

# Without fastmath: it would round as the compiler likes, and code from the disk not like code just compiled. And
# without a door for C, which nobody uses: half a second of the seven that all functions take to compile.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def compiled(function: Callable[..., Any]) -> Any:
    """Return the function, to be compiled by its first call and kept on disk for other processes where that can be."""
    try:
        return njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # nowhere to write to
        return njit(**_OPTIONS)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Return the function as a part of those that call it: nothing is compiled for it alone.

    `transport._kernels.scale` and what it calls take 2.6 s to compile instead of 3.5.
    """
    return njit(inline="always", **_OPTIONS)(function)
