"""What is compiled against the same in NumPy, and without the compiler."""

import os
import subprocess
import sys

import numpy as np
import pytest
import reference
from proof import assert_soft_projector

from subspaceot.core import fantope
from subspaceot.core.costs import CostMatrix, SquaredDistances
from subspaceot.solvers.ascent import _model_kernels, model
from subspaceot.transport import Entropic
from subspaceot.transport.sinkhorn import _kernels, _scalings, entropic


def problem(n, m, seed=0):
    rng = np.random.default_rng(seed)
    C = (rng.standard_normal((n, 1)) - 2 * rng.standard_normal(m)) ** 2
    return C, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))


@pytest.mark.parametrize("shift", [0.0, 3.0, -5.0])
def test_exponentials(shift):
    exponents = np.concatenate([np.linspace(-800.0, 0.0, 12_000), -np.geomspace(1e-300, 1e3, 6_000), np.zeros(3)])
    x, moved = exponents + shift, np.empty_like(exponents)
    exponents = x - shift  # as rounded
    _kernels.exponentials(x, x.view(np.int64), shift, moved, moved.view(np.int64))
    x *= 2.0**-100
    with np.errstate(under="ignore"):
        exact = np.exp(exponents)
    usual = exponents > -708.0  # below, results lose digits as they run out of exponents
    np.testing.assert_allclose(x[usual], exact[usual], rtol=2e-14)
    np.testing.assert_allclose(x[~usual], exact[~usual], rtol=2e-14, atol=1e-323)
    assert (x[exponents < -746.0] == 0.0).all()


@pytest.mark.parametrize("columns", [1, 7, 8, 9, 100])
def test_rows_are_normalised_in_the_log_domain(columns):
    rng = np.random.default_rng(0)
    exponents = 1e3 * rng.standard_normal((20, columns)) - 1e4
    exponents[3, 0] = 1e5
    a = rng.random(20)
    kernel = entropic._DenseKernel.of(CostMatrix(-exponents), a, 1.0, np.zeros(columns))
    with np.errstate(under="ignore"):
        exact = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        exact *= (a / exact.sum(axis=1))[:, None]
        np.testing.assert_allclose(kernel.K, exact, rtol=1e-13, atol=1e-300)
        np.testing.assert_allclose(np.exp(exponents + kernel.f[:, None]), kernel.K, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(kernel.columns, kernel.K.sum(axis=0), rtol=1e-13, atol=1e-300)


def test_costs_of_points_and_of_their_matrix_agree():
    rng = np.random.default_rng(0)
    X, Y, f, g = rng.standard_normal((30, 4)), rng.standard_normal((20, 4)), rng.random(30), rng.random(20)
    points = SquaredDistances(X, Y)
    matrix = CostMatrix(reference.cost_matrix(X, Y))
    np.testing.assert_allclose(points.exponents(0.1, f, g), matrix.exponents(0.1, f, g), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(points.exponents(0.1, 0.0, g), matrix.exponents(0.1, 0.0, g), rtol=1e-11, atol=1e-11)
    assert points.largest() >= matrix.largest()


@pytest.mark.parametrize("reg", [1.0, 0.1, 0.01])
@pytest.mark.parametrize("sizes", [(7, 5), (16, 40), (33, 90), (1, 3), (3, 1)])
def test_compiled_and_numpy_agree(monkeypatch, sizes, reg):
    C, a, b = problem(*sizes)
    compiled = Entropic(reg, tol=1e-10).solve(C, a, b)
    monkeypatch.setattr(_scalings, "SMALL", 0)
    plain = Entropic(reg, tol=1e-10).solve(C, a, b)
    assert compiled.converged
    assert plain.converged
    np.testing.assert_allclose(compiled.plan.dense(), plain.plan.dense(), rtol=0, atol=1e-8)
    assert compiled.value == pytest.approx(plain.value, rel=1e-8)


@pytest.mark.parametrize("sizes", [(7, 5), (16, 40), (33, 90), (1, 3), (3, 1)])
def test_each_part_of_the_compiled_scalings_is_its_twin(sizes):
    C, a, b = problem(*sizes)
    K = np.exp(-C / C.mean())
    twin, compiled = _scalings._SemiDual(K, a, b, 1e40), _scalings._CompiledSemiDual(K, a, b, 1e40)
    first = twin.at(np.exp(0.3 * np.sin(np.arange(len(b)))))
    direction = twin.direction(first, 0.03)
    np.testing.assert_allclose(compiled.direction(first, 0.03), direction, rtol=1e-9, atol=1e-12)
    pairs = [(twin.swept(first, 1e-9), compiled.swept(first, 1e-9))]
    for length in (1.0, 0.1, 1e6):
        plain, fast = twin.along(first, direction, length), compiled.along(first, direction, length)
        assert fast.value == pytest.approx(plain.value, rel=1e-9, abs=1e-12)
        assert fast.slope == pytest.approx(plain.slope, rel=1e-9, abs=1e-12)
        pairs.append((plain.point, fast.point))
    twin.border = compiled.border = 1.01
    pairs.append((twin.swept(first, 1e-9), compiled.swept(first, 1e-9)))
    for plain, fast in pairs:
        for name in ("u", "v", "columns", "error", "largest"):
            np.testing.assert_allclose(getattr(fast, name), getattr(plain, name), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("r", "k"), [(1, 1), (2, 1), (6, 2), (6, 6), (30, 5)])
@pytest.mark.parametrize("size", [0.0, 1e-6, 0.3, 5.0, 1e6, 1e12])
def test_compiled_projections_onto_the_fantope(r, k, size):
    A = np.random.default_rng(r).standard_normal((r, r)) * size
    A, out = A + A.T, np.zeros((r, r))
    eigenvalues, vectors = np.linalg.eigh(A)
    _model_kernels.recompose(eigenvalues, np.ascontiguousarray(vectors.T), k, out)
    np.testing.assert_allclose(out, fantope.project(A, k), rtol=0, atol=1e-9)
    assert_soft_projector(out, k)


@pytest.mark.parametrize("learned", [0, 1, 7, 30])
@pytest.mark.parametrize(("r", "k"), [(2, 1), (5, 2), (12, 3)])
def test_compiled_and_plain_models_have_one_maximiser(monkeypatch, r, k, learned):
    rng = np.random.default_rng(r)
    V, *moves = rng.standard_normal((1 + learned, r, r))
    V, H = V + V.T, rng.standard_normal((r * r, r * r))
    H = H @ H.T
    learned_model = model.CurvatureModel(3.0, memory=20)
    for move in moves:
        move = move + move.T
        fall = (H @ move.ravel()).reshape(r, r)
        learned_model.learn(move, fall + fall.T)
    omega = fantope.project(rng.standard_normal((r, r)), k)
    compiled = model.maximise_model(omega, V, learned_model, k, steps=6, tol=1e-3)
    monkeypatch.setattr(model, "MAX_DIRECTIONS", 0)
    plain = model.maximise_model(omega, V, learned_model, k, steps=6, tol=1e-3)
    np.testing.assert_allclose(compiled, plain, rtol=0, atol=1e-9)
    assert_soft_projector(compiled, k)


def test_the_same_without_the_compiler():
    code = (
        "import numpy as np, subspaceot as sot\n"
        "data = sot.instances.fragmented_hypercube(20, 4, 2, rng=0)\n"
        "result = sot.srw(data.X, data.Y, 2, tol=1e-2)\n"
        "print(repr(result.lower), repr(result.upper))\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for switch in ("0", "1")
    ]
    np.testing.assert_allclose(np.array(printed[0], float), np.array(printed[1], float), rtol=1e-6)
