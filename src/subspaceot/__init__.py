"""Subspace robust Wasserstein distances, each with a certified interval for the exact value."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import fantope, geodesic, instances, planar, solvers
    from .distances import srw, wasserstein
    from .elbow import Elbow
    from .pairs import Pairwise, pairwise
    from .path import Path, srw_path
    from .projected_result import ProjectedResult
    from .projection import prw
    from .result import Result
    from .status import Iterate, Status

__version__ = "0.1.0"

# Public names and the modules that hold them: imported on first use, so that `import subspaceot` is fast.
_HOMES = {
    "Elbow": "elbow",
    "Iterate": "status",
    "Pairwise": "pairs",
    "Path": "path",
    "ProjectedResult": "projected_result",
    "Result": "result",
    "Status": "status",
    "pairwise": "pairs",
    "prw": "projection",
    "srw": "distances",
    "srw_path": "path",
    "wasserstein": "distances",
}
_ROOMS = ("fantope", "geodesic", "instances", "planar", "solvers")

__all__ = [
    "Elbow",
    "Iterate",
    "Pairwise",
    "Path",
    "ProjectedResult",
    "Result",
    "Status",
    "__version__",
    "fantope",
    "geodesic",
    "instances",
    "pairwise",
    "planar",
    "prw",
    "solvers",
    "srw",
    "srw_path",
    "wasserstein",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    if name in _HOMES:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
