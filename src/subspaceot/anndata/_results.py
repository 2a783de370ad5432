"""What the functions return: tables, made from plain arrays that `adata.uns` holds."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ..inference.two_sample_result import TwoSampleTest
from ..pairs import Pairwise
from ..result import Result

Stored: TypeAlias = dict[str, Any]  # numbers, strings, and arrays of them: what an h5ad file holds


@dataclass(frozen=True, eq=False, repr=False)
class _Tables:
    """An answer as plain arrays."""

    uns: Stored  #: what `adata.uns["subspaceot"]` holds

    def _text(self, key: str) -> list[str]:
        """Return the strings in an array."""
        return [str(text) for text in np.atleast_1d(self.uns[key])]

    @property
    def groups(self) -> tuple[str, ...]:
        """What the groups are called."""
        return tuple(self._text("groups"))


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(_Tables):
    """How far two groups of cells are apart, in which directions, and by which genes.

    Examples
    --------
    >>> import anndata, numpy as np, subspaceot.anndata as sota
    >>> i, group = np.arange(40.0), np.repeat(["sick", "well"], 20)
    >>> adata = anndata.AnnData(np.c_[i % 7, i % 5 + 9 * (i < 20)], {"group": group}, {"var_names": ["GAPDH", "MS4A1"]})
    >>> found = sota.compare(adata, "group", use_rep="X", k=1)
    >>> found.groups, found.k, list(found.genes.index)
    (('sick', 'well'), 1, ['MS4A1', 'GAPDH'])
    """

    result: Result | None = field(default=None)  #: of `srw`, with plan and proof; None where it came from `adata.uns`

    @property
    def k(self) -> int:
        """The dimension of the subspace."""
        return int(self.uns["k"])

    @property
    def distance(self) -> float:
        """S_k."""
        return float(self.uns["distance"])

    @property
    def lower(self) -> float:
        """Certified lower bound of S_k^2."""
        return float(self.uns["lower"])

    @property
    def upper(self) -> float:
        """Certified upper bound of S_k^2."""
        return float(self.uns["upper"])

    @property
    def p_values(self) -> tuple[float, ...]:
        """Of the tests behind `k="auto"`, each of single cells; empty for a k of your choice."""
        return tuple(float(p) for p in np.atleast_1d(self.uns["p_values"]))

    @cached_property
    def features(self) -> Any:
        """The columns of the representation, with shares of S_k^2 and weights in each direction, as a DataFrame."""
        return _weights_table(self._text("features"), self.uns["feature_share"], self.uns["basis"], {})

    @cached_property
    def genes(self) -> Any:
        """Genes, largest share of S_k^2 first, with the mean of each group in `adata.X` and weights, as a DataFrame.

        None where directions cannot be told in terms of genes. Without `adata.X` there are no means.
        """
        if "genes" not in self.uns:
            return None
        means = {
            f"mean in {name}": mean for name, mean in zip(self.groups, self.uns.get("gene_means", ()), strict=False)
        }
        table = _weights_table(self._text("genes"), self.uns["gene_share"], self.uns["gene_weights"], means)
        return table.sort_values("share", ascending=False, kind="stable")

    def __repr__(self) -> str:
        """Groups, distance and the leading genes."""
        first, second = self.groups
        text = (
            f"Comparison({first!r} and {second!r} in {self.uns['use_rep']}, k={self.k}: distance {self.distance:.6g}, "
            f"squared in [{self.lower:.6g}, {self.upper:.6g}], {self.uns['status']}"
        )
        return f"{text})" if self.genes is None else f"{text}; {', '.join(self.genes.index[:5])}, ...)"


@dataclass(frozen=True, eq=False, repr=False)
class GroupTest(_Tables):
    """Whether two groups of cells may well come from one law.

    Examples
    --------
    >>> import anndata, numpy as np, subspaceot.anndata as sota
    >>> i, group = np.arange(40.0), np.repeat(["sick", "well"], 20)
    >>> adata = anndata.AnnData(np.c_[i % 7, i % 5 + 9 * (i < 20)], {"group": group}, {"var_names": ["GAPDH", "MS4A1"]})
    >>> test = sota.test(adata, "group", use_rep="X", n_permutations=99)
    >>> test.p_value, test.genes.index[0]
    (0.01, 'MS4A1')
    """

    result: TwoSampleTest | None = field(default=None)  #: None where it came from `adata.uns`

    @property
    def p_value(self) -> float:
        """Of the permutation test."""
        return float(self.uns["p_value"])

    @property
    def monte_carlo_error(self) -> float:
        """The standard error of `p_value`."""
        return float(self.uns["monte_carlo_error"])

    @property
    def smallest_p(self) -> float:
        """The smallest p-value that any data could have had: with few donors it may be large."""
        return float(self.uns["smallest_p"])

    @cached_property
    def components(self) -> Any:
        """The four statistics behind the test, as a DataFrame."""
        columns = {name: self.uns[f"component_{name}"] for name in ("value", "score", "p_value")}
        return pd.DataFrame(columns, index=pd.Index(self._text("components"), name="component"))

    @cached_property
    def genes(self) -> Any:
        """The weights of genes in the direction that shows the difference best, largest first, as a DataFrame."""
        if "genes" not in self.uns:
            return None
        table = pd.DataFrame({"weight": self.uns["gene_weights"]}, index=pd.Index(self._text("genes"), name="gene"))
        return table.sort_values("weight", key=np.abs, ascending=False, kind="stable")

    def __repr__(self) -> str:
        """Groups and p-value."""
        first, second = self.groups
        units = f" of {self.uns['units']}" if "units" in self.uns else ""
        return f"GroupTest({first!r} and {second!r}, labellings{units}: p = {self.p_value:.4g})"


@dataclass(frozen=True, eq=False, repr=False)
class Distances(_Tables):
    """Distances between groups of cells, with solver bounds.

    Examples
    --------
    >>> import anndata, numpy as np, subspaceot.anndata as sota
    >>> i, group = np.arange(40.0), np.repeat(["sick", "well"], 20)
    >>> adata = anndata.AnnData(np.c_[i % 7, i % 5 + 9 * (i < 20)], {"group": group}, {"var_names": ["GAPDH", "MS4A1"]})
    >>> found = sota.pairwise(adata, "group", use_rep="X", k=1)
    >>> bool((found.lower <= found.distance).all(axis=None)), found.converged
    (True, True)
    """

    result: Pairwise | None = field(default=None)  #: None where it came from `adata.uns`

    @property
    def distance(self) -> Any:
        """Distances, as a DataFrame with a row and a column for each group."""
        return self._square("distance")

    @property
    def lower(self) -> Any:
        """Certified lower bounds of the distances."""
        return self._square("lower")

    @property
    def upper(self) -> Any:
        """Certified upper bounds of the distances."""
        return self._square("upper")

    @property
    def converged(self) -> bool:
        """Whether every pair reached what was asked."""
        return bool(self.uns["converged"])

    def _square(self, key: str) -> Any:
        return pd.DataFrame(self.uns[key], index=list(self.groups), columns=list(self.groups))

    def __repr__(self) -> str:
        """The table of distances."""
        return f"Distances(S_{int(self.uns['k'])} in {self.uns['use_rep']})\n{self.distance.round(3).to_string()}"


def _weights_table(names: list[str], share: Any, weights: Any, more: dict[str, Any]) -> Any:
    """Return a DataFrame with a row for each name."""
    columns = {f"direction {j}": column for j, column in enumerate(np.asarray(weights).T, start=1)}
    return pd.DataFrame({"share": share, **more, **columns}, index=pd.Index(names, name="name"))
