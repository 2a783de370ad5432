"""The set of soft projectors, as the public name `subspaceot.fantope`; `core/fantope.py` holds it."""

from .core.fantope import SoftProjector, factor, leading_vectors, maximise, project, top_sum

__all__ = ["SoftProjector", "factor", "leading_vectors", "maximise", "project", "top_sum"]
