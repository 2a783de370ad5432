"""What is said about a comparison, against the definition."""

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.tables.summary import Summary

NAMES = ("left", "right", "up")


def summary_of(X, Y, k, a=None, b=None):
    return Summary(sot.srw(X, Y, k, a, b), sot.wasserstein(X, Y, a, b), NAMES)


def test_a_translation_is_explained_by_one_direction():
    X = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    Y = X + np.array([0.0, 0.0, 3.0])
    summary = summary_of(X, Y, 1)
    assert summary.explained == pytest.approx(1.0)
    low, high = summary.explained_interval
    assert low <= 1.0 == pytest.approx(high)
    assert summary.distance_interval == pytest.approx((3.0, 3.0))
    (feature,) = [feature for feature in summary.features(3) if feature.share > 1e-9]
    assert (feature.name, feature.mean_X, feature.mean_Y) == ("up", 0.0, pytest.approx(3.0))
    assert feature.share == pytest.approx(1.0)
    largest = summary_of(X, Y, 3).displacements(5)
    assert [(each.i, each.j) for each in largest] == [(0, 0), (1, 1)]
    assert [each.length for each in largest] == pytest.approx([3.0, 3.0])
    assert [each.part for each in largest] == pytest.approx([1.0, 1.0])


def test_intervals_hold_the_share():
    data = sot.instances.fragmented_hypercube(60, 3, 1, rng=0)
    summary = summary_of(data.X, data.Y, 1)
    low, high = summary.explained_interval
    assert 0.0 < low <= summary.explained <= high <= 1.0


def test_equal_samples_have_nothing_to_explain():
    X = np.eye(3)
    summary = summary_of(X, X, 2)
    assert summary.same
    assert summary.explained is None
    assert summary.explained_interval is None


def test_points_without_mass_have_no_displacement():
    X = np.array([[0.0, 0.0, 0.0], [100.0, 0.0, 0.0]])
    summary = summary_of(X, [[0.0, 1.0, 0.0]], 1, a=[1.0, 0.0])
    assert [each.i for each in summary.displacements(5)] == [0]
    means = {feature.name: (feature.mean_X, feature.mean_Y) for feature in summary.features(3)}
    assert means["right"] == pytest.approx((0.0, 1.0))
