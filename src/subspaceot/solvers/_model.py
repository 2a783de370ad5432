"""A limited-memory quadratic model of a concave function, and its maximiser over the Fantope."""

from collections import deque

import numpy as np

from .. import fantope
from .._types import Array


class CurvatureModel:
    """B (d^2, d^2), positive definite, that satisfies the newest secant conditions (compact L-BFGS form).

    Differences of Omega and of the gradient V are kept as flat vectors: B = sigma I - N M^-1 N^T.
    """

    def __init__(self, sigma: float, memory: int) -> None:
        self.sigma = sigma
        self._moves: deque[Array] = deque(maxlen=memory)
        self._falls: deque[Array] = deque(maxlen=memory)
        self._N: Array | None = None
        self._M_inverse: Array | None = None

    def learn(self, move: Array, fall: Array) -> None:
        """Take in that the gradient fell by `fall` when Omega moved by `move`; ignored where that is noise."""
        s, y = move.ravel(), fall.ravel()
        sy, ss, yy = s @ y, s @ s, y @ y
        if sy <= 1e-8 * np.sqrt(ss * yy):
            return
        self._moves.append(s)
        self._falls.append(y)
        self.sigma = float(np.sqrt(yy / ss))  # between the cautious yy/sy and the bold sy/ss: fewest evaluations
        self._assemble()

    def widen(self, R: Array) -> None:
        """Go on with matrices (p, p) that hold the former ones as R A R^T, R (p, q) with orthonormal columns."""
        for kept in (self._moves, self._falls):
            for i, x in enumerate(kept):
                kept[i] = (R @ x.reshape(R.shape[1], -1) @ R.T).ravel()
        if self._moves:
            self._assemble()

    def _assemble(self) -> None:
        S, Y = np.array(self._moves), np.array(self._falls)
        SY = S @ Y.T
        L = np.tril(SY, -1)
        middle = np.block([[self.sigma * (S @ S.T), L], [L.T, -np.diag(np.diag(SY))]])
        self._N = np.concatenate([self.sigma * S, Y])
        self._M_inverse = np.linalg.inv(middle)

    def times(self, x: Array) -> Array:
        """Return B x for a flat vector."""
        if self._N is None or self._M_inverse is None:
            return self.sigma * x
        product: Array = self.sigma * x - (self._M_inverse @ (self._N @ x)) @ self._N
        return product


def maximise_model(omega: Array, V: Array, model: CurvatureModel, k: int, *, steps: int, tol: float) -> Array:
    """Return a near-maximiser over F_k of <V | W - omega> - <W - omega | B (W - omega)> / 2.

    Spectral projected gradient: one small eigendecomposition a step, no transport. Stops when a step promises less
    than `tol` of the best one so far.
    """
    W = omega
    gradient = V.ravel().copy()
    length = 1.0 / model.sigma
    best = 0.0
    for _ in range(steps):
        move = fantope.project(W + length * gradient.reshape(V.shape), k) - W
        flat = move.ravel()
        slope = float(gradient @ flat)
        if slope <= tol * best:
            break
        best = max(best, slope)
        B_flat = model.times(flat)
        curvature = float(flat @ B_flat)
        fraction = min(1.0, slope / curvature)
        W = W + fraction * move
        gradient -= fraction * B_flat
        length = float(flat @ flat) / curvature
    return W
