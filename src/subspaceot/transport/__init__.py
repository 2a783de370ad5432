"""The inner problem: transport between two weighted clouds for a fixed Omega, exact or entropic."""

from ..core.costs import SquaredDistances
from .answer import Transport
from .exact import exact_transport
from .monotone import Staircase, staircase, staircase_potentials
from .restricted import nearby_transport, nearest_pairs
from .sinkhorn.entropic import sinkhorn

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
