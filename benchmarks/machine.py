"""What the times depend on: the processor and the versions, but nothing that names the machine or its folders."""

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

import subspaceot as sot

CPUINFO = Path("/proc/cpuinfo")


def machine(threads: int) -> dict[str, Any]:
    """Return processor, memory, versions and BLAS threads: those a process has, and those that `srw` uses of them."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return {
        "system": platform.system(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory GB": _memory(),
        "Python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "POT", "numba")},
        "subspaceot": sot.__version__,
        "BLAS": f"{blas['name']} {blas['version']}",
        "BLAS threads": threads,
        "of which srw uses": _threads_of_srw(),
    }


def _threads_of_srw() -> int:
    """Return the largest number of threads that a BLAS library may use while a problem is solved."""
    found: list[int] = []

    def count(iterate: sot.Iterate) -> None:
        pools = threadpool_info()
        found.extend(pool["num_threads"] for pool in pools if pool["user_api"] == "blas")

    sot.srw(np.eye(4), 2 * np.eye(4)[:3], 2, callback=count)
    return max(found)


def _processor() -> str:
    """Return the model where the system tells it, or else the architecture."""
    try:
        lines = CPUINFO.read_text().splitlines()
    except OSError:
        lines = []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return next(iter(models), platform.processor() or platform.machine())


def _memory() -> float | None:
    """Return the physical memory in GB, or None where the system does not tell."""
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1)
    except (AttributeError, OSError, ValueError):
        return None
