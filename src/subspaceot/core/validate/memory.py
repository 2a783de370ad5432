"""Whether the machine has the memory that a call will need, asked before any work is done."""

import os


def require_memory(n: int, m: int, d: int, *, kept: int = 0) -> None:
    """Raise MemoryError if a solve with n and m points in dimension d needs more than the machine has.

    `kept` (n, m) arrays stay in memory besides: the plans of other solves.
    """
    available = _physical_memory()
    needed = _bytes_of_a_solve(n, m, d) + 8 * kept * n * m
    if available is not None and needed > available:
        raise MemoryError(
            f"A solve with n={n} and m={m} points in dimension d={d} needs about {needed / 1e9:.3g} GB; this "
            f"machine has {available / 1e9:.3g} GB. Use fewer points: a random subsample of the rows "
            f"of `X` and `Y`."
        )


def require_memory_at_once(sizes: list[tuple[int, int]], d: int) -> None:
    """Raise MemoryError if solves with these numbers of points, side by side, need more than the machine has."""
    available = _physical_memory()
    needed = sum(_bytes_of_a_solve(n, m, d) for n, m in sizes)
    if available is not None and needed > available:
        n, m = sizes[0]
        solves, fix = "A solve", ""
        if len(sizes) > 1:
            solves, fix = f"Running {len(sizes)} solves at once", "a smaller `n_jobs`, or "
        raise MemoryError(
            f"{solves} with up to n={n} and m={m} points in dimension d={d} needs about {needed / 1e9:.3g} GB; this "
            f"machine has {available / 1e9:.3g} GB. Use {fix}fewer points: a random subsample of each measure's rows."
        )


def fits(n: int, m: int, d: int, kept: int = 0) -> bool:
    """Return whether a solve with arrays of all pairs fits into memory, `kept` more of them included."""
    available = _physical_memory()
    return available is None or _bytes_of_a_solve(n, m, d) + 8 * kept * n * m <= available


def require_plan(n: int, m: int) -> None:
    """Raise MemoryError if an array (n, m) of masses is more than the machine has."""
    available = _physical_memory()
    if available is not None and 8 * n * m > available:
        raise MemoryError(
            f"`plan` with n={n} and m={m} points is an array of {8e-9 * n * m:.3g} GB; this machine has "
            f"{available / 1e9:.3g} GB. Use `coupling`, which holds the same masses without an array, or `sparse_plan`."
        )


def _bytes_of_a_solve(n: int, m: int, d: int) -> int:
    """Return the memory that a solve needs."""
    # At most nine (n, m) arrays live at once: costs, kernels and plans; and four copies of the points.
    return 8 * (9 * n * m + 4 * (n + m) * d)


def _physical_memory() -> int | None:
    """Return the machine's memory in bytes, or None where the system does not tell."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # no sysconf, or it does not know these names
        return None
    return total if total > 0 else None
