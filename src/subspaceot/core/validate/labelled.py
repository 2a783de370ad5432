"""Groups of rows by the labels in a column: which labels make up which group."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...runtime.types import Indices
from ..columns import listed
from .messages import described


def as_row_groups(
    labels: Sequence[Any], levels: Sequence[Any] | None, groups: Any, column: str, *, pair: bool
) -> dict[str, Indices]:
    """Return name -> rows of two groups, or of two or more, in the order of `groups`; missing labels are in none.

    `groups` holds labels, or lists of labels, or maps names to them; None stands for each label on its own, in the
    order of `levels` where there is one.
    """
    found = {label for label in labels if label is not None and label == label}
    present = sorted(found, key=str) if levels is None else [label for label in levels if label in found]
    chosen = _as_named(present if groups is None else groups)
    if len(chosen) < 2 or (pair and len(chosen) > 2):
        rule = "two groups" if pair else "at least two groups"
        came = f"column {column!r} has {len(present)} labels" if groups is None else f"got {len(chosen)}"
        raise ValueError(f"`groups` must name {rule}; {came}: {listed(present)}. Pass labels of this column.")
    known = set(present)
    taken: dict[Any, str] = {}
    for name, members in chosen.items():
        if not members:
            raise ValueError(f"`groups` must hold at least one label for each group; {name!r} has none.")
        for label in members:
            if label not in known:
                raise ValueError(f"`groups` must hold labels of column {column!r}, {listed(present)}; got {label!r}.")
            if label in taken:
                raise ValueError(f"`groups` must hold each label once; {label!r} is in {taken[label]!r} and {name!r}.")
            taken[label] = name
    number = {name: i for i, name in enumerate(chosen)}
    of_row = np.array([number[taken[label]] if label in taken else -1 for label in labels])
    return {name: np.flatnonzero(of_row == i) for name, i in number.items()}


def as_key(value: Any, name: str, keys: Iterable[Any], where: str, fix: str = "") -> str:
    """Return a key that exists in a mapping of the caller's, which messages call `where`; `fix` is a sentence."""
    known = [str(key) for key in keys]
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a name in {where}; got {described(value)}.")
    if value not in known:
        found = listed(known) or "nothing"
        raise ValueError(f"`{name}` must be in {where}, which has {found}; got {value!r}.{' ' * bool(fix)}{fix}")
    return value


def as_new_key(value: Any, name: str) -> str:
    """Return the name under which something is stored, fit for HDF5."""
    if not isinstance(value, str) or not value or "/" in value:
        raise ValueError(f"`{name}` must be a non-empty name without a slash, as HDF5 needs; got {described(value)}.")
    return value


def require_loadings(shape: tuple[int, ...], d: int, name: str, use_rep: str) -> None:
    """Raise ValueError unless loadings have a column for each coordinate."""
    if len(shape) != 2 or shape[1] != d:
        raise ValueError(
            f"`loadings` must have one column for each of the {d} columns of {use_rep!r}; {name!r} has shape {shape}. "
            f"Name the ones that {use_rep!r} was made with, or pass `use_rep` and `loadings` that belong together."
        )


def require_gene_values(X: Any) -> None:
    """Raise ValueError where an AnnData has no values of genes."""
    if X is None:
        raise ValueError("`use_rep` must be a key of `adata.obsm`, as `adata.X` is None; got 'X'.")


def require_no_loadings(name: Any) -> None:
    """Raise ValueError where loadings are named for values that are those of genes already."""
    if name is not None:
        raise ValueError(
            f"`loadings` must be left out where `use_rep` is 'X', whose columns are genes; got {described(name)}."
        )


def _as_named(groups: Any) -> dict[str, list[Any]]:
    """Return name -> labels of each group; a group without a name is called what its labels are called."""
    if isinstance(groups, Mapping):
        return {str(name): _as_list(members) for name, members in groups.items()}
    if isinstance(groups, str) or not hasattr(groups, "__iter__"):
        raise TypeError(
            f"`groups` must be a list of labels, or a dict such as {{'T cells': ['CD4', 'CD8'], 'B cells': ['CD19']}}; "
            f"got {described(groups)}."
        )
    lists = [_as_list(members) for members in groups]
    named = {", ".join(map(str, members)): members for members in lists}
    if len(named) < len(lists):
        raise ValueError(f"`groups` must hold each label once; got {described(groups)}.")
    return named


def _as_list(members: Any) -> list[Any]:
    return list(members) if isinstance(members, list | tuple | set | frozenset | np.ndarray) else [members]
