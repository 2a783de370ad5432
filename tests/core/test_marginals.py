"""Plans whose rows and columns sum to the weights in exact arithmetic, whatever they were before."""

import hashlib
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse

from fuzz import exact
from subspaceot.core import _marginal_kernels as kernels
from subspaceot.core.coupling import Dense, Sparse, as_coupling
from subspaceot.core.marginals import Masses, MetCoupling, NearCoupling, met, rounded
from subspaceot.core.rounding import exact_shares
from subspaceot.transport import exact_transport

FOUR_ULP = Fraction(4, 2**52)
UNIT = Fraction(1, 2**53)

WEIGHTS = ["equal", "random", "mixed", "tiny", "one heavy"]
SIZES = [(1, 1), (1, 6), (7, 1), (9, 11), (30, 20), (12, 28)]


def weights(kind, n, seed):
    rng = np.random.default_rng([n, seed])
    return {
        "equal": np.ones(n),
        "random": rng.random(n),
        "mixed": 10.0 ** rng.uniform(-30, 0, n),
        "tiny": np.append(np.full(n - 1, 1e-30), 1.0),
        "one heavy": np.append(rng.random(n - 1), 1e6),
    }[kind]


def masses_of(v, w):
    (a, a_low), (b, b_low) = exact_shares(v), exact_shares(w)
    return Masses(a, a_low, b, b_low)


def shares(values):
    """Return exact fractions of weights, which sum to 1."""
    values = [Fraction(value) for value in values.tolist()]
    total = sum(values)
    return [value / total for value in values]


def integer_masses(v, w):
    """Return both weights as integers of equal sum."""
    (v, w), _ = exact.aligned(exact.integers(v), exact.integers(w))
    return v * w.sum(), w * v.sum()


def sums(plan):
    """Return exact row and column sums."""
    P, exponent = exact.integers(plan)
    unit = exact.power_of_two(exponent)
    return [[total * unit for total in P.sum(axis=axis)] for axis in (1, 0)]


def assert_marginals(plan, v, w, limit=FOUR_ULP):
    """Check that no entry is negative, and that no exact sum is off its weight by more than `limit`, relatively."""
    assert plan.atoms()[2].min() >= 0
    for side, targets in zip(sums(plan.dense()), (shares(v), shares(w)), strict=True):
        for total, weight in zip(side, targets, strict=True):
            assert abs(total - weight) <= limit * weight


def assert_counted(coupling: MetCoupling, v, w):
    """Check that what is left of the promise is counted, but for the rounding of each mass by itself."""
    for side, targets, unplaced in zip(
        sums(coupling.plan.dense()), (shares(v), shares(w)), (coupling.unplaced_a, coupling.unplaced_b), strict=True
    ):
        for total, weight, counted in zip(side, targets, unplaced.tolist(), strict=True):
            assert abs(total - weight) <= Fraction(counted) + 3 * UNIT * weight
        assert unplaced.sum() <= 1e-12


def optimal(v, w, seed=0):
    """Return an exact transport between random points: a forest of pairs, with marginals to rounding."""
    rng = np.random.default_rng(seed)
    C = (rng.standard_normal((len(v), 1)) - rng.standard_normal(len(w))) ** 2
    masses = masses_of(v, w)
    return exact_transport(C, masses.a, masses.b).plan.dense()


def noisy(plan, size, seed=0):
    return plan * (1.0 + size * np.random.default_rng(seed).standard_normal(plan.shape))


def garbage(n, m, a, b):
    """Return plans that are no couplings at all, by name."""
    rng = np.random.default_rng(n + m)
    one = np.zeros((n, m))
    one[0, -1] = 1.0
    return {
        "independent": np.outer(a, b),
        "random": rng.random((n, m)),
        "large": 1e9 * rng.random((n, m)),
        "small": 1e-9 * rng.random((n, m)),
        "uneven": rng.random((n, m)) ** 40,
        "next to nothing": np.full((n, m), 1e-300),
        "nothing": np.zeros((n, m)),
        "one pair": one,
    }


