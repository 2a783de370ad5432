"""The inner problem: transport between two weighted clouds for a fixed Omega, exact or entropic."""

from ._answer import Transport
from ._costs import SquaredDistances
from .exact import exact_transport
from .line import Staircase, staircase, staircase_potentials
from .nearby import nearby_transport, nearest_pairs
from .sinkhorn import sinkhorn

__all__ = [
    "SquaredDistances",
    "Staircase",
    "Transport",
    "exact_transport",
    "nearby_transport",
    "nearest_pairs",
    "sinkhorn",
    "staircase",
    "staircase_potentials",
]
