"""The functions people call: each reads cells, calls the public function of the same purpose, and stores the answer."""

from typing import Any, Literal

import numpy as np

from .. import pairs
from ..core import validate
from ..derivatives import warn_if_wide
from ..distances import srw
from ..inference.permutation import two_sample_test
from ..loadings import shares_through
from ..result import Result
from ..runtime.isolation import isolated
from ._cells import Cells, labels
from ._results import Comparison, Distances, GroupTest, Stored

_UNS = "subspaceot"


@isolated
def compare(
    adata: Any,
    groupby: str,
    groups: Any = None,
    use_rep: str = "X_pca",
    k: int | Literal["auto"] = "auto",
    *,
    tol: float = 1e-2,
    loadings: str | None = None,
    key: str = "compare",
) -> Comparison:
    """Return how far two groups of cells are apart, in which directions, and by which genes.

    Parameters
    ----------
    adata : AnnData
        In memory or backed by a file. The answer is put into `adata.uns["subspaceot"][key]`, which makes a view a copy,
        as anndata warns.
    groupby : str
        The column of `adata.obs` that tells the groups apart.
    groups : pair of labels, pair of lists of labels, or dict of both, optional
        The two groups, such as {"T cells": ["CD4", "CD8"], "B cells": ["CD19"]}; by default the two labels there are.
    use_rep : str
        Where to compare: a key of `adata.obsm`, or "X" for the genes themselves. Of a sparse X only these cells are
        read, and genes that are 0 in all of them are left out.
    k : int or "auto"
        Dimension of the subspace; "auto" is the number of directions that tests of single cells find, at least 1.
    tol : float
        Certified relative gap at which to stop.
    loadings : str, optional
        The key of `adata.varm` that leads from the columns of `use_rep` to genes; "PCs" for "X_pca".
    key : str
        Where the answer is stored.

    Examples
    --------
    >>> import anndata, numpy as np, subspaceot.anndata as sota
    >>> i, group = np.arange(40.0), np.repeat(["sick", "well"], 20)
    >>> adata = anndata.AnnData(np.c_[i % 7, i % 5 + 9 * (i < 20)], {"group": group}, {"var_names": ["GAPDH", "MS4A1"]})
    >>> found = sota.compare(adata, "group", use_rep="X", k=1)
    >>> found.genes.index[0], found.lower <= found.distance**2 <= found.upper
    ('MS4A1', True)
    """
    key = validate.as_new_key(key, "key")
    cells = Cells.of(adata, groupby, groups, use_rep, loadings, pair=True)
    first, second = cells.points
    result = srw(first, second, k, tol=tol)
    warn_if_wide(result)
    uns = _described(cells, groupby) | _numbers(result)
    uns |= {"features": _strings(result.names or ()), "feature_share": result.feature_share, "basis": result.basis}
    if cells.gene_directions:
        share = result.feature_share if cells.loadings is None else shares_through(result, cells.loadings)
        uns |= {"genes": _strings(cells.genes), "gene_share": share, "gene_weights": cells.in_genes(result.basis)}
        if means := cells.means():
            uns |= {"gene_means": np.array(means)}
    return Comparison(_put(adata, key, uns, "comparison"), result)


@isolated
def test(
    adata: Any,
    groupby: str,
    groups: Any = None,
    use_rep: str = "X_pca",
    *,
    units: str | None = None,
    strata: str | None = None,
    n_permutations: int = 999,
    rng: Any = 0,
    n_jobs: int | None = None,
    loadings: str | None = None,
    key: str = "test",
) -> GroupTest:
    """Return the p-value of an exact permutation test of whether two groups of cells come from one law.

    Parameters
    ----------
    adata, groupby, groups, use_rep, loadings, key
        As for `compare`.
    units : str, optional
        The column of `adata.obs` whose labels change groups as wholes, such as "donor": cells of one donor are no
        independent points. Each unit is in one group only, and each group has at least 2.
    strata : str, optional
        The column within whose labels cells or units change groups, such as "batch".
    n_permutations, rng, n_jobs
        As for `two_sample_test`.

    Examples
    --------
    >>> import anndata, numpy as np, subspaceot.anndata as sota
    >>> i, group = np.arange(40.0), np.repeat(["sick", "well"], 20)
    >>> adata = anndata.AnnData(np.c_[i % 7, i % 5 + 9 * (i < 20)], {"group": group}, {"var_names": ["GAPDH", "MS4A1"]})
    >>> sota.test(adata, "group", use_rep="X", n_permutations=99)
    GroupTest('sick' and 'well', labellings: p = 0.01)
    """
    key = validate.as_new_key(key, "key")
    cells = Cells.of(adata, groupby, groups, use_rep, loadings, pair=True)
    first, second = cells.points
    found = two_sample_test(
        first,
        second,
        units=_of_both(cells, units, "units"),
        strata=_of_both(cells, strata, "strata"),
        n_permutations=n_permutations,
        rng=rng,
        n_jobs=n_jobs,
    )
    uns = _described(cells, groupby) | {"p_value": found.p_value, "monte_carlo_error": found.monte_carlo_error}
    uns |= {"smallest_p": found.smallest_p, "n_permutations": found.n_permutations}
    uns |= {name: column for name, column in (("units", units), ("strata", strata)) if column is not None}
    uns |= {"components": _strings(component.name for component in found.components)}
    for name in ("value", "score", "p_value"):
        uns[f"component_{name}"] = np.array([getattr(component, name) for component in found.components])
    uns |= {"directions": found.directions}
    if cells.gene_directions:
        uns |= {"genes": _strings(cells.genes), "gene_weights": cells.in_genes(found.direction)}
    return GroupTest(_put(adata, key, uns, "test"), found)


