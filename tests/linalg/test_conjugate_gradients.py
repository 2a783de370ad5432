"""Conjugate gradients against NumPy's solver."""

import numpy as np
import pytest

from subspaceot.linalg.conjugate_gradients import conjugate_gradients


def definite(size, seed=0):
    A = np.random.default_rng(seed).standard_normal((size, size + 3))
    return A @ A.T


@pytest.mark.parametrize("preconditioned", [False, True])
@pytest.mark.parametrize("shape", [(1,), (7,), (3, 4)])
def test_unknowns_of_any_shape(shape, preconditioned):
    size = int(np.prod(shape))
    S, rhs = definite(size), np.random.default_rng(1).standard_normal(shape)
    diagonal = np.diag(S).reshape(shape) if preconditioned else 1.0
    x = conjugate_gradients(
        lambda p: (S @ p.ravel()).reshape(shape), rhs, tol=1e-10, diagonal=diagonal, max_steps=5 * size
    )
    assert x.shape == shape
    np.testing.assert_allclose(x.ravel(), np.linalg.solve(S, rhs.ravel()), rtol=1e-6)


@pytest.mark.parametrize("tol", [0.5, 0.1, 1e-3])
def test_the_residual_is_as_small_as_asked_for_and_no_step_more_is_taken(tol):
    S, rhs, products = definite(40), np.ones(40), []

    def operator(p):
        products.append(p)
        return S @ p

    x = conjugate_gradients(operator, rhs, tol=tol, max_steps=1000)
    assert np.linalg.norm(rhs - S @ x) <= tol * np.linalg.norm(rhs) * (1 + 1e-6)
    shorter = conjugate_gradients(lambda p: S @ p, rhs, tol=0.0, max_steps=len(products) - 1)
    assert np.linalg.norm(rhs - S @ shorter) > tol * np.linalg.norm(rhs)


def test_negative_curvature_from_the_start_returns_zero():
    rhs = np.ones(5)
    np.testing.assert_array_equal(conjugate_gradients(lambda p: -p, rhs, tol=0.1), np.zeros(5))


def test_arguments_are_not_modified():
    S, rhs = definite(6), np.arange(6.0)
    conjugate_gradients(lambda p: S @ p, rhs, tol=1e-3)
    np.testing.assert_array_equal(rhs, np.arange(6.0))
