"""What is timed on each problem. A competitor takes the data and k, and returns its answer."""

import importlib.util
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import ot

import subspaceot as sot
from subspaceot.instances import Instance

Competitor = Callable[[Instance, int], Any]

NO_PIVOT_LIMIT = 10**9  # POT's default of 10^5 may stop before the optimum, with a warning
POT_PROJECTION = "POT projection"


def emd2(data: Instance, k: int) -> Any:
    """The ordinary W^2 by POT's network simplex, cost matrix included: the unit of all times. It knows no k."""
    return ot.emd2(data.a, data.b, ot.dist(data.X, data.Y), numItermax=NO_PIVOT_LIMIT)


def certified(tol: float) -> Competitor:
    """The default of this package, run to a certified relative gap of `tol`."""
    return lambda data, k: sot.srw(data.X, data.Y, k, data.a, data.b, tol=tol)


def algorithm_2(data: Instance, k: int) -> sot.Result:
    """The paper's Frank-Wolfe algorithm at the settings it is timed with there (section 6.4)."""
    return sot.srw(data.X, data.Y, k, data.a, data.b, method="frank-wolfe", reg=0.1, tol=0.05)


def pot_projection(data: Instance, k: int) -> Any:
    """The basis (d, k) of POT's projection robust solver, which returns no value; NaN where it fails."""
    from ot.dr import projection_robust_wasserstein

    measures = data.X, data.Y, data.a, data.b
    with warnings.catch_warnings(), np.errstate(all="ignore"):  # that it fails is shown
        warnings.simplefilter("ignore")
        _, basis = projection_robust_wasserstein(
            *measures, tau=1e-3, reg=0.2, k=k, stopThr=1e-3, maxiter=500, random_state=0
        )
    return basis


COMPETITORS: dict[str, Competitor] = {
    "emd2": emd2,
    "1e-2": certified(1e-2),
    "1e-3": certified(1e-3),
    "algorithm 2": algorithm_2,
}
if all(importlib.util.find_spec(name) for name in ("autograd", "pymanopt")):  # which `ot.dr` imports
    COMPETITORS[POT_PROJECTION] = pot_projection
