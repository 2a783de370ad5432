"""The energy distance: its definition, no bias from the size of samples, the same by blocks."""

import numpy as np
import pytest
from tolerances import ROUNDING

from subspaceot import energy
from subspaceot.energy import energy_distance


def twin(X, Y, a, b):
    """Return the energy distance pair by pair."""

    def mean(U, V, u, v, same):
        pairs = [(i, j) for i in range(len(U)) for j in range(len(V)) if not (same and i == j)]
        masses = [u[i] * v[j] for i, j in pairs]
        distances = [np.linalg.norm(U[i] - V[j]) for i, j in pairs]
        return np.dot(masses, distances) / np.sum(masses) if pairs else 0.0

    return 2.0 * mean(X, Y, a, b, False) - mean(X, X, a, a, True) - mean(Y, Y, b, b, True)


@pytest.mark.parametrize(("n", "m"), [(7, 5), (2, 3), (1, 4), (1, 1)])
def test_it_is_what_its_definition_says(n, m, monkeypatch):
    rng = np.random.default_rng(n)
    X, Y, a, b = rng.standard_normal((n, 3)), rng.standard_normal((m, 3)), rng.random(n) + 0.1, rng.random(m) + 0.1
    found = energy_distance(X, Y, a, b)
    assert found == pytest.approx(twin(X, Y, a, b), abs=ROUNDING * 10)
    assert energy_distance(X, Y, 7.0 * a, b) == pytest.approx(found, abs=ROUNDING * 10)
    monkeypatch.setattr(energy, "_BLOCK", 4)
    assert energy_distance(X, Y, a, b) == pytest.approx(found, abs=ROUNDING * 10)


def test_its_mean_over_samples_of_one_law_is_0():
    """Each draw has 10 points a side in 20 dimensions, where pairs (i, i) would add 1.2."""
    rng, ones = np.random.default_rng(0), np.ones(10)
    draws = [energy_distance(*rng.standard_normal((2, 10, 20)), ones, ones) for _ in range(400)]
    error = np.std(draws) / np.sqrt(len(draws))
    assert abs(np.mean(draws)) < 3.0 * error
    assert error < 0.05


def test_other_laws_are_apart():
    X, Y = np.random.default_rng(0).standard_normal((2, 200, 3))
    ones = np.ones(200)
    assert energy_distance(X, Y + 1.0, ones, ones) > 0.5
    assert energy_distance(X, 2.0 * Y, ones, ones) > 0.1
