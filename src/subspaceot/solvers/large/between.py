"""Exact transport between cells: among all pairs where they are few, else among those that may carry mass."""

import numpy as np
import scipy.sparse

from ...core.coupling import Coupling
from ...core.moments import squared_distances
from ...core.nearest import nearest
from ...runtime.types import Array, Indices
from ...transport import Transport, exact_transport
from ...transport.simplex import network_simplex
from .cells import Cells

ALL_PAIRS = 2048  # cells of each side: transport among all of their pairs takes about a second
CANDIDATES = 15  # of each cell: those of least reduced cost


def transport_between(cells: Cells, others: Cells, g: Array | None, plan: Coupling | None, tol: float) -> Transport:
    """Return transport between the means of cells, optimal within `tol` where there are few.

    `g` (count,) is a potential of the other side from nearby, `plan` (n, m) one of the points: with many cells, pairs
    that it uses and those of least reduced cost for g are all that may carry mass.
    """
    if g is None or plan is None or len(cells) * len(others) <= ALL_PAIRS**2:
        return exact_transport(squared_distances(cells.mean, others.mean), cells.mass, others.mass, g, tol=tol)
    rows, columns = _candidates(cells, others, g, plan)
    differences = cells.mean[rows] - others.mean[columns]
    costs = np.einsum("ij,ij->i", differences, differences)
    C = scipy.sparse.coo_array((costs, (rows, columns)), shape=(len(cells), len(others)))
    return network_simplex(C, cells.mass, others.mass)


def _candidates(cells: Cells, others: Cells, g: Array, plan: Coupling) -> tuple[Indices, Indices]:
    """Return pairs of cells, each once: those that the plan uses, and the nearest of each cell for its potential."""
    near = nearest(cells.mean, others.mean, g, CANDIDATES)
    f = np.sum((cells.mean - others.mean[near[:, 0]]) ** 2, axis=1) - g[near[:, 0]]
    back = nearest(others.mean, cells.mean, f, CANDIDATES)
    i, j, _ = plan.atoms()
    every, every_other = np.arange(len(cells)), np.arange(len(others))
    # One of each side is connected to all others: rounding of sums must not make a part of the graph infeasible.
    rows = [np.repeat(every, near.shape[1]), back.ravel(), cells.of_row[i], every, np.zeros_like(every_other)]
    columns = [near.ravel(), np.repeat(every_other, back.shape[1]), others.of_row[j], np.zeros_like(every), every_other]
    pairs = np.unique(np.concatenate(rows) * len(others) + np.concatenate(columns))
    return pairs // len(others), pairs % len(others)
