"""The factorisation of interior-point steps against NumPy's solver."""

import numpy as np
import pytest

from subspaceot.linalg.cholesky import CholeskyFactor
from subspaceot.linalg.workspace import Workspace


@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
def test_solution(size):
    rng = np.random.default_rng(size)
    factor = CholeskyFactor(size, Workspace())
    for _ in range(2):  # in the same memory
        A = rng.standard_normal((size, size + 5))
        S = A @ A.T
        lower = np.tril_indices(size)
        factor.S[lower] = S[lower]
        factor.factor()
        rhs = rng.standard_normal(size)
        np.testing.assert_allclose(S @ factor.solve(rhs), rhs, rtol=0, atol=1e-9)


def test_what_is_not_quite_definite_is_solved_nevertheless():
    rng = np.random.default_rng(0)
    S = np.diag(rng.uniform(1.0, 2.0, 100))
    S[80, 80] = -1e-3
    factor = CholeskyFactor(100, Workspace())
    factor.S[:] = S
    factor.factor()
    rhs = rng.standard_normal(100)
    np.testing.assert_allclose(S @ factor.solve(rhs), rhs, rtol=0, atol=1e-12)


def test_what_another_size_left_in_memory_does_not_matter():
    rng, workspace = np.random.default_rng(0), Workspace()
    for size in (150, 70, 150, 200):
        A = rng.standard_normal((size, size + 5))
        S, rhs = A @ A.T, rng.standard_normal(size)
        factor = CholeskyFactor(size, workspace)
        factor.S[np.tril_indices(size)] = S[np.tril_indices(size)]
        factor.factor()
        np.testing.assert_allclose(S @ factor.solve(rhs), rhs, rtol=0, atol=1e-9)
        factor.S[:] = np.nan  # what is read before it is written would show next time
