"""What NumPy is slow at: exponentials, and the scalings of kernels so small that the way from call to call counts.

Each function is a loop whose docstring is the equation; `_scalings.py` holds the same in NumPy, and the tests compare.
Scalings measured against it: 8 times faster for 100 x 100 kernels, 1.6 times at 300 x 300 and 1.5 at 500 x 500.
"""

import numpy as np
from numpy.typing import NDArray

from ...runtime.compiled import compiled, inlined
from ...runtime.types import Array
from ._scalings import CG_ENOUGH, CG_LOOSEST


@inlined
def exponentials(x: Array, bits: NDArray[np.int64], shift: float, moved: Array, moved_bits: NDArray[np.int64]) -> None:
    """x_j = 2^100 exp(x_j - shift) for x_j - shift <= 600; `bits` and `moved_bits` are views of x and of `moved` (m,).

    exp(y) = 2^k p(r) with k the integer nearest to y / log 2 and r the rest, |r| <= log(2) / 2, to 1e-14. Adding
    1.5 * 2^52 leaves k in the last bits of a float, from where it is moved into the exponent; 100 more, so that the
    smallest numbers come out right when it is taken away again. Short loops without a call or a conversion become
    vector instructions, and sums of pairs do not wait for each other: a third of the time of np.exp where that has none
    for the processor.
    """
    for j in range(len(x)):
        y = x[j] - shift
        vanishes = y <= -746.0
        y = -746.0 if vanishes else y
        s = y * 1.4426950408889634 + 6755399441055744.0
        k = s - 6755399441055744.0
        r = (y - k * 6.93145751953125e-1) - k * 1.42860682030941723212e-6
        x[j] = 1.0 if vanishes else r
        moved[j] = 6755399441055744.0 if vanishes else s + 100.0
    for j in range(len(x)):
        r = x[j]
        r2 = r * r
        r4 = r2 * r2
        first = (1.0 + r) + r2 * (0.5 + r * (1.0 / 6.0))
        second = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0))
        third = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + r2 * (1.0 / 3628800.0 + r * (1.0 / 39916800.0))
        x[j] = 0.0 if r == 1.0 else first + r4 * (second + r4 * third)
    for j in range(len(x)):
        bits[j] += moved_bits[j] << 52


@compiled
def normalise_rows(
    K: Array,
    bits: NDArray[np.int64],
    peaks: Array,
    a: Array,
    moved: Array,
    moved_bits: NDArray[np.int64],
    ones: Array,
    columns: Array,
) -> None:
    """K_ij = a_i exp(K_ij) / sum_j exp(K_ij), and columns_j += sum_i K_ij, all in one pass.

    `peaks` (n,) are the largest entries of the rows, in whose place comes log(a_i / sum_j exp(K_ij)).
    """
    for i in range(K.shape[0]):
        row = K[i]
        exponentials(row, bits[i], peaks[i], moved, moved_bits)
        weight = a[i] / row_dot(K, i, ones)
        for j in range(K.shape[1]):
            row[j] *= weight
            columns[j] += row[j]
        peaks[i] = np.log(weight) + 69.31471805599453 - peaks[i]  # log 2^100


@compiled
def single_exponentials(
    x: Array,
    peaks: Array,
    S: NDArray[np.float32],
    bits: NDArray[np.int32],
    moved: NDArray[np.float32],
    moved_bits: NDArray[np.int32],
) -> None:
    """S_ij = exp(x_ij - peak_i) to 4e-6, at least exp(-80), where the peaks (n,) are the largest entries of the rows.

    As `exponentials`, in a third of its time.
    """
    for i in range(S.shape[0]):
        row = S[i]
        for j in range(len(row)):
            row[j] = x[i, j] - peaks[i]
        for j in range(len(row)):
            y = max(row[j], np.float32(-80.0))
            s = y * np.float32(1.4426950408889634) + np.float32(12582912.0)  # 1.5 * 2^23
            k = s - np.float32(12582912.0)
            r = (y - k * np.float32(0.693359375)) + k * np.float32(2.12194440e-4)
            p = np.float32(1.0 / 720.0)
            p = p * r + np.float32(1.0 / 120.0)
            p = p * r + np.float32(1.0 / 24.0)
            p = p * r + np.float32(1.0 / 6.0)
            p = p * r + np.float32(0.5)
            p = p * r + np.float32(1.0)
            row[j] = p * r + np.float32(1.0)
            moved[j] = s
        for j in range(len(row)):
            bits[i, j] += np.int32(moved_bits[j] << np.int32(23))


@compiled
def scale_both(K: Array, u: Array, v: Array) -> None:
    """K_ij = u_i K_ij v_j."""
    for i in range(K.shape[0]):
        row, weight = K[i], u[i]
        for j in range(K.shape[1]):
            row[j] *= weight * v[j]


