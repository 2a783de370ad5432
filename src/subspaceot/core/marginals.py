"""Couplings: a plan near another one whose rows and columns sum to the weights, and what is left of that promise."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

from ..runtime.types import Array, Indices
from .completed import Completed
from .coupling import Coupling, Dense, Sparse
from .rounding import UNIT
from .tiled_kernel import TiledKernel

# What a plan is shrunk by before the missing mass is added, so that something is missing everywhere: more than
# `rounded` and the network simplex leave of rounding errors, and next to nothing against the cost of a plan.
_SHRINK = 2.0**-46

_TRIES = 4  # to mend a plan along a forest: most need one

_TINY = np.finfo(float).tiny  # for rows and columns without mass


Sums: TypeAlias = Array | tuple[Array, Array]  # (2, .) pairs total + rest


@dataclass(frozen=True, eq=False, slots=True)
class Masses:
    """The weights of both measures to twice the working precision: a + a_low is what the caller's weights sum to."""

    a: Array  # (n,)
    a_low: Array  # (n,)
    b: Array  # (m,)
    b_low: Array  # (m,)

    def missing(self, rows: Sums, columns: Sums) -> tuple[Array, Array]:
        """Return what sums (2, n), (2, m), given as pairs total + rest, lack of the weights."""
        return (self.a - rows[0]) + (self.a_low - rows[1]), (self.b - columns[0]) + (self.b_low - columns[1])


@dataclass(frozen=True, eq=False, slots=True)
class MetCoupling:
    """A plan next to an exact coupling: the plan, and bounds on the masses that the coupling has elsewhere."""

    plan: Coupling  # (n, m) its sums are those of the weights to 4 units in the last place, relatively
    unplaced_a: Array  # (n,) mass of each row that the exact coupling may have anywhere; of the size of rounding errors
    unplaced_b: Array  # (m,)
    changed: bool = False  # whether masses changed by more than that, so that V of the plan must be computed anew


def rounded(plan: Coupling, masses: Masses) -> MetCoupling:
    """Return a coupling near `plan` (n, m): rows and columns scaled down, then the missing mass added.

    A plan on few pairs keeps them, if it is a coupling already but for rounding; one that was completed stays as it is.
    """
    if isinstance(plan, Completed):
        return _taken_as_completed(plan, masses)
    if plan.count < sum(plan.shape):
        near = NearCoupling(plan, masses)
        if near.meets or (near.solve_forest() is not None and near.meets):
            return MetCoupling(near.plan, *unplaced_masses(*near.missing, masses))
    coupling, missing_a, missing_b = _filled_up(plan, masses)
    if min(missing_a.min(), missing_b.min()) < 0.0:  # too much, mostly for a point of little weight
        near = NearCoupling(Dense(coupling), masses)
        near.shrink()
        near.pair_off()
        return MetCoupling(near.plan, *unplaced_masses(*near.missing, masses))
    i, j, mass = _completing_pairs(missing_a, missing_b, masses)
    np.add.at(coupling, (i, j), mass)
    # Pairs are exact to rounding of their own masses; nothing is taken away where there was too much.
    rounding = 2.0 * sum(plan.shape) * UNIT
    lack_a, lack_b = (np.where(off > 0.0, rounding * off, off) for off in (missing_a, missing_b))
    return MetCoupling(Dense(coupling), *unplaced_masses(lack_a, lack_b, masses))


def _filled_up(plan: Coupling, masses: Masses) -> tuple[Array, Array, Array]:
    """Return the masses (n, m) of Altschuler, Weed & Rigollet's rounding (2017), and what rows and columns lack then.

    All sums are aimed a little low, so that no rounding makes them too large.
    """
    from . import _marginal_kernels as kernels  # numba takes a third of a second to import

    (n, m), share = plan.shape, 1.0 - _SHRINK
    coupling, columns = np.empty((n, m)), np.zeros((2, m))
    kernels.round_rows(plan.dense(), masses.a, share, coupling, columns)
    column_sums = columns[0]
    v = share * np.minimum(1.0, masses.b / np.maximum(column_sums, _TINY))
    missing_b = np.maximum(share * masses.b - column_sums * v, 0.0)
    rows, columns = np.zeros((2, n)), np.zeros((2, m))
    kernels.complete(coupling, v, share * masses.a, missing_b / max(float(missing_b.sum()), _TINY), rows, columns)
    return coupling, *masses.missing(rows, columns)


