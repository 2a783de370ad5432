"""What sums over cells prove is true: both bounds recomputed from all rows of small problems."""

from itertools import pairwise

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.chunks import between, cells, proof, search
from subspaceot.chunks.block import Block, Coordinates
from subspaceot.core.certificate import divided

SAME = Coordinates(np.zeros(3), 1.0)


def side_of(points, weights, factor, count, *, cut=97):
    """Return the sums of cells over blocks of `cut` rows, and the cell of each row."""
    view = cells.View(SAME, factor, cells.Splits.of(points @ factor, count), True)
    blocks = [
        Block(points[i : i + cut], None if weights is None else weights[i : i + cut], "rows", i)
        for i in range(0, len(points), cut)
    ]
    parts = [cells.CellSums.of(part, view) for part in (blocks[:2], blocks[2:])]
    sums = parts[0].plus(parts[1])
    side = cells.Side.of(sums, sums.moment, factor, float(np.linalg.norm(points, axis=1).max()))
    return side, cell_of(points @ factor, view.splits, sums)


def cell_of(seen, splits, sums):
    """Return the number of each row's cell among those that hold mass, by a loop of its own."""
    found = []
    for z in seen:
        node = 0
        while node < len(splits.axes):
            node = 2 * node + (1 if z[splits.axes[node]] <= splits.thresholds[node] else 2)
        leaf = node - len(splits.axes)
        out = np.max(np.abs(z - splits.middle[leaf]) / splits.half[leaf])
        found.append(3 * leaf + (out > 2) + (out > 16))
    return (np.cumsum(sums.mass > 0) - 1)[found]


def problem(kind, rng):
    """Return points, weights and a factor of an Omega in F_2."""
    n, m = 700, 900
    X, Y = rng.standard_normal((n, 3)) * [3, 2, 1], rng.standard_normal((m, 3)) + np.array([1, 0, 0])
    a = b = None
    if kind == "weights":
        a, b = rng.exponential(size=n) * (rng.random(n) < 0.8), 1e3 * rng.random(m) ** 8
    if kind == "repeated":
        X, Y = np.round(X), np.round(Y)
    if kind == "outlier":
        X[17], Y[3] = [1e4, -1e4, 0], [0, 0, 3e3]
    if kind == "halves":  # the hypercube's jump
        Y = X[rng.integers(n, size=m)] + 4 * np.sign(X[rng.integers(n, size=m)])
    L = np.linalg.qr(rng.standard_normal((3, 3)))[0] * np.sqrt([1.0, 0.7, 0.3])
    return X, Y, a, b, divided(L, 2)


KINDS = ["plain", "weights", "repeated", "outlier", "halves"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [2, 64])
def test_potentials_hold_for_all_pairs(kind, count):
    X, Y, a, b, L = problem(kind, np.random.default_rng(count))
    x, of_x = side_of(X, a, L, count)
    y, of_y = side_of(Y, b, L, count)
    found = proof.prove(x, y, L, 2)
    p, exact = found.potentials, np.longdouble
    seen, images = X.astype(exact) @ L.astype(exact), Y.astype(exact) @ L.astype(exact)
    f = p.f[of_x] + 2 * np.sum(p.s[of_x] * (seen - x.centre[of_x]), axis=1)
    g = p.g[of_y] + 2 * np.sum(p.t[of_y] * (images - y.centre[of_y]), axis=1)
    massive = slice(None) if a is None else a > 0
    costs = np.sum((seen[massive, None] - images) ** 2, axis=2)
    reduced = costs - f[massive, None] - g
    assert reduced.min() >= 0
    a, b = (np.ones(len(Z)) if w is None else w for Z, w in ((X, a), (Y, b)))
    value = a.astype(exact) @ f / a.astype(exact).sum() + b.astype(exact) @ g / b.astype(exact).sum()
    assert 0 <= found.lower <= max(value, 0)
    assert found.lower >= value - 1e-9 * max(value, x.size)


