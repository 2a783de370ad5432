"""What is timed on each problem. A competitor takes the data and k, and returns its answer."""

from collections.abc import Callable
from typing import Any

import ot

import subspaceot as sot
from subspaceot.instances import Instance

Competitor = Callable[[Instance, int], Any]

NO_PIVOT_LIMIT = 10**9  # POT's default of 10^5 may stop before the optimum, with a warning


def emd2(data: Instance, k: int) -> Any:
    """The ordinary W^2 by POT's network simplex, cost matrix included: the unit of all times. It knows no k."""
    return ot.emd2(data.a, data.b, ot.dist(data.X, data.Y), numItermax=NO_PIVOT_LIMIT)


def certified(tol: float) -> Competitor:
    """The default of this package, run to a certified relative gap of `tol`."""
    return lambda data, k: sot.srw(data.X, data.Y, k, data.a, data.b, tol=tol)


def algorithm_2(data: Instance, k: int) -> sot.Result:
    """The paper's Frank-Wolfe algorithm at the settings it is timed with there (section 6.4)."""
    return sot.srw(data.X, data.Y, k, data.a, data.b, method="frank-wolfe", reg=0.1, tol=0.05)


COMPETITORS: dict[str, Competitor] = {
    "emd2": emd2,
    "1e-2": certified(1e-2),
    "1e-3": certified(1e-3),
    "algorithm 2": algorithm_2,
}
