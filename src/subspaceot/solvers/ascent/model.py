"""A limited-memory quadratic model of a concave function, and its maximiser over the Fantope."""

from math import isqrt

import numpy as np

from ...core import fantope
from ...linalg.forcing import FORCING
from ...runtime.types import Array
from ..directions import MAX_DIRECTIONS

_NOISE = float(np.sqrt(np.finfo(float).eps))  # of the sizes of a move and a fall: a smaller product of both is rounding


class CurvatureModel:
    """B (d^2, d^2), positive definite, that satisfies the newest secant conditions (compact L-BFGS form).

    Differences of Omega and of the gradient V are kept as flat vectors, the rows of S and Y, newest last:
    B = sigma I - [sigma S^T, Y^T] M [sigma S; Y].
    """

    def __init__(self, sigma: float, memory: int) -> None:
        self.sigma = sigma
        self.S = self.Y = self.M = np.empty((0, 0))
        # S S^T, the part of S Y^T below its diagonal, and that: a new pair adds a row and a column.
        self._SS, self._below, self._diagonal = np.empty((0, 0)), np.empty((0, 0)), np.empty(0)
        self._memory = memory

    def learn(self, move: Array, fall: Array) -> None:
        """Take in that the gradient fell by `fall` when Omega moved by `move`; ignored where that is noise."""
        s, y = move.ravel(), fall.ravel()
        sy, ss, yy = float(s @ y), float(s @ s), float(y @ y)
        if sy <= _NOISE * np.sqrt(ss * yy):
            return
        self.sigma = float(np.sqrt(yy / ss))  # between the cautious yy/sy and the bold sy/ss: fewest evaluations
        old = slice(max(0, len(self.S) + 1 - self._memory), None)
        S, Y = self.S.reshape(-1, len(s))[old], self.Y.reshape(-1, len(s))[old]
        products = S @ s
        self._SS = _bordered(self._SS[old, old], products, products, ss)
        self._below = _bordered(self._below[old, old], Y @ s, 0.0, 0.0)
        self._diagonal = np.append(self._diagonal[old], sy)
        self.S, self.Y = np.concatenate([S, s[None]]), np.concatenate([Y, y[None]])
        self._invert()

    def _invert(self) -> None:
        """Fill in M."""
        p = len(self.S)
        middle = np.zeros((2 * p, 2 * p))
        middle[:p, :p] = self.sigma * self._SS
        middle[:p, p:] = self._below
        middle[p:, :p] = self._below.T
        middle.flat[2 * p * p + p :: 2 * p + 1] = -self._diagonal
        self.M = np.ascontiguousarray(np.linalg.inv(middle))

    def widen(self, R: Array) -> None:
        """Go on with matrices (p, p) that hold the former ones as R A R^T, R (p, q) with orthonormal columns."""
        q = R.shape[1]
        self.S, self.Y = ((R @ kept.reshape(-1, q, q) @ R.T).reshape(-1, len(R) ** 2) for kept in (self.S, self.Y))

    def seen_from(self, R: Array) -> None:
        """Go on with matrices (p, p) that show the former ones as R A R^T, for any R (p, q); noise is forgotten."""
        self.widen(R)
        sy = np.einsum("ij,ij->i", self.S, self.Y)
        told = sy > _NOISE * np.linalg.norm(self.S, axis=1) * np.linalg.norm(self.Y, axis=1)
        self.S, self.Y, self._diagonal = self.S[told], self.Y[told], sy[told]
        self._SS, self._below = self.S @ self.S.T, np.tril(self.S @ self.Y.T, -1)
        self._invert()

    def pad(self, p: int) -> None:
        """Go on with matrices (p, p) whose leading parts are the former ones."""
        count, q = len(self.S), isqrt(self.S.shape[1])
        wider = np.zeros((2, count, p, p))
        wider[:, :, :q, :q] = np.reshape([self.S, self.Y], (2, count, q, q))
        self.S, self.Y = wider.reshape(2, count, p * p)

    def times(self, x: Array) -> Array:
        """Return B x for a flat vector."""
        if len(self.S) == 0:
            return self.sigma * x
        weights = self.M @ np.concatenate([self.sigma * (self.S @ x), self.Y @ x])
        p = len(self.S)
        product: Array = self.sigma * (x - weights[:p] @ self.S) - weights[p:] @ self.Y
        return product


def _bordered(A: Array, row: Array, column: Array | float, corner: float) -> Array:
    """Return A with one more row and column."""
    p = len(A)
    larger = np.empty((p + 1, p + 1))
    larger[:p, :p], larger[p, :p], larger[:p, p], larger[p, p] = A, row, column, corner
    return larger


MODEL_STEPS = 10  # at most, to maximise the model


def maximise_model(
    omega: Array, V: Array, model: CurvatureModel, k: int, *, steps: int = MODEL_STEPS, tol: float = FORCING
) -> Array:
    """Return a near-maximiser over F_k of <V | W - omega> - <W - omega | B (W - omega)> / 2.

    Spectral projected gradient: one small eigendecomposition a step, no transport. Stops when a step promises less
    than `tol` of the best one so far.
    """
    if len(V) <= MAX_DIRECTIONS:
        from ._model_kernels import maximise  # numba takes a third of a second to import

        W = omega.copy()
        S, Y = (kept.reshape(-1, V.size) for kept in (model.S, model.Y))
        maximise(V, k, model.sigma, S, Y, model.M, steps, tol, W)
        return W
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
        fraction = min(1.0, slope / curvature) if curvature > 0.0 else 1.0  # rounding can make it negative
        W = W + fraction * move
        gradient -= fraction * B_flat
        if curvature <= 0.0:
            break
        length = float(flat @ flat) / curvature
    return W
