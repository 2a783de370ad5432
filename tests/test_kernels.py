"""What is compiled against the same in NumPy, and without the compiler."""

import os
import subprocess
import sys

import numpy as np
import pytest
import reference

from subspaceot import transport
from subspaceot.transport._costs import CostMatrix

sinkhorn = sys.modules["subspaceot.transport.sinkhorn"]  # the name in the package is that of the function


def problem(n, m, seed=0):
    rng = np.random.default_rng(seed)
    C = (rng.standard_normal((n, 1)) - 2 * rng.standard_normal(m)) ** 2
    return C, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))


@pytest.mark.parametrize("columns", [1, 4, 5, 1000])
def test_exponentials(columns):
    exponents = np.concatenate([np.linspace(-800.0, 0.0, 12_000), -np.geomspace(1e-300, 1e3, 6_000), np.zeros(4_000)])
    K = exponents.reshape(-1, columns).copy()
    sinkhorn._exponentials(K)
    with np.errstate(under="ignore"):
        exact = np.exp(exponents)
    usual = exponents > -708.0  # below, results lose digits as they run out of exponents
    np.testing.assert_allclose(K.ravel()[usual], exact[usual], rtol=2e-14)
    np.testing.assert_allclose(K.ravel()[~usual], exact[~usual], rtol=2e-14, atol=1e-323)
    assert (K.ravel()[exponents < -746.0] == 0.0).all()


def test_costs_of_points_and_of_their_matrix_agree():
    rng = np.random.default_rng(0)
    X, Y, f, g = rng.standard_normal((30, 4)), rng.standard_normal((20, 4)), rng.random(30), rng.random(20)
    points = transport.SquaredDistances(X, Y)
    matrix = CostMatrix(reference.cost_matrix(X, Y))
    np.testing.assert_allclose(points.exponents(0.1, f, g), matrix.exponents(0.1, f, g), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(points.exponents(0.1, 0.0, g), matrix.exponents(0.1, 0.0, g), rtol=1e-11, atol=1e-11)
    assert points.largest() >= matrix.largest()


@pytest.mark.parametrize("reg", [1.0, 0.1, 0.01])
@pytest.mark.parametrize("sizes", [(7, 5), (16, 40), (33, 90), (1, 3), (3, 1)])
def test_compiled_and_numpy_agree(monkeypatch, sizes, reg):
    C, a, b = problem(*sizes)
    compiled = transport.sinkhorn(C, a, b, reg, tol=1e-10)
    monkeypatch.setattr(sinkhorn, "_COMPILED", 0)
    plain = transport.sinkhorn(C, a, b, reg, tol=1e-10)
    assert compiled.converged
    assert plain.converged
    np.testing.assert_allclose(compiled.plan, plain.plan, rtol=0, atol=1e-8)
    assert compiled.value == pytest.approx(plain.value, rel=1e-8)


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
