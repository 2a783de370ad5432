"""A coupling of many points that is never formed: an entropic plan, scaled down, and few pairs that complete it."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse

from ..runtime.types import Array, Indices
from .coupling import Dense, Sparse
from .rounding import gamma
from .tiled_kernel import TiledKernel


@dataclass(frozen=True, eq=False)
class Completed:
    """pi_ij = u_i K_ij v_j + rest_ij, whose sums are known to rounding."""

    kernel: TiledKernel  # (n, m), or (m, n) where the coupling is transposed
    u: Array  # of the rows of the kernel
    v: Array  # of its columns
    rest: Sparse
    sums: tuple[Array, Array]  # of the rows and of the columns of u K v + rest
    transposed: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """N and m."""
        n, m = self.kernel.shape
        return (m, n) if self.transposed else (n, m)

    @property
    def T(self) -> "Completed":
        """The transposed coupling, of the same masses."""
        return replace(self, transposed=not self.transposed)

    @property
    def count(self) -> int:
        """All pairs carry mass."""
        n, m = self.shape
        return n * m

    @property
    def rounding(self) -> float:
        """By how much the sums may be off, relatively."""
        return gamma(sum(self.shape) + len(self.rest.masses.data) / min(self.shape) + 16.0)

    def __matmul__(self, B: Array) -> Array:
        """Return the masses times `B`, in a pass over all pairs."""
        rest = self.rest.masses
        if self.transposed:
            u = self.u.reshape(-1, *(1,) * (B.ndim - 1))
            return np.asarray((self.kernel.transposed_times(u * B).T * self.v).T + rest.T @ B)
        v = self.v.reshape(-1, *(1,) * (B.ndim - 1))
        return np.asarray(((self.kernel @ (v * B)).T * self.u).T + rest @ B)

    def row_sums(self) -> Array:
        """Return the sums of rows."""
        return self.sums[self.transposed]

    def column_sums(self) -> Array:
        """Return the sums of columns."""
        return self.sums[not self.transposed]

    def atoms(self) -> tuple[Indices, Indices, Array]:
        """Return all pairs."""
        return Dense(self.dense()).atoms()

    def sparse(self) -> scipy.sparse.csr_array:
        """Return the masses as a sparse array, which must fit into memory."""
        return scipy.sparse.csr_array(self.dense())

    def dense(self) -> Array:
        """Return the masses as an array, which must fit into memory."""
        masses = self.rest.dense()
        for rows, columns, block in self.kernel.blocks():
            masses[rows, columns] += self.u[rows, None] * block * self.v[columns]
        return masses.T if self.transposed else masses
