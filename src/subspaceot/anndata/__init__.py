"""Groups of cells in an AnnData: how far apart, in which directions, by which genes, and whether it is chance.

Results come back as tables, and stand in `adata.uns["subspaceot"]` as plain arrays that an h5ad file holds; `stored`
makes tables of them again.
"""

try:
    import anndata as _anndata  # noqa: F401
except ImportError as error:
    raise ImportError("`subspaceot.anndata` needs anndata: pip install 'subspaceot[anndata]'.") from error

from ._calls import compare, pairwise, stored, test
from ._results import Comparison, Distances, GroupTest

__all__ = ["Comparison", "Distances", "GroupTest", "compare", "pairwise", "stored", "test"]
