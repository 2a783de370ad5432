"""Entropic transport."""

from .entropic import sinkhorn

__all__ = ["sinkhorn"]