@compiled
def row_dot(K: Array, i: int, v: Array) -> float:
    """sum_j K_ij v_j, in eight sums side by side: as many as a processor adds at once."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    m = K.shape[1]
    whole = m - m % 8
    for j in range(0, whole, 8):
        s0 += K[i, j] * v[j]
        s1 += K[i, j + 1] * v[j + 1]
        s2 += K[i, j + 2] * v[j + 2]
        s3 += K[i, j + 3] * v[j + 3]
        s4 += K[i, j + 4] * v[j + 4]
        s5 += K[i, j + 5] * v[j + 5]
        s6 += K[i, j + 6] * v[j + 6]
        s7 += K[i, j + 7] * v[j + 7]
    total = ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
    for j in range(whole, m):
        total += K[i, j] * v[j]
    return total


@compiled
def row_sums(K: Array, v: Array, out: Array) -> None:
    """out_i = sum_j K_ij v_j."""
    for i in range(K.shape[0]):
        out[i] = row_dot(K, i, v)


@compiled
def column_sums(K: Array, u: Array, out: Array) -> None:
    """out_j = sum_i u_i K_ij, of two rows at once: two thirds of the time."""
    n, m = K.shape
    for j in range(m):
        out[j] = 0.0
    for i in range(0, n - 1, 2):
        row, next_row, weight, next_weight = K[i], K[i + 1], u[i], u[i + 1]
        for j in range(m):
            out[j] += weight * row[j] + next_weight * next_row[j]
    if n % 2 == 1:
        row, weight = K[n - 1], u[n - 1]
        for j in range(m):
            out[j] += weight * row[j]


@inlined
def curvature(
    K: Array, KT: Array, w: Array, v: Array, columns: Array, q: Array, vq: Array, sums: Array, out: Array
) -> None:
    """out_j = columns_j q_j - v_j sum_i w_i K_ij (sum_l K_il v_l q_l)."""
    for j in range(len(q)):
        vq[j] = v[j] * q[j]
    column_sums(KT, vq, sums)
    for i in range(len(w)):
        sums[i] *= w[i]
    column_sums(K, sums, out)
    for j in range(len(q)):
        out[j] = columns[j] * q[j] - v[j] * out[j]


@inlined
def newton_direction(
    K: Array,
    KT: Array,
    w: Array,
    v: Array,
    columns: Array,
    gradient: Array,
    steps: int,
    enough: float,
    direction: Array,
    sums: Array,
    room: Array,
) -> float:
    """Fill in an approximate solution of curvature(direction) = gradient, by conjugate gradients; return the slope.

    Its squared residual is `enough` of the first. `sums` (n,) and `room` (5, m) are overwritten.
    """
    m = len(v)
    residual, z, p, vq, Hp = room[0], room[1], room[2], room[3], room[4]
    rz = 0.0
    for j in range(m):
        direction[j] = 0.0
        residual[j] = gradient[j]
        p[j] = gradient[j] / columns[j]
        rz += gradient[j] * p[j]
    first = rz
    for _ in range(steps):
        curvature(K, KT, w, v, columns, p, vq, sums, Hp)
        bend = 0.0
        for j in range(m):
            bend += p[j] * Hp[j]
        if bend <= 0.0:  # rounding: the null direction is reached
            break
        length = rz / bend
        previous, rz = rz, 0.0
        for j in range(m):
            direction[j] += length * p[j]
            residual[j] -= length * Hp[j]
            z[j] = residual[j] / columns[j]
            rz += residual[j] * z[j]
        if rz <= enough * first:
            break
        ratio = rz / previous
        for j in range(m):
            p[j] = z[j] + ratio * p[j]
    slope = 0.0
    for j in range(m):
        slope += gradient[j] * direction[j]
    return slope


@compiled
def scale(
    K: Array,
    KT: Array,
    a: Array,
    b: Array,
    u: Array,
    v: Array,
    columns: Array,
    tol: float,
    sweeps: int,
    newton_steps: int,
    cg_steps: int,
    safe_log: float,
    by_row: Array,
    by_column: Array,
) -> float:
    """Turn u and v from ones into scalings with u_i K_ij v_j near the marginals; return the error of the columns.

    See `_scalings.scaled`. KT (m, n) is K^T, for sums over rows of K that are as quick as those over columns: half the
    time. `columns` (m,) are the sums of those of K; `by_row` (3, n) and `by_column` (8, m) are room.
    """
    n, m = K.shape
    low, high = np.exp(-safe_log), np.exp(safe_log)
    u_next, sums, w = by_row[0], by_row[1], by_row[2]
    v_next, gradient, direction = by_column[0], by_column[1], by_column[2]
    error = 0.0
    for step in range(sweeps + newton_steps + 1):
        error = 0.0
        for j in range(m):
            columns[j] *= v[j]
            gradient[j] = b[j] - columns[j]
            error += abs(gradient[j])
        if error <= tol or step == sweeps + newton_steps:
            break
        newton, slope, length, safe = step >= sweeps, 0.0, 1.0, True
        if newton:
            for i in range(n):
                w[i] = u[i] * u[i] / a[i]
            enough = (CG_ENOUGH * tol / error) ** 2
            enough = 1e-4 if enough < 1e-4 else (CG_LOOSEST if enough > CG_LOOSEST else enough)  # min compiles slowly
            slope = newton_direction(K, KT, w, v, columns, gradient, cg_steps, enough, direction, sums, by_column[3:])
        for _ in range(30):
            gain, safe = 0.0, True
            for j in range(m):
                change = min(max(length * direction[j], -safe_log), safe_log)
                v_next[j] = v[j] * (np.exp(change) if newton else b[j] / columns[j])
                gain += b[j] * change
                safe = safe and low < v_next[j] < high
            column_sums(KT, v_next, sums)
            for i in range(n):
                u_next[i] = a[i] / sums[i]
                safe = safe and low < u_next[i] < high
            if not newton:
                break
            for i in range(n):
                gain += a[i] * np.log(u_next[i] / u[i])
            if gain >= 1e-4 * length * slope:
                break
            length *= 0.3
        if not safe:
            break
        for i in range(n):
            u[i] = u_next[i]
        for j in range(m):
            v[j] = v_next[j]
        column_sums(K, u, columns)
    return error
