"""Leading eigenpairs of an operator against NumPy's, of its matrix."""

import numpy as np
import pytest

from subspaceot.linalg.eigenpairs import leading_eigenpairs

SPECTRA = {
    "apart": np.geomspace(1.0, 1e-6, 300),
    "alike": np.linspace(1.0, 0.9, 300),
    "equal": np.ones(300),
    "of low rank": np.where(np.arange(300) < 3, 1.0, 0.0),
}


@pytest.mark.parametrize("spectrum", SPECTRA)
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("precision", [1e-2, 1e-8])
def test_their_sum_is_as_precise_as_asked_for(spectrum, k, precision):
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.standard_normal((300, 300)))[0]
    V = (Q * SPECTRA[spectrum]) @ Q.T
    values, vectors = leading_eigenpairs(lambda B: V @ B, rng.standard_normal((300, k + 8)), k, precision)
    assert values.shape == (k + 8,)
    assert np.all(np.diff(values) >= 0)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k + 8), atol=1e-12)
    assert values[-k:].sum() == pytest.approx(SPECTRA[spectrum][:k].sum(), abs=3 * precision)
    np.testing.assert_allclose(np.diag(vectors.T @ V @ vectors), values, atol=1e-10)
