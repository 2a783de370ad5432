"""What NumPy is slow at: exponentials, and scalings of kernels so small that calls cost most.

Each function is a loop whose docstring is the equation. `_scalings.py` has the scalings in NumPy, and the tests
compare. Without compiled scalings, `srw` takes 1.3 to 1.5 times as long at n = 100, and `prw` up to twice.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...linalg.products import column_sums, row_dot
from ...runtime.compiled import compiled, inlined
from ...runtime.types import Array


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


@inlined
def evaluate(K: Array, KT: Array, a: Array, border: float, v: Array, u: Array, columns: Array) -> None:
    """u_i = a_i / sum_j K_ij v_j and columns_j = v_j sum_i u_i K_ij, for v cut off at the border."""
    for j in range(len(v)):
        v[j] = min(max(v[j], 1.0 / border), border)
    column_sums(KT, v, u)
    for i in range(len(u)):
        u[i] = a[i] / u[i]
    column_sums(K, u, columns)
    for j in range(len(v)):
        columns[j] *= v[j]


@inlined
def state(b: Array, u: Array, v: Array, columns: Array) -> Any:
    """The sum of |columns_j - b_j|, and the largest scaling or inverse of one, infinite where a column is empty."""
    error, smallest, largest = 0.0, 1.0, 1.0
    for j in range(len(v)):
        error += abs(columns[j] - b[j])
        smallest, largest = min(smallest, v[j] if columns[j] > 0.0 else 0.0), max(largest, v[j])
    for i in range(len(u)):
        smallest, largest = min(smallest, u[i]), max(largest, u[i])
    return error, max(largest, 1.0 / smallest)


@compiled
def sweep(
    K: Array,
    KT: Array,
    a: Array,
    b: Array,
    u: Array,
    v: Array,
    columns: Array,
    sweeps: int,
    tol: float,
    border: float,
    work: Array,
    sums: Array,
) -> Any:
    """v_j = v_j b_j / columns_j, with u and the columns that follow, so many times; returns the state at the end."""
    error, largest = state(b, u, v, columns)
    for _ in range(sweeps):
        if error <= tol:
            break
        for j in range(len(v)):
            work[0, j] = v[j] * (b[j] / columns[j])
        evaluate(K, KT, a, border, work[0], sums, work[1])
        error_next, largest_next = state(b, sums, work[0], work[1])
        if not largest_next < border:
            break
        error, largest = error_next, largest_next
        for i in range(len(u)):
            u[i] = sums[i]
        for j in range(len(v)):
            v[j], columns[j] = work[0, j], work[1, j]
    return error, largest


@compiled
def along(
    K: Array,
    KT: Array,
    a: Array,
    b: Array,
    u: Array,
    v: Array,
    direction: Array,
    length: float,
    border: float,
    u_next: Array,
    v_next: Array,
    columns: Array,
) -> Any:
    """v_next_j = v_j exp(length direction_j), with what follows; returns fall, slope and state there."""
    fall, slope, reach = 0.0, 0.0, 2.0 * np.log(border)
    for j in range(len(v)):
        v_next[j] = v[j] * np.exp(min(max(length * direction[j], -reach), reach))
    evaluate(K, KT, a, border, v_next, u_next, columns)
    for i in range(len(u)):
        fall -= a[i] * np.log(u_next[i] / u[i])
    for j in range(len(v)):
        fall -= b[j] * np.log(v_next[j] / v[j])
        slope += (columns[j] - b[j]) * direction[j]
    error, largest = state(b, u_next, v_next, columns)
    return fall, slope, error, largest


@inlined
def curvature(
    K: Array, KT: Array, a: Array, u: Array, v: Array, columns: Array, q: Array, sums: Array, out: Array
) -> float:
    """out_j = columns_j q_j - v_j sum_i u_i^2 / a_i K_ij (sum_l K_il v_l q_l); returns sum_j q_j out_j."""
    for j in range(len(q)):
        out[j] = v[j] * q[j]
    column_sums(KT, out, sums)
    for i in range(len(u)):
        sums[i] *= u[i] * u[i] / a[i]
    column_sums(K, sums, out)
    total = 0.0
    for j in range(len(q)):
        out[j] = columns[j] * q[j] - v[j] * out[j]
        total += q[j] * out[j]
    return total


@compiled
def newton_direction(
    K: Array,
    KT: Array,
    a: Array,
    b: Array,
    u: Array,
    v: Array,
    columns: Array,
    tol: float,
    work: Array,
    sums: Array,
) -> None:
    """Fill in x = work_0 with curvature(x) = b - columns to a residual of `tol` times the first.

    As `linalg.conjugate_gradients` with the diagonal `columns`. `work` (4, m) and `sums` (n,) are overwritten.
    """
    x, residual, step, image = work[0], work[1], work[2], work[3]
    m, square = len(v), 0.0
    for j in range(m):
        x[j] = 0.0
        residual[j] = b[j] - columns[j]
        step[j] = residual[j] / columns[j]
        square += residual[j] * step[j]
    first = square
    for _ in range(m):
        if square <= tol * tol * first:
            break
        curved = curvature(K, KT, a, u, v, columns, step, sums, image)
        if not curved > 0.0:
            break
        length, before, square = square / curved, square, 0.0
        for j in range(m):
            x[j] += length * step[j]
            residual[j] -= length * image[j]
            square += residual[j] * residual[j] / columns[j]
        for j in range(m):
            step[j] = residual[j] / columns[j] + (square / before) * step[j]
