"""The factorisation of interior-point steps against NumPy's solver."""

import numpy as np
import pytest

from subspaceot.solvers._factor import Factor


@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
def test_solution(size):
    rng = np.random.default_rng(size)
    factor = Factor(size)
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
    factor = Factor(100)
    factor.S[:] = S
    factor.factor()
    rhs = rng.standard_normal(100)
    np.testing.assert_allclose(S @ factor.solve(rhs), rhs, rtol=0, atol=1e-12)
