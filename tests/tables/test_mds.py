"""Metric scaling: planar configurations come back, and no configuration nearby does better."""

import numpy as np
import pytest
from sklearn.manifold import smacof

from subspaceot.tables.mds import metric_mds


def distances(Z):
    return np.linalg.norm(Z[:, None] - Z, axis=2)


@pytest.mark.parametrize("N", [2, 3, 7, 20])
def test_a_planar_configuration_is_recovered(N):
    Z = np.random.default_rng(N).standard_normal((N, 2))
    points, stress = metric_mds(distances(Z))
    assert stress < 1e-6
    np.testing.assert_allclose(distances(points), distances(Z), atol=1e-5)


@pytest.mark.parametrize("N", [4, 8, 12])
@pytest.mark.parametrize("seed", range(3))
def test_stress_is_what_it_says_and_at_most_that_of_sklearns_mds(N, seed):
    D = np.triu(np.random.default_rng(seed).uniform(0.5, 2.0, (N, N)), 1)
    D = D + D.T
    points, stress = metric_mds(D)
    raw = np.sum((distances(points) - D) ** 2)
    assert stress == pytest.approx(np.sqrt(raw / np.sum(D**2)), rel=1e-9)
    others = [smacof(D, n_init=1, random_state=s, eps=1e-6, max_iter=3000)[1] for s in range(4)]
    assert 0.5 * raw <= 1.001 * min(others)  # scikit-learn counts each pair once


def test_no_unit_is_special():
    D = distances(np.random.default_rng(0).standard_normal((9, 4)))
    points, stress = metric_mds(D)
    for unit in (1e-9, 1e9):
        scaled, same = metric_mds(unit * D)
        assert same == pytest.approx(stress, rel=1e-6)
        np.testing.assert_allclose(scaled / unit, points, atol=1e-6)


def test_the_position_depends_on_the_distances_alone():
    Z = np.random.default_rng(3).standard_normal((6, 2)) @ np.diag([3.0, 1.0])
    turned = Z @ np.array([[0.6, -0.8], [0.8, 0.6]]) + np.array([5.0, -2.0])
    points, _ = metric_mds(distances(Z))
    np.testing.assert_allclose(metric_mds(distances(turned))[0], points, atol=1e-6)
    np.testing.assert_allclose(points.mean(axis=0), 0.0, atol=1e-9)
    assert np.all(points[np.argmax(np.abs(points), axis=0), [0, 1]] > 0.0)


def test_one_point_and_equal_points():
    points, stress = metric_mds([[0.0]])
    assert points.shape == (1, 2)
    assert stress == 0.0
    points, stress = metric_mds(np.zeros((3, 3)))
    assert stress == 0.0
    assert np.all(points == 0.0)


@pytest.mark.parametrize(
    ("D", "message"),
    [
        ([[0.0, 1.0]], "square"),
        ([[0.0, -1.0], [-1.0, 0.0]], "negative"),
        ([[0.0, 1.0], [2.0, 0.0]], "symmetric"),
        ([[1.0, 1.0], [1.0, 0.0]], "zeros on its diagonal"),
    ],
)
def test_bad_tables_are_refused(D, message):
    with pytest.raises(ValueError, match=message):
        metric_mds(D)
