"""How a loop becomes machine code, kept on disk for other processes."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock

# Without fastmath: it would round as the compiler likes, and code from the disk not like code just compiled. And
# without a door for C, which nobody uses: half a second of the seven that all functions take to compile.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def compiled(function: Callable[..., Any]) -> Any:
    """Return the function, to be compiled by its first call and kept on disk for other processes where that can be."""
    dispatcher = njit(**_OPTIONS)(function)
    if dispatcher is not function:  # as it is with NUMBA_DISABLE_JIT
        with suppress(OSError, RuntimeError):  # no folder to write to: every process compiles for itself
            dispatcher._cache = _Cache(function)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Return the function as a part of those that call it: nothing is compiled for it alone.

    Sinkhorn's scalings and what they call took 2.6 s to compile instead of 3.5.
    """
    return njit(inline="always", **_OPTIONS)(function)


class _Cache(FunctionCache):  # type: ignore[misc]  # numba is untyped
    """Numba's cache of one function, whose failures cost time and nothing else.

    Truncated files are unpickled into any kind of exception, and disks are full or read-only.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CacheFile(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, or None where there is none that can be read."""
        with self._failures_ignored():
            return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the code for a signature, where that is possible."""
        with self._failures_ignored():
            super().save_overload(sig, data)

    @contextmanager
    def _failures_ignored(self) -> Iterator[None]:
        """Go on after any error; replace an index that is damaged, or points to damaged files, by an empty one."""
        try:
            yield
        except OSError:
            pass
        except Exception:
            with suppress(OSError):
                self.flush()


class _CacheFile(IndexDataCacheFile):  # type: ignore[misc]
    """Files that are named after what they hold.

    Numba numbers them. Two processes that compile for different signatures at once then write to the same file, and
    the index of one may point to the code of the other.
    """

    def save(self, key: Any, data: Any) -> None:
        """Write the code first: an index never points to a file that does not exist yet."""
        name = f"{self._index_name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})


# A child process has one thread. Were it forked while another thread compiles, nobody would ever release the lock that
# the child needs to compile. So a fork waits for the compiler.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )
