"""Several measures at once: each an array of points, or a tuple of points and weights."""

from typing import Any

import numpy as np

from ...runtime.types import Array
from .. import columns, dataframes
from ..columns import Labels, Points
from .arrays import as_float64
from .messages import described
from .points import as_labelled_points, checked_points, read_points
from .weights import as_weights


def as_measures(values: Any) -> list[tuple[Array, Array | None]]:
    """Return points (n_i, d) and weights (n_i,) or None of each of at least two measures in one dimension d.

    The columns of tables are matched by label to those of the first table. The weights are valid, but left as they
    came: whoever solves normalises them.
    """
    _require_several(values)
    measures: list[tuple[Array, Array | None]] = []
    first: tuple[str, Labels] | None = None  # table: its name and labels
    for i, value in enumerate(values):
        points, weights = _as_measure(value, f"measures[{i}]")
        if points.labels is not None:
            first = first or (f"`measures[{i}]`", points.labels)
            points = columns.reordered(points, first[1], f"measures[{i}]", first[0])
        if measures and points.shape[1] != measures[0][0].shape[1]:
            raise ValueError(
                f"`measures` must all have the same number of columns; got {measures[0][0].shape[1]} in `measures[0]` "
                f"and {points.shape[1]} in `measures[{i}]`. Pass the same features, in the same order, in all."
            )
        measures.append((points.values, weights))
    if len(measures) < 2:
        raise ValueError(f"`measures` must hold at least two measures; got {len(measures) or 'none'}.")
    return measures


def _require_several(values: Any) -> None:
    """Raise TypeError for what cannot be a sequence of measures, such as the points of a single one."""
    rule = "`measures` must be a list of at least two measures, each an (n, d) array or a tuple (points, weights)"
    if isinstance(values, dict):
        raise TypeError(f"{rule}; got a dict. Pass `list(measures.values())`.")
    if dataframes.is_frame(values, "measures"):
        raise TypeError(f"{rule}; got one {type(values).__name__}. Pass a list of them.")
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise TypeError(f"{rule}; got {described(values)}.")
    if isinstance(values, np.ndarray) and values.ndim < 3:
        raise TypeError(f"{rule}; got one array of shape {values.shape}. Pass a list of such arrays.")


def _as_measure(value: Any, name: str) -> tuple[Points, Array | None]:
    """Return points and weights of one measure; a tuple of two is (points, weights), anything else is points."""
    if isinstance(value, list) and len(value) == 2 and _is_table(value[0]):
        raise TypeError(
            f"`{name}` must be an (n, d) array or a tuple (points, weights); got a list of both. Pass `tuple({name})`."
        )
    if not (isinstance(value, tuple) and len(value) == 2):
        return as_labelled_points(value, name), None
    points, labels = read_points(value[0], f"{name}[0]")
    if points.ndim == 1 and points.size:
        raise ValueError(
            f"`{name}` must be an (n, d) array or a tuple (points, weights); got a tuple whose points have shape "
            f"{points.shape}. Pass points on a line as a column, `{name}[0][:, None]`, and two rows as a list."
        )
    measure = checked_points(points, labels, f"{name}[0]")
    if value[1] is None:
        return measure, None
    as_weights(value[1], len(measure), f"{name}[1]", f"{name}[0]")
    return measure, as_float64(value[1], f"{name}[1]", "numbers")


def _is_table(value: Any) -> bool:
    """Return whether the value has rows and columns."""
    return getattr(value, "ndim", None) == 2 or dataframes.is_frame(value, "measures")