# --- any plan ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", WEIGHTS)
def test_garbage_becomes_a_coupling(kind, size):
    n, m = size
    v, w = weights(kind, n, 1), weights(kind, m, 2)
    masses = masses_of(v, w)
    for plan in garbage(n, m, masses.a, masses.b).values():
        before = plan.copy()
        coupling = rounded(Dense(plan), masses)
        np.testing.assert_array_equal(plan, before)
        assert_marginals(coupling.plan, v, w)
        assert_counted(coupling, v, w)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("sparse", [False, True])
def test_almost_couplings_become_couplings(kind, size, sparse):
    n, m = size
    v, w = weights(kind, n, 3), weights(kind, m, 4)
    masses = masses_of(v, w)
    independent = np.outer(masses.a, masses.b)
    for plan in (optimal(v, w), independent, 0.5 * (optimal(v, w) + optimal(v, w, seed=1)), noisy(independent, 1e-15)):
        given = as_coupling(scipy.sparse.csr_array(plan) if sparse else plan)
        coupling = met(given, masses)
        assert type(coupling.plan) is type(given)
        assert_marginals(coupling.plan, v, w)
        assert_counted(coupling, v, w)


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("noise", [1e-14, 1e-10, 1e-3])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_forest_keeps_its_pairs(kind, noise, sparse):
    v, w = weights(kind, 20, 5), weights(kind, 15, 6)
    masses = masses_of(v, w)
    # The monotone plan, whose masses are exact fractions, so that tiny weights are carried too.
    atoms = exact.staircase(*integer_masses(v, w), range(20), range(15))
    forest = np.zeros((20, 15))
    for i, j, _ in atoms:
        forest[i, j] = 1.0
    start = np.abs(noisy(forest, noise))
    near = NearCoupling(as_coupling(scipy.sparse.csr_array(start) if sparse else start), masses)
    left_over = near.solve_forest()
    assert near.meets
    assert_marginals(near.plan, v, w)
    assert all(np.abs(left).sum() <= 1e-25 for left in left_over)
    assert not near.plan.dense()[forest == 0.0].any()


@pytest.mark.parametrize("dense", [False, True])
def test_the_masses_of_a_forest_are_found(dense):
    """Rows 0 - 0 - 1 - 1 - 2 in a path, from weights alone."""
    v, w = np.array([1.0, 5.0, 1e-20]), np.array([3.0, 3.0 + 1e-15])
    masses = masses_of(v, w)
    pairs = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    near = NearCoupling(as_coupling(pairs if dense else scipy.sparse.csr_array(pairs)), masses)
    left_a, left_b = near.solve_forest()
    assert near.meets
    assert_marginals(near.plan, v, w)
    assert max(np.abs(left_a).max(), np.abs(left_b).max()) <= 1e-30
    np.testing.assert_array_equal(near.plan.dense() > 0.0, pairs > 0.0)


def test_a_circle_of_pairs_is_no_forest():
    v = w = np.ones(2)
    near = NearCoupling(Sparse(scipy.sparse.csr_array(np.ones((2, 2)))), masses_of(v, w))
    assert near.solve_forest() is None
    pairs = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    near = NearCoupling(Dense(pairs), masses_of(np.ones(3), np.ones(3)))
    assert near.solve_forest() is None


def test_a_forest_that_cannot_meet_the_weights_says_so():
    near = NearCoupling(Sparse(scipy.sparse.csr_array(np.eye(2))), masses_of(np.array([1.0, 3.0]), np.ones(2)))
    near.solve_forest()
    assert not near.meets


@pytest.mark.parametrize("kind", ["equal", "random", "one heavy"])
@pytest.mark.parametrize("noise", [1e-15, 1e-12, 1e-9])
def test_mending_adds_no_pair(kind, noise):
    v, w = weights(kind, 25, 7), weights(kind, 18, 8)
    # A mixture of three exact plans has circles, so there are many ways to meet the weights.
    plan = sum(optimal(v, w, seed) for seed in range(3)) / 3
    near = NearCoupling(Sparse(scipy.sparse.csr_array(noisy(plan, noise))), masses_of(v, w))
    assert not near.meets
    near.mend_along_forest()
    assert near.meets
    assert_marginals(near.plan, v, w)
    mended = near.plan.dense()
    assert not mended[plan == 0.0].any()
    np.testing.assert_allclose(mended, plan, rtol=0, atol=100 * noise)


