"""Matrices with rules of their own: soft projectors, plans, tables of distances."""

from typing import Any

import numpy as np

from ...runtime.types import Array
from .arrays import as_float64
from .messages import nonfinite
from .points import as_points

# How far a caller's soft projector may be from the set, in each of symmetry, trace and eigenvalues.
PROJECTOR_TOLERANCE = 1e-6


def as_soft_projector(value: object, d: int, k: int, name: str) -> Array:
    """Return a new symmetric array (d, d) with eigenvalues in [0, 1] and trace k, all within 1e-6."""
    omega = as_float64(value, name, f"a ({d}, {d}) array of numbers")
    if omega.shape != (d, d):
        raise ValueError(
            f"`{name}` must have shape ({d}, {d}), as the points have d={d} coordinates; got shape "
            f"{omega.shape}. Pass a symmetric matrix with eigenvalues in [0, 1] and trace {k}."
        )
    if not np.isfinite(omega).all():
        row, column = np.argwhere(~np.isfinite(omega))[0]
        raise ValueError(
            f"`{name}` must be finite; got {nonfinite(omega[row, column])} in row {row} (counted from 0), "
            f"column {column}. Pass a symmetric matrix with eigenvalues in [0, 1] and trace {k}."
        )
    with np.errstate(over="ignore"):  # an infinite asymmetry or trace is refused like any other
        asymmetry = np.abs(omega - omega.T).max()
        symmetric: Array = omega / 2 + omega.T / 2
        trace = symmetric.trace()
    fix = f"Use subspaceot.fantope.project({name}, {k})."
    if asymmetry > PROJECTOR_TOLERANCE:
        raise ValueError(
            f"`{name}` must be symmetric; got entries that differ by {asymmetry:.3g} from their mirror "
            f"image. Pass ({name} + {name}.T) / 2. Then, if needed: {fix}"
        )
    if not abs(trace - k) <= PROJECTOR_TOLERANCE:
        raise ValueError(f"`{name}` must have trace k={k}; got trace {trace:.9g}. {fix}")
    smallest, largest = np.linalg.eigvalsh(symmetric)[[0, -1]]  # of the ascending eigenvalues
    if smallest < -PROJECTOR_TOLERANCE or largest > 1 + PROJECTOR_TOLERANCE:
        raise ValueError(
            f"`{name}` must have eigenvalues between 0 and 1; got a smallest of {smallest:.9g} and a "
            f"largest of {largest:.9g}. {fix}"
        )
    return symmetric


def as_plan(value: Any, n: int, m: int) -> Any:
    """Return a dense or sparse (n, m) array of masses, none of them negative."""
    plan = value if hasattr(value, "tocsr") else as_points(value, "plan")
    if plan.shape != (n, m):
        raise ValueError(f"`plan` must have shape (n, m) = ({n}, {m}) to go with `X` and `Y`; got {plan.shape}.")
    if plan.min() < 0.0:
        raise ValueError(f"`plan` must not be negative; its smallest entry is {plan.min()}.")
    return plan


def as_distances(value: object, name: str) -> Array:
    """Return a symmetric array (N, N) of distances, none of them negative, with zeros on its diagonal."""
    D = as_points(value, name)
    if D.shape[0] != D.shape[1]:
        raise ValueError(f"`{name}` must be a square table of distances; got shape {D.shape}.")
    if D.min() < 0.0:
        raise ValueError(f"`{name}` must not hold negative distances; its smallest entry is {D.min():g}.")
    if not np.allclose(D, D.T, rtol=1e-9, atol=0.0) or np.any(np.diag(D) != 0.0):
        raise ValueError(f"`{name}` must be symmetric with zeros on its diagonal. Pass the distances of all pairs.")
    return D
