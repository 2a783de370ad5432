"""The array types of the package, and what callers may pass."""

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]


class TableLike(Protocol):
    """A table with named columns: of pandas, polars, pyarrow, DuckDB, or what else narwhals reads."""

    @property
    def columns(self) -> Any:
        """The columns, or their names."""


PointsLike: TypeAlias = ArrayLike | TableLike  # (n, d), one row per point
Weights: TypeAlias = ArrayLike | None  # (n,), one per point; None where all weigh the same
Labels: TypeAlias = Sequence[Hashable] | ArrayLike  # (n,), one per point
PairOfLabels: TypeAlias = tuple[Labels, Labels] | None  # of the points of X, and of those of Y
Seed: TypeAlias = int | np.integer[Any] | np.random.Generator
