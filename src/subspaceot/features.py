"""What a result says of each column, as a table."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .core import validate
from .core.table import Table
from .runtime.types import Array

if TYPE_CHECKING:
    from .inference.interval_result import Intervals
    from .result import Result


def feature_table(result: "Result", intervals: "Intervals | None" = None) -> Table:
    """Return one row per column of the data, those with the largest shares first.

    The columns of the table are always `name`, `share` of the cost, `low` and `high` of the confidence interval of the
    population's share (NaN where there is none), `mean_X` and `mean_Y`, in the units of the table where `prepare` has
    divided its columns, and the weights in the directions of `basis`, `direction_1` to `direction_k`.
    """
    names = feature_names(result)
    bounds = _bounds(result, names, intervals)
    mean_X, mean_Y = (mean * scales(result) for mean in means(result))
    return table_of_features(names, result.feature_share, (mean_X, mean_Y), result.basis, bounds)


def table_of_features(
    names: Iterable[str],
    share: Array,
    means: tuple[Array, Array],
    basis: Array,
    bounds: tuple[Array, Array] | None = None,
) -> Table:
    """Return the same table, given what is in it: names, shares, means (d,) of X and Y, basis (d, k), interval ends."""
    low, high = np.full((2, len(share)), np.nan) if bounds is None else bounds
    order = np.argsort(-share, kind="stable")
    columns = {"name": np.array(list(names), dtype=object), "share": share, "low": low, "high": high}
    columns |= {"mean_X": means[0], "mean_Y": means[1]}
    columns |= {f"direction_{j + 1}": weights for j, weights in enumerate(basis.T)}
    return Table({title: values[order] for title, values in columns.items()})


def feature_names(result: "Result") -> "np.ndarray[tuple[int], np.dtype[np.object_]]":
    """Return the names (d,) of the columns: those of the tables, or their numbers from 0 on."""
    d = result.problem.frame.d
    return np.array(result.names or [str(j) for j in range(d)], dtype=object)


def means(result: "Result") -> tuple[Array, Array]:
    """Return the weighted mean (d,) of each sample."""
    problem = result.problem
    X, Y = problem.frame.massive
    return problem.a @ X, problem.b @ Y


def scales(result: "Result") -> Array:
    """Return what the columns (d,) of the data were divided by before they came; ones where nothing is known."""
    frame = result.problem.frame
    return np.ones(frame.d) if frame.scales is None else frame.scales


def _bounds(
    result: "Result", names: "np.ndarray[tuple[int], np.dtype[np.object_]]", intervals: "Intervals | None"
) -> tuple[Array, Array]:
    """Return both ends (d,) of the confidence interval of each share, NaN where there is none."""
    low, high = np.full((2, len(names)), np.nan)
    if intervals is None:
        return low, high
    validate.require_same_features(intervals.k, [row.name for row in intervals.features], result.k, list(names))
    for j, row in enumerate(intervals.features):
        if row.low is not None and row.high is not None:
            low[j], high[j] = row.low, row.high
    return low, high
