"""Exact transport by POT's network simplex."""

import math
from typing import Any

import numpy as np

from ..core.coupling import as_coupling
from ..runtime.types import Array
from .inner import Transport

_OPTIMAL = 1  # POT's result code; all others are failures


def network_simplex(C: Any, a: Array, b: Array) -> Transport:
    """Return an optimal plan and optimal potentials for the cost `C` (n, m) and positive weights `a`, `b`.

    A sparse array `C` allows the pairs it stores, and no others.
    """
    import ot  # takes over a second to import: paid by the first solve, not by `import subspaceot`

    unit = _unit(C)
    if unit != 1.0:
        C = C * (1.0 / unit)
    endless = np.iinfo(np.int64).max  # the limit counts pivots and only guards against an endless loop
    plan, log = ot.emd(a, b, C, numItermax=endless, log=True, check_marginals=False)
    if log["result_code"] != _OPTIMAL:
        raise RuntimeError(
            f"The network simplex did not reach an optimum (POT result code {log['result_code']}: "
            f'{log["warning"]}). Fewer points, or `method="auto"` with a looser `tol`, avoid it.'
        )
    f, g = unit * log["u"], unit * log["v"]
    coupling = as_coupling(plan)
    error = float(np.abs(coupling.row_sums() - a).sum() + np.abs(coupling.column_sums() - b).sum())
    return Transport(plan=coupling, f=f, g=g, value=float(a @ f + b @ g), error=error, converged=True)


def _unit(C: Any) -> float:
    """Return the power of two by which small costs are divided; 1 for others.

    POT adds 1 to the largest cost where it makes its artificial arcs, beside which smaller costs lose digits.
    """
    largest = float(C.max())
    if not 0.0 < largest < 1.0:
        return 1.0
    return math.ldexp(1.0, max(math.frexp(largest)[1], np.finfo(float).minexp))  # whose inverse is a number
