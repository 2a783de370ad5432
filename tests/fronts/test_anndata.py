"""Groups of cells in an AnnData: planted genes are named, answers survive a file, no more is read than needed."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from tolerances import ROUNDING

pytest.importorskip("anndata")

import anndata

import subspaceot as sot
from subspaceot import anndata as front  # not its functions by name: pytest would take `test` for one of its own

GENES, PLANTED = 30, ["gene7", "gene3"]  # that differ between the groups, the second half as much
PCS = 5


def cells(seed=0, per_donor=10, donors=6, sparse=False, empty=0):
    """Return cells of two groups, `donors` each, with planted genes, principal components and loadings."""
    rng = np.random.default_rng(seed)
    n = 2 * donors * per_donor
    group = np.repeat(["sick", "well"], n // 2)
    counts = rng.poisson(1.0, (n, GENES)).astype(float)
    counts[:, [3, 7]] = 0.0
    counts[group == "sick", 7] = 8.0 + rng.poisson(1.0, n // 2)
    counts[group == "sick", 3] = 4.0 + rng.poisson(1.0, n // 2)
    counts = np.hstack([counts, np.zeros((n, empty))])
    centred = counts - counts.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    adata = anndata.AnnData(
        scipy.sparse.csr_matrix(counts) if sparse else counts,
        obs=pd.DataFrame(
            {
                "group": pd.Categorical(group, categories=["well", "sick"]),
                "donor": [f"donor{i // per_donor}" for i in range(n)],
                "batch": np.where(np.arange(n) % 2, "odd", "even"),
            },
            index=[f"cell{i}" for i in range(n)],
        ),
        var=pd.DataFrame(index=[f"gene{j}" for j in range(GENES + empty)]),
    )
    adata.obsm["X_pca"] = (centred @ axes[:PCS].T).astype(np.float32)
    adata.varm["PCs"] = axes[:PCS].T
    return adata


def of_group(adata, name, values=None):
    return np.asarray(adata.obsm["X_pca"] if values is None else values)[(adata.obs["group"] == name).to_numpy()]


# Comparison ----------------------------------------------------------------------------------------------------------


def test_a_comparison_is_srw_of_the_groups():
    adata = cells()
    found = front.compare(adata, "group", k=2)
    result = sot.srw(of_group(adata, "well"), of_group(adata, "sick"), 2, tol=1e-2)  # in the order of the categories
    assert found.groups == ("well", "sick")
    assert (found.lower, found.upper, found.distance, found.k) == (result.lower, result.upper, result.distance, 2)
    assert list(found.features.index) == [f"pca_{j}" for j in range(1, PCS + 1)]
    np.testing.assert_array_equal(found.features["share"], result.feature_share)
    np.testing.assert_array_equal(found.features[["direction 1", "direction 2"]], result.basis)
    assert found.result.names == tuple(found.features.index)
    assert found.p_values == ()


def test_genes_are_named_through_the_loadings():
    adata = cells()
    found = front.compare(adata, "group")
    assert list(found.genes.index[:2]) == PLANTED
    assert found.genes["share"].sum() == pytest.approx(1.0)
    assert found.genes["share"].iloc[0] > 0.5
    assert found.p_values[0] <= 0.05
    assert found.k >= 1
    weights = adata.varm["PCs"] @ found.result.basis
    np.testing.assert_allclose(
        found.genes.loc[adata.var_names, [f"direction {j + 1}" for j in range(found.k)]], weights
    )
    means = found.genes.loc[adata.var_names, ["mean in well", "mean in sick"]].to_numpy().T
    expected = [of_group(adata, name, adata.X).mean(axis=0) for name in ("well", "sick")]
    np.testing.assert_allclose(means, expected, atol=ROUNDING * 10)
    assert "gene7, gene3" in repr(found)


def test_shares_through_a_rotation_are_those_of_the_genes():
    """All principal components are a rotation of the genes: the same distance, the same share of each gene."""
    adata = cells()
    _, _, axes = np.linalg.svd(adata.X - adata.X.mean(axis=0), full_matrices=True)
    adata.obsm["X_all"], adata.varm["all"] = adata.X @ axes.T, axes.T
    through = front.compare(adata, "group", use_rep="X_all", loadings="all", k=2, tol=1e-6)
    direct = front.compare(adata, "group", use_rep="X", k=2, tol=1e-6, key="direct")
    assert max(through.lower, direct.lower) <= min(through.upper, direct.upper) * (1 + 1e-9)
    np.testing.assert_allclose(through.genes["share"].sort_index(), direct.genes["share"].sort_index(), atol=2e-3)
    assert list(direct.genes.index[:2]) == PLANTED
    assert list(direct.features.index) == list(adata.var_names)


def test_genes_that_took_no_part_are_left_out():
    adata = cells()
    loadings = adata.varm["PCs"].copy()
    loadings[5] = np.nan
    loadings[6] = 0.0
    adata.varm["PCs"] = loadings
    found = front.compare(adata, "group", k=1)
    assert set(found.genes.index) == set(adata.var_names) - {"gene5", "gene6"}
    assert found.genes.loc["gene7", "mean in well"] == 0.0
    assert found.genes.loc["gene7", "mean in sick"] == pytest.approx(of_group(adata, "sick", adata.X)[:, 7].mean())


def test_without_loadings_there_are_no_genes():
    adata = cells()
    adata.obsm["X_umap"] = adata.obsm["X_pca"][:, :2]
    found = front.compare(adata, "group", use_rep="X_umap", k=1)
    assert found.genes is None
    assert list(found.features.index) == ["umap_1", "umap_2"]


def test_a_frame_as_representation_keeps_its_names():
    adata = cells()
    adata.obsm["scores"] = pd.DataFrame(adata.obsm["X_pca"][:, :2], columns=["cycle", "stress"], index=adata.obs_names)
    assert list(front.compare(adata, "group", use_rep="scores", k=1).features.index) == ["cycle", "stress"]


def test_without_values_of_genes_there_are_no_means():
    full = cells()
    adata = anndata.AnnData(obs=full.obs, var=full.var, obsm=dict(full.obsm), varm=dict(full.varm))
    assert adata.X is None
    found = front.compare(adata, "group", k=1)
    assert list(found.genes.columns) == ["share", "direction 1"]
    assert list(found.genes.index[:2]) == PLANTED
    with pytest.raises(ValueError, match=r"`use_rep` must be a key of `adata\.obsm`, as `adata\.X` is None"):
        front.compare(adata, "group", use_rep="X", k=1)


@pytest.mark.parametrize(
    "groups",
    [
        {"some": ["donor0", "donor1"], "others": ["donor6", "donor7"]},
        {"some": ("donor1", "donor0"), "others": {"donor7", "donor6"}},
    ],
)
def test_groups_of_several_labels(groups):
    adata = cells()
    found = front.compare(adata, "donor", groups, k=1)
    assert found.groups == ("some", "others")
    assert list(found.uns["sizes"]) == [20, 20]
    members = adata.obs["donor"].isin(["donor0", "donor1"]).to_numpy()
    np.testing.assert_array_equal(found.result.problem.frame.X, adata.obsm["X_pca"][members])


def test_cells_without_a_label_are_in_no_group():
    adata = cells()
    adata.obs.loc[adata.obs_names[:7], "group"] = np.nan
    assert list(front.compare(adata, "group", k=1).uns["sizes"]) == [60, 53]


# Test and pairwise ---------------------------------------------------------------------------------------------------


def test_cells_are_no_independent_points_where_donors_differ():
    """Each donor is shifted at random, the groups are not: cells by themselves reject, donors do not."""
    adata = cells(per_donor=15)
    rng = np.random.default_rng(1)
    donor = adata.obs["donor"].str.removeprefix("donor").astype(int).to_numpy()
    adata.obsm["X_pca"] = rng.standard_normal((12, PCS))[donor] * 2.0 + rng.standard_normal((adata.n_obs, PCS))
    single = front.test(adata, "group", n_permutations=99)
    by_donor = front.test(adata, "group", units="donor", n_permutations=99, key="by donor")
    assert single.p_value <= 0.05 < by_donor.p_value
    assert by_donor.smallest_p == pytest.approx(
        sot.two_sample_test(
            of_group(adata, "well"),
            of_group(adata, "sick"),
            n_permutations=99,
            units=(donor[60 + 30 :], donor[: 60 + 30]),
        ).smallest_p
    )
    assert "labellings of donor" in repr(by_donor)
    assert by_donor.uns["units"] == "donor"


def test_a_test_is_that_of_the_samples():
    adata = cells()
    found = front.test(adata, "group", n_permutations=99, strata="batch")
    batch = adata.obs["batch"].to_numpy()
    well = (adata.obs["group"] == "well").to_numpy()
    expected = sot.two_sample_test(
        of_group(adata, "well"), of_group(adata, "sick"), n_permutations=99, strata=(batch[well], batch[~well])
    )
    assert found.p_value == expected.p_value == 0.01
    assert found.monte_carlo_error == expected.monte_carlo_error
    assert list(found.components.index) == [component.name for component in expected.components]
    assert list(found.genes.index[:2]) == PLANTED


def test_distances_between_all_groups():
    adata = cells()
    found = front.pairwise(adata, "donor", ["donor0", "donor1", "donor6"], k=2)
    points = [adata.obsm["X_pca"][(adata.obs["donor"] == name).to_numpy()] for name in ("donor0", "donor1", "donor6")]
    np.testing.assert_array_equal(found.distance, sot.pairwise(points, 2).distance)
    assert found.converged
    assert list(found.distance.index) == list(found.distance.columns) == ["donor0", "donor1", "donor6"]
    assert found.distance.loc["donor0", "donor6"] > found.distance.loc["donor0", "donor1"]
    assert (found.lower <= found.distance).all(axis=None)
    assert (found.distance <= found.upper).all(axis=None)


# What is stored ------------------------------------------------------------------------------------------------------


def test_answers_survive_a_file(tmp_path):
    adata = cells()
    answers = {
        "compare": front.compare(adata, "group"),
        "of genes": front.compare(adata, "group", use_rep="X", k=2, key="of genes"),
        "plain": front.compare(adata, "group", k=1, key="plain"),
        "test": front.test(adata, "group", n_permutations=19, units="donor"),
        "pairwise": front.pairwise(adata, "donor", ["donor0", "donor1", "donor6"]),
    }
    adata.write_h5ad(tmp_path / "cells.h5ad")
    read = anndata.read_h5ad(tmp_path / "cells.h5ad")
    for key, answer in answers.items():
        for again in (front.stored(adata, key), front.stored(read, key)):
            assert type(again) is type(answer)
            assert again.result is None
            assert repr(again) == repr(answer)
            assert again.groups == answer.groups
            for name in ("features", "genes", "components", "distance", "lower", "upper"):
                if isinstance(table := getattr(answer, name, None), pd.DataFrame):
                    pd.testing.assert_frame_equal(getattr(again, name), table)
            for name in ("k", "distance", "lower", "upper", "p_value", "p_values", "smallest_p", "converged"):
                if isinstance(value := getattr(answer, name, None), float | int | tuple):
                    assert getattr(again, name) == value


def test_an_answer_replaces_the_one_of_its_key_alone():
    adata = cells()
    adata.uns["mine"] = 1
    front.compare(adata, "group", k=1)
    front.compare(adata, "group", k=2, key="other")
    front.compare(adata, "group", k=3)
    assert (front.stored(adata).k, front.stored(adata, "other").k, adata.uns["mine"]) == (3, 2, 1)


def test_nothing_else_is_changed():
    adata = cells(sparse=True)
    before = adata.copy()
    front.compare(adata, "group", use_rep="X", k=1)
    assert set(adata.uns) == {"subspaceot"}
    assert (adata.X != before.X).nnz == 0
    pd.testing.assert_frame_equal(adata.obs, before.obs)


# What is read --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.csr_array])
def test_sparse_values_are_not_made_dense_beyond_need(kind, monkeypatch):
    dense, wide = cells(), cells(sparse=True, empty=3000)
    wide.X = kind(wide.X)
    made = []

    for cls in {kind, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.csr_array, scipy.sparse.csc_array}:
        for name in ("toarray", "todense"):
            original = getattr(cls, name)

            def watched(self, *args, original=original, **kwargs):
                made.append(self.shape)
                return original(self, *args, **kwargs)

            monkeypatch.setattr(cls, name, watched)
    found = front.compare(wide, "group", use_rep="X", k=2)
    assert made
    assert all(columns <= GENES for _, columns in made)
    assert found.lower == front.compare(dense, "group", use_rep="X", k=2).lower
    assert len(found.genes) == GENES
    made.clear()
    assert list(front.compare(wide, "group", k=2).genes.index[:2]) == PLANTED
    assert not made  # means of genes come from sums


def test_genes_that_are_zero_everywhere():
    adata = cells(sparse=True)
    adata.X = scipy.sparse.csr_matrix(adata.shape)
    found = front.compare(adata, "group", use_rep="X", k=1)
    assert found.upper == 0.0


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_backed_mode(tmp_path, sparse):
    adata = cells(sparse=sparse)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    assert backed.isbacked
    for settings in ({"k": 2}, {"k": 2, "use_rep": "X"}):
        expected, found = front.compare(adata, "group", **settings), front.compare(backed, "group", **settings)
        assert (found.lower, found.upper) == (expected.lower, expected.upper)
        pd.testing.assert_frame_equal(found.genes, expected.genes)
    assert front.test(backed, "group", n_permutations=19).p_value == 0.05
    backed.file.close()


def test_a_view_becomes_a_copy():
    view = cells()[10:]
    with pytest.warns(anndata.ImplicitModificationWarning):
        front.compare(view, "group", k=1)
    assert not view.is_view
    assert "subspaceot" in view.uns


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"groupby": "celltype"},
            "`groupby` must be in `adata.obs`, which has 'group', 'donor', 'batch'; got 'celltype'.",
        ),
        ({"groupby": "donor"}, "`groups` must name two groups; column 'donor' has 12 labels"),
        ({"groups": ["well", "ill"]}, "`groups` must hold labels of column 'group', 'well', 'sick'; got 'ill'."),
        ({"groups": "well"}, "`groups` must be a list of labels, or a dict such as"),
        ({"groups": ["well", "well"]}, "`groups` must hold each label once"),
        ({"groups": {"one": ["well"], "two": []}}, "`groups` must hold at least one label for each group"),
        (
            {"use_rep": "X_scvi"},
            "`use_rep` must be in `adata.obsm`, which has 'X_pca'; got 'X_scvi'. Compute it first, as",
        ),
        ({"loadings": "PCA"}, "`loadings` must be in `adata.varm`, which has 'PCs'; got 'PCA'."),
        ({"use_rep": "X", "loadings": "PCs"}, "`loadings` must be left out where `use_rep` is 'X'"),
        ({"k": PCS + 1}, "`k` must be between 1 and the dimension d=5; got 6."),
        ({"key": "a/b"}, "`key` must be a non-empty name without a slash, as HDF5 needs; got 'a/b' (str)."),
    ],
)
def test_clear_errors(settings, message):
    adata = cells()
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        front.compare(adata, **{"groupby": "group", "k": 1, **settings})
    assert "subspaceot" not in adata.uns


def test_other_errors():
    adata = cells()
    with pytest.raises(TypeError, match=re.escape("`adata` must be of type anndata.AnnData; got DataFrame.")):
        front.compare(adata.to_df(), "group")
    with pytest.raises(ValueError, match=re.escape('`key` must be in `adata.uns["subspaceot"]`, which has nothing')):
        front.stored(adata)
    with pytest.raises(ValueError, match="`units` must name different units in `X` and in `Y`"):
        front.test(adata, "group", units="batch")
    with pytest.raises(ValueError, match=r"`units` must be in `adata\.obs`"):
        front.test(adata, "group", units="patient")
    adata.obsm["X_pca"] = adata.obsm["X_pca"][:, :3]
    with pytest.raises(ValueError, match="`loadings` must have one column for each of the 3 columns of 'X_pca'"):
        front.compare(adata, "group")
    values = adata.X.copy()
    values[4, 2] = np.nan
    adata.X = values
    with pytest.raises(ValueError, match=re.escape("`adata.X` must be finite; got NaN")):
        front.compare(adata, "group", use_rep="X", k=1)


# T cells and B cells, of scanpy ------------------------------------------------------------------------------------

T_CELLS = [
    "CD4+/CD25 T Reg",
    "CD4+/CD45RA+/CD25- Naive T",
    "CD4+/CD45RO+ Memory",
    "CD8+ Cytotoxic T",
    "CD8+/CD45RA+ Naive Cytotoxic",
]
T_AND_B = {"T cells": T_CELLS, "B cells": ["CD19+ B"]}
B_MARKERS = {"CD79A", "CD79B", "MS4A1"}


@pytest.fixture(scope="module")
def pbmc():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scanpy = pytest.importorskip("scanpy", exc_type=ImportError)
        return scanpy.datasets.pbmc68k_reduced()


def test_t_cells_against_b_cells(pbmc, tmp_path):
    found = front.compare(pbmc, "bulk_labels", T_AND_B)
    assert len(found.p_values) >= 1
    assert found.p_values[0] <= 0.05
    assert set(found.genes.index[:15]) >= B_MARKERS
    assert (
        found.genes.loc[list(B_MARKERS), "mean in B cells"] > found.genes.loc[list(B_MARKERS), "mean in T cells"]
    ).all()
    tested = front.test(pbmc, "bulk_labels", T_AND_B, n_permutations=99)
    assert tested.p_value == 0.01
    named = tested.genes["weight"].head(10)
    assert set(named.index) >= {*B_MARKERS, "CD3D"}
    assert all(np.sign(named[gene]) == -np.sign(named["CD3D"]) for gene in B_MARKERS)
    pbmc.write_h5ad(tmp_path / "pbmc.h5ad")
    read = anndata.read_h5ad(tmp_path / "pbmc.h5ad")
    for adata in (pbmc, read):
        pd.testing.assert_frame_equal(front.stored(adata).genes, found.genes)
        pd.testing.assert_frame_equal(front.stored(adata, "test").genes, tested.genes)


def test_t_cells_against_b_cells_by_their_genes(pbmc):
    found = front.compare(pbmc, "bulk_labels", T_AND_B, use_rep="X", k=1, key="genes")
    assert set(found.genes.index[:8]) >= B_MARKERS


def test_clusters_of_cells(pbmc):
    """By `louvain`, whose clusters have numbers for names: the two with the most T and the most B cells."""
    count = pd.crosstab(pbmc.obs["louvain"], pbmc.obs["bulk_labels"])
    t, b = count[T_CELLS].sum(axis=1).idxmax(), count["CD19+ B"].idxmax()
    found = front.compare(pbmc, "louvain", [t, b], k=2, key="louvain")
    assert found.groups == (t, b)
    assert set(found.genes.index[:15]) >= {"CD79A", "MS4A1"}
