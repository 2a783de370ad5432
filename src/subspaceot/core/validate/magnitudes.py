"""How large and how small coordinates may be, so that powers of distances neither overflow nor underflow."""

import math

import numpy as np

from ...runtime.types import Array

LARGEST_VALUE = 1e150  # of a coordinate: squared distances stay below 1e308 in every dimension that fits in memory
SMALLEST_RANGE = 1e-140  # of centred coordinates: squared distances of points that are all closer underflow
LARGEST_EXPONENT = 300.0  # p-th powers of distances stay between 1e-300 and 1e300


def require_no_overflow(points: Array, name: str) -> None:
    """Raise ValueError if squared distances of points (n, d) as large as these overflow."""
    largest = max(points.max(), -points.min())
    if largest > LARGEST_VALUE:
        row = int(np.argmax(np.abs(points).max(axis=1)))
        raise ValueError(
            f"`{name}` must not hold values beyond {LARGEST_VALUE:g}, whose squared distances overflow; got "
            f"{largest:g} in row {row} (counted from 0). Rescale all points by one factor first."
        )


def require_visible(size: float, X: Array, Y: Array) -> None:
    """Raise ValueError if points, centred, differ by so little that their squared distances underflow."""
    if size < SMALLEST_RANGE and (X.any() or Y.any()):
        raise ValueError(
            f"`X` and `Y` must differ by more than {SMALLEST_RANGE:g} somewhere, or squared distances underflow; got "
            f"points within {size:.3g} of each other. Rescale all points by one factor first."
        )


def require_representable(p: float, scale: float, X: Array, Y: Array) -> None:
    """Raise ValueError if p-th powers of distances overflow or underflow, in the caller's units or in ours.

    `X` and `Y` are centred points in units of `scale`.
    """
    reach = 4.0 * max(float(np.abs(Z).max()) * math.sqrt(Z.shape[1]) for Z in (X, Y))
    if reach == 0.0:
        return
    largest, unit = p * math.log10(reach * max(scale, 1.0)), p * math.log10(scale)
    if largest > LARGEST_EXPONENT or abs(unit) > LARGEST_EXPONENT:
        raise ValueError(
            f"`p` must leave the p-th powers of distances between 1e-300 and 1e300; got p={p:g} for distances up to "
            f"about {0.5 * reach * scale:.3g}. Rescale all points by one factor, or choose a smaller `p`."
        )
