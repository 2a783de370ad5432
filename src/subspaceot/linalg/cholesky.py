"""Cholesky's factorisation in memory that is used again.

NumPy's products, not SciPy's solvers: the two packages bring their own BLAS threads, which wait for each other when
both are used in turn (measured: 24 ms against 5 at size 565).
"""

import numpy as np

from ..runtime.types import Array
from .workspace import Workspace

_BLOCK = 64  # rows and columns: LAPACK's usual block size


class CholeskyFactor:
    """A positive definite matrix S (p, p), given by its lower half and factored block column by block column.

    The inverses of the diagonal blocks of L serve its other blocks and the substitutions alike. 4 ms at size 565, where
    np.linalg.cholesky takes 3 in memory that is at hand and 9 in memory that the system must find first.
    """

    def __init__(self, size: int, workspace: Workspace) -> None:
        self.S = workspace.array("S", size, size)  # its lower half to be filled in before `factor`
        self._L = workspace.array("L", size, size)
        self._panel = workspace.array("panel", size, _BLOCK)
        self._inverses: list[Array] = []

    def factor(self) -> None:
        """Factor S as it is now."""
        self._inverses.clear()
        L = self._L
        np.copyto(L, self.S)
        try:
            for i in range(0, len(L), _BLOCK):
                j = min(i + _BLOCK, len(L))
                panel = self._panel[: len(L) - i, : j - i]
                L[i:, i:j] -= np.matmul(L[i:, :i], L[i:j, :i].T, out=panel)
                self._inverses.append(np.asarray(np.linalg.inv(np.linalg.cholesky(L[i:j, i:j])), dtype=np.float64))
                below = panel[: len(L) - j]
                L[j:, i:j] = np.matmul(L[j:, i:j], self._inverses[-1].T, out=below)
        except np.linalg.LinAlgError:  # definite but for rounding, near the end of the path
            self._inverses.clear()

    def solve(self, rhs: Array) -> Array:
        """Return S^-1 rhs (p,), block by block through L and L^T."""
        if not self._inverses:
            whole = np.tril(self.S) + np.tril(self.S, -1).T
            solution: Array = np.asarray(np.linalg.solve(whole, rhs), dtype=np.float64)
            return solution
        L, x = self._L, rhs.copy()
        blocks = [slice(i, i + _BLOCK) for i in range(0, len(L), _BLOCK)]
        for block, inverse in zip(blocks, self._inverses, strict=True):
            x[block] = inverse @ x[block]
            x[block.stop :] -= L[block.stop :, block] @ x[block]
        for block, inverse in zip(reversed(blocks), reversed(self._inverses), strict=True):
            x[block] -= L[block.stop :, block].T @ x[block.stop :]
            x[block] = inverse.T @ x[block]
        return x
