"""Which objects a file may hold, where their classes are, and what has to fit together in them."""

import math
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from ..core import validate
from ..core.status import Iterate, Status
from ..path.curve import Path
from ..result import Result

# What `save` writes, and the modules that hold it.
_ANSWERS = {
    "Intervals": "inference.interval_result",
    "NullBand": "inference.null_band",
    "Pairwise": "pairs",
    "Path": "path.curve",
    "ProjectedResult": "projected_result",
    "Result": "result",
    "SelectedK": "inference.selection",
    "TwoSampleTest": "inference.two_sample_result",
}
# What these are made of.
_PARTS = {
    "Certificate": "core.certificate",
    "Completed": "core.completed",
    "Component": "inference.two_sample_result",
    "Defect": "core.span",
    "Dense": "core.coupling",
    "FeatureInterval": "inference.interval_result",
    "Frame": "core.problem",
    "Iterate": "core.status",
    "Lower": "core.certificate",
    "Masses": "core.marginals",
    "Problem": "core.problem",
    "SoftProjector": "core.fantope",
    "Span": "core.span",
    "Sparse": "core.coupling",
    "TiledKernel": "core.tiled_kernel",
    "Tiles": "core.tiles",
    "Upper": "core.certificate",
}


def class_of(name: str) -> Any:
    """Return one of the classes above; a KeyError for any other name."""
    return getattr(import_module(f"subspaceot.{ {**_ANSWERS, **_PARTS}[name] }"), name)


def require_class(value: object) -> None:
    """Raise TypeError unless `value` is of one of the classes above: a file that cannot be read is not written."""
    name = type(value).__name__
    if name not in {**_ANSWERS, **_PARTS} or class_of(name) is not type(value):
        raise TypeError(f"What holds a {name} cannot be saved: files have no form for it.")


def require_kind(answer: object) -> None:
    """Raise TypeError unless `answer` is something that `save` writes."""
    validate.as_choice(type(answer).__name__, "answer", tuple(_ANSWERS))


def fits_together(answer: object) -> bool:
    """Return whether the arrays of an answer have the sizes that its problem asks for, and finite numbers."""
    if isinstance(answer, Path):
        return tuple(answer.results) == answer.ks and all(map(fits_together, answer.results.values()))
    return not isinstance(answer, Result) or (_are_records(answer) and _fits(answer))


def _are_records(result: Result) -> bool:
    """Return whether the status and the history of a result are such."""
    return isinstance(result.status, Status) and all(isinstance(record, Iterate) for record in result.history)


def _fits(result: Result) -> bool:
    frame, problem, (lower, upper) = result.problem.frame, result.problem, result.certificate.ends
    (n, d), m, r = frame.X.shape, len(frame.Y), problem.X.shape[1]
    massive = int(frame.rows.sum()), int(frame.columns.sum())
    shapes = [
        *zip((frame.Y, frame.centre), ((m, d), (d,)), strict=True),
        *zip((*frame.weights, frame.rows, frame.columns), ((n,), (m,)) * 2, strict=True),
        *zip((problem.X, problem.Y), ((size, r) for size in massive), strict=True),
        *zip((problem.a, problem.b, lower.f, lower.g), ((size,) for size in massive * 2), strict=True),
        *zip((upper.V, result.factor), ((r, r), (d, result.factor.shape[1])), strict=True),
    ]
    sizes = [upper.plan.shape == massive, result.coupling.shape == massive, len(frame.names or frame.centre) == d]
    fitting = all(array.shape == shape for array, shape in shapes) and all(sizes)
    return (
        fitting
        and 1 <= frame.k <= d
        and (frame.scales is None or frame.scales.shape == (d,))
        and _finite((replace(problem, frame=replace(frame, index=(None, None))), lower, upper))
    )


def _finite(value: Any) -> bool:
    """Return whether all numbers in a value are finite."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "bi" or bool(np.isfinite(value).all())
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, tuple):
        return all(map(_finite, value))
    return not is_dataclass(value) or all(_finite(getattr(value, field.name)) for field in fields(value))
