"""Subspace robust Wasserstein distances, each with a certified interval for the exact value."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import geodesic, instances, planar, solvers
    from .chunks.result import ChunkedResult
    from .chunks.settings import Chunked
    from .core import fantope
    from .core.status import Iterate, Status
    from .core.table import Table
    from .distances import srw, wasserstein
    from .inference.interval_result import FeatureInterval, Intervals
    from .inference.intervals import intervals
    from .inference.null_band import NullBand, null_band
    from .inference.permutation import two_sample_test
    from .inference.selection import SelectedK, select_k
    from .inference.two_sample_result import TwoSampleTest
    from .pairs import Pairwise, pairwise
    from .path.curve import Path, srw_path
    from .path.elbow import Elbow
    from .projected_result import ProjectedResult
    from .projection import prw
    from .result import Result
    from .saving import load
    from .tables.prepare import Prepared, prepare
    from .tables.preparing.report import Report

__version__ = "0.2.0"

# Public names and the modules that hold them: imported on first use, so that `import subspaceot` is fast.
_EXPORTS = {
    "Chunked": "chunks.settings",
    "ChunkedResult": "chunks.result",
    "Elbow": "path.elbow",
    "FeatureInterval": "inference.interval_result",
    "Intervals": "inference.interval_result",
    "Iterate": "core.status",
    "NullBand": "inference.null_band",
    "Pairwise": "pairs",
    "Path": "path.curve",
    "Prepared": "tables.prepare",
    "ProjectedResult": "projected_result",
    "Report": "tables.preparing.report",
    "Result": "result",
    "SelectedK": "inference.selection",
    "Status": "core.status",
    "Table": "core.table",
    "TwoSampleTest": "inference.two_sample_result",
    "intervals": "inference.intervals",
    "load": "saving",
    "null_band": "inference.null_band",
    "pairwise": "pairs",
    "prepare": "tables.prepare",
    "prw": "projection",
    "select_k": "inference.selection",
    "srw": "distances",
    "srw_path": "path.curve",
    "two_sample_test": "inference.permutation",
    "wasserstein": "distances",
}
_MODULES = ("fantope", "geodesic", "instances", "planar", "solvers")
_FRONTS = ("anndata", "jax", "sklearn", "torch")  # each needs the package of its name, and says so

__all__ = [
    "Chunked",
    "ChunkedResult",
    "Elbow",
    "FeatureInterval",
    "Intervals",
    "Iterate",
    "NullBand",
    "Pairwise",
    "Path",
    "Prepared",
    "ProjectedResult",
    "Report",
    "Result",
    "SelectedK",
    "Status",
    "Table",
    "TwoSampleTest",
    "__version__",
    "fantope",
    "geodesic",
    "instances",
    "intervals",
    "load",
    "null_band",
    "pairwise",
    "planar",
    "prepare",
    "prw",
    "select_k",
    "solvers",
    "srw",
    "srw_path",
    "two_sample_test",
    "wasserstein",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES or name in _FRONTS:
        return import_module(f".{name}", __name__)
    if name in _EXPORTS:
        value = getattr(import_module(f".{_EXPORTS[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
