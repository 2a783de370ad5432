"""Few of many directions: eigenpairs of matrices that are never formed, and what a model keeps when Q grows."""

from functools import cache

import numpy as np
import pytest
import tolerances

from subspaceot.core.coupling import Dense
from subspaceot.core.fantope import SoftProjector
from subspaceot.core.moments import MANY
from subspaceot.core.problem import Problem
from subspaceot.solvers.ascent.model import CurvatureModel
from subspaceot.solvers.directions import Spectrum


def wide(k=3, d=640, n=320):
    """Return a problem of many directions and a plan that is a coupling of nothing in particular."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2, n, d)) * np.linspace(2.0, 1.0, d)
    plan = rng.random((n, n)) ** 8
    return Problem.of(X, Y, k), Dense(plan / plan.sum())


@cache
def matrix():
    """Return the displacement matrix of that plan, the same for every k, one point at a time: it takes seconds."""
    problem, plan = wide()
    return sum(((x - problem.Y).T * masses) @ (x - problem.Y) for x, masses in zip(problem.X, plan.masses, strict=True))


@pytest.mark.parametrize("k", [1, 3, 20])
@pytest.mark.parametrize("warm", [False, True])
def test_eigenvalues_of_a_plan_are_those_of_its_matrix(k, warm):
    problem, plan = wide(k)
    assert problem.r >= MANY
    V = matrix()
    values, vectors = np.linalg.eigh(V)
    near = vectors[:, -k - 2 :] + 0.01 if warm else None
    top = values[-k:].sum()
    precision = 1e-6 * top
    spectrum = Spectrum.of_plan(problem, plan, precision, near)
    count = spectrum.vectors.shape[1]
    assert spectrum.vectors.shape == (problem.r, count)
    assert count > k
    # Ritz values do not exceed eigenvalues, but both are rounded.
    assert -tolerances.ROUNDING * top <= top - spectrum.top_sum <= precision
    np.testing.assert_allclose(spectrum.vectors.T @ spectrum.vectors, np.eye(count), atol=1e-10)
    found = spectrum.vectors[:, :k]
    assert np.trace(found.T @ V @ found) == pytest.approx(spectrum.top_sum, rel=1e-10)


def test_many_of_many_directions():
    problem, plan = wide(400)
    values = np.linalg.eigvalsh(matrix())
    assert Spectrum.of_plan(problem, plan).top_sum == pytest.approx(values[-400:].sum(), rel=1e-12)


def test_a_projector_in_few_directions_is_the_one_in_all():
    rng = np.random.default_rng(1)
    Q = np.linalg.qr(rng.standard_normal((9, 4)))[0]
    inner = np.diag([1.0, 0.6, 0.4, 0.0])
    few, whole = SoftProjector(inner, Q), SoftProjector(Q @ inner @ Q.T)
    np.testing.assert_allclose(few.whole, whole.whole, atol=1e-15)
    for omega in (few, whole):
        np.testing.assert_allclose(omega.factor @ omega.factor.T, few.whole, atol=1e-14)
        assert omega.support.shape == (9, 3)
        np.testing.assert_allclose(omega.support.T @ omega.support, np.eye(3), atol=1e-14)
        R = np.linalg.qr(rng.standard_normal((9, 5)))[0]
        np.testing.assert_allclose(omega.within(R), R.T @ few.whole @ R, atol=1e-14)


def test_a_model_keeps_what_it_learned_when_directions_join():
    rng = np.random.default_rng(2)
    H = rng.standard_normal((9, 9))
    H = H @ H.T
    model = CurvatureModel(1.0, memory=5)
    for _ in range(7):
        move = rng.standard_normal((3, 3))
        move = move + move.T
        model.learn(move, (H @ move.ravel()).reshape(3, 3))
    x = rng.standard_normal((3, 3))
    before = model.times(x.ravel()).reshape(3, 3)
    R = np.linalg.qr(rng.standard_normal((6, 3)))[0]
    model.widen(R)
    np.testing.assert_allclose(model.times((R @ x @ R.T).ravel()).reshape(6, 6), R @ before @ R.T, atol=1e-12)
    outside = np.linalg.qr(R, mode="complete")[0][:, 3:]
    new = outside @ outside.T
    np.testing.assert_allclose(model.times(new.ravel()).reshape(6, 6), model.sigma * new, atol=1e-12)
