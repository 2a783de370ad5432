"""Entropic transport in single precision, for potentials that are nearly right and answers that need not be exact.

Reads half of the memory, with exponentials in a third of the time. The plan is finished in double precision: its rows
are met to rounding, and the error of its columns is what it is.
"""

import numpy as np

from ...core.costs import Costs
from ...core.coupling import Dense
from ...runtime.types import Array
from ..answer import Transport
from ._scalings import scaled

PRECISION = 1e-5  # of the columns: what can be asked for
_SEEN = 1e-15  # of its weight: what must be there of every column
_SAFE_LOG = 50.0  # what may be scaled by


def single_transport(costs: Costs, a: Array, b: Array, reg: float, g: Array, *, tol: float) -> Transport | None:
    """Return what `sinkhorn` does, or None where single precision is out of its depth."""
    from . import _kernels

    K = costs.exponents(reg, 0.0, g)
    peaks, row = K.max(axis=1), np.empty(len(b), dtype=np.float32)
    S = np.empty(K.shape, dtype=np.float32)
    _kernels.single_exponentials(K, peaks, S, S.view(np.int32), row, row.view(np.int32))
    ones = np.ones_like(b)
    u = a / (S @ ones.astype(np.float32))
    columns = (S.T @ u.astype(np.float32)).astype(float)
    if np.any(columns < _SEEN * b):
        return None
    v = scaled(S, a, b, u, ones, columns, tol=tol, safe_log=_SAFE_LOG)[1]
    np.copyto(K, S)
    u = a / (K @ v)
    error = float(np.abs(v * (K.T @ u) - b).sum())
    _kernels.scale_both(K, u, v)
    f, g = reg * (np.log(u) - peaks), g + reg * np.log(v)
    return Transport(Dense(K), f, g, value=float(a @ f + b @ g - reg), error=error, converged=error <= tol)
