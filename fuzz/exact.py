"""Exact arithmetic on doubles: arrays of Python integers with one common power of two, and what is built from them."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from mpmath import mp

Integers = np.ndarray  # of Python integers, dtype object
Bounds = tuple[Fraction, Fraction]  # a number between two rationals, which are equal where it is known exactly

_BITS = 600  # of numbers that are not exact
_SLACK_BITS = 220  # what is lost of them is far less than this, relatively
_SLACK = Fraction(1, 2**_SLACK_BITS)
_RESOLUTION = 110  # bits of a matrix, below which equal and nearly equal eigenvalues need not be told apart
_GAP = 2.0**-12  # of the largest entry: between eigenvalues that doubles separate well
_AMBIGUOUS = 1e-13  # times size^2: how far a matrix of order one is from singular if its double eigenvalues say so


def integers(values: Any) -> tuple[Integers, int]:
    """Return integers and an exponent e with values = integers * 2^e, without any rounding."""
    array = np.asarray(values)
    if array.dtype == object or array.dtype.kind in "biu":
        return np.vectorize(int, otypes=[object])(array) if array.size else array.astype(object), 0
    if not np.isfinite(array).all():
        raise ValueError("`values` must be finite.")
    mantissas, powers = np.frexp(array.astype(np.float64))
    whole, powers = np.ldexp(mantissas, 53).astype(np.int64), powers.astype(np.int64) - 53
    if not whole.any():
        return np.zeros(array.shape, dtype=object), 0
    # Trailing zeros of all mantissas are dropped, so that round numbers stay small integers.
    last_bits = np.where(whole != 0, whole & -whole, 1)
    zeros = np.log2(last_bits.astype(np.float64)).astype(np.int64)
    lowest = int((powers + zeros)[whole != 0].min())
    result = np.empty(array.shape, dtype=object)
    flat = zip(whole.ravel().tolist(), zeros.ravel().tolist(), (powers + zeros - lowest).ravel().tolist(), strict=True)
    result.ravel()[:] = [(w >> z) << p if w else 0 for w, z, p in flat]
    return result, lowest


def aligned(*parts: tuple[Integers, int]) -> tuple[list[Integers], int]:
    """Return the integers of several arrays for their smallest exponent, and that exponent."""
    lowest = min(exponent for _, exponent in parts)
    return [array << (exponent - lowest) if exponent > lowest else array for array, exponent in parts], lowest


def power_of_two(exponent: int) -> Fraction:
    """Return 2^exponent."""
    return Fraction(2**exponent) if exponent >= 0 else Fraction(1, 2**-exponent)


def shifted(value: int, exponent: int) -> int:
    """Return floor(value * 2^exponent)."""
    return value << exponent if exponent >= 0 else value >> -exponent


def shifted_array(array: Integers, exponent: int) -> Integers:
    """Return floor(array * 2^exponent)."""
    return array << exponent if exponent >= 0 else array >> -exponent


def floor_power(base: int, base_exponent: int, power: Fraction, exponent: int) -> int:
    """Return floor((base * 2^base_exponent)^power / 2^exponent) for a power whose denominator is 1, 2 or 4."""
    value = shifted(base**power.numerator, base_exponent * power.numerator - exponent * power.denominator)
    for _ in range(power.denominator.bit_length() - 1):
        value = math.isqrt(value)
    return value


def rational(value: Any) -> Fraction:
    """Return a finite mpmath number as a fraction."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1 if sign else 1) * int(mantissa) * power_of_two(int(exponent))


def real_power(value: Fraction, power: Fraction) -> Bounds:
    """Return bounds of value^power, value >= 0; exact for integer powers."""
    if power.denominator == 1:
        return value**power.numerator, value**power.numerator
    with mp.workprec(_BITS):
        root = rational((mp.mpf(value.numerator) / value.denominator) ** (mp.mpf(power.numerator) / power.denominator))
    return root * (1 - _SLACK), root * (1 + _SLACK)


