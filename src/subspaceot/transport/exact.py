"""Exact transport by POT's network simplex."""

from typing import Any

import numpy as np
import scipy.sparse

from .._types import Array
from ._answer import Transport

# POT's limit counts pivots and only guards against an endless loop: far beyond what any problem in memory needs.
_PIVOT_LIMIT = 1_000_000_000_000
_OPTIMAL = 1  # POT's result code; all others are failures


def exact_transport(C: Any, a: Array, b: Array) -> Transport:
    """Return an optimal plan and optimal potentials for the cost `C` (n, m) and positive weights `a`, `b`.

    A sparse array `C` allows the pairs it stores, and no others.
    """
    import ot  # takes over a second to import: paid by the first solve, not by `import subspaceot`

    plan, log = ot.emd(a, b, C, numItermax=_PIVOT_LIMIT, log=True, check_marginals=False)
    if log["result_code"] != _OPTIMAL:
        raise RuntimeError(
            f"The network simplex did not reach an optimum (POT result code {log['result_code']}: "
            f'{log["warning"]}). Fewer points, or `method="auto"` with a looser `tol`, avoid it.'
        )
    if scipy.sparse.issparse(plan):
        plan = plan.toarray()
    f, g = log["u"], log["v"]
    error = float(np.abs(plan.sum(axis=1) - a).sum() + np.abs(plan.sum(axis=0) - b).sum())
    return Transport(plan=plan, f=f, g=g, value=float(a @ f + b @ g), error=error, converged=True)
