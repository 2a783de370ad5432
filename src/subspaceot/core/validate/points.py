"""Points: a finite float64 array (n, d), one row per point, with the labels of its columns where it came as a table."""

import reprlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...runtime.types import Array
from .. import columns, dataframes
from ..columns import Labels, Points
from .arrays import read
from .magnitudes import require_no_overflow
from .messages import nonfinite


def as_points(value: object, name: str, names: Sequence[str] | None = None) -> Array:
    """Return the points as a C-ordered float64 array (n, d), n >= 1, d >= 1, all finite.

    Lists, integer and float arrays of any order, and tables of numeric columns are accepted; booleans count as 0 and 1.
    No number is rounded: integers, decimals and long doubles that float64 cannot hold exactly are refused. The caller's
    own array is returned where it already has this form. The columns of a table are put into the order of `names`.
    """
    points = as_labelled_points(value, name)
    if names is not None:
        points = columns.reordered(Points(points.values, points.names), names, name, "the data")
    return points.values


def as_points_like(value: object, name: str, d: int, names: Sequence[str] | None, scales: Array | None = None) -> Array:
    """Return points with the columns of the data: d of them, those of a table in the order of `names`.

    Where the columns of the data were divided by `scales` (d,), those of a table as it came are too.
    """
    points = as_labelled_points(value, name)
    if names is not None:
        points = columns.reordered(replace(points, labels=points.names), names, name, "the data")
    if points.shape[1] != d:
        raise ValueError(f"`{name}` must have d={d} columns like the data; got {points.shape[1]}.")
    if points.scales is not None:
        require_same_scales(replace(points, scales=scales), points, "the data", f"`{name}`")
    as_it_came = points.labels is not None and points.scales is None
    return points.values / scales if as_it_came and scales is not None else points.values


def as_pair(X: object, Y: object) -> tuple[Array, Array]:
    """Return the points of both samples, each valid, with the same d columns in the same order."""
    points_X, points_Y = as_named_pair(X, Y)
    return points_X.values, points_Y.values


def as_named_pair(X: object, Y: object) -> tuple[Points, Points]:
    """Return the points of both samples as `as_pair` does, with the labels of their columns.

    The columns of two tables are matched by label, those of an array by position. Both have the labels of X, or of Y
    where X is an array. Points that come from here may be passed again, and are not checked twice.
    """
    points_X, points_Y = as_labelled_points(X, "X"), as_labelled_points(Y, "Y")
    if points_X.labels is not None:
        points_Y = columns.reordered(points_Y, points_X.labels, "Y", "`X`")
    if points_X.shape[1] != points_Y.shape[1]:
        raise ValueError(
            f"`X` and `Y` must have the same number of columns; got `X` with {points_X.shape[1]} and `Y` "
            f"with {points_Y.shape[1]}. Pass the same features, in the same order, in both."
        )
    require_same_scales(points_X, points_Y, "`X`", "`Y`")
    labels = points_Y.labels if points_X.labels is None else points_X.labels
    scales = points_Y.scales if points_X.scales is None else points_X.scales
    return replace(points_X, labels=labels, scales=scales), replace(points_Y, labels=labels, scales=scales)


def as_planar_pair(X: object, Y: object) -> tuple[Points, Points]:
    """Return the points of both samples as `as_named_pair` does, all of them in the plane."""
    points_X, points_Y = as_named_pair(X, Y)
    if points_X.shape[1] != 2:
        raise ValueError(f"`X` and `Y` must have 2 columns, points of the plane; got {points_X.shape[1]}.")
    return points_X, points_Y


def as_labelled_points(value: object, name: str) -> Points:
    """Return valid points with the labels of their columns."""
    if isinstance(value, Points):
        return value
    points = checked_points(*read_points(value, name), name)
    return replace(points, index=dataframes.row_labels(value, name))


def read_points(value: object, name: str) -> tuple[Array, Labels | None]:
    """Return points that may still have any shape, and the labels of their columns."""
    return read(value, name, "an (n, d) array of numbers, one row per point", are_points=True)


def checked_points(points: Array, labels: Labels | None, name: str) -> Points:
    """Return the points if their shape and values are valid."""
    if points.size == 0:
        raise ValueError(
            f"`{name}` must hold at least one point with at least one coordinate; got an empty array of "
            f"shape {points.shape}. Pass a non-empty (n, d) array."
        )
    if points.ndim != 2:
        raise ValueError(
            f"`{name}` must have two dimensions (n, d), one row per point; got shape {points.shape}. "
            f"{_ndim_fix(points, name)}"
        )
    if not np.isfinite(points).all():
        row, column = np.argwhere(~np.isfinite(points))[0]
        raise ValueError(
            f"`{name}` must be finite; got {nonfinite(points[row, column])} in row {row} (counted from 0), "
            f"column {column if labels is None else reprlib.repr(labels[column])}. Remove or fill in such rows first."
        )
    require_no_overflow(points, name)
    return Points(points, labels)


def require_same_scales(first: Points, second: Points, name: str, other: str) -> None:
    """Raise ValueError where columns of two tables were divided by different numbers, or those of one table only."""
    if first.labels is None or second.labels is None or (first.scales is None and second.scales is None):
        return
    if first.scales is None or second.scales is None:
        scaled, plain = (name, other) if second.scales is None else (other, name)
        raise ValueError(
            f"{name} and {other} must be on one scale; got {scaled} from `prepare`, which has divided its columns, and "
            f"{plain} as it came. Prepare both together."
        )
    if not np.array_equal(first.scales, second.scales):
        raise ValueError(
            f"{name} and {other} must be on one scale; they come from two calls of `prepare`, which have divided their "
            f"columns by different numbers. Prepare both together."
        )


def _ndim_fix(points: Array, name: str) -> str:
    """Return the advice for points that are not two-dimensional."""
    if points.ndim == 0:
        return f"Use `[[{name}]]` for one point on a line."
    if points.ndim == 1:
        size = points.size
        return (
            f"Use `{name}[:, None]` for {size} points on a line, or `{name}[None, :]` for one point "
            f"with {size} coordinates."
        )
    return f"Use `{name}.reshape(len({name}), -1)` for one row per entry of the first axis."
