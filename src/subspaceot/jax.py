"""The distance between samples of points as a function for JAX, under `jit`, `grad` and `vmap`.

It is solved on the host in double precision. What comes back has the type of the arrays: without
`jax.config.update("jax_enable_x64", True)` these are float32, and cost and derivatives are rounded to 7 digits. An
array of NumPy that float32 cannot hold is then refused, unless JAX has rounded it before, as `jit` and `grad` do.
"""

from functools import partial
from typing import Any

import numpy as np

from . import distances
from .core import validate
from .derivatives import CostWithGradients, warn_if_wide
from .runtime.isolation import isolated
from .runtime.types import Array

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise ImportError("`subspaceot.jax` needs JAX: pip install 'subspaceot[jax]'.") from error

__all__ = ["srw"]


def srw(X: Any, Y: Any, k: int, a: Any = None, b: Any = None, *, tol: float = 1e-3) -> Any:
    """Return S_k^2 between two weighted samples as a JAX scalar, with first derivatives in points and weights.

    Derivatives are those of the envelope theorem: exact where the optimal plan and Omega are unique and the gap is 0,
    off by O(sqrt(tol)) at a gap of `tol`, and one choice among several where they are not unique. Second derivatives do
    not exist in this form and are refused, and so is forward mode, by JAX. `vmap` solves the problems of a batch one
    after another.

    Parameters
    ----------
    X, Y : array (n, d), (m, d)
        The points.
    k : int
        Dimension of the subspace, 1..d; a constant under `jit`.
    a, b : array (n,), (m,), optional
        Weights, non-negative, divided by their sum; uniform by default.
    tol : float
        Certified relative gap at which to stop; a constant under `jit`.

    Examples
    --------
    >>> import jax, jax.numpy as jnp
    >>> from subspaceot.jax import srw
    >>> X, Y = jnp.zeros((1, 2)), jnp.array([[3.0, 4.0]])
    >>> value, gradient = jax.jit(jax.value_and_grad(lambda X: srw(X, Y, k=1)))(X)
    >>> round(float(value), 3), [round(float(entry), 3) for entry in gradient[0]]
    (25.0, [-6.0, -8.0])
    """
    for name, setting in (("k", k), ("tol", tol)):
        validate.require_constant(name, traced=_is_traced(setting))
    given = {"X": X, "Y": Y} | {name: w for name, w in (("a", a), ("b", b)) if w is not None}
    arrays = {name: _as_floats(values, name) for name, values in given.items()}
    validate.require_single({name: array.shape for name, array in arrays.items()})
    for name in ("X", "Y"):  # values are known now, or when the function that is traced is run
        if not _is_traced(arrays[name]):
            validate.as_points(np.asarray(arrays[name]).astype(np.float64), name)
    X, Y = arrays["X"], arrays["Y"]
    k, tol = validate.as_dimension(k, X.shape[-1]), validate.as_positive(tol, "tol")
    a, b = (arrays.get(name, jnp.ones(Z.shape[:-1], Z.dtype)) for name, Z in (("a", X), ("b", Y)))
    return _cost(k, tol, X, Y, a, b)


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _cost(k: int, tol: float, *inputs: Any) -> Any:
    return _solved(k, tol, *inputs)[0]


def _cost_forward(k: int, tol: float, *inputs: Any) -> tuple[Any, Any]:
    cost, *derivatives = _solved(k, tol, *inputs)
    return cost, derivatives


def _cost_backward(k: int, tol: float, derivatives: Any, of_cost: Any) -> Any:
    return tuple((of_cost * derivative).astype(derivative.dtype) for derivative in derivatives)


_cost.defvjp(_cost_forward, _cost_backward)


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _solved(k: int, tol: float, *inputs: Any) -> Any:
    """Return the cost and its derivatives in all inputs, computed on the host."""
    X = inputs[0]
    shapes = [jax.ShapeDtypeStruct((), X.dtype), *(jax.ShapeDtypeStruct(given.shape, given.dtype) for given in inputs)]
    return tuple(jax.pure_callback(partial(_on_host, k, tol), shapes, *inputs, vmap_method="sequential"))


def _refuse(*_: Any) -> Any:
    raise NotImplementedError(
        "`subspaceot.jax.srw` has first derivatives only: the plan and the subspace are taken as fixed. Take second "
        "derivatives of other terms apart."
    )


_solved.defvjp(lambda k, tol, *inputs: (_solved(k, tol, *inputs), None), _refuse)


@isolated
def _on_host(k: int, tol: float, *inputs: Any) -> tuple[Array, ...]:
    """Return the cost and its derivatives as arrays of the types that came."""
    X, Y, a, b = (np.asarray(given).astype(np.float64) for given in inputs)
    result = distances.srw(X, Y, k, a, b, tol=tol)
    warn_if_wide(result)
    found = CostWithGradients.of(result, a, b).arrays
    kinds = (inputs[0], *inputs)
    return tuple(np.asarray(array, kind.dtype) for array, kind in zip(found, kinds, strict=True))


def _as_floats(values: Any, name: str) -> Any:
    """Return an array of JAX; integers and booleans become floats of the default type."""
    if not isinstance(values, jax.Array | list | tuple):
        held = np.asarray(values)
        kind = float if held.dtype.kind in "iub" else held.dtype
        values = held.astype(jax.dtypes.canonicalize_dtype(kind))
        validate.require_kept(held, values, name)
    array = jnp.asarray(values)
    return array if jnp.issubdtype(array.dtype, jnp.floating) else array.astype(jnp.result_type(float))


def _is_traced(value: Any) -> bool:
    """Return whether a value is known only when the function that is being traced is run."""
    return isinstance(value, jax.core.Tracer)
