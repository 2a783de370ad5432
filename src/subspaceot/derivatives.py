"""First derivatives of a cost in points and weights, by the envelope theorem, for the losses of other libraries."""

import warnings
from dataclasses import dataclass

import numpy as np

from .result import Result
from .runtime.types import Array


@dataclass(frozen=True, eq=False, slots=True)
class CostWithGradients:
    """A cost with its first derivatives in everything it depends on."""

    cost: float
    X: Array  # (n, d)
    Y: Array  # (m, d)
    a: Array  # (n,) in weights as the caller has them, of any sum
    b: Array  # (m,)

    @classmethod
    def of(cls, result: Result, a: Array, b: Array) -> "CostWithGradients":
        """Return the cost of a result for weights `a` and `b`.

        The saddle point stays put, so only what stands beside it changes: the potentials f and g are the derivatives in
        normalised weights. Through a / sum(a) that of a_i is (f_i - sum_j a_j f_j / sum(a)) / sum(a).
        """
        f, g = result.potentials
        in_a, in_b = ((h - w @ h / w.sum()) / w.sum() for h, w in ((f, a), (g, b)))
        return cls(result.cost, result.grad_X, result.grad_Y, in_a, in_b)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The cost as an array without axes, and the derivatives."""
        return np.array(self.cost), self.X, self.Y, self.a, self.b


def warn_if_wide(result: Result, category: type[Warning] = RuntimeWarning) -> None:
    """Warn where a run ended before it reached what was asked, as a caller who sees a number alone would not know."""
    if not result.converged:
        warnings.warn(
            f"The distance has a relative gap of {result.gap:.1e}, more than `tol`. {result.status.value}",
            category,
            stacklevel=2,
        )