@pytest.mark.parametrize("kind", KINDS)
def test_displacement_is_that_of_the_glued_plan(kind):
    X, Y, a, b, L = problem(kind, np.random.default_rng(5))
    x, of_x = side_of(X, a, L, 32)
    y, of_y = side_of(Y, b, L, 32)
    found = proof.prove(x, y, L, 2)
    a, b = (np.full(len(Z), 1 / len(Z)) if w is None else w / w.sum() for Z, w in ((X, a), (Y, b)))
    between_cells = found.plan.dense() / np.outer(x.mass / x.mass.sum(), y.mass / y.mass.sum())
    plan = between_cells[np.ix_(of_x, of_y)] * np.outer(a, b)
    assert plan.sum(axis=1) == pytest.approx(a, rel=1e-9, abs=1e-18)
    assert plan.sum(axis=0) == pytest.approx(b, rel=1e-9, abs=1e-18)
    differences = X[:, None] - Y
    V = np.einsum("ij,ijp,ijq->pq", plan, differences, differences)
    assert pytest.approx(V, rel=1e-9, abs=1e-9 * np.trace(V)) == found.V
    top = np.linalg.eigvalsh(V)[-2:].sum()
    assert top <= found.upper * (1 + 1e-12)
    assert found.upper <= top * (1 + 1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_both_bounds_are_around_the_exact_value(kind):
    X, Y, a, b, L = problem(kind, np.random.default_rng(7))
    found = proof.prove(side_of(X, a, L, 64)[0], side_of(Y, b, L, 64)[0], L, 2)
    exact = sot.srw(X, Y, 2, a, b, tol=1e-2)
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper


def test_more_cells_narrow_the_interval():
    data = sot.instances.fragmented_hypercube(20_000, 3, 2, rng=0)
    L = np.eye(3)[:, :2]
    gaps = []
    for count in (16, 64, 256, 1024):
        x, y = (side_of(Z, None, L, count, cut=5000)[0] for Z in (data.X, data.Y))
        found = proof.prove(x, y, L, 2)
        assert found.lower <= data.truth * 1.02
        gaps.append(1 - found.lower / found.upper)
    assert all(gap < 0.6 * before for before, gap in pairwise(gaps))


def test_many_cells_take_candidate_pairs(monkeypatch):
    rng = np.random.default_rng(0)
    X, Y, a, b, L = problem("weights", rng)
    x, y = side_of(X, a, L, 128)[0], side_of(Y, b, L, 128)[0]
    dense = proof.prove(x, y, L, 2)
    monkeypatch.setattr(between, "ALL_PAIRS", 48)
    few = proof.prove(x, y, L, 2)
    assert few.lower == pytest.approx(dense.lower, rel=0.02)
    assert few.upper == pytest.approx(dense.upper, rel=0.02)
    assert few.lower <= dense.upper
    assert dense.lower <= few.upper


@pytest.mark.parametrize("spacing", [1.0, 1e-3, 1e6])
def test_least_costs_are_those_of_a_search(spacing):
    from subspaceot.chunks import _cost_kernels as kernels

    rng = np.random.default_rng(2)
    for _ in range(50):
        boxes = [np.sort(spacing * rng.standard_normal((2, 2)), axis=0) for _ in range(2)]
        centre, s, centre2, t = rng.standard_normal((4, 1, 2)) * [[[3]], [[2]], [[3]], [[2]]] * spacing
        args = [centre, boxes[0][:1], boxes[0][1:], s, centre2, boxes[1][:1], boxes[1][1:], t]
        costs, steps = np.empty((1, 1)), np.linspace(0, 1, 81)
        kernels.all_costs(*args, costs)
        least = 0.0
        for p in range(2):
            x, y = (low + (high - low) * steps for low, high in (boxes[0][:, p], boxes[1][:, p]))
            D = centre[0, p] - centre2[0, p]
            values = (D + x[:, None] - y) ** 2 - 2 * s[0, p] * x[:, None] - 2 * t[0, p] * y
            least += values.min()
        size = spacing**2
        assert costs[0, 0] <= least + 1e-12 * size
        assert costs[0, 0] >= least - 0.02 * size * 10
        some, smallest, nearest = np.empty(1), np.empty((1, 1)), np.zeros((1, 1), dtype=np.intp)
        kernels.some_costs(*args, np.zeros(1, int), np.zeros(1, int), some)
        kernels.transform(*args, np.array([0.25]), 1, smallest, nearest)
        assert some[0] == costs[0, 0]
        assert smallest[0, 0] == costs[0, 0] - 0.25


def test_what_plans_lack_is_paid_for():
    X, Y, a, b, L = problem("plain", np.random.default_rng(3))
    x, y = side_of(X, a, L, 16)[0], side_of(Y, b, L, 16)[0]
    unplaced = np.full(len(x), 1e-3), np.full(len(y), 1e-3)
    assert proof._cost_of(unplaced, x, y) >= 2e-3 * (np.sum(x.mean**2) + np.sum(y.mean**2))


def test_compact_omegas_are_in_the_fantope():
    rng = np.random.default_rng(0)
    for k in (1, 2, 3):
        Q = np.linalg.qr(rng.standard_normal((6, 6)))[0]
        for values in ([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.5, 0.5, 0.29, 0.01], [1, 1e-3, 1e-3, 0, 0, 0]):
            L = search.compact(Q * np.sqrt(values), k)
            found = np.linalg.eigvalsh(L.T @ L)
            assert found.max() <= 1 + 1e-12
            assert found.sum() <= k + 1e-12
            assert L.shape[1] >= k or k > 3
