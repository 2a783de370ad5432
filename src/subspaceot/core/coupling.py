"""A plan as an object: certificates, results and solvers ask it for products and sums, and seldom for an array.

Three kinds share one protocol. `Dense` holds all n x m masses, `Sparse` the few that are not zero, and `Scaled` is an
entropic plan that is never formed: its potentials say what each mass is, block by block of rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import scipy.sparse

from ..runtime.blocks import blocks
from ..runtime.types import Array, Indices
from .costs import Costs


class Coupling(Protocol):
    """Masses pi_ij >= 0 (n, m) whose rows and columns sum to about the weights."""

    @property
    def shape(self) -> tuple[int, int]:
        """N and m."""

    @property
    def T(self) -> "Coupling":
        """The coupling (m, n) of the second measure with the first."""

    @property
    def count(self) -> int:
        """How many pairs carry mass."""

    def __matmul__(self, B: Array) -> Array:
        """Return the sums over j of pi_ij B_j, (n, q) or (n,)."""

    def row_sums(self) -> Array:
        """Return the sums over j of pi_ij, (n,)."""

    def column_sums(self) -> Array:
        """Return the sums over i of pi_ij, (m,)."""

    def atoms(self) -> tuple[Indices, Indices, Array]:
        """Return rows, columns and masses of the pairs that carry mass."""

    def sparse(self) -> scipy.sparse.csr_array:
        """Return the masses as a sparse array (n, m)."""

    def dense(self) -> Array:
        """Return the masses as an array (n, m), which must fit into memory."""


@dataclass(frozen=True, eq=False)
class Dense:
    """All masses in one array."""

    masses: Array  # (n, m)

    @property
    def shape(self) -> tuple[int, int]:
        """N and m."""
        n, m = self.masses.shape
        return n, m

    @property
    def T(self) -> "Dense":
        """The transposed coupling, a view."""
        return Dense(self.masses.T)

    @property
    def count(self) -> int:
        """How many pairs carry mass."""
        return int(np.count_nonzero(self.masses))

    def __matmul__(self, B: Array) -> Array:
        """Return the masses times `B`."""
        product: Array = self.masses @ B
        return product

    def row_sums(self) -> Array:
        """Return the sums of rows."""
        return np.asarray(self.masses.sum(axis=1))

    def column_sums(self) -> Array:
        """Return the sums of columns."""
        return np.asarray(self.masses.sum(axis=0))

    def atoms(self) -> tuple[Indices, Indices, Array]:
        """Return the pairs that carry mass, row by row."""
        rows, columns = np.nonzero(self.masses)
        return rows, columns, self.masses[rows, columns]

    def sparse(self) -> scipy.sparse.csr_array:
        """Return a sparse copy."""
        return scipy.sparse.csr_array(self.masses)

    def dense(self) -> Array:
        """Return the array itself."""
        return self.masses


@dataclass(frozen=True, eq=False)
class Sparse:
    """The masses of few pairs."""

    masses: scipy.sparse.csr_array  # (n, m)

    @classmethod
    def of(cls, rows: Indices, columns: Indices, mass: Array, shape: tuple[int, int]) -> "Sparse":
        """Return the coupling with these atoms; those of one pair add up."""
        return cls(scipy.sparse.csr_array((mass, (rows, columns)), shape=shape))

    @property
    def shape(self) -> tuple[int, int]:
        """N and m."""
        n, m = self.masses.shape
        return n, m

    @cached_property
    def T(self) -> "Sparse":
        """The transposed coupling."""
        return Sparse(scipy.sparse.csr_array(self.masses.T))

    @property
    def count(self) -> int:
        """How many pairs are stored."""
        return int(self.masses.nnz)

    def __matmul__(self, B: Array) -> Array:
        """Return the masses times `B`."""
        product: Array = self.masses @ B
        return product

    def row_sums(self) -> Array:
        """Return the sums of rows."""
        return np.asarray(self.masses.sum(axis=1)).ravel()

    def column_sums(self) -> Array:
        """Return the sums of columns."""
        return np.asarray(self.masses.sum(axis=0)).ravel()

    def atoms(self) -> tuple[Indices, Indices, Array]:
        """Return the pairs that are stored."""
        atoms = self.masses.tocoo()
        return atoms.row, atoms.col, atoms.data

    def sparse(self) -> scipy.sparse.csr_array:
        """Return the sparse array itself."""
        return self.masses

    def dense(self) -> Array:
        """Return the masses as an array."""
        masses: Array = self.masses.toarray()
        return masses


@dataclass(frozen=True, eq=False)
class Scaled:
    """The entropic plan pi_ij = exp((f_i + g_j - C_ij) / reg), formed block by block and never as a whole."""

    costs: Costs
    f: Array  # (n,)
    g: Array  # (m,)
    reg: float

    @property
    def shape(self) -> tuple[int, int]:
        """N and m."""
        return len(self.f), len(self.g)

    @property
    def T(self) -> "Scaled":
        """The transposed coupling."""
        return Scaled(self.costs.T, self.g, self.f, self.reg)

    @property
    def count(self) -> int:
        """All pairs carry mass."""
        return len(self.f) * len(self.g)

    def blocks(self) -> Iterator[tuple[slice, Array]]:
        """Yield some rows and their masses (., m), in order."""
        for rows in blocks(*self.shape):
            exponents = self.costs.rows(rows).exponents(self.reg, self.f[rows], self.g)
            yield rows, np.exp(exponents, out=exponents)

    def __matmul__(self, B: Array) -> Array:
        """Return the masses times `B`."""
        product = np.empty((len(self.f), *B.shape[1:]))
        for rows, masses in self.blocks():
            np.matmul(masses, B, out=product[rows])
        return product

    def row_sums(self) -> Array:
        """Return the sums of rows."""
        return self @ np.ones_like(self.g)

    def column_sums(self) -> Array:
        """Return the sums of columns."""
        sums = np.zeros_like(self.g)
        for _, masses in self.blocks():
            sums += masses.sum(axis=0)
        return sums

    def atoms(self) -> tuple[Indices, Indices, Array]:
        """Return all pairs."""
        return Dense(self.dense()).atoms()

    def sparse(self) -> scipy.sparse.csr_array:
        """Return the masses that are not zero in double precision as a sparse array."""
        return scipy.sparse.vstack([scipy.sparse.csr_array(masses) for _, masses in self.blocks()], format="csr")

    def dense(self) -> Array:
        """Return the masses as an array."""
        return np.concatenate([masses for _, masses in self.blocks()])


def as_coupling(plan: Any) -> Coupling:
    """Return an array (n, m), dense or sparse, as a coupling; a coupling as it is."""
    if isinstance(plan, np.ndarray):
        return Dense(plan)
    return Sparse(scipy.sparse.csr_array(plan)) if scipy.sparse.issparse(plan) else plan


def mixed(share: float, one: Coupling, other: Coupling) -> Coupling:
    """Return share * one + (1 - share) * other, dense where one of them is."""
    if isinstance(one, Sparse) and isinstance(other, Sparse):
        return Sparse(scipy.sparse.csr_array(share * one.masses + (1.0 - share) * other.masses))
    return Dense(share * one.dense() + (1.0 - share) * other.dense())
