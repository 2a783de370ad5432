"""Entropic transport: Sinkhorn's scaling iterations, finished by Newton steps.

The plan is P_ij = exp((f_i + g_j - C_ij) / reg). One kernel with the current potentials inside is formed in the log
domain, then all the work happens on scalings u, v of its rows and columns, one matrix-vector product at a time.
Sinkhorn's sweeps converge fast while reg is large; at a thousandth of the cost they need thousands, where a few
Newton steps on the column potentials, solved by conjugate gradients, do (measured: 10 to 50 times faster there).
"""

from dataclasses import dataclass

import numpy as np

from ...core.costs import CostMatrix, Costs
from ...core.coupling import Dense
from ...runtime.types import Array
from ..answer import Transport
from ._scalings import CG_STEPS, NEWTON_STEPS, SAFE_LOG, SWEEPS, scaled
from ._single import PRECISION, single_transport

_COMPILED = 100_000  # entries: smaller kernels are scaled by compiled code, larger ones are BLAS's business
_SINGLE = 60_000  # entries: from here on single precision saves more than its detours take
_PATIENCE = 8  # new kernels in a row that do not halve the error before giving up
_ANNEAL = 0.25  # a cold start lowers reg by this factor until it reaches its goal


def sinkhorn(
    C: Array | Costs, a: Array, b: Array, reg: float, g: Array | None = None, *, tol: float = 1e-6
) -> Transport:
    """Return the plan that minimises <C, P> + reg * sum P (log P - 1) over couplings of `a` and `b`.

    Rows are met to rounding, columns to `tol` (sum of absolute errors). `g` (m,) starts from an earlier answer;
    without it, or where it misleads, reg is annealed from the size of the cost, so that no start can underflow.
    `converged` is False if `tol` was out of reach; the plan is then still finite, with `error` as reported.
    """
    costs: Costs = CostMatrix(C) if isinstance(C, np.ndarray) else C
    if g is not None and tol >= PRECISION and len(a) * len(b) > _SINGLE:
        rough = single_transport(costs, a, b, reg, g, tol=tol)
        if rough is not None and rough.converged:
            return rough
    if g is not None:
        answer = _solve(costs, a, b, reg, g, tol=tol)
        if answer.converged:
            return answer
    g = np.zeros_like(b)
    level = costs.largest()
    while level > reg:
        g = _solve(costs, a, b, level, g, tol=1e-3).g
        level *= _ANNEAL
    return _solve(costs, a, b, reg, g, tol=tol)


def _solve(costs: Costs, a: Array, b: Array, reg: float, g: Array, *, tol: float) -> Transport:
    from . import _kernels  # numba takes a third of a second to import, its functions four to compile once

    best, patience = np.inf, _PATIENCE
    while True:
        kernel = _log_rows(costs, a, reg, g)
        if np.any(kernel.columns < np.exp(-SAFE_LOG) * b):  # so far that scalings cannot mend it
            g = _log_columns(costs, b, reg, kernel.f)
            kernel = _log_rows(costs, a, reg, g)
        scaling = _scale(kernel, a, b, tol)
        f = kernel.f + reg * np.log(scaling.u)
        g = g + reg * np.log(scaling.v)
        patience = _PATIENCE if scaling.error < 0.5 * best else patience - 1
        best = min(best, scaling.error)
        if scaling.error <= tol or patience == 0:
            break
    _kernels.scale_both(kernel.K, scaling.u, scaling.v)
    value = float(a @ f + b @ g - reg)
    return Transport(plan=Dense(kernel.K), f=f, g=g, value=value, error=scaling.error, converged=scaling.error <= tol)


@dataclass(frozen=True, eq=False, slots=True)
class _Kernel:
    K: Array  # (n, m) exp((f_i + g_j - C_ij) / reg)
    f: Array  # (n,) which makes its rows sum to a
    columns: Array  # (m,) the sums of its columns


def _log_rows(costs: Costs, a: Array, reg: float, g: Array) -> _Kernel:
    """Return the kernel for any g."""
    from . import _kernels

    K = costs.exponents(reg, 0.0, g)
    f, columns, row = K.max(axis=1), np.zeros_like(g), np.empty_like(g)
    _kernels.normalise_rows(K, K.view(np.int64), f, a, row, row.view(np.int64), np.ones_like(g), columns)
    return _Kernel(K, reg * f, columns)


def _log_columns(costs: Costs, b: Array, reg: float, f: Array) -> Array:
    """Return g_j = reg log b_j - reg log sum_i exp((f_i - C_ij) / reg)."""
    K = costs.exponents(reg, f, 0.0)
    peak = K.max(axis=0)
    K -= peak
    np.exp(K, out=K)
    updated: Array = reg * (np.log(b) - np.log(K.sum(axis=0)) - peak)
    return updated


@dataclass(frozen=True, eq=False, slots=True)
class _Scaling:
    u: Array  # (n,) row scalings
    v: Array  # (m,) column scalings
    error: float  # of the columns; rows are exact


def _scale(kernel: _Kernel, a: Array, b: Array, tol: float) -> _Scaling:
    """Return scalings that bring u_i K_ij v_j towards the marginals a and b. The rows of K sum to a already.

    Stops at `tol`, at the border of the safe range (the caller absorbs and goes on), or out of steps.
    """
    K, columns, u, v = kernel.K, kernel.columns, np.ones_like(a), np.ones_like(b)
    if K.size <= _COMPILED:
        from . import _kernels

        limits = tol, SWEEPS, NEWTON_STEPS, CG_STEPS, SAFE_LOG
        room = np.empty((3, len(a))), np.empty((8, len(b)))
        return _Scaling(u, v, _kernels.scale(K, K.T.copy(), a, b, u, v, columns.copy(), *limits, *room))
    u, v, columns = scaled(K, a, b, u, v, columns, tol=tol)
    return _Scaling(u, v, float(np.abs(columns - b).sum()))
