"""Settings that must fit each other: method and regularisation, metric and the settings of `srw`.

What a solver takes comes as plain values, so that nothing here knows one.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from .choices import as_choice
from .scalars import as_positive

Solver = TypeVar("Solver")


def as_solver(method: Any, by_name: Mapping[str, Solver]) -> Solver:
    """Return the solver of this name, or `method` itself where it is an object that makes steps."""
    if isinstance(method, str):
        return by_name[as_choice(method, "method", by_name)]
    if isinstance(method, type) or not hasattr(method, "steps"):
        raise TypeError(
            f"`method` must be one of {', '.join(map(repr, by_name))} or a solver such as "
            f"`subspaceot.solvers.FrankWolfe()`; got {method!r}."
        )
    solver: Solver = method
    return solver


def as_reg(value: object, method: Any, *, taken: bool, needed: bool) -> float | None:
    """Return the strength of the regularisation, or None, as a method may take or need it."""
    if value is None:
        if needed:
            raise ValueError(
                f"`reg` must be a positive number for `method={method!r}`; got None. Try `reg=0.1`, in squared data "
                'units, or `method="auto"`, which needs none.'
            )
        return None
    reg = as_positive(value, "reg")
    if not taken:
        raise ValueError(
            f"`reg` must be left out for `method={method!r}`, which solves the exact problem only; got {reg:g}. "
            'Try `method="auto"`.'
        )
    return reg


def require_defaults(metric: str, reg: Any, method: Any) -> None:
    """Raise ValueError for settings of `srw` that another metric would have to ignore."""
    if metric == "srw":
        return
    if reg is not None:
        raise ValueError(f'`reg` must be left out for `metric="{metric}"`, which is not regularised; got {reg!r}.')
    if not (isinstance(method, str) and method == "auto"):
        raise ValueError(
            f'`method` must be left at "auto" for `metric="{metric}"`, which has one solver only; got {method!r}.'
        )