def met(plan: Coupling, masses: Masses) -> MetCoupling:
    """Return the coupling next to `plan`, whose sums are about the weights.

    A plan that meets them stays as it is; one on a forest of pairs gets the only masses there that do. Any other is
    shrunk by 2^-46, and what is missing then is paired off, wherever the points are.
    """
    if isinstance(plan, Completed):
        return _taken_as_completed(plan, masses)
    near = NearCoupling(plan, masses)
    changed = not near.meets
    if not near.meets:
        near.solve_forest()
    if not near.meets and isinstance(plan, Sparse):
        near.mend_along_forest()
    if near.meets:
        return MetCoupling(near.plan, *unplaced_masses(*near.missing, masses), changed)
    near.shrink()
    missing_a, missing_b = near.missing
    near.pair_off()
    return MetCoupling(near.plan, *unplaced_masses(missing_a, missing_b, masses), changed)


def completed(
    kernel: TiledKernel, u: Array, v: Array, sums: tuple[Array, Array], rest: Sparse, masses: Masses
) -> Completed:
    """Return the coupling u K v + rest + whatever pairs complete it; no row (n,) or column (m,) of u K v has too much.

    `sums` are those of u K v, computed from the numbers that the kernel repeats.
    """
    missing_a = masses.a - sums[0] - rest.row_sums()
    missing_b = masses.b - sums[1] - rest.column_sums()
    i, j, mass = _completing_pairs(missing_a, missing_b, masses)
    rest = Sparse(rest.masses + Sparse.of(i, j, mass, kernel.shape).masses)
    return Completed(kernel, u, v, rest, (sums[0] + rest.row_sums(), sums[1] + rest.column_sums()))


def _taken_as_completed(plan: Completed, masses: Masses) -> MetCoupling:
    """Return the plan; what its sums may lack, or have too much, with their rounding, may be anywhere."""
    sums = plan.row_sums(), plan.column_sums()
    missing = masses.missing(*((s, 0.0 * s) for s in sums))
    lack_a, lack_b = (-(np.abs(off) + plan.rounding * s) for off, s in zip(missing, sums, strict=True))
    return MetCoupling(plan, *unplaced_masses(lack_a, lack_b, masses))


def unplaced_masses(missing_a: Array, missing_b: Array, masses: Masses) -> tuple[Array, Array]:
    """Return bounds on the masses of an exact coupling that are not where a plan has them, given what its sums lack.

    Where a row or column has too much, all of the plan is shrunk until none has; then rows and columns lack what they
    lacked before and their share of that, and it can be added anywhere. Differences of sums have rounding errors too.
    """
    excess = max(float((-missing_a / masses.a).max()), float((-missing_b / masses.b).max()), 0.0)
    terms = max(len(masses.a), len(masses.b)) + 2.0
    share = 1.001 * excess + (2.0 * terms * UNIT) ** 2  # sums to twice the working precision (Ogita, Rump, Oishi 2005)
    return 1.001 * np.abs(missing_a) + share * masses.a, 1.001 * np.abs(missing_b) + share * masses.b


