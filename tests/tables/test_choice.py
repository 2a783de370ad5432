"""Which k is chosen, and why."""

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.tables.choice import ENOUGH, choose_k


@pytest.mark.parametrize("k_star", [2, 4])
def test_a_hidden_subspace_shows_as_an_elbow(k_star):
    data = sot.instances.fragmented_hypercube(100, 12, k_star, rng=0, rotate=True)
    choice = choose_k(data.X, data.Y)
    assert (choice.k, choice.rule) == (k_star, "elbow")
    assert choice.path.ks == tuple(range(1, 11))
    assert choice.reason == choice.path.elbow().reason


@pytest.mark.parametrize("d", [4, 14])
def test_without_an_elbow_the_smallest_k_that_explains_enough(d):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((40, d)), rng.standard_normal((40, d))
    choice = choose_k(X, Y)
    assert choice.rule == "share"
    assert "90 %" in choice.reason
    whole = sot.wasserstein(X, Y)
    assert sot.srw(X, Y, choice.k, tol=1e-4).upper >= ENOUGH * whole.lower
    # One less is not proven to be enough at the tolerance of the search.
    assert sot.srw(X, Y, choice.k - 1, tol=1e-4).upper < (ENOUGH + 0.02) * whole.upper
    if d > 10:
        assert choice.k > 10  # so that the bisection beyond the curve was needed


def test_the_end_of_the_data_is_no_elbow():
    """Constant columns make the curve flat from their number on; that says nothing about the samples."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((40, 4)), rng.standard_normal((40, 4))
    padded = [np.hstack([Z, np.zeros((40, 3))]) for Z in (X, Y)]
    assert choose_k(*padded).k == choose_k(X, Y).k
    assert choose_k(*padded).rule == "share"


def test_one_direction_one_column_and_equal_samples():
    line = np.outer(np.arange(5.0), [3.0, 4.0])
    assert choose_k(line, line + np.array([30.0, 40.0])).k == 1
    assert "100.0% of W^2" in choose_k([[0.0], [1.0]], [[2.0], [5.0]]).reason
    assert "same" in choose_k(line, line).reason
    assert choose_k(line, line).k == 1
