"""Arrays of other libraries, as their fronts take them: one problem, or a batch of problems of one size."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FORMS = {"X": "(n, d) or (B, n, d)", "Y": "(m, d) or (B, m, d)", "a": "(n,) or (B, n)", "b": "(m,) or (B, m)"}
_AXES = {"X": 2, "Y": 2, "a": 1, "b": 1}  # of one problem


def require_kind(value: Any, name: str, kind: type, convert: str) -> None:
    """Raise TypeError unless the value is of the library's own type."""
    if not isinstance(value, kind):
        raise TypeError(
            f"`{name}` must be of type {kind.__module__.partition('.')[0]}.{kind.__name__}; got "
            f"{type(value).__name__}. Pass `{convert}({name})`."
        )


def as_batch_size(shapes: Mapping[str, tuple[int, ...]]) -> int | None:
    """Return the number B of problems, or None for a single one, from the shapes of X, Y and of the weights given."""
    sizes: dict[str, int] = {}
    for name, shape in shapes.items():
        axes = _AXES[name]
        if len(shape) not in (axes, axes + 1):
            raise ValueError(f"`{name}` must have shape {_FORMS[name]}; got {shape}.")
        if len(shape) > axes:
            sizes[name] = shape[0]
    for name, points in (("a", "X"), ("b", "Y")):
        if name in shapes and shapes[name][-1] != shapes[points][-2]:
            raise ValueError(
                f"`{name}` must hold one weight for each of the {shapes[points][-2]} points of `{points}`; got "
                f"{shapes[name][-1]}."
            )
    if shapes["X"][-1] != shapes["Y"][-1]:
        raise ValueError(
            f"`X` and `Y` must have the same number of columns; got {shapes['X'][-1]} and {shapes['Y'][-1]}."
        )
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{size} in `{name}`" for name, size in sizes.items())
        raise ValueError(f"All batches must have the same size B; got {listed}.")
    if 0 in sizes.values():
        raise ValueError("A batch must hold at least one problem; got an empty one.")
    return next(iter(sizes.values()), None)


def require_single(shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise ValueError unless X, Y and the weights have the shapes of a single problem."""
    if as_batch_size(shapes) is not None:
        batches = " and ".join(f"`{name}` {shape}" for name, shape in shapes.items() if len(shape) > _AXES[name])
        raise ValueError(f"Arrays must be those of one problem, X (n, d) and Y (m, d); got {batches}. Use `jax.vmap`.")


def require_constant(name: str, *, traced: bool) -> None:
    """Raise TypeError where a setting is an argument of a function that JAX compiles."""
    if traced:
        raise TypeError(
            f"`{name}` must be a constant under `jax.jit`; got an argument of the compiled function. Pass "
            f"`static_argnames={name!r}` to `jax.jit`."
        )


def require_kept(given: NDArray[Any], kept: NDArray[Any], name: str) -> None:
    """Raise TypeError where JAX would keep an array in a type of fewer digits, or its integers rounded."""
    if given.dtype == kept.dtype or (given.dtype.kind in "iub" and np.array_equal(given, kept)):
        return
    raise TypeError(
        f"`{name}` must be of a type that JAX keeps; got {given.dtype}, which it would round to {kept.dtype}. Call "
        f'`jax.config.update("jax_enable_x64", True)`, or pass `{name}.astype("{kept.dtype}")`.'
    )
