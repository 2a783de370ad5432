"""The c-transform between points in few dimensions, over all pairs and without a matrix of them."""

from .transform import TREE_DIMENSIONS, minimum, nearest
from .tree import Tree

__all__ = ["TREE_DIMENSIONS", "Tree", "minimum", "nearest"]
