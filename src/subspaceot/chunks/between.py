"""Transport between the cells of both sides: plain, and corrected so that its potentials hold for all points."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from ..core.coupling import Coupling
from ..core.marginals import Masses
from ..core.moments import squared_distances
from ..core.nearest import Tree
from ..core.rounding import UNIT
from ..runtime.types import Array, Indices
from ..transport import Transport, exact_transport
from ..transport.monotone import north_west_corner
from ..transport.simplex import network_simplex
from .cells import Side

ALL_PAIRS = 2600  # cells of each side: transport among all of their pairs takes a second or two
CANDIDATES = 16  # of each cell, where there are more cells: those of least reduced cost


@dataclass(frozen=True, eq=False, slots=True)
class Potentials:
    """Functions of a point: f(x) = value + 2 <slope, x - centre> in each cell of one side, g likewise of the other.

    They hold for all points of both sides: f(x) + g(y) <= |x - y|^2 as seen through Omega, x and y in exact arithmetic.
    """

    f: Array  # (C,)
    g: Array  # (C',)
    s: Array  # (C, q) slopes
    t: Array  # (C', q)

    @classmethod
    def zero(cls, X: Side, Y: Side) -> "Potentials":
        """Return those that are 0 everywhere."""
        return cls(0.0 * X.mass, 0.0 * Y.mass, 0.0 * X.centre, 0.0 * Y.centre)

    def costs(self, X: Side, Y: Side) -> tuple[Array, ...]:
        """Return what the loops read."""
        return X.centre, X.low, X.high, self.s, Y.centre, Y.low, Y.high, self.t


def transport_between(X: Side, Y: Side, g: Array | None) -> Transport:
    """Return exact transport between the centres of cells; among few pairs where there are many cells.

    `g` (C',) is a potential from nearby, with which to begin where there are many.
    """
    a, b = X.mass / X.mass.sum(), Y.mass / Y.mass.sum()
    if len(X) * len(Y) <= ALL_PAIRS**2:
        return exact_transport(squared_distances(X.centre, Y.centre), a, b)
    g = _first_guess(X, Y) if g is None else g
    rows, columns = _candidates(X, Y, g, a, b)
    differences = X.centre[rows] - Y.centre[columns]
    costs = np.einsum("ij,ij->i", differences, differences)
    return network_simplex(scipy.sparse.coo_array((costs, (rows, columns)), shape=(len(X), len(Y))), a, b)


def potentials_between(X: Side, Y: Side, transport: Transport) -> Potentials:
    """Return potentials of all points, from those of transport between centres.

    The slope of f at a cell is its centre less the mean of its images: half the gradient of min |x - y|^2 - g(y).
    """
    slopes = _slopes(X, Y, transport.plan)
    return _feasible(X, Y, slopes, _corrected_transport(X, Y, slopes, transport).g)


def _slopes(X: Side, Y: Side, plan: Coupling) -> tuple[Array, Array]:
    """Return the slopes of f (C, q) and of g (C', q)."""
    images = (plan @ Y.centre) / plan.row_sums()[:, None]
    preimages = (plan.T @ X.centre) / plan.column_sums()[:, None]
    return X.centre - images, Y.centre - preimages


def _corrected_transport(X: Side, Y: Side, slopes: tuple[Array, Array], before: Transport) -> Transport:
    """Return transport for costs from which all that the slopes may take off is taken off."""
    from . import _cost_kernels as kernels  # numba takes a third of a second to import

    a, b = X.mass / X.mass.sum(), Y.mass / Y.mass.sum()
    read = Potentials(before.f, before.g, *slopes).costs(X, Y)
    if len(X) * len(Y) <= ALL_PAIRS**2:
        C = np.empty((len(X), len(Y)))
        kernels.all_costs(*read, C)
        C -= C.min()  # the simplex expects costs of at least 0; the proof has the costs as they are
        return exact_transport(C, a, b)
    rows, columns = _corrected_candidates(read, before)
    costs = np.empty(len(rows))
    kernels.some_costs(*read, rows, columns, costs)
    costs -= costs.min()
    return network_simplex(scipy.sparse.coo_array((costs, (rows, columns)), shape=(len(X), len(Y))), a, b)


def _feasible(X: Side, Y: Side, slopes: tuple[Array, Array], g: Array) -> Potentials:
    """Return potentials with f + g at most the corrected cost of any two cells: one c-transform in each direction."""
    g = g - float(Y.mass @ g) / Y.mass.sum()  # a constant is free, but a large one would cost digits
    s, t = slopes
    f = _transformed(X, Y, s, t, g)
    g = _transformed(Y, X, t, s, f)
    return Potentials(f - 4.0 * UNIT * np.abs(f), g - 4.0 * UNIT * np.abs(g), s, t)


def _transformed(X: Side, Y: Side, s: Array, t: Array, g: Array) -> Array:
    """Return the smallest corrected cost less g (C,)."""
    return _smallest(Potentials(np.empty(0), g, s, t).costs(X, Y), g, 1)[0][:, 0]


def _smallest(read: tuple[Array, ...], g: Array, count: int) -> tuple[Array, Indices]:
    """Return the smallest corrected costs less g (C, count) of each cell, and the cells that they are with."""
    from . import _cost_kernels as kernels

    shape = len(read[0]), min(count, len(g))
    least, nearest = np.empty(shape), np.zeros(shape, dtype=np.intp)
    kernels.transform(*read, g, shape[1], least, nearest)
    return least, nearest


# --- many cells: pairs that may carry mass ----------------------------------------------------------------------------


def _first_guess(X: Side, Y: Side) -> Array:
    """Return a potential (C',) for cells, from transport between groups of them that are next to each other."""
    group_X, group_Y = (-(-len(side) // ALL_PAIRS) for side in (X, Y))
    a, x = _grouped(X, group_X)
    b, y = _grouped(Y, group_Y)
    f = exact_transport(squared_distances(x, y), a, b).f
    return Tree.of(x).least(Y.centre, f)[0]


def _grouped(side: Side, size: int) -> tuple[Array, Array]:
    """Return shares and centres of groups of so many cells, neighbours in the tree of splits."""
    first = np.arange(0, len(side), size)
    mass = np.add.reduceat(side.mass, first)
    centre = np.add.reduceat(side.mass[:, None] * side.centre, first, axis=0) / mass[:, None]
    return mass / mass.sum(), centre


def _candidates(X: Side, Y: Side, g: Array, a: Array, b: Array) -> tuple[Indices, Indices]:
    """Return the pairs of cells of least reduced cost of each, for a potential g of the other side."""
    near = Tree.of(Y.centre).nearest(X.centre, g, CANDIDATES)
    f = np.sum((X.centre - Y.centre[near[:, 0]]) ** 2, axis=1) - g[near[:, 0]]
    back = Tree.of(X.centre).nearest(Y.centre, f, CANDIDATES)
    # Cells come in the order of a tree: coupled in this order they make a plan, so that some plan is possible.
    corner = north_west_corner(np.arange(len(a)), np.arange(len(b)), Masses(a, 0.0 * a, b, 0.0 * b))
    return _pairs(near, back, corner.rows, corner.columns)


def _corrected_candidates(read: tuple[Array, ...], before: Transport) -> tuple[Indices, Indices]:
    """Return pairs of least reduced corrected cost, and those that the plan before uses."""
    f, near = _smallest(read, before.g, CANDIDATES)
    back = _smallest((*read[4:], *read[:4]), f[:, 0], CANDIDATES)[1]
    rows, columns, _ = before.plan.atoms()
    return _pairs(near, back, rows, columns)


def _pairs(near: Indices, back: Indices, rows: Indices, columns: Indices) -> tuple[Indices, Indices]:
    """Return pairs, each once: the cells near each of X, those near each of Y, and those of a plan.

    One cell of each side is paired with all: a plan must be possible, whatever rounding does to sums.
    """
    n, m = len(near), len(back)
    every, every_other = np.arange(n), np.arange(m)
    given = [(np.repeat(every, near.shape[1]), near.ravel()), (back.ravel(), np.repeat(every_other, back.shape[1]))]
    given += [(every, np.zeros_like(every)), (np.zeros_like(every_other), every_other), (rows, columns)]
    pairs = np.unique(np.concatenate([i.astype(np.intp) * m + j for i, j in given]))
    return pairs // m, pairs % m
