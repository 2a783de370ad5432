"""The set of soft projectors: its projection is checked by the theorem that defines it, and by a slow twin."""

import numpy as np
import pytest
import reference
import tolerances
from proof import assert_soft_projector

from subspaceot.core import fantope

PARTIAL = fantope._PARTIAL_FROM  # from this dimension on only the leading eigenpairs are computed
SIZES = [(1, 1), (2, 1), (5, 1), (5, 4), (5, 5), (30, 7), (PARTIAL - 1, 3)]
SIZES += [(PARTIAL, k) for k in (1, 3, PARTIAL // 4, PARTIAL // 2, PARTIAL)]
every_size = pytest.mark.parametrize(("d", "k"), SIZES)


def symmetric(d, size, seed=0):
    A = np.random.default_rng(seed).standard_normal((d, d)) * size / np.sqrt(d)
    return (A + A.T) / 2


def spiked(d, k):
    """Return a matrix whose eigenvalues beyond k are small, as a displacement matrix has."""
    Q = np.linalg.qr(np.random.default_rng(1).standard_normal((d, d)))[0]
    eigenvalues = np.where(np.arange(d) < k, 2.0, 0.1)
    A = (Q * eigenvalues) @ Q.T
    return (A + A.T) / 2


def matrices(d, k):
    yield from (symmetric(d, size) for size in (1e-6, 0.3, 1.0, 5.0, 1e4))
    yield spiked(d, k)
    yield np.zeros((d, d))  # all eigenvalues tie
    yield np.eye(d) * -3.0
    yield symmetric(d, 1.0) + 1e6 * np.eye(d)


@every_size
def test_projection_satisfies_its_variational_inequality(d, k):
    for A in matrices(d, k):
        P = fantope.project(A, k)
        assert_soft_projector(P, k)
        _, Q = fantope.maximise(A - P, k)
        assert np.sum((A - P) * (Q - P)) <= tolerances.ROUNDING * max(1.0, np.linalg.norm(A)) * d


@every_size
def test_projection_equals_its_slow_twin(d, k):
    for A in matrices(d, k):
        scale = max(1.0, np.abs(A).max())
        np.testing.assert_allclose(
            fantope.project(A, k), reference.fantope_projection(A, k), rtol=0, atol=tolerances.ROUNDING * scale
        )


@every_size
def test_projection_is_idempotent(d, k):
    for A in matrices(d, k):
        P = fantope.project(A, k)
        np.testing.assert_allclose(fantope.project(P, k), P, rtol=0, atol=tolerances.ROUNDING)


@every_size
def test_projection_brings_matrices_closer_together(d, k):
    A, B = symmetric(d, 2.0, seed=2), symmetric(d, 2.0, seed=3)
    before = np.linalg.norm(A - B)
    assert np.linalg.norm(fantope.project(A, k) - fantope.project(B, k)) <= before * (1 + tolerances.ROUNDING)


def test_projection_in_one_and_two_dimensions_by_hand():
    np.testing.assert_allclose(fantope.project(np.array([[-7.0]]), 1), [[1.0]])
    np.testing.assert_allclose(fantope.project(np.diag([0.5, 0.3]), 1), np.diag([0.6, 0.4]))
    np.testing.assert_allclose(fantope.project(np.diag([2.0, 0.3]), 1), np.diag([1.0, 0.0]))
    np.testing.assert_allclose(fantope.project(np.diag([2.0, 0.3]), 2), np.eye(2))


@every_size
def test_maximiser_attains_the_sum_of_the_largest_eigenvalues(d, k):
    for A in matrices(d, k):
        top, P = fantope.maximise(A, k)
        scale = tolerances.ROUNDING * max(1.0, np.abs(A).max()) * d
        assert_soft_projector(P, k)
        np.testing.assert_allclose(P @ P, P, rtol=0, atol=tolerances.ROUNDING)
        assert top == pytest.approx(reference.top_sum(A, k), abs=scale)
        assert np.sum(A * P) == pytest.approx(top, abs=scale)
        assert fantope.top_sum(A, k) == pytest.approx(top, abs=scale)


@every_size
def test_nothing_in_the_set_does_better_than_the_maximiser(d, k):
    A = symmetric(d, 1.0)
    top, _ = fantope.maximise(A, k)
    for seed in range(5):
        other = fantope.project(symmetric(d, 3.0, seed=10 + seed) + 0.3 * A, k)
        assert np.sum(A * other) <= top + tolerances.ROUNDING * d


@every_size
def test_leading_vectors_come_in_order(d, k):
    A = symmetric(d, 1.0)
    U = fantope.leading_vectors(A, k)
    assert U.shape == (d, k)
    np.testing.assert_allclose(U.T @ U, np.eye(k), rtol=0, atol=tolerances.ROUNDING)
    eigenvalues = np.sort(np.linalg.eigvalsh(A))[::-1][:k]
    np.testing.assert_allclose(A @ U, U * eigenvalues, rtol=0, atol=tolerances.ROUNDING)


@every_size
def test_factor_rebuilds_a_soft_projector(d, k):
    for omega in (fantope.project(symmetric(d, 2.0), k), fantope.maximise(symmetric(d, 2.0), k)[1]):
        L = fantope.factor(omega)
        np.testing.assert_allclose(L @ L.T, omega, rtol=0, atol=tolerances.ROUNDING)
        assert L.shape[1] <= d


def test_factor_of_a_projector_has_as_many_columns_as_its_rank():
    _, P = fantope.maximise(symmetric(20, 1.0), 3)
    large = np.linalg.norm(fantope.factor(P), axis=0) > 1e-6
    assert large.sum() == 3


def test_few_eigenpairs_are_computed_where_few_matter(monkeypatch):
    counts = []
    leading = fantope.leading_eigenpairs
    monkeypatch.setattr(fantope, "leading_eigenpairs", lambda A, count: (counts.append(count), leading(A, count))[1])
    fantope.project(spiked(PARTIAL, 3), 3)
    assert counts == [14]
    fantope.project(np.zeros((PARTIAL, PARTIAL)), 3)  # here all of them matter
    assert counts[-1] == PARTIAL


@pytest.mark.parametrize("d", [20, PARTIAL])
def test_arguments_are_not_modified(d):
    A = symmetric(d, 1.0)
    before = A.copy()
    A.flags.writeable = False
    fantope.project(A, 3)
    fantope.maximise(A, 3)
    fantope.top_sum(A, 3)
    fantope.factor(A)
    np.testing.assert_array_equal(A, before)
