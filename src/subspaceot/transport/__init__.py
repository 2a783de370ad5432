"""The inner problem: transport between two weighted clouds for a fixed Omega, exact or entropic."""

from ._answer import Transport
from ._costs import SquaredDistances
from .exact import exact_transport
from .line import Staircase, staircase, staircase_potentials
from .sinkhorn import sinkhorn

__all__ = ["SquaredDistances", "Staircase", "Transport", "exact_transport", "sinkhorn", "staircase", "staircase_potentials"]