class NearCoupling:
    """A plan that becomes a coupling step by step, with its sums to twice the working precision."""

    def __init__(self, plan: Coupling, masses: Masses) -> None:
        self._masses, self._shape = masses, plan.shape
        self._dense: Array | None = None
        if isinstance(plan, Sparse):
            rows, columns, mass = plan.atoms()
            self._i, self._j = rows.astype(np.int64), columns.astype(np.int64)
            self._mass = mass.astype(float)  # a copy
        else:
            self._dense = plan.dense().copy()
        self._scale()

    @property
    def plan(self) -> Coupling:
        """The plan as it is now."""
        if self._dense is not None:
            return Dense(self._dense)
        return Sparse.of(self._i, self._j, self._mass, self._shape)

    @property
    def missing(self) -> tuple[Array, Array]:
        """What rows (n,) and columns (m,) lack; negative where they have too much."""
        return self._masses.missing(self._rows, self._columns)

    @property
    def meets(self) -> bool:
        """Whether the sums are the weights to 3 units in the last place."""
        pairs = zip(self.missing, self._weights, strict=True)
        return all(bool((np.abs(off) <= 6.0 * UNIT * w).all()) for off, w in pairs)

    def solve_forest(self) -> tuple[Array, Array] | None:
        """Replace the masses by the only ones that meet the weights, if the pairs are a forest; None if they are not.

        Returns what rows and columns then lack, but for the rounding of each mass by itself.
        """
        n, m = self._shape
        if (len(self._mass) if self._dense is None else np.count_nonzero(self._dense)) >= n + m:
            return None
        i, j = (self._i, self._j) if self._dense is None else np.nonzero(self._dense)
        masses = self._masses
        left, right = np.stack([masses.a, masses.a_low]), np.stack([masses.b, masses.b_low])
        mass = _solved(i, j, left, right, least=0.0)
        if mass is None:
            return None
        if self._dense is None:
            self._mass = mass
        else:
            self._dense[i, j] = mass
        self._scale()
        return left.sum(axis=0), right.sum(axis=0)

    def mend_along_forest(self) -> None:
        """Change masses on a forest of heavy pairs by what rows and columns lack: no pair joins. For sparse plans.

        A pair that would become negative is removed, and the step is repeated for the others.
        """
        for _ in range(_TRIES):
            plan = self.plan.sparse()
            i, j = _heavy_forest(plan)
            missing_a, missing_b = self.missing
            left, right = np.stack([missing_a, 0.0 * missing_a]), np.stack([missing_b, 0.0 * missing_b])
            change = _solved(i, j, left, right, least=-np.inf)
            if change is None:
                return
            mended = scipy.sparse.coo_array(plan + scipy.sparse.csr_array((change, (i, j)), shape=self._shape))
            kept = mended.data > 0.0
            self._i, self._j = mended.row[kept].astype(np.int64), mended.col[kept].astype(np.int64)
            self._mass = mended.data[kept]
            self._scale()
            if kept.all():
                return

    def shrink(self) -> None:
        """Make all entries smaller by 2^-46, or by what it takes until no row or column has too much."""
        self._scale(np.full(self._shape[0], 1.0 - _SHRINK))
        if not all(bool((missing >= 0.0).all()) for missing in self.missing):
            self._scale(rows=(1.0 - _SHRINK) * self._excess(0))
            self._scale(columns=(1.0 - _SHRINK) * self._excess(1))

    def pair_off(self) -> None:
        """Add what rows and columns lack, wherever they are, once none has too much."""
        if any(bool((off < -UNIT * w).any()) for off, w in zip(self.missing, self._weights, strict=True)):
            self._scale(rows=self._excess(0))
            self._scale(columns=self._excess(1))
        self.add(*_completing_pairs(*self.missing, self._masses))

    def add(self, i: Indices, j: Indices, mass: Array) -> None:
        """Add atoms. Those of a sparse plan are kept apart, so that sums do not see them rounded."""
        if self._dense is not None:
            np.add.at(self._dense, (i, j), mass)
        else:
            self._i, self._j = np.concatenate([self._i, i]), np.concatenate([self._j, j])
            self._mass = np.concatenate([self._mass, mass])
        self._scale()

    @property
    def _weights(self) -> tuple[Array, Array]:
        return self._masses.a, self._masses.b

    def _excess(self, side: int) -> Array:
        """Return what rows (0) or columns (1) are to be multiplied with, so that none has too much."""
        sums = (self._rows, self._columns)[side][0]
        factors: Array = np.minimum(1.0, self._weights[side] / np.maximum(sums, _TINY))
        return factors

    def _scale(self, rows: Array | None = None, columns: Array | None = None) -> None:
        """Scale rows or columns by these factors, and sum up."""
        from . import _marginal_kernels as kernels  # numba takes a third of a second to import

        n, m = self._shape
        u, v = np.ones(n) if rows is None else rows, np.ones(m) if columns is None else columns
        self._rows, self._columns = np.zeros((2, n)), np.zeros((2, m))
        if self._dense is None:
            kernels.scale_and_sum_atoms(self._i, self._j, self._mass, u, v, self._rows, self._columns)
        else:
            kernels.scale_and_sum(self._dense, u, v, self._rows, self._columns)


