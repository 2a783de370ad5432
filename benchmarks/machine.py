"""What the times depend on: the processor and the versions, but nothing that names the machine or its folders."""

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import subspaceot as sot

CPUINFO = Path("/proc/cpuinfo")


def machine(threads: int) -> dict[str, Any]:
    """Return processor, memory, versions and BLAS threads."""
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
    }


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