@isolated
def pairwise(
    adata: Any,
    groupby: str,
    groups: Any = None,
    use_rep: str = "X_pca",
    k: int = 2,
    *,
    tol: float = 1e-2,
    n_jobs: int | None = None,
    key: str = "pairwise",
) -> Distances:
    """Return S_k between all pairs of groups of cells, with solver bounds.

    Parameters
    ----------
    adata, groupby, use_rep, tol, key
        As for `compare`.
    groups : list of labels, list of lists of labels, or dict of both, optional
        Two groups or more; by default each label of the column.
    k : int
        Dimension of the subspace of each pair.
    n_jobs : int, optional
        How many pairs to solve at once, as for `subspaceot.pairwise`.

    Examples
    --------
    >>> import anndata, numpy as np, subspaceot.anndata as sota
    >>> i, group = np.arange(40.0), np.repeat(["sick", "well"], 20)
    >>> adata = anndata.AnnData(np.c_[i % 7, i % 5 + 9 * (i < 20)], {"group": group}, {"var_names": ["GAPDH", "MS4A1"]})
    >>> bool(sota.pairwise(adata, "group", use_rep="X", k=1).distance.loc["sick", "well"] > 7.0)
    True
    """
    key = validate.as_new_key(key, "key")
    cells = Cells.of(adata, groupby, groups, use_rep, None, pair=False)
    found = pairs.pairwise([points.values for points in cells.points], k, tol=tol, n_jobs=n_jobs)
    uns = _described(cells, groupby) | {"k": int(k), "converged": found.converged}
    uns |= {"distance": found.distance, "lower": found.lower, "upper": found.upper}
    return Distances(_put(adata, key, uns, "pairwise"), found)


def stored(adata: Any, key: str = "compare") -> Comparison | GroupTest | Distances:
    """Return the tables of what `adata.uns["subspaceot"][key]` holds, also after a file was written and read.

    Examples
    --------
    >>> import anndata, numpy as np, subspaceot.anndata as sota
    >>> i, group = np.arange(40.0), np.repeat(["sick", "well"], 20)
    >>> adata = anndata.AnnData(np.c_[i % 7, i % 5 + 9 * (i < 20)], {"group": group}, {"var_names": ["GAPDH", "MS4A1"]})
    >>> test = sota.test(adata, "group", use_rep="X", n_permutations=99)
    >>> sota.stored(adata, "test").p_value == test.p_value
    True
    """
    held = adata.uns.get(_UNS, {})
    uns = held[validate.as_key(key, "key", held, f'`adata.uns["{_UNS}"]`')]
    kinds: dict[str, type[Comparison | GroupTest | Distances]]
    kinds = {"comparison": Comparison, "test": GroupTest, "pairwise": Distances}
    return kinds[str(uns["kind"])](uns)


def _described(cells: Cells, groupby: str) -> Stored:
    """Return what was asked."""
    return {
        "groupby": groupby,
        "groups": _strings(cells.names),
        "sizes": np.array(cells.sizes),
        "use_rep": cells.use_rep,
    }


def _numbers(result: Result) -> Stored:
    """Return the number of a result, its interval, and how it came about."""
    p_values = () if result.selection is None else result.selection.p_values
    return {
        "k": result.k,
        "distance": result.distance,
        "lower": result.lower,
        "upper": result.upper,
        "status": result.status.name,
        "p_values": np.array(p_values),
    }


def _of_both(cells: Cells, column: str | None, name: str) -> Any:
    """Return the labels of both groups in a column, or None."""
    if column is None:
        return None
    of_all = labels(cells.adata, column, name)
    return tuple([of_all[i] for i in members] for members in cells.rows.values())


def _strings(values: Any) -> Any:
    """Return an array of strings."""
    return np.array([str(value) for value in values], dtype=object)


def _put(adata: Any, key: str, uns: Stored, kind: str) -> Stored:
    """Store an answer, in place of an earlier one of that key only, and return it."""
    stored_now = {"kind": kind, **uns}
    adata.uns[_UNS] = {**adata.uns.get(_UNS, {}), key: stored_now}
    return stored_now
