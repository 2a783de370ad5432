"""Labels of rows that belong together: units that are exchanged as wholes, strata within which they are exchanged."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...runtime.types import Array, Indices
from ..columns import listed
from .messages import described

LEAST_UNITS = 2  # a side: with one, nothing tells a difference of laws from one of units


def as_groups(value: Any, n: int, m: int, name: str) -> Indices | None:
    """Return the number 0, 1, ... of the group of each of the n + m rows, for a pair of label arrays, or None."""
    if value is None:
        return None
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(
            f"`{name}` must be a pair of label arrays, one for the rows of `X` and one for those of `Y`; got "
            f"{type(value).__name__}. Pass `({name}_X, {name}_Y)`."
        )
    labels = [_as_labels(part, size, name, rows) for part, size, rows in zip(value, (n, m), "XY", strict=True)]
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in (*labels[0], *labels[1])], dtype=np.intp)


def require_units(units: Indices, n: int, labels: Any) -> None:
    """Raise ValueError unless each unit is on one side only, and there are at least two on each."""
    sides = set(units[:n].tolist()), set(units[n:].tolist())
    if shared := sorted(sides[0] & sides[1]):
        label = _as_list(labels[0])[int(np.flatnonzero(units == shared[0])[0])]
        raise ValueError(
            f"`units` must name different units in `X` and in `Y`; {label!r} is in both. If it is one unit seen twice, "
            f"name it together with its sample in `units`, and alone in `strata`."
        )
    for name, side in zip("XY", sides, strict=True):
        if len(side) < LEAST_UNITS:
            raise ValueError(
                f"`units` must name at least {LEAST_UNITS} units in `{name}`; got {len(side)}. With one unit a side "
                f"nothing tells a difference between laws from one between units."
            )


def require_strata(strata: Indices, units: Indices | None, n: int, labels: Any) -> None:
    """Raise ValueError unless each stratum has points on both sides, and each unit is within one stratum."""
    sides = set(strata[:n].tolist()), set(strata[n:].tolist())
    if lonely := sorted(sides[0] ^ sides[1]):
        label = (*_as_list(labels[0]), *_as_list(labels[1]))[int(np.flatnonzero(strata == lonely[0])[0])]
        side = "X" if lonely[0] in sides[0] else "Y"
        raise ValueError(
            f"`strata` must each have rows in `X` and in `Y`; {label!r} has rows in `{side}` only. Leave such rows "
            f"out, or merge strata."
        )
    if units is None:
        return
    counts = Counter(unit for unit, _ in set(zip(units.tolist(), strata.tolist(), strict=True)))
    if split := [unit for unit, count in counts.items() if count > 1]:
        row = int(np.flatnonzero(units == split[0])[0])
        raise ValueError(
            f"`units` must each lie within one stratum of `strata`; the unit of row {row} (counted from 0, `Y` after "
            f"`X`) lies in {counts[split[0]]}. Leave `strata` out, or choose one stratum for each unit."
        )


def require_enough_points(n: int, m: int, least: int, purpose: str) -> None:
    """Raise ValueError unless both samples have at least so many points of positive weight."""
    for name, size in (("X", n), ("Y", m)):
        if size < least:
            raise ValueError(
                f"`{name}` must hold at least {least} points of positive weight for {purpose}; got {size}. Collect "
                f"more, or describe the samples with `srw` and a `k` of your choice."
            )


def as_two_groups(labels: Any, weights: Array, name: str) -> tuple[NDArray[Any], Indices]:
    """Return the two labels that rows of positive weight have, sorted, and the number 0 or 1 of each row's group.

    Rows of weight 0 may have any label; one that is neither of the two counts as group 0.
    """
    massive = np.asarray(labels)[weights > 0.0]
    groups = np.unique(massive)
    if len(groups) != 2:
        classes = "1 class" if len(groups) == 1 else f"{len(groups)} classes"
        folds = ", or pass `cv=StratifiedKFold()`, whose folds hold both" if len(groups) == 1 else ""
        raise ValueError(
            f"`{name}` must name two groups, each with rows of positive weight; got {classes}: "
            f"{listed(groups.tolist())}. Select the rows of two groups{folds}."
        )
    return groups, (np.asarray(labels) == groups[1]).astype(np.intp)


def as_group(value: Any, groups: NDArray[Any], name: str) -> int:
    """Return the number of one of the groups; 0 for None."""
    found = [0] if value is None else [i for i, group in enumerate(groups.tolist()) if group == value]
    if not found:
        raise ValueError(f"`{name}` must be one of the groups, {listed(groups.tolist())}; got {described(value)}.")
    return found[0]


def _as_labels(value: Any, size: int, name: str, rows: str) -> list[Any]:
    """Return one hashable label for each row, none of them missing."""
    labels = _as_list(value)
    if len(labels) != size:
        raise ValueError(
            f"`{name}` must hold one label for each row; got {len(labels)} for the {size} rows of `{rows}`."
        )
    for i, label in enumerate(labels):
        if label is None or label != label:
            raise ValueError(
                f"`{name}` must not hold missing labels; got {label!r} for row {i} (counted from 0) of `{rows}`. "
                f"Leave such rows out, or give them a label of their own."
            )
    return labels


def _as_list(value: Any) -> list[Any]:
    """Return labels in any one-dimensional container as a list of Python objects."""
    if hasattr(value, "to_list"):  # a column of a table
        return list(value.to_list())
    values = np.asarray(value)
    return list(values.tolist()) if values.ndim == 1 else list(value)
