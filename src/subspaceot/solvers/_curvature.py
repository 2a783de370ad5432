"""The curvature that Omega's constraints give to an interior-point step, in one compiled pass.

3.9 ms in NumPy at r = 30, where a step takes 18; 0.6 ms compiled.
"""

from .._compiled import compiled
from .._types import Array, Indices


@compiled
def add_sandwiches(
    T: Array, P: Array, Z: Array, R: Array, rows: Indices, columns: Indices, weight: Array, K: Array
) -> None:
    """K += the lower half of the matrix of H -> (T H P + P H T + Z H R + R H Z) / 2, all four symmetric.

    The coordinates of H are its entries (rows, columns), each times its weight.
    """
    for x in range(len(rows)):
        i, j = rows[x], columns[x]
        Ti, Tj, Pi, Pj, Zi, Zj, Ri, Rj = T[i], T[j], P[i], P[j], Z[i], Z[j], R[i], R[j]
        for y in range(x + 1):
            p, q = rows[y], columns[y]
            total = Ti[p] * Pj[q] + Ti[q] * Pj[p] + Tj[p] * Pi[q] + Tj[q] * Pi[p]
            total += Zi[p] * Rj[q] + Zi[q] * Rj[p] + Zj[p] * Ri[q] + Zj[q] * Ri[p]
            K[x, y] += 0.25 * weight[x] * weight[y] * total
