"""Three kinds of couplings that hold the same masses answer alike: against the array of all masses."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from subspaceot.runtime import blocks
from subspaceot.core.coupling import Coupling, Dense, Scaled, Sparse, as_coupling, mixed
from subspaceot.core.costs import SquaredDistances

REG = 0.5
ROUNDING = 1e-13

KINDS = ["dense", "sparse", "scaled"]


@dataclass
class Case:
    coupling: Coupling
    masses: np.ndarray  # what all of them hold


def case(kind, n=7, m=5, seed=0):
    """Return a coupling whose masses sum to 1: a third of the pairs for sparse ones, all for the others."""
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, 2)), rng.standard_normal((m, 2))
    f, g = 0.1 * rng.standard_normal(n), 0.1 * rng.standard_normal(m)
    masses = np.exp((f[:, None] + g - ((X[:, None] - Y) ** 2).sum(axis=2)) / REG)
    if kind == "scaled":
        return Case(Scaled(SquaredDistances(X, Y), f, g, REG), masses)
    if kind == "dense":
        return Case(Dense(masses), masses)
    masses = np.where(rng.random((n, m)) < 1 / 3, masses, 0.0)
    return Case(Sparse(scipy.sparse.csr_array(masses)), masses)


def close(actual, desired):
    np.testing.assert_allclose(actual, desired, rtol=ROUNDING, atol=ROUNDING)


sizes = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6))
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
@given(sizes, st.integers(1, 4))
def test_products_and_sums(kind, size, q):
    example, rng = case(kind, *size), np.random.default_rng(size[2])
    plan, (n, m) = example.coupling, example.masses.shape
    assert plan.shape == (n, m)
    B, C = rng.standard_normal((m, q)), rng.standard_normal((n, q))
    close(plan @ B, example.masses @ B)
    close(plan @ B[:, 0], example.masses @ B[:, 0])
    close(plan.T @ C, example.masses.T @ C)
    close(plan.row_sums(), example.masses.sum(axis=1))
    close(plan.column_sums(), example.masses.sum(axis=0))
    assert plan.row_sums().shape == (n,)
    assert plan.column_sums().shape == (m,)


@every_kind
@given(sizes)
def test_the_transposed_coupling(kind, size):
    example = case(kind, *size)
    transposed = example.coupling.T
    assert transposed.shape == example.masses.T.shape
    close(transposed.dense(), example.masses.T)
    close(transposed.row_sums(), example.masses.sum(axis=0))
    close(transposed.T.dense(), example.masses)


@every_kind
@given(sizes)
def test_atoms_and_arrays(kind, size):
    example = case(kind, *size)
    close(example.coupling.dense(), example.masses)
    close(example.coupling.sparse().toarray(), example.masses)
    rows, columns, mass = example.coupling.atoms()
    assert example.coupling.count == len(mass) == np.count_nonzero(example.masses)
    found = np.zeros_like(example.masses)
    np.add.at(found, (rows, columns), mass)
    close(found, example.masses)


@pytest.mark.parametrize("entries", [1, 7, 12, 1000])
def test_blocks_of_an_entropic_plan_are_all_of_it(monkeypatch, entries):
    monkeypatch.setattr(blocks, "BLOCK_ENTRIES", entries)
    example = case("scaled")
    blocks = list(example.coupling.blocks())
    assert len(blocks) == -(-7 // max(1, entries // 5))
    close(np.concatenate([masses for _, masses in blocks]), example.masses)
    B = np.random.default_rng(1).standard_normal((5, 3))
    close(example.coupling @ B, example.masses @ B)
    close(example.coupling.column_sums(), example.masses.sum(axis=0))
    close(example.coupling.sparse().toarray(), example.masses)


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
@given(share=st.floats(0.0, 1.0))
def test_mixtures(one, other, share):
    first, second = case(one, seed=1), case(other, seed=2)
    mixture = mixed(share, first.coupling, second.coupling)
    close(mixture.dense(), share * first.masses + (1.0 - share) * second.masses)
    assert isinstance(mixture, Sparse) == (one == other == "sparse")


def test_atoms_of_one_pair_add_up():
    plan = Sparse.of(np.array([0, 1, 0]), np.array([1, 0, 1]), np.array([0.25, 0.5, 0.25]), (2, 3))
    np.testing.assert_array_equal(plan.dense(), [[0.0, 0.5, 0.0], [0.5, 0.0, 0.0]])


@pytest.mark.parametrize("form", [scipy.sparse.csr_array, scipy.sparse.coo_array, scipy.sparse.csr_matrix])
def test_sparse_arrays_become_sparse_couplings(form):
    masses = case("sparse").masses
    plan = as_coupling(form(masses))
    assert isinstance(plan, Sparse)
    np.testing.assert_array_equal(plan.dense(), masses)


def test_arrays_become_dense_couplings_and_couplings_stay():
    example = case("dense")
    assert as_coupling(example.masses).dense() is example.masses
    for kind in KINDS:
        plan = case(kind).coupling
        assert as_coupling(plan) is plan
