"""c-transforms without a matrix against all pairs, in few and in many dimensions."""

import numpy as np
import pytest

from subspaceot.core import potentials
from subspaceot.core.certificate import lower_bound
from subspaceot.core.fantope import SoftProjector
from subspaceot.core.nearest import Tree, minimum, transform
from subspaceot.core.problem import Problem

RNG = np.random.default_rng


def values(X, Y, g):
    return np.sum((X[:, None] - Y) ** 2, axis=2) - g


@pytest.mark.parametrize("q", [1, 2, 3, 6, 9])
@pytest.mark.parametrize("kind", ["smooth", "rough", "constant", "huge slopes", "repeated points"])
def test_minimum_is_that_over_all_pairs(q, kind):
    X, Y = RNG(0).standard_normal((300, q)), RNG(1).standard_normal((257, q))
    if kind == "repeated points":
        X, Y = np.round(X), np.round(Y)
    g = {
        "smooth": np.sum(Y**2, axis=1) - np.abs(Y[:, 0]),
        "rough": 3.0 * RNG(2).standard_normal(257),
        "constant": np.zeros(257),
        "huge slopes": 1e4 * Y[:, 0],
        "repeated points": RNG(2).standard_normal(257),
    }[kind]
    expected = values(X, Y, g).min(axis=1)
    scale = np.abs(expected).max() + np.abs(g).max()
    np.testing.assert_allclose(minimum(X, Y, g), expected, rtol=0.0, atol=1e-13 * scale)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 5), (5, 1), (17, 2), (2, 40)])
def test_few_points(n, m):
    X, Y, g = RNG(0).standard_normal((n, 2)), RNG(1).standard_normal((m, 2)), RNG(2).standard_normal(m)
    np.testing.assert_allclose(minimum(X, Y, g), values(X, Y, g).min(axis=1))


def test_nearest_are_the_smallest_in_order():
    X, Y, g = RNG(0).standard_normal((50, 3)), RNG(1).standard_normal((400, 3)), RNG(2).standard_normal(400)
    found = Tree.of(Y).nearest(X, g, 7)
    np.testing.assert_array_equal(found, np.argsort(values(X, Y, g), axis=1)[:, :7])
    assert Tree.of(Y[:3]).nearest(X, g[:3], 7).shape == (50, 3)


@pytest.mark.parametrize("leaf", [1, 4, 16, 1000])
def test_tree_holds_every_point_once_in_boxes_around_it(leaf):
    points = RNG(0).standard_normal((333, 2))
    tree = Tree.of(points, leaf)
    assert sorted(tree.order) == list(range(333))
    assert tree.leaves[0, 0] == 0
    assert tree.leaves[-1, 1] == 333
    sizes = np.diff(tree.leaves, axis=1)
    assert sizes.min() >= 1
    assert sizes.max() <= max(leaf, 2)
    for (first, last), low, high in zip(tree.bounds, tree.low, tree.high, strict=True):
        inside = points[tree.order[first:last]]
        np.testing.assert_array_equal([inside.min(axis=0), inside.max(axis=0)], [low, high])


@pytest.mark.parametrize("k", [2, 8])
def test_lower_bounds_do_not_depend_on_the_route(monkeypatch, k):
    """With and without a matrix of all pairs, for projectors in few and in many directions."""
    X, Y = RNG(0).standard_normal((2, 150, 12))
    problem = Problem.of(X, 1.0 + Y, k)
    omega, g = SoftProjector(np.eye(k), np.eye(12, k)), RNG(1).standard_normal(150)
    dense = lower_bound(problem, omega, g)
    monkeypatch.setattr(potentials, "LARGE_PAIRS", 100)
    large = lower_bound(problem, omega, g)
    assert large.value == pytest.approx(dense.value, rel=1e-10)
    costs = np.sum(((problem.X[:, None] - problem.Y)[..., :k]) ** 2, axis=2)
    assert np.all(large.f[:, None] + large.g <= costs)


def test_trees_and_blocks_agree(monkeypatch):
    X, Y, g = RNG(0).standard_normal((200, 4)), RNG(1).standard_normal((300, 4)), RNG(2).standard_normal(300)
    by_tree = minimum(X, Y, g)
    monkeypatch.setattr(transform, "TREE_DIMENSIONS", 0)
    np.testing.assert_allclose(minimum(X, Y, g), by_tree, atol=1e-13)
