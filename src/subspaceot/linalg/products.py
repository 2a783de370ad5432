"""Products of small matrices with vectors, compiled: parts of other loops, where the way from call to call counts."""

from ..runtime.compiled import compiled
from ..runtime.types import Array


@compiled
def row_dot(K: Array, i: int, v: Array) -> float:
    """sum_j K_ij v_j, in eight sums side by side: as many as a processor adds at once."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    m = K.shape[1]
    even = m - m % 8
    for j in range(0, even, 8):
        s0 += K[i, j] * v[j]
        s1 += K[i, j + 1] * v[j + 1]
        s2 += K[i, j + 2] * v[j + 2]
        s3 += K[i, j + 3] * v[j + 3]
        s4 += K[i, j + 4] * v[j + 4]
        s5 += K[i, j + 5] * v[j + 5]
        s6 += K[i, j + 6] * v[j + 6]
        s7 += K[i, j + 7] * v[j + 7]
    total = ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
    for j in range(even, m):
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
