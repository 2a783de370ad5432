"""The inner problem: transport between two weighted clouds for a fixed Omega, exact or entropic."""

from ._answer import Transport
from .exact import exact_transport
from .sinkhorn import sinkhorn

__all__ = ["Transport", "exact_transport", "sinkhorn"]
