"""Estimators for scikit-learn: project rows of two groups onto their subspace, or move one group onto the other in it.

Both answer for the weighted set of rows: neither the order of rows nor how equal rows are split matters. Only the tests
of `k="auto"` take each row for one observation.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from .core import validate
from .core.columns import Labels, Points
from .derivatives import warn_if_wide
from .distances import srw
from .energy import energy_distance
from .inference.selection import SelectedK, select_k
from .result import Result
from .runtime.isolation import isolated
from .runtime.types import Array

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, OneToOneFeatureMixin, TransformerMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils import ClassifierTags, Tags
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "`subspaceot.sklearn` needs scikit-learn 1.6 or later: pip install 'subspaceot[sklearn]'."
    ) from error

__all__ = ["SubspaceRobustProjection", "SubspaceTransport"]


class _TwoGroups(TransformerMixin, BaseEstimator):
    """What both estimators share: they learn from rows in two groups, which `y` names."""

    k: int | Literal["auto"]
    tol: float

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that `y` is needed and has two values."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    def _learn(self, X: Any, y: Any, sample_weight: Any, source: Any = None) -> tuple["_Group", "_Group"]:
        """Solve for the groups, set what both estimators learn, and return the groups, `source` first."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        k = validate.as_dimension_or_auto(self.k, X.shape[1])
        weights = validate.as_weights(sample_weight, len(X), "sample_weight", "X")
        self.classes_, number = validate.as_two_groups(y, weights, "y")
        first = validate.as_group(source, self.classes_, "source")
        sides = [(number == i) & (weights > 0.0) for i in (first, 1 - first)]
        groups = [_Group.of(X, weights, side) for side in sides]
        labels = tuple(self.feature_names_in_) if hasattr(self, "feature_names_in_") else None
        selection = _selected(X, labels, weights, sides) if validate.is_auto(k) else None
        dimension = int(k) if selection is None else max(1, selection.k)
        self.result_: Result = replace(_solved(groups, labels, dimension, self.tol), selection=selection)
        warn_if_wide(self.result_, ConvergenceWarning)
        self.rows_: tuple[NDArray[np.intp], ...] = tuple(group.rows for group in groups)
        self.components_: Array = np.ascontiguousarray(self.result_.basis.T)
        return groups[0], groups[1]


