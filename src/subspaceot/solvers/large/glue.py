"""A plan between points from one between cells of them: within each pair of cells, points are coupled in order."""

import numpy as np

from ...core.coupling import Coupling, Sparse
from ...runtime.types import Array
from .cells import Cells


def glued(plan: Coupling, cells: Cells, others: Cells, a: Array, b: Array) -> Sparse:
    """Return a plan (n, m) on few pairs, whose sums are about the weights `a` (n,), `b` (m,).

    A plan on a forest of cells becomes one on a forest of points: with as many masses as the weights determine.
    """
    from . import _glue_kernels as kernels  # numba takes a third of a second to import

    rows, columns, mass = plan.atoms()
    size = len(a) + len(b) + 2 * len(mass)
    i, j, part = np.empty(size, dtype=np.intp), np.empty(size, dtype=np.intp), np.empty(size)
    count = kernels.glue(
        *(rows.astype(np.intp), columns.astype(np.intp), mass, cells.starts, others.starts),
        *(a[cells.order], b[others.order], i, j, part),
    )
    return Sparse.of(cells.order[i[:count]], others.order[j[:count]], part[:count], (len(a), len(b)))