def test_mending_that_would_need_negative_masses_changes_nothing():
    v, w = np.array([1.0, 3.0]), np.ones(2)
    near = NearCoupling(Sparse(scipy.sparse.csr_array(0.5 * np.eye(2))), masses_of(v, w))
    near.mend_along_forest()
    assert (near.plan.atoms()[2] >= 0.0).all()
    assert_marginals(met(near.plan, masses_of(v, w)).plan, v, w)


@pytest.mark.parametrize("kind", WEIGHTS)
def test_a_coupling_stays_as_it_is(kind):
    v, w = weights(kind, 12, 9), weights(kind, 17, 10)
    masses = masses_of(v, w)
    for plan in (rounded(Dense(np.outer(masses.a, masses.b)), masses).plan, met(Dense(optimal(v, w)), masses).plan):
        again = met(plan, masses)
        assert not again.changed
        np.testing.assert_array_equal(again.plan.dense(), plan.dense())


def test_missing_masses_are_exact_to_twice_the_working_precision():
    rng = np.random.default_rng(0)
    v, w = rng.random(30), 10.0 ** rng.uniform(-30, 0, 40)
    masses = masses_of(v, w)
    plan = np.outer(masses.a, masses.b)
    for given in (plan, scipy.sparse.csr_array(plan)):
        near = NearCoupling(as_coupling(given), masses)
        for side, targets, missing in zip(sums(plan), (shares(v), shares(w)), near.missing, strict=True):
            for total, weight, found in zip(side, targets, missing.tolist(), strict=True):
                exact_missing = weight - total
                assert abs(Fraction(found) - exact_missing) <= abs(exact_missing) * 4 * UNIT + weight * 100 * UNIT**2


@pytest.mark.parametrize("factor", [1 + 5 * 2.0**-53, 1 + 8 * 2.0**-53])
def test_meeting_the_weights_means_three_units_in_the_last_place(factor):
    v = w = np.array([0.5, 0.25, 0.25])
    plan = np.diag(v)
    plan[0, 0] *= factor
    assert NearCoupling(Dense(plan), masses_of(v, w)).meets == (factor < 1 + 6 * 2.0**-53)


# --- kernels ----------------------------------------------------------------------------------------------------------


def numbers(size, seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(size) * 10.0 ** rng.uniform(-20, 5, size)


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 8, 1001])
def test_a_sum_to_twice_the_working_precision(n):
    row = numbers(n, n)
    truth, size = sum(map(Fraction, row.tolist())), sum(abs(Fraction(x)) for x in row.tolist())
    total, rest = kernels.exact_sum(row)
    assert abs(Fraction(total) + Fraction(rest) - truth) <= UNIT * abs(truth) + n**2 * UNIT**2 * size


def test_rows_are_scaled_down_only():
    rng = np.random.default_rng(0)
    plan, a = rng.random((6, 9)), np.array([1e-3, 100.0, 4.0, 4.5, 1e-30, 5.0])
    out, columns = np.empty_like(plan), np.zeros((2, 9))
    kernels.round_rows(plan, a, 0.75, out, columns)
    twin = plan * (0.75 * np.minimum(1.0, a / plan.sum(axis=1)))[:, None]
    np.testing.assert_allclose(out, twin, rtol=1e-15)
    assert_pairs(sums(out)[1], columns, out.size)


def test_what_rows_lack_is_added():
    rng = np.random.default_rng(1)
    plan, v, a, added = rng.random((6, 9)), rng.random(9), 10 * rng.random(6), rng.dirichlet(np.ones(9))
    rows, columns = np.zeros((2, 6)), np.zeros((2, 9))
    scaled = plan * v
    twin = scaled + np.outer(np.maximum(a - scaled.sum(axis=1), 0.0), added)
    kernels.complete(plan, v, a, added, rows, columns)
    np.testing.assert_allclose(plan, twin, rtol=1e-14)
    assert_sums(plan, rows, columns)