def is_positive_semidefinite(M: Integers) -> bool:
    """Return whether a symmetric integer matrix has no negative eigenvalue."""
    diagonal = [M[i, i] for i in range(len(M))]
    if min(diagonal, default=0) < 0:
        return False
    keep = [i for i, entry in enumerate(diagonal) if entry > 0]
    if any(M[i].any() for i, entry in enumerate(diagonal) if entry == 0):
        return False
    if not keep:
        return True
    M = M[np.ix_(keep, keep)]
    if (np.multiply.outer(M.diagonal(), M.diagonal()) < M * M).any():
        return False
    halves = [(M[i, i].bit_length() + 1) // 2 for i in range(len(M))]
    entries = [[shifted(M[i, j], 60 - a - b) for j, b in enumerate(halves)] for i, a in enumerate(halves)]
    smallest = np.linalg.eigvalsh(np.array(entries, dtype=np.float64) / 2.0**60)[0]
    if abs(smallest) > _AMBIGUOUS * len(M) ** 2:
        return bool(smallest > 0)
    return _has_nonnegative_pivots(M)


def _has_nonnegative_pivots(M: Integers) -> bool:
    """Return whether elimination without fractions (Bareiss) meets no negative pivot, and 0 in zero rows only."""
    M, before = M.copy(), 1
    for t in range(len(M)):
        pivot = M[t, t]
        if pivot < 0 or (pivot == 0 and M[t, t + 1 :].any()):
            return False
        if pivot > 0:
            rest = slice(t + 1, None)
            M[rest, rest] = (M[rest, rest] * pivot - np.multiply.outer(M[rest, t], M[t, rest])) // before
            before = pivot
    return True


def top_sum(X: Integers, Y: Integers, P: Integers, k: int) -> Bounds:
    """Return bounds of the sum of the k largest eigenvalues of V = sum_ij P_ij (x_i - y_j)(x_i - y_j)^T."""
    X, Y = X - Y[0], Y - Y[0]
    rows, columns = P.sum(axis=1), P.sum(axis=0)
    images = P @ Y
    if k >= min(X.shape[1], len(X) + len(Y) - 1):  # the trace: no eigenvalue is left out
        squares = (rows * (X * X).sum(axis=1)).sum() + (columns * (Y * Y).sum(axis=1)).sum()
        trace = Fraction(squares - 2 * (X * images).sum())
        return trace, trace
    across = X.T @ images
    V = (X.T * rows) @ X + (Y.T * columns) @ Y - across - across.T
    largest = max(V[i, i] for i in range(len(V)))
    if largest == 0:
        return Fraction(0), Fraction(0)
    cut = largest.bit_length() - _BITS
    W = shifted_array(V, -cut)  # entries of at most _BITS bits, each off by less than 1
    low, high = _top_sum(W, k, 1 << (_BITS - _RESOLUTION))
    slack = len(V) ** 2 << (_BITS - _SLACK_BITS)
    return (low - slack) * power_of_two(cut), (high + slack) * power_of_two(cut)


def _top_sum(W: Integers, k: int, negligible: int) -> Bounds:
    """Return bounds of the sum of the k largest eigenvalues of a symmetric matrix, from its eigenvectors in doubles.

    For orthonormal Q (d, j) with R = Q^T W Q and E = W Q - Q R, and a gap eta between the eigenvalues of R and those
    of W on the complement of Q, the k <= j largest eigenvalues of R sum to less than those of W by at most
    j |E|^2 / eta. In the same way R falls apart at a gap after its first i <= k eigenvalues. The eigenvalues between
    both gaps are close to each other: less their mean, they are a smaller problem of the same kind.
    """
    size = len(W)
    if k in (0, size):
        total = Fraction(int(W.trace()) if k else 0)
        return total, total
    mean = int(W.trace()) // size
    W = W - np.diag([mean] * size).astype(object)
    bound = int(np.abs(W).max())
    if bound <= negligible:
        return Fraction(k * (mean - size * bound)), Fraction(k * (mean + size * bound))
    values, vectors = np.linalg.eigh(shifted_array(W, 60 - bound.bit_length()).astype(np.float64))
    gaps = (values[::-1][:-1] - values[::-1][1:]) / 2.0**60  # after the first, the second, ... largest eigenvalue
    wide = [0, *(np.flatnonzero(gaps > _GAP) + 1).tolist(), size]
    i, j = max(cut for cut in wide if cut <= k), min(cut for cut in wide if cut >= k)
    Q = _orthonormal(vectors[:, ::-1][:, :j])
    image = (W @ Q) >> _BITS
    R = (Q.T @ image) >> _BITS
    residual, coupling = image - ((Q @ R) >> _BITS), R[:i, i:]
    squares = sum(int((part * part).sum()) for part in (residual, coupling))
    error = Fraction(4 * j * squares) / (Fraction(_GAP) * bound)
    low, high = _top_sum(R[i:, i:], k - i, negligible) if i < k else (Fraction(0), Fraction(0))
    top = k * mean + int(R[:i, :i].trace())
    return top + low, top + high + error


def _orthonormal(vectors: np.ndarray) -> Integers:
    """Return nearly orthonormal columns as integers over 2^_BITS, orthonormal to all of these bits but a few."""
    Q = np.vectorize(int, otypes=[object])(np.ldexp(vectors, 60)) << (_BITS - 60)
    three = np.diag([3 << _BITS] * Q.shape[1]).astype(object)
    for _ in range(4):  # Newton's iteration for the orthogonal factor: each squares the error, 2^-45 at first
        Q = (Q @ (three - ((Q.T @ Q) >> _BITS))) >> (_BITS + 1)
    return Q


def completed(P: Integers, a: Integers, b: Integers, order_a: Sequence[int], order_b: Sequence[int]) -> Integers:
    """Return a coupling of a and b, sums equal, close to P: surplus is scaled away, the rest paired in the given order.

    Everything is an integer, so that the marginals are exact.
    """
    P = P.copy()
    for target, matrix in ((a, P), (b, P.T)):
        for i, total in enumerate(matrix.sum(axis=1)):
            if total > target[i]:
                matrix[i] = matrix[i] * target[i] // total
    left, right = a - P.sum(axis=1), b - P.sum(axis=0)
    for i, j, mass in staircase(left, right, order_a, order_b):
        P[i, j] += mass
    return P


def staircase(a: Integers, b: Integers, order_a: Sequence[int], order_b: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return atoms (i, j, mass) of the monotone coupling of integer masses of equal sum, points in the given orders."""
    atoms, left, right = [], [(i, a[i]) for i in order_a if a[i]], [(j, b[j]) for j in order_b if b[j]]
    s = t = 0
    here, there = (left[0][1] if left else 0), (right[0][1] if right else 0)
    while s < len(left) and t < len(right):
        mass = min(here, there)
        atoms.append((left[s][0], right[t][0], mass))
        here, there = here - mass, there - mass
        if here == 0:
            s += 1
            here = left[s][1] if s < len(left) else 0
        if there == 0:
            t += 1
            there = right[t][1] if t < len(right) else 0
    return atoms
