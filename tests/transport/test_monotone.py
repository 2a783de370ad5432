"""Transport on the line: the compiled loops against exact twins in Python's fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subspaceot.core.marginals import Masses
from subspaceot.core.rounding import exact_shares
from subspaceot.transport import MonotoneCoupling, monotone_coupling, monotone_potentials


def twin_coupling(x, y, masses):
    """Return cells and exact masses: each cell takes what both sides have left."""
    left = [Fraction(high) + Fraction(low) for high, low in zip(masses.a, masses.a_low, strict=True)]
    right = [Fraction(high) + Fraction(low) for high, low in zip(masses.b, masses.b_low, strict=True)]
    rows, columns = list(np.argsort(x, kind="stable")), list(np.argsort(y, kind="stable"))
    cells = []
    while rows and columns:
        i, j = rows[0], columns[0]
        row_ends = len(columns) == 1 or (len(rows) > 1 and left[i] <= right[j])
        mass = left[i] if row_ends else right[j]
        left[i], right[j] = left[i] - mass, right[j] - mass
        cells.append((i, j, max(mass, Fraction(0))))
        (rows if row_ends else columns).pop(0)
    return cells


def twin_potentials(cells, x, y, p):
    """Return exact potentials that equal the costs in the cells; past an empty corner, the mean of both ways."""

    def cost(i, j):
        return abs(Fraction(x[i]) - Fraction(y[j])) ** p

    i, j, _ = cells[0]
    f, g, at = {i: Fraction(0)}, {j: cost(i, j)}, 0
    while at + 1 < len(cells):
        i, j, _ = cells[at]
        two = cells[at + 2][:2] if at + 2 < len(cells) else None
        if two is not None and cells[at + 1][2] == 0 and two[0] != i and two[1] != j:
            k, m = two
            first_f = cost(k, j) - cost(i, j) + cost(k, m) - cost(i, m)
            first_g = cost(k, m) - cost(k, j) + cost(i, m) - cost(i, j)
            f[k], g[m], at = f[i] + first_f / 2, g[j] + first_g / 2, at + 2
        else:
            k, m, _ = cells[at + 1]
            if k != i:
                f[k] = cost(k, m) - g[j]
            else:
                g[m] = cost(k, m) - f[i]
            at += 1
    return [f[i] for i in range(len(x))], [g[j] for j in range(len(y))]


def problem(n, m, seed, ties):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal(n), rng.standard_normal(m)
    a, b = (rng.integers(1, 5, size).astype(float) if ties else rng.random(size) ** 4 for size in (n, m))
    if ties:
        x, y = np.round(2 * x), np.round(2 * y)
    (a, a_low), (b, b_low) = exact_shares(a), exact_shares(b)
    return x, y, Masses(a, a_low, b, b_low)


sizes = st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6), st.booleans()


@given(*sizes)
def test_each_cell_takes_what_both_sides_have_left(n, m, seed, ties):
    x, y, masses = problem(n, m, seed, ties)
    plan, cells = monotone_coupling(x, y, masses), twin_coupling(x, y, masses)
    ours, exact = np.zeros((2, n, m))
    ours[plan.rows, plan.columns] = plan.mass
    for i, j, mass in cells:
        exact[i, j] = mass
    # Where both sides end at once but for the last of 106 bits, either cell may come next.
    np.testing.assert_allclose(ours, exact, rtol=1e-15, atol=1e-31)
    assert np.all((np.diff(plan.rows) == 0) != (np.diff(plan.columns) == 0))


@given(*sizes, st.sampled_from([1, 2, 3]))
def test_potentials_equal_the_costs_along_the_plan(n, m, seed, ties, p):
    x, y, masses = problem(n, m, seed, ties)
    plan = monotone_coupling(x, y, masses)
    f, g, error = monotone_potentials(plan, x, y, float(p))
    exact_f, exact_g = twin_potentials(list(zip(plan.rows, plan.columns, plan.mass, strict=True)), x, y, p)
    for ours, exact in ((f, exact_f), (g, exact_g)):
        assert all(abs(Fraction(value) - twin) <= Fraction(error) for value, twin in zip(ours, exact, strict=True))


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0])
def test_where_both_masses_end_at_once_potentials_stay_feasible(p):
    x, y = np.array([0.0, 1.0, 5.0]), np.array([0.5, 4.0, 4.5])
    plan = monotone_coupling(x, y, Masses(*(np.full(3, 1 / 3), np.zeros(3)) * 2))
    assert isinstance(plan, MonotoneCoupling)
    np.testing.assert_array_equal(plan.mass == 0.0, [False, True, False, True, False])
    f, g, _ = monotone_potentials(plan, x, y, p)
    C = np.abs(x[:, None] - y) ** p
    assert (f[:, None] + g <= C + 1e-14).all()
    np.testing.assert_allclose(f + g, np.diag(C), atol=1e-14)
