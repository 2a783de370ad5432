"""Losses for PyTorch: the distance between samples of points, with first derivatives in points and weights.

They are solved on the CPU in double precision, whatever the device and the type of the tensors, and come back in both.
`torch.compile` cannot trace the solver: within what it compiles, use `torch.compiler.disable(SRWLoss(k=2))`.
"""

from __future__ import annotations  # so that the pages that describe this can be built without PyTorch

from collections.abc import Callable
from typing import Any

import numpy as np

from .core import validate
from .derivatives import CostWithGradients, warn_if_wide
from .distances import srw
from .projection import prw
from .result import Result
from .runtime.isolation import isolated
from .runtime.types import Array

try:
    import torch
except ImportError as error:
    raise ImportError("`subspaceot.torch` needs PyTorch: pip install 'subspaceot[torch]'.") from error

__all__ = ["PRWLoss", "SRWLoss"]

Solve = Callable[[int, Array, Array, Array, Array], Result]  # of a batch: the number of a problem, X, Y, a, b


class _Loss(torch.nn.Module):
    """The cost between two samples, or between the samples of two batches one by one."""

    k: int
    tol: float
    results: tuple[Result, ...]

    def forward(
        self, X: torch.Tensor, Y: torch.Tensor, a: torch.Tensor | None = None, b: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the cost of samples `X` and `Y`: a scalar, or (B,) where one of them is a batch.

        Parameters
        ----------
        X, Y : tensor (n, d) or (B, n, d), (m, d) or (B, m, d)
            The points. One cloud beside a batch is compared with each cloud of it.
        a, b : tensor (n,) or (B, n), (m,) or (B, m), optional
            Weights, non-negative, divided by their sum; uniform by default.
        """
        given = {"X": X, "Y": Y} | {name: w for name, w in (("a", a), ("b", b)) if w is not None}
        for name, tensor in given.items():
            validate.require_kind(tensor, name, torch.Tensor, "torch.as_tensor")
        size = validate.as_batch_size({name: tuple(tensor.shape) for name, tensor in given.items()})
        a = torch.ones(X.shape[:-1]) if a is None else a
        b = torch.ones(Y.shape[:-1]) if b is None else b
        points = (tensor.expand(size or 1, *tensor.shape[-2:]) for tensor in (X, Y))
        weights = (tensor.expand(size or 1, *tensor.shape[-1:]) for tensor in (a, b))
        found: list[Result] = []

        def solve(i: int, *problem: Array) -> Result:
            try:
                found.append(self._solve(i, *problem))
            except Exception as error:
                if size is not None:
                    error.add_note(f"It is problem {i} of the batch, counted from 0.")
                raise
            warn_if_wide(found[-1])
            return found[-1]

        costs: torch.Tensor = _Costs.apply(solve, *points, *weights)[0]
        self.results = tuple(found)
        return costs[0] if size is None else costs

    def _solve(self, i: int, X: Array, Y: Array, a: Array, b: Array) -> Result:
        """Return the result for one pair of samples, number `i` of the batch."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the last results: a copy of the module starts anew."""
        return {**self.__dict__, "results": ()}


class SRWLoss(_Loss):
    """S_k^2 between two samples of points, or between the samples of two batches one by one.

    Derivatives are those of the envelope theorem: exact where the optimal plan and Omega are unique and the gap is 0,
    off by O(sqrt(tol)) at a gap of `tol`, and one choice among several where they are not unique. Second derivatives do
    not exist in this form and are refused.

    Parameters
    ----------
    k : int
        Dimension of the subspace, 1..d.
    tol : float
        Certified relative gap of each cost.
    warm_start : bool
        Start each call from the results of the call before. That may change the time, and the cost within `tol`.

    Attributes
    ----------
    results : tuple of Result
        What the last call found, one for each pair of samples: the interval, the subspace, the plan.

    Examples
    --------
    >>> import torch
    >>> from subspaceot.torch import SRWLoss
    >>> X = torch.zeros(1, 2, requires_grad=True)
    >>> cost = SRWLoss(k=1)(X, torch.tensor([[3.0, 4.0]]))
    >>> cost.backward()
    >>> round(cost.item(), 4), X.grad.round(decimals=4).tolist()
    (25.0, [[-6.0, -8.0]])
    """

    def __init__(self, k: int, *, tol: float = 1e-3, warm_start: bool = True) -> None:
        super().__init__()
        self.k = validate.as_count(k, "k")
        self.tol = validate.as_positive(tol, "tol")
        self.warm_start = validate.as_flag(warm_start, "warm_start")
        self.results = ()

    def _solve(self, i: int, X: Array, Y: Array, a: Array, b: Array) -> Result:
        before = self.results[i] if self.warm_start and i < len(self.results) else None
        if before is not None and before.problem.frame.d != X.shape[1]:
            before = None
        return srw(X, Y, self.k, a, b, tol=self.tol, init=before)

    def extra_repr(self) -> str:
        """Return the settings, as `print` shows them."""
        return f"k={self.k}, tol={self.tol:g}, warm_start={self.warm_start}"


class PRWLoss(_Loss):
    """P_k^p between two samples of points: the transport cost in the k-dimensional subspace where it is largest.

    As `SRWLoss`, with the cost of `prw`. A local maximum over subspaces is all that is promised, so the cost may jump
    from one to another while points move; each call starts anew.

    Parameters
    ----------
    k : int
        Dimension of the subspace, 1..d. k = 1 is the max-sliced distance, found by sorting.
    p : float
        Power of the distance, at least 1.
    tol : float
        Certified relative gap that is good enough.
    n_starts : int
        Number of ascents.

    Attributes
    ----------
    results : tuple of ProjectedResult
        What the last call found, one for each pair of samples.

    Examples
    --------
    >>> import torch
    >>> from subspaceot.torch import PRWLoss
    >>> PRWLoss(k=1)(torch.zeros(1, 2), torch.tensor([[3.0, 4.0]])).round(decimals=3)
    tensor(25.)
    """

    def __init__(self, k: int, *, p: float = 2.0, tol: float = 1e-3, n_starts: int = 1) -> None:
        super().__init__()
        self.k = validate.as_count(k, "k")
        self.p = validate.as_power(p, "p")
        self.tol = validate.as_positive(tol, "tol")
        self.n_starts = validate.as_count(n_starts, "n_starts")
        self.results = ()

    def _solve(self, i: int, X: Array, Y: Array, a: Array, b: Array) -> Result:
        return prw(X, Y, self.k, a, b, p=self.p, tol=self.tol, n_starts=self.n_starts)

    def extra_repr(self) -> str:
        """Return the settings, as `print` shows them."""
        return f"k={self.k}, p={self.p:g}, tol={self.tol:g}, n_starts={self.n_starts}"


class _Costs(torch.autograd.Function):
    """Costs (B,) of a batch, and their derivatives beside them."""

    @staticmethod
    @isolated
    def forward(solve: Solve, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return costs and derivatives of points (B, n, d), (B, m, d) and weights (B, n), (B, m)."""
        problems = zip(*map(_as_array, inputs), strict=True)
        found = []
        for i, (X, Y, a, b) in enumerate(problems):
            result = solve(i, X, Y, a, b)
            found.append(CostWithGradients.of(result, a, b).arrays)
        batches = (np.stack(arrays) for arrays in zip(*found, strict=True))
        return tuple(_like(array, given) for array, given in zip(batches, (inputs[0], *inputs), strict=True))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, ...]) -> None:
        """Keep the derivatives for `backward`."""
        ctx.mark_non_differentiable(*output[1:])
        ctx.save_for_backward(*output[1:], *inputs[1:])

    @staticmethod
    def backward(ctx: Any, of_costs: torch.Tensor, *_: Any) -> tuple[torch.Tensor | None, ...]:
        """Return the derivatives, each times that of what the costs go into."""
        derivatives, inputs = ctx.saved_tensors[:4], ctx.saved_tensors[4:]
        products = []
        for derivative in derivatives:
            factor = of_costs.to(derivative).reshape(-1, *[1] * (derivative.ndim - 1))
            products.append(_FirstOnly.apply(factor * derivative, *inputs))
        return None, *products

    @staticmethod
    def vmap(info: Any, in_dims: Any, *inputs: Any) -> Any:
        """Refuse `vmap`: a batch of samples says the same."""
        raise NotImplementedError(
            "SRWLoss and PRWLoss do not go through torch.vmap. Pass batches instead: X (B, n, d) and Y (B, m, d) give "
            "costs (B,)."
        )


class _FirstOnly(torch.autograd.Function):
    """First derivatives as they are, whose own derivatives are refused instead of taken for zero."""

    @staticmethod
    def forward(product: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        """Return the first argument."""
        return product.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
        """Keep nothing."""

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        """Refuse."""
        raise NotImplementedError(
            "SRWLoss and PRWLoss have first derivatives only: the plan and the subspace are taken as fixed. Take "
            "second derivatives of other terms apart, or leave out `create_graph=True`."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, product: torch.Tensor, *inputs: torch.Tensor) -> tuple[torch.Tensor, Any]:
        """Return many first derivatives at once, as `is_grads_batched=True` asks for."""
        return _FirstOnly.apply(product, *inputs), in_dims[0]


def _as_array(tensor: torch.Tensor) -> Array:
    """Return numbers on the CPU, floats in double precision, which holds them exactly."""
    values = tensor.detach().cpu()
    array: Array = (values.double() if values.is_floating_point() else values).numpy()
    return array


def _like(array: Array, given: torch.Tensor) -> torch.Tensor:
    """Return an array on the device and in the type of a tensor; of integers, in the default type of floats."""
    dtype = given.dtype if given.is_floating_point() else torch.get_default_dtype()
    return torch.as_tensor(array).to(dtype).to(given.device)  # some devices do not know double precision
