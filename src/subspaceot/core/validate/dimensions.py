"""Dimensions: k of a subspace, several of them along a path, and d of an earlier result."""

import numbers
from collections.abc import Sequence
from typing import Any, Literal

from .messages import described
from .scalars import as_integer


def as_dimension(value: object, d: int, name: str = "k") -> int:
    """Return the dimension of a subspace, an integer between 1 and d."""
    k = as_integer(value, name)
    if not 1 <= k <= d:
        raise ValueError(f"`{name}` must be between 1 and the dimension d={d}; got {k}.")
    return k


def as_dimension_or_auto(value: Any, n_features: int, name: str = "k") -> int | Literal["auto"]:
    """Return the dimension of a subspace for an estimator, whose data have `n_features` columns, or "auto"."""
    if is_auto(value, name):
        return "auto"
    k = as_integer(value, name)
    if not 1 <= k <= n_features:
        raise ValueError(f"`{name}` must be between 1 and the number of columns, n_features={n_features}; got {k}.")
    return k


def is_auto(value: object, name: str = "k") -> bool:
    """Return whether a dimension is to be selected: True for "auto", False for an integer."""
    if isinstance(value, str) and value == "auto":
        return True
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(
            f'`{name}` must be an integer or "auto"; got {described(value)}. Pass an int such as 2, or "auto" for the '
            f"number of directions that tests find."
        )
    return False


def as_dimensions(values: Any, d: int, name: str) -> list[int]:
    """Return distinct dimensions of subspaces in ascending order; 1..d for None."""
    if values is None:
        return list(range(1, d + 1))
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise TypeError(f"`{name}` must be a sequence of integers in 1..{d}; got {values!r}.")
    ks = [as_dimension(value, d, name) for value in values]
    if not ks:
        raise ValueError(f"`{name}` must hold at least one dimension; got none. Leave it out for 1..{d}.")
    if len(set(ks)) < len(ks):
        twice = next(k for k in ks if ks.count(k) > 1)
        raise ValueError(f"`{name}` must name each dimension once; {twice} comes more than once.")
    return sorted(ks)


def as_one_or_more_dimensions(value: Any, d: int, name: str = "k") -> list[int]:
    """Return one dimension of a subspace, or distinct ones in ascending order, as a list."""
    if not hasattr(value, "__iter__") or isinstance(value, str | bytes):
        return [as_dimension(value, d, name)]
    values = list(value)
    if not values:
        raise ValueError(f"`{name}` must hold at least one dimension in 1..{d}; got none. Pass one such as 1.")
    return as_dimensions(values, d, name)


def require_consecutive(ks: Sequence[int]) -> None:
    """Raise ValueError unless `ks`, distinct and ascending, are two or more neighbours: an elbow lies between them."""
    if len(ks) < 2 or ks[-1] - ks[0] != len(ks) - 1:
        raise ValueError(f"`ks` must be consecutive for an elbow; got {list(ks)}. Leave `ks` out for 1..d.")


def require_same_dimension(before: int, d: int) -> None:
    """Raise ValueError if the earlier result `init` is one in another dimension than the data."""
    if before != d:
        raise ValueError(f"`init` must be a result in the same dimension d={d}; got one in d={before}.")
