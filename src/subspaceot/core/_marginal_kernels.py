"""Sums of a plan's rows and columns to twice the working precision, and masses that meet them."""

from ..runtime.compiled import compiled, inlined
from ..runtime.types import Array, Indices


@inlined
def add(total: float, rest: float, x: float) -> tuple[float, float]:
    """(total + rest) + x, where `rest` is what the sum `total` lost so far (Knuth's two-sum)."""
    s = total + x
    t = s - total
    return s, rest + ((total - (s - t)) + (x - t))


@compiled
def exact_sum(row: Array) -> tuple[float, float]:
    """Return the sum of x_j as total + rest, in four sums side by side that do not wait for each other."""
    s0 = s1 = s2 = s3 = 0.0
    c0 = c1 = c2 = c3 = 0.0
    m = len(row)
    even = m - m % 4
    for j in range(0, even, 4):
        s0, c0 = add(s0, c0, row[j])
        s1, c1 = add(s1, c1, row[j + 1])
        s2, c2 = add(s2, c2, row[j + 2])
        s3, c3 = add(s3, c3, row[j + 3])
    for j in range(even, m):
        s0, c0 = add(s0, c0, row[j])
    s0, c0 = add(s0, c0 + c1 + c2 + c3, s1)
    s0, c0 = add(s0, c0, s2)
    s0, c0 = add(s0, c0, s3)
    return s0, c0


@compiled
def round_rows(plan: Array, a: Array, shrink: float, out: Array, columns: Array) -> None:
    """out_ij = u_i plan_ij with the largest u_i <= shrink for which no row sums to more than shrink a_i.

    columns (2, m), zero at first, become the sums of its columns as pairs total + rest.
    """
    totals, rests = columns[0], columns[1]
    for i in range(plan.shape[0]):
        row, scaled = plan[i], out[i]
        total, _ = exact_sum(row)
        u = shrink
        if total > a[i]:
            u *= a[i] / total
        for j in range(len(row)):
            x = u * row[j]
            scaled[j] = x
            s = totals[j] + x
            t = s - totals[j]
            rests[j] += (totals[j] - (s - t)) + (x - t)
            totals[j] = s


@compiled
def complete(plan: Array, v: Array, a: Array, added: Array, rows: Array, columns: Array) -> None:
    """plan_ij = plan_ij v_j + (a_i - sum_l plan_il v_l) added_j.

    rows (2, n) and columns (2, m), zero at first, become its sums as pairs total + rest.
    """
    totals, rests = columns[0], columns[1]
    for i in range(plan.shape[0]):
        row = plan[i]
        for j in range(len(row)):
            row[j] *= v[j]
        total, _ = exact_sum(row)
        missing = max(a[i] - total, 0.0)
        for j in range(len(row)):
            x = row[j] + missing * added[j]
            row[j] = x
            s = totals[j] + x
            t = s - totals[j]
            rests[j] += (totals[j] - (s - t)) + (x - t)
            totals[j] = s
        rows[0, i], rows[1, i] = exact_sum(row)


@compiled
def scale_and_sum(plan: Array, u: Array, v: Array, rows: Array, columns: Array) -> None:
    """plan_ij = u_i plan_ij v_j; rows (2, n) and columns (2, m), zero at first, become sums as pairs total + rest.

    Both sums are written out: as calls of `add` they would take twice the time.
    """
    for i in range(plan.shape[0]):
        total = rest = 0.0
        row, factor = plan[i], u[i]
        for j in range(plan.shape[1]):
            x = factor * row[j] * v[j]
            row[j] = x
            s = total + x
            t = s - total
            rest += (total - (s - t)) + (x - t)
            total = s
            column = columns[0, j]
            s = column + x
            t = s - column
            columns[1, j] += (column - (s - t)) + (x - t)
            columns[0, j] = s
        rows[0, i], rows[1, i] = total, rest


@compiled
def scale_and_sum_atoms(i: Indices, j: Indices, mass: Array, u: Array, v: Array, rows: Array, columns: Array) -> None:
    """The same for atoms mass_e at (i_e, j_e)."""
    for e in range(len(mass)):
        x = u[i[e]] * mass[e] * v[j[e]]
        mass[e] = x
        rows[0, i[e]], rows[1, i[e]] = add(rows[0, i[e]], rows[1, i[e]], x)
        columns[0, j[e]], columns[1, j[e]] = add(columns[0, j[e]], columns[1, j[e]], x)


@compiled
def pair_off(left: Array, right: Array, i: Indices, j: Indices, mass: Array) -> int:
    """Fill atoms that couple the masses `left` (n,) and `right` (m,) in order; return their number.

    Both are used up but for rounding, what is left over stays in them.
    """
    count, p, q = 0, 0, 0
    while p < len(left) and q < len(right):
        if left[p] <= 0.0:
            p += 1
        elif right[q] <= 0.0:
            q += 1
        else:
            amount = min(left[p], right[q])
            i[count], j[count], mass[count] = p, q, amount
            left[p] -= amount
            right[q] -= amount
            count += 1
    return count


@compiled
def solve_forest(
    i: Indices,
    j: Indices,
    left: Array,
    right: Array,
    least: float,
    mass: Array,
    weights: Array,
    degree: Indices,
    edges: Indices,
    stack: Indices,
) -> bool:
    """Fill in the only masses (e,) on a forest of pairs that meet given sums; return whether it is a forest.

    left (2, n) and right (2, m) are the sums as pairs total + rest, and become what is left over. From leaf to leaf,
    the one pair of a point takes all of its mass, or none where that is below `least`. `weights`, `degree`, `edges`,
    `stack` (n + m,) are zero; edges_v becomes the exclusive or of the pairs at v, the pair itself where there is one.
    """
    n = left.shape[1]
    for v in range(len(weights)):
        weights[v] = left[0, v] if v < n else right[0, v - n]
    for e in range(len(mass)):
        for v in (i[e], n + j[e]):
            degree[v] += 1
            edges[v] ^= e
    count = 0
    for v in range(len(degree)):
        if degree[v] == 1:
            stack[count] = v
            count += 1
    solved = 0
    while count > 0:
        count -= 1
        v = stack[count]
        if degree[v] != 1:
            continue
        e = edges[v]
        w = n + j[e] if v < n else i[e]
        if degree[w] == 1 and weights[w] < weights[v]:  # the last pair of a tree: the lighter point knows it better
            v = w
        if v < n:
            total, rest = left[0, v], left[1, v]
        else:
            total, rest = right[0, v - n], right[1, v - n]
        mass[e] = 0.0
        if total + rest > least:  # the rounding of what is handed out is not passed on
            mass[e] = total + rest
            left[0, i[e]], left[1, i[e]] = add(left[0, i[e]], left[1, i[e]] - rest, -total)
            right[0, j[e]], right[1, j[e]] = add(right[0, j[e]], right[1, j[e]] - rest, -total)
        solved += 1
        for w in (i[e], n + j[e]):
            degree[w] -= 1
            edges[w] ^= e
            if degree[w] == 1:
                stack[count] = w
                count += 1
    return solved == len(mass)
