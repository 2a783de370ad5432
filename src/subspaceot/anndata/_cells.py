"""What an AnnData holds of some cells: coordinates, loadings, labels, means; no more of it is read than needed."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from anndata import AnnData
from numpy.typing import NDArray

from ..core import validate
from ..core.columns import Labels, Points
from ..runtime.types import Array, Indices

_PCA = "X_pca"
_WHERE_ELSE = (
    "Compute it first, as `scanpy.pp.pca(adata)` does 'X_pca', or pass 'X' to compare in the genes themselves."
)
_CELLS_AT_ONCE = 4096  # whose values are in memory while means are taken


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """Groups of cells with their coordinates."""

    adata: Any
    use_rep: str
    rows: dict[str, Indices]  # name of each group -> its cells
    points: list[Points]  # of each group
    loadings: Array | None  # (genes, d) of the coordinates; None where there are none, or the coordinates are genes
    genes: NDArray[Any]  # names: of the rows of `loadings`, or of the columns
    columns: Indices  # in `adata.X`, of these genes

    @classmethod
    def of(cls, adata: Any, groupby: Any, groups: Any, use_rep: Any, loadings: Any, *, pair: bool) -> "Cells":
        """Return groups of cells; every mistake in the arguments is raised here."""
        validate.require_kind(adata, "adata", AnnData, "anndata.AnnData")
        of_cells = labels(adata, groupby, "groupby")
        rows = validate.as_row_groups(of_cells, _levels(adata.obs[groupby]), groups, groupby, pair=pair)
        if use_rep == "X":
            validate.require_gene_values(adata.X)
            validate.require_no_loadings(loadings)
            values, columns = _values(adata, list(rows.values()))
            points = _as_points(values, tuple(adata.var_names[columns]), "adata.X")
            return cls(adata, "X", rows, points, None, np.array(adata.var_names[columns], object), columns)
        use_rep = validate.as_key(use_rep, "use_rep", adata.obsm.keys(), "`adata.obsm`", _WHERE_ELSE)
        held = adata.obsm[use_rep]
        if hasattr(held, "columns"):
            names, held = tuple(held.columns), held.to_numpy()
        else:
            names = tuple(f"{use_rep.removeprefix('X_')}_{j}" for j in range(1, held.shape[1] + 1))
        points = _as_points([held[members] for members in rows.values()], names, f"adata.obsm[{use_rep!r}]")
        through, columns = _loadings(adata, loadings, use_rep, len(names))
        return cls(adata, use_rep, rows, points, through, np.array(adata.var_names[columns], object), columns)

    @property
    def names(self) -> tuple[str, ...]:
        """What the groups are called."""
        return tuple(self.rows)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cells each group has."""
        return tuple(len(members) for members in self.rows.values())

    @property
    def gene_directions(self) -> bool:
        """Whether directions can be told in terms of genes."""
        return self.use_rep == "X" or self.loadings is not None

    def in_genes(self, directions: Array) -> Array:
        """Return directions (d, q) as weights of genes (genes, q)."""
        return directions if self.loadings is None else self.loadings @ directions

    def means(self) -> list[Array]:
        """Return the mean (genes,) in `adata.X` of each group, from a few cells at a time; nothing where X is None."""
        return [] if self.adata.X is None else [self._mean(members) for members in self.rows.values()]

    def _mean(self, members: Indices) -> Array:
        total = np.zeros(len(self.columns))
        for first in range(0, len(members), _CELLS_AT_ONCE):
            block = self.adata[members[first : first + _CELLS_AT_ONCE]].X
            total += np.asarray(block.sum(axis=0, dtype=np.float64)).ravel()[self.columns]
        return total / len(members)


def labels(adata: Any, column: Any, name: str) -> list[Any]:
    """Return the labels of all cells in a column of `adata.obs`, missing ones as they are."""
    return list(adata.obs[validate.as_key(column, name, adata.obs.columns, "`adata.obs`")])


def _values(adata: Any, rows: list[Indices]) -> tuple[list[Any], Indices]:
    """Return `adata.X` of some cells, and the numbers of its columns, without those that are 0 in all these cells.

    Only these cells are read, and of sparse values only the columns that are not empty are made dense.
    """
    values = [adata[members].X for members in rows]
    if not all(scipy.sparse.issparse(block) for block in values):
        return values, np.arange(adata.n_vars)
    counts = sum(np.asarray(abs(block).sum(axis=0)).ravel() for block in values)
    columns = np.flatnonzero(counts)
    if len(columns) == 0:
        columns = np.arange(1)
    return [block.tocsc()[:, columns] for block in values], columns


def _levels(column: Any) -> list[Any] | None:
    """Return the labels of a column of categories in their order; None where it has none."""
    return list(column.cat.categories) if hasattr(column, "cat") else None


def _as_points(values: list[Any], names: Labels, where: str) -> list[Points]:
    """Return valid points of each group, with the names of their columns; messages call them `where`."""
    dense = (block.toarray() if scipy.sparse.issparse(block) else np.asarray(block) for block in values)
    return [Points(validate.as_points(block, where), names) for block in dense]


def _loadings(adata: Any, name: Any, use_rep: str, d: int) -> tuple[Array | None, Indices]:
    """Return loadings (genes, d) and the numbers of their genes, without those that took no part (NaN or 0)."""
    if name is None and use_rep == _PCA and "PCs" in adata.varm:
        name = "PCs"
    if name is None:
        return None, np.arange(0)
    held = np.asarray(adata.varm[validate.as_key(name, "loadings", adata.varm.keys(), "`adata.varm`")], np.float64)
    validate.require_loadings(held.shape, d, name, use_rep)
    taking_part = np.flatnonzero(np.isfinite(held.sum(axis=1)) & (held != 0.0).any(axis=1))
    return held[taking_part], taking_part
