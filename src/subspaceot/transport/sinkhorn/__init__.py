"""Entropic transport."""

from .entropic import Entropic

__all__ = ["Entropic"]
