"""The c-transform between points in few dimensions, over all pairs and without a matrix of them."""

from .transform import minimum
from .tree import Tree

__all__ = ["Tree", "minimum"]