def _solved(i: Indices, j: Indices, left: Array, right: Array, least: float) -> Array | None:
    """Return the masses on a forest of pairs that meet the sums `left` (2, n) and `right` (2, m), which are used up."""
    from . import _marginal_kernels as kernels

    mass, nodes = np.empty(len(i)), left.shape[1] + right.shape[1]
    workspace = np.zeros(nodes), *(np.zeros(nodes, dtype=np.int64) for _ in range(3))
    return mass if kernels.solve_forest(i, j, left, right, least, mass, *workspace) else None


def _heavy_forest(plan: scipy.sparse.csr_array) -> tuple[Indices, Indices]:
    """Return pairs (i, j) that connect all points which a plan connects, without a circle, the heaviest first."""
    (n, m), atoms = plan.shape, plan.tocoo()
    lightness = np.empty(len(atoms.data))
    lightness[np.argsort(-atoms.data, kind="stable")] = np.arange(1.0, len(atoms.data) + 1.0)
    nodes = atoms.row.astype(np.intc), (n + atoms.col).astype(np.intc)  # SciPy 1.14 takes no other indices
    graph = scipy.sparse.csr_array((lightness, nodes), shape=(n + m, n + m))
    i, j = scipy.sparse.csgraph.minimum_spanning_tree(graph).nonzero()
    return i.astype(np.int64), j.astype(np.int64) - n


def _completing_pairs(missing_a: Array, missing_b: Array, masses: Masses) -> tuple[Indices, Indices, Array]:
    """Return atoms that add the missing masses, each to the last digit."""
    missing_a, missing_b = np.maximum(missing_a, 0.0), np.maximum(missing_b, 0.0)
    i, j, mass = _by_size(missing_a, missing_b)
    # What rounding leaves over in the end is negligible for the heaviest point of the other side.
    rows, columns = np.flatnonzero(missing_a), np.flatnonzero(missing_b)
    heavy_row, heavy_column = int(np.argmax(masses.a)), int(np.argmax(masses.b))
    i = np.concatenate([i, rows, np.full(len(columns), heavy_row)])
    j = np.concatenate([j, np.full(len(rows), heavy_column), columns])
    return i, j, np.concatenate([mass, missing_a[rows], missing_b[columns]])


def _by_size(missing_a: Array, missing_b: Array) -> tuple[Indices, Indices, Array]:
    """Return atoms that couple the masses, the smallest first; what is left over stays in the arrays."""
    from . import _marginal_kernels as kernels

    by_a, by_b = np.argsort(missing_a), np.argsort(missing_b)
    left, right = missing_a[by_a], missing_b[by_b]
    size = len(left) + len(right)
    i, j, mass = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64), np.empty(size)
    count = kernels.pair_off(left, right, i, j, mass)
    missing_a[by_a], missing_b[by_b] = left, right
    return by_a[i[:count]], by_b[j[:count]], mass[:count]
