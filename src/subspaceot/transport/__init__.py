"""The inner problem: transport between two weighted samples for a fixed Omega, exact or entropic."""

from .exact import Exact, exact_transport
from .inner import InnerSolver, Transport
from .monotone import MonotoneCoupling, monotone_coupling, monotone_potentials
from .restricted import nearest_pairs
from .sinkhorn import FALL, Entropic

__all__ = [
    "FALL",
    "Entropic",
    "Exact",
    "InnerSolver",
    "MonotoneCoupling",
    "Transport",
    "exact_transport",
    "monotone_coupling",
    "monotone_potentials",
    "nearest_pairs",
]
