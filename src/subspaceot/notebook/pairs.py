"""Distances between all pairs in a notebook."""

import numpy as np

from ..pairs import Pairwise
from ..tables.comparison import solver_bounds
from ._parts import beside, card, head, name, remark, table
from ._pictures import heatmap

_MOST_ROWS = 10
_SHORT = 10  # characters of a name above its column
_MOST_CELLS = 60  # of a heat map, in each direction


def html(pairs: Pairwise) -> str:
    """Return the distances as a heat map, and as a table where there are few; the widest solver bounds in words."""
    N = len(pairs.distance)
    names = list(pairs.names) if pairs.names is not None else [str(at) for at in range(N)]
    off = pairs.distance[~np.eye(N, dtype=bool)]
    i, j = np.unravel_index(np.argmax(pairs.upper - pairs.lower), (N, N))
    missed = f"{len(pairs.unconverged)} pairs NOT CONVERGED" if pairs.unconverged else "CONVERGED"
    widest = solver_bounds(float(pairs.lower[i, j]), float(pairs.upper[i, j]))
    return card(
        head(f"Distances between {N} measures", f"{off.min():.4g} to {off.max():.4g}"),
        remark("widest: ", name(names[i]), " and ", name(names[j]), f", {widest}; {missed}"),
        beside(
            heatmap(pairs.distance, names) if N <= _MOST_CELLS else "",
            _table(pairs, names) if N <= _MOST_ROWS else "",
        ),
    )


def _table(pairs: Pairwise, names: list[str]) -> str:
    """Return the distances in rows and columns."""
    rows = [
        [name(first), *("" if i == j else f"{pairs.distance[i, j]:.4g}" for j in range(len(names)))]
        for i, first in enumerate(names)
    ]
    return table(["", *(name(text, _SHORT) for text in names)], rows)