@pytest.mark.parametrize("sparse", [False, True])
def test_scaled_plans_and_their_sums(sparse):
    rng = np.random.default_rng(2)
    plan, u, v = rng.random((7, 5)) * (rng.random((7, 5)) < 0.7), rng.random(7), rng.random(5)
    rows, columns = np.zeros((2, 7)), np.zeros((2, 5))
    twin = u[:, None] * plan * v
    if sparse:
        i, j = np.nonzero(plan)
        mass = plan[i, j]
        kernels.scale_and_sum_atoms(i, j, mass, u, v, rows, columns)
        plan[i, j] = mass
    else:
        kernels.scale_and_sum(plan, u, v, rows, columns)
    np.testing.assert_array_equal(plan, twin)
    assert_sums(plan, rows, columns)


def assert_sums(plan, *pairs):
    for totals, pair in zip(sums(plan), pairs, strict=True):
        assert_pairs(totals, pair, plan.size)


def assert_pairs(totals, pairs, terms):
    """Check sums of positive numbers, given as pairs total + rest, to twice the working precision."""
    for truth, first, second in zip(totals, *pairs.tolist(), strict=True):
        assert abs(Fraction(first) + Fraction(second) - truth) <= terms * UNIT**2 * truth


def test_masses_are_paired_in_order():
    left, right = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.5, 0.0, 3.0, 3.0])
    i, j, mass = np.empty(8, dtype=np.int64), np.empty(8, dtype=np.int64), np.empty(8)
    count = kernels.pair_off(left, right, i, j, mass)
    atoms = list(zip(i[:count].tolist(), j[:count].tolist(), mass[:count].tolist(), strict=True))
    assert atoms == [(1, 0, 0.5), (1, 2, 0.5), (2, 2, 2.0), (3, 2, 0.5), (3, 3, 3.0)]
    np.testing.assert_array_equal(left, [0.0, 0.0, 0.0, 0.5])
    assert not right.any()


def kernels_of_a_seed(seed):
    """Return what all kernels make of random data, as bytes."""
    rng = np.random.default_rng(seed)
    n, m = (int(size) for size in rng.integers(1, 9, 2))
    plan, a, b = rng.random((n, m)) * (rng.random((n, m)) < 0.6), rng.random(n), rng.random(m)
    out, sums_b = np.empty_like(plan), np.zeros((2, m))
    kernels.round_rows(plan, a, 0.9, out, sums_b)
    rows, columns = np.zeros((2, n)), np.zeros((2, m))
    kernels.complete(out, b, a, b / b.sum(), rows, columns)
    again = [np.zeros((2, n)), np.zeros((2, m))]
    kernels.scale_and_sum(out, a, b, *again)
    i, j = np.nonzero(plan)
    mass, sparse = plan[i, j], [np.zeros((2, n)), np.zeros((2, m))]
    kernels.scale_and_sum_atoms(i, j, mass, a, b, *sparse)
    pairs = np.empty(n + m, dtype=np.int64), np.empty(n + m, dtype=np.int64), np.empty(n + m)
    count = kernels.pair_off(a.copy(), b.copy(), *pairs)
    left, right, solved = np.stack([a, 1e-17 * a]), np.stack([b, 0 * b]), np.zeros(len(i))
    workspace = np.zeros(n + m), *(np.zeros(n + m, dtype=np.int64) for _ in range(3))
    forest = kernels.solve_forest(i, j, left, right, 0.0, solved, *workspace)
    # Masses on circles are not set.
    arrays = [out, sums_b, rows, columns, *again, mass, *sparse, *(pair[:count] for pair in pairs), left, right]
    text = b"".join(array.tobytes() for array in [*arrays, *([solved] if forest else [])])
    return text + repr((count, bool(forest), tuple(map(float, kernels.exact_sum(a))))).encode()


def kernels_of_many_seeds():
    return hashlib.sha256(b"".join(map(kernels_of_a_seed, range(60)))).hexdigest()


@pytest.mark.parametrize("switch", ["0", "1"])
def test_the_same_bits_without_the_compiler(switch):
    code = "import test_marginals; print(test_marginals.kernels_of_many_seeds())"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": switch, "PYTHONPATH": os.pathsep.join(sys.path)}
    answer = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == kernels_of_many_seeds()
