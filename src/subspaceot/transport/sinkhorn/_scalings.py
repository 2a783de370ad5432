"""Scalings of the rows and columns of a kernel: Sinkhorn's sweeps, then Newton steps.

All is products with the kernel, whose precision does not matter here.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...runtime.types import Array

SWEEPS = 8  # plain sweeps before the first Newton step
NEWTON_STEPS = 60  # per kernel; convergence is quadratic, a dozen is common
CG_STEPS = 400
_CG_TOL = 1e-3  # of the first squared residual (0.9 of the time of 1e-4 at n = 500; small kernels gain nothing)
CG_ENOUGH = 0.5  # of `tol`: what the columns may be left with by a step, whose last ones need not be exact,
CG_LOOSEST = 0.09  # but no more than this of the first squared residual (two thirds of the time of small kernels)
SAFE_LOG = 100.0  # scalings beyond exp(+-100) are absorbed into a new kernel

Kernel = Array | NDArray[np.float32]


def scaled(
    K: Kernel,
    a: Array,
    b: Array,
    u: Array,
    v: Array,
    columns: Array,
    *,
    tol: float,
    safe_log: float = SAFE_LOG,
) -> tuple[Array, Array, Array]:
    """Return scalings that bring u_i K_ij v_j towards the marginals a and b, and the sums of its columns.

    To begin with, its rows sum to a and its columns to `columns`. Ends at `tol`, the sum of absolute errors of the
    columns, at the border of the safe range, or out of steps.
    """
    # A row's scaling is one over a mean of the columns', so it needs no look of its own.
    low, high = np.exp(-safe_log), np.exp(safe_log)
    for step in range(SWEEPS + NEWTON_STEPS):
        if np.abs(columns - b).sum() <= tol or columns.min() <= 0.0:
            break
        if step < SWEEPS:
            v_next, rows = v * (b / columns), None
        else:
            v_next, rows = _newton_step(K, a, b, u, v, columns, tol, safe_log)
        if not (v_next.min() > low and v_next.max() < high):
            break
        u, v = a / (_rows(K, v_next) if rows is None else rows), v_next
        columns = v * _columns(K, u)
    return u, v, columns


def _rows(K: Kernel, v: Array) -> Array:
    """Return sum_j K_ij v_j."""
    sums: Array = K @ v.astype(K.dtype, copy=False)
    return sums


def _columns(K: Kernel, u: Array) -> Array:
    """Return sum_i u_i K_ij."""
    sums: Array = K.T @ u.astype(K.dtype, copy=False)
    return sums


def _newton_step(
    K: Kernel, a: Array, b: Array, u: Array, v: Array, columns: Array, tol: float, safe_log: float
) -> tuple[Array, Array]:
    """Return v after one damped Newton step on the concave semi-dual phi(g) = a.f(g) + b.g, and sum_j K_ij v_j.

    With P = diag(u) K diag(v), whose rows are exact: gradient b - columns, Hessian -(diag(columns) - P^T diag(1/a) P)
    in units of reg. The line search needs one product a trial, since phi changes by the change of the log scalings.
    """
    gradient = b - columns
    ua = u * u / a

    def hessian(q: Array) -> Array:
        product: Array = columns * q - v * _columns(K, ua * _rows(K, v * q))
        return product

    enough = min(max((CG_ENOUGH * tol / float(np.abs(gradient).sum())) ** 2, _CG_TOL), CG_LOOSEST)
    direction = _conjugate_gradients(hessian, gradient, columns, enough)
    slope, log_v = float(gradient @ direction), np.log(v)
    length = 1.0
    for _ in range(30):
        v_next = np.exp(np.clip(log_v + length * direction, -safe_log, safe_log))
        rows = _rows(K, v_next)
        gain = b @ np.log(v_next / v) - a @ np.log(rows * (u / a))
        if gain >= 1e-4 * length * slope:
            break
        length *= 0.3
    return v_next, rows


def _conjugate_gradients(hessian: Callable[[Array], Array], rhs: Array, diagonal: Array, enough: float) -> Array:
    """Return an approximate solution x of hessian(x) = rhs, preconditioned by `diagonal`.

    Its squared residual is `enough` of the first.
    """
    x = np.zeros_like(rhs)
    residual = rhs
    z = residual / diagonal
    p = z
    rz = first = float(residual @ z)
    for _ in range(CG_STEPS):
        Hp = hessian(p)
        curvature = float(p @ Hp)
        if curvature <= 0.0:  # rounding: the null direction is reached
            break
        step = rz / curvature
        x = x + step * p
        residual = residual - step * Hp
        z = residual / diagonal
        rz, previous = float(residual @ z), rz
        if rz <= enough * first:
            break
        p = z + (rz / previous) * p
    return x