class SubspaceRobustProjection(ClassNamePrefixFeaturesOutMixin, _TwoGroups):
    """Coordinates of rows in the k directions in which two groups differ most.

    Parameters
    ----------
    k : int or "auto"
        Dimension of the subspace, 1..n_features; "auto" is the number of directions that tests find, at least 1.
    tol : float
        Certified relative gap at which `srw` stops.

    Attributes
    ----------
    components_ : array (k, n_features)
        The orthonormal directions, leading first.
    explained_ : array (k,)
        The share of the plan's mean squared displacement that lies along each of them.
    result_ : Result
        What `srw` found for the distinct rows of positive weight of both groups, `classes_[0]` as X.
    rows_ : pair of arrays of int
        For each row of X and of Y in `result_`, the first row of the data with these values.
    classes_ : array (2,)
        The labels of the groups, sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from subspaceot.sklearn import SubspaceRobustProjection
    >>> X = np.random.default_rng(0).standard_normal((80, 6))
    >>> y = np.repeat(["before", "after"], 40)
    >>> X[y == "after", 2] += 5.0
    >>> projection = SubspaceRobustProjection(k=1).fit(X, y)
    >>> int(np.argmax(np.abs(projection.components_)))
    2
    >>> projection.transform(X).shape
    (80, 1)
    """

    def __init__(self, k: int | Literal["auto"] = 2, *, tol: float = 1e-2) -> None:
        self.k = k
        self.tol = tol

    @isolated
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the subspace in which the rows of the two groups in `y` differ most."""
        source, target = self._learn(X, y, sample_weight)
        along = _mean_squared_displacements(self.result_, source.points @ self._basis, target.points @ self._basis)
        total = _mean_squared_displacements(self.result_, source.points, target.points).sum()
        self.explained_: Array = along / total if total > 0.0 else np.zeros(len(along))
        return self

    @isolated
    def transform(self, X: Any) -> Array:
        """Return the coordinates (n, k) of rows in the subspace."""
        check_is_fitted(self)
        coordinates: Array = validate_data(self, X, dtype=np.float64, reset=False) @ self._basis
        return coordinates

    @property
    def _basis(self) -> Array:
        """The directions as columns (n_features, k)."""
        return self.components_.T

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)


class SubspaceTransport(OneToOneFeatureMixin, _TwoGroups):
    """Moves rows of one group onto the other group, in the k directions in which they differ most and in no other.

    A row x of the data becomes x + B B^T (T(x) - x), where T(x) is the mean of its images under the plan and B holds
    the directions as columns. A new row moves as the rows nearby do: see `Result.transport`.

    Parameters
    ----------
    k : int or "auto"
        Dimension of the subspace, 1..n_features; "auto" is the number of directions that tests find, at least 1.
    tol : float
        Certified relative gap at which `srw` stops.
    source : label, optional
        The group that is moved; by default the first of both labels in sorted order.

    Attributes
    ----------
    components_ : array (k, n_features)
        The orthonormal directions, leading first.
    result_ : Result
        What `srw` found for the distinct rows of positive weight, those of the group that is moved as X.
    rows_ : pair of arrays of int
        For each row of X and of Y in `result_`, the first row of the data with these values.
    classes_ : array (2,)
        The labels of the groups, sorted.

    Notes
    -----
    `transform` takes every row for one of the group that is moved: pass rows of that group only.

    Examples
    --------
    >>> import numpy as np
    >>> from subspaceot.sklearn import SubspaceTransport
    >>> X = np.random.default_rng(0).standard_normal((80, 6))
    >>> group = np.repeat(["new sensor", "old sensor"], 40)
    >>> X[group == "new sensor", 2] += 5.0
    >>> transport = SubspaceTransport(k=1).fit(X, group)
    >>> moved = transport.transform(X[group == "new sensor"])
    >>> bool(abs(moved[:, 2].mean() - X[group == "old sensor", 2].mean()) < 0.1)
    True
    """

    def __init__(self, k: int | Literal["auto"] = 2, *, tol: float = 1e-2, source: Any = None) -> None:
        self.k = k
        self.tol = tol
        self.source = source

    @isolated
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the subspace in which the two groups in `y` differ most, and the plan between them."""
        self._learn(X, y, sample_weight, self.source)
        return self

    @isolated
    def transform(self, X: Any) -> Array:
        """Return the rows (n, n_features), each taken for one of the group that is moved, where they move to."""
        check_is_fitted(self)
        return self.result_.transport(validate_data(self, X, dtype=np.float64, reset=False))

    @isolated
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the difference between two groups that moving one of them removes.

        On rows that were not fitted this says which k to choose: 1 - D(moved, target) / D(source, target), where D is
        the energy distance, which is 0 on average where nothing is left to remove. So the score is about 1 at best,
        negative where moving does harm, and 0 where the groups do not differ.
        """
        check_is_fitted(self)
        X, y = validate_data(self, X, y, dtype=np.float64, reset=False)
        weights = validate.as_weights(sample_weight, len(X), "sample_weight", "X")
        labels, number = validate.as_two_groups(y, weights, "y")
        first = validate.as_group(self.classes_[0] if self.source is None else self.source, labels, "source")
        source, target = (_Group.of(X, weights, (number == i) & (weights > 0.0)) for i in (first, 1 - first))
        masses = source.weights, target.weights
        before = energy_distance(source.points, target.points, *masses)
        after = energy_distance(self.result_.transport(source.points), target.points, *masses)
        return 1.0 - after / before if before > 0.0 else 0.0


@dataclass(frozen=True, eq=False, slots=True)
class _Group:
    """The distinct rows of a group, sorted, so that the answer depends on neither order nor repetition."""

    points: Array  # (n, n_features)
    weights: Array  # (n,) sums over equal rows, all positive
    rows: NDArray[np.intp]  # (n,) the first row of the data with these values

    @classmethod
    def of(cls, X: Array, weights: Array, members: NDArray[np.bool_]) -> "_Group":
        """Return the group of some rows, those of weight 0 left out."""
        rows = np.flatnonzero(members & (weights > 0.0))
        points, first, number = np.unique(X[rows], axis=0, return_index=True, return_inverse=True)
        sums: Array = np.bincount(number.ravel(), weights[rows]).astype(np.float64, copy=False)
        return cls(points, sums, rows[first])


def _solved(groups: list[_Group], labels: Labels | None, k: int, tol: float) -> Result:
    """Return what `srw` finds for two groups."""
    first, second = groups
    return srw(Points(first.points, labels), Points(second.points, labels), k, first.weights, second.weights, tol=tol)


def _selected(X: Array, labels: Labels | None, weights: Array, sides: list[NDArray[np.bool_]]) -> SelectedK:
    """Return in how many directions two sets of rows differ: of rows as they are, as merged ones would count once."""
    first, second = (Points(X[side], labels) for side in sides)
    return select_k(first, second, *(weights[side] for side in sides))


def _mean_squared_displacements(result: Result, X: Array, Y: Array) -> Array:
    """Return the mean of (x - y)^2 under the plan, for each column of X and Y."""
    a, b = result.coupling.row_sums(), result.coupling.column_sums()
    centre = a @ X / a.sum()
    X, Y = X - centre, Y - centre
    means: Array = a @ X**2 + b @ Y**2 - 2.0 * np.sum(X * (result.coupling @ Y), axis=0)
    return np.maximum(means, 0.0)
