"""Several measures at once: each an array of points, or a tuple of points and weights."""

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...runtime.types import Array
from .. import columns, dataframes
from ..columns import Points
from .arrays import as_float64
from .messages import described
from .points import as_labelled_points, checked_points, read_points, require_same_scales
from .tables import Words, require_column, require_several_groups
from .weights import as_weights


@dataclass(frozen=True, slots=True)
class Measures:
    """Several measures in one dimension."""

    each: list[tuple[Array, Array | None]]  # points (n_i, d) and weights (n_i,)
    names: tuple[str, ...] | None  # None for a list


def as_measures(values: Any, group: Any = None) -> Measures:
    """Return points (n_i, d) and weights (n_i,) or None of each of at least two measures in one dimension d.

    They come as a list, as a dict by name, or as one table of which the column `group` names the measure of each row.
    The columns of tables are matched by label to those of the first table. The weights are valid, but left as they
    came: whoever solves normalises them.
    """
    names = None
    if group is not None:
        named = _as_groups(values, group)
        names, values = tuple(named), list(named.values())
    elif isinstance(values, Mapping):
        names, values = tuple(map(str, values)), list(values.values())
        _require_different(names)
    _require_several(values)
    return Measures(_in_one_dimension(enumerate(values) if names is None else zip(names, values, strict=True)), names)


def _in_one_dimension(values: Iterable[tuple[int | str, Any]]) -> list[tuple[Array, Array | None]]:
    """Return valid measures with the same columns in the same order; each comes with its number or name."""
    measures: list[tuple[Array, Array | None]] = []
    first: tuple[str, Points] | None = None  # the first table, or the first of all, and what messages call it
    for key, value in values:
        name = f"measures[{key!r}]"
        points, weights = _as_measure(value, name)
        if first is not None and first[1].labels is not None:
            points = columns.reordered(points, first[1].labels, name, first[0])
            require_same_scales(first[1], points, first[0], f"`{name}`")
        if first is None or (first[1].labels is None and points.labels is not None):
            first = f"`{name}`", points
        if measures and points.shape[1] != measures[0][0].shape[1]:
            raise ValueError(
                f"`measures` must all have the same number of columns; got {measures[0][0].shape[1]} in {first[0]} "
                f"and {points.shape[1]} in `{name}`. Pass the same features, in the same order, in all."
            )
        measures.append((points.values, weights))
    if len(measures) < 2:
        raise ValueError(f"`measures` must hold at least two measures; got {len(measures) or 'none'}.")
    return measures


def _as_groups(values: Any, group: Any) -> dict[str, Points]:
    """Return the rows of a table by what its column `group` holds, in the order of their first rows."""
    frame: Any = dataframes.opened(values, "measures")
    if frame is None or not hasattr(frame, "columns"):
        raise TypeError(
            f"`group` names a column of one table; `measures` is {type(values).__name__}. Pass a data frame, or leave "
            f"out `group`."
        )
    names = [str(label) for label in frame.columns]
    require_column(names, str(group), "`group`", "`measures`")
    at = names.index(str(group))
    column = frame[:, at]
    missing = int(column.null_count())
    if missing:
        raise ValueError(f"Column {group!r} must name the measure of each row; {missing} rows have no value in it.")
    labels = column.to_list()
    levels = list(dict.fromkeys(labels))
    require_several_groups(levels, str(group), Words())
    _require_different([str(level) for level in levels])
    rest = frame[:, [j for j in range(len(names)) if j != at]]
    points = checked_points(*dataframes.read_frame(rest, "measures"), "measures")
    rows: dict[Any, list[int]] = {level: [] for level in levels}
    for row, label in enumerate(labels):
        rows[label].append(row)
    return {str(level): Points(points.values[kept], points.labels) for level, kept in rows.items()}


def _require_different(names: Sequence[str]) -> None:
    """Raise ValueError where two measures have the same name as text, in which results show them."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ValueError(
                f"`measures` must have a different name for each as text; {reprlib.repr(name)} names two. Rename one."
            )


def _require_several(values: Any) -> None:
    """Raise TypeError for what cannot be a sequence of measures, such as the points of a single one."""
    rule = (
        "`measures` must be a list of at least two measures, or a dict of them, each an (n, d) array or a tuple "
        "(points, weights)"
    )
    if dataframes.is_frame(values, "measures"):
        raise TypeError(
            f"{rule}; got one {type(values).__name__}. Pass a list of them, or name the column `group` that says which "
            f"measure a row is in."
        )
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
    measure = value[0] if isinstance(value[0], Points) else _as_points_of_pair(value[0], name)
    if value[1] is None:
        return measure, None
    as_weights(value[1], len(measure), f"{name}[1]", f"{name}[0]")
    return measure, as_float64(value[1], f"{name}[1]", "numbers")


def _as_points_of_pair(value: Any, name: str) -> Points:
    """Return the points of a tuple (points, weights)."""
    points, labels = read_points(value, f"{name}[0]")
    if points.ndim == 1 and points.size:
        raise ValueError(
            f"`{name}` must be an (n, d) array or a tuple (points, weights); got a tuple whose points have shape "
            f"{points.shape}. Pass points on a line as a column, `{name}[0][:, None]`, and two rows as a list."
        )
    return checked_points(points, labels, f"{name}[0]")


def _is_table(value: Any) -> bool:
    """Return whether the value has rows and columns."""
    return getattr(value, "ndim", None) == 2 or dataframes.is_frame(value, "measures")
