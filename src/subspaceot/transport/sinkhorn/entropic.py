"""Entropic transport: Sinkhorn's scaling iterations, finished by Newton steps.

The plan is P_ij = exp((f_i + g_j - C_ij) / reg). One kernel with the current potentials inside is formed in the log
domain, then all the work happens on scalings u, v of its rows and columns, one matrix-vector product at a time.
Sinkhorn's sweeps converge fast while reg is large; at a thousandth of the cost they need thousands, where a few
Newton steps on the column potentials, solved by conjugate gradients, do (measured: 10 to 50 times faster there).
"""

from dataclasses import dataclass

import numpy as np

from ...core.costs import Costs, as_costs
from ...core.coupling import Coupling, Dense, Scaled
from ...runtime.blocks import blocks
from ...runtime.types import Array
from ..inner import Transport
from ._scalings import BORDER, SMALL, Scalings, scaled
from ._single import PRECISION, single_transport

_LARGEST = 2**28  # entries (2 GB): larger kernels are formed block by block, again for each product
_PATIENCE = 8  # new kernels in a row that do not halve the error before giving up
FALL = 0.3  # from one reg to the next: potentials of the one are still a good start of the other


@dataclass(frozen=True, slots=True)
class Entropic:
    """The plan that minimises <C, P> + reg * sum P (log P - 1) over couplings of a and b.

    Rows are met to rounding, columns to `tol` (sum of absolute errors). A potential from elsewhere is where it starts;
    without one, or where it misleads, reg is annealed from the size of the cost, so that no start can underflow.
    `converged` is False if `tol` was out of reach; the plan is then still finite, with `error` as reported.
    """

    reg: float
    tol: float

    def solve(self, costs: Costs | Array, a: Array, b: Array, warm: Array | None = None) -> Transport:
        """Return it for the costs (n, m); see `InnerSolver`."""
        costs = as_costs(costs)
        if warm is not None:
            if self.tol >= PRECISION and SMALL < len(a) * len(b) <= _LARGEST:
                rough = single_transport(costs, a, b, self.reg, warm, tol=self.tol)
                if rough is not None and rough.converged:
                    return rough
            answer = _solve(costs, a, b, self.reg, warm, tol=self.tol)
            if answer.converged:
                return answer
        g = np.zeros_like(b)
        level = costs.largest()
        while level > self.reg:
            g = _solve(costs, a, b, level, g, tol=PRECISION).g
            level *= FALL
        return _solve(costs, a, b, self.reg, g, tol=self.tol)


def _solve(costs: Costs, a: Array, b: Array, reg: float, g: Array, *, tol: float) -> Transport:
    """Return the answer from scalings of one kernel after the other, until that brings no more."""
    best, patience = np.inf, _PATIENCE
    while True:
        kernel = _kernel(costs, a, reg, g)
        if np.any(kernel.columns < b / BORDER):  # so far that scalings cannot mend it
            g = _log_rows(costs.T, b, reg, kernel.f)
            kernel = _kernel(costs, a, reg, g)
        scaling = scaled(kernel.K, a, b, np.ones_like(a), kernel.columns, tol=tol, border=BORDER)
        f = kernel.f + reg * np.log(scaling.u)
        g = g + reg * np.log(scaling.v)
        progress = scaling.error <= 0.5 * best
        best, patience = (scaling.error, _PATIENCE) if progress else (best, patience - 1)
        if scaling.error <= tol or patience == 0:
            break
    value = float(a @ f + b @ g - reg)
    return Transport(kernel.plan(scaling, f, g), f, g, value=value, error=scaling.error, converged=scaling.error <= tol)


@dataclass(frozen=True, eq=False, slots=True)
class _DenseKernel:
    """K_ij = exp((f_i + g_j - C_ij) / reg) in memory."""

    K: Array  # (n, m)
    f: Array  # (n,) which makes its rows sum to a
    columns: Array  # (m,) the sums of its columns

    @classmethod
    def of(cls, costs: Costs, a: Array, reg: float, g: Array) -> "_DenseKernel":
        """Return the kernel for any g."""
        from . import _kernels  # numba takes a third of a second to import, its functions four to compile once

        K = costs.exponents(reg, 0.0, g)
        f, columns, row = K.max(axis=1), np.zeros_like(g), np.empty_like(g)
        _kernels.normalise_rows(K, K.view(np.int64), f, a, row, row.view(np.int64), np.ones_like(g), columns)
        return cls(K, reg * f, columns)

    def plan(self, scaling: Scalings, f: Array, g: Array) -> Coupling:
        """Return the scaled kernel, in its place."""
        from . import _kernels

        _kernels.scale_both(self.K, scaling.u, scaling.v)
        return Dense(self.K)


@dataclass(frozen=True, eq=False, slots=True)
class _BlockedKernel:
    """The same where it would not fit: formed block by block of rows for each product."""

    K: Scaled
    f: Array
    columns: Array

    @classmethod
    def of(cls, costs: Costs, a: Array, reg: float, g: Array) -> "_BlockedKernel":
        """Return the kernel for any g."""
        f = _log_rows(costs, a, reg, g)
        K = Scaled(costs, f, g, reg)
        return cls(K, f, K.column_sums())

    def plan(self, scaling: Scalings, f: Array, g: Array) -> Coupling:
        """Return the kernel of the potentials that hold the scalings."""
        return Scaled(self.K.costs, f, g, self.K.reg)


def _kernel(costs: Costs, a: Array, reg: float, g: Array) -> _DenseKernel | _BlockedKernel:
    return (_DenseKernel if len(a) * len(g) <= _LARGEST else _BlockedKernel).of(costs, a, reg, g)


def _log_rows(costs: Costs, a: Array, reg: float, g: Array) -> Array:
    """Return f_i = reg log a_i - reg log sum_j exp((g_j - C_ij) / reg) (n,), a smoothed c-transform."""
    f = np.empty_like(a)
    for rows in blocks(len(a), len(g)):
        K = costs.rows(rows).exponents(reg, 0.0, g)
        peaks = K.max(axis=1)
        K -= peaks[:, None]
        np.exp(K, out=K)
        f[rows] = reg * (np.log(a[rows]) - np.log(K.sum(axis=1)) - peaks)
    return f
