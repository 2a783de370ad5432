"""Entropic transport."""

from .entropic import FALL, Entropic

__all__ = ["FALL", "Entropic"]
