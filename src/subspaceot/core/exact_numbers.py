"""Numbers of every type as float64; what float64 cannot hold exactly is refused."""

import math
import numbers
import reprlib
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runtime.types import Array

SAFE_INTEGER = 2**53  # float64 holds every integer up to here, and some beyond


def read_array(value: Any, name: str, expected: str, *, are_points: bool) -> Array:
    """Return whatever NumPy reads as real numbers as a C-ordered float64 array, masked entries as NaN.

    `expected` completes "must be"; `are_points` chooses the advice for integers that are too large.
    """
    try:
        array = np.asarray(value)
        if isinstance(value, list | tuple) and array.dtype == np.float64 and np.any(np.abs(array) >= SAFE_INTEGER):
            array = np.asarray(value, dtype=object)  # NumPy rounds integers that stand beside floats
    except ValueError as error:
        raise ValueError(
            f"`{name}` must be {expected}; got rows of different lengths. Give every row the same length."
        ) from error
    _require_numeric(array, value, name, expected)
    floats = nearest(array)
    if isinstance(value, np.ma.MaskedArray):  # np.asarray shows what lies under the mask; it is missing data
        return np.where(np.ma.getmaskarray(value), np.nan, floats)
    rounded = first_rounded(array, floats)
    if rounded is not None:
        place = f"at position {', '.join(map(str, rounded))} (counted from 0)"
        if len(rounded) == 2:
            place = f"in row {rounded[0]} (counted from 0), column {rounded[1]}"
        raise rounding_error(name, array[rounded], place, are_points=are_points)
    return floats


def rounding_error(name: str, entry: Any, place: str, *, are_points: bool) -> ValueError:
    """Return the error for a number that float64 cannot hold exactly."""
    integer = isinstance(entry, numbers.Integral)
    shown = reprlib.repr(int(entry)) if integer else str(entry)[:40]
    fix = f"Round on purpose if that does no harm, for example with numpy.asarray({name}, dtype=float)."
    if integer and are_points:
        fix = "Subtract one offset from this column in all samples first, or leave it out if it is an identifier."
    return ValueError(
        f"`{name}` must hold numbers that float64 represents exactly; got {shown} {place}, which would be rounded. "
        f"{fix}"
    )


def is_numeric(array: NDArray[Any]) -> bool:
    """Return whether the entries are real numbers: booleans, integers, floats, or Python objects that are such."""
    if array.dtype.kind == "O":
        return all(_is_real(entry) for entry in array.flat)
    return array.dtype.kind in "biuf"


def nearest(array: NDArray[Any]) -> Array:
    """Return the nearest float64 of each number as a C-ordered array; inf for what is too large."""
    if array.dtype.kind == "O":
        return np.array([_nearest(entry) for entry in array.flat], dtype=np.float64).reshape(array.shape)
    with np.errstate(over="ignore"):
        return array.astype(np.float64, order="C", copy=False)


def first_rounded(array: NDArray[Any], floats: Array) -> tuple[int, ...] | None:
    """Return the index of the first number that differs from its float64 in `floats`; NaN and inf do not count."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "O":
        pairs = zip(array.flat, floats.flat, strict=True)
        rounded = np.fromiter((not _equal(*pair) for pair in pairs), bool, array.size).reshape(array.shape)
    elif kind in "iu" and size == 8:
        if array.size == 0 or (array.min() >= -SAFE_INTEGER and array.max() <= SAFE_INTEGER):
            return None
        rounded = _odd_part(array) > SAFE_INTEGER
    elif kind == "f" and size > 8:
        rounded = np.isfinite(floats) & (floats != array)
    else:  # float64 itself, and smaller types
        return None
    return tuple(int(i) for i in np.argwhere(rounded)[0]) if rounded.any() else None


def _require_numeric(array: NDArray[Any], value: object, name: str, expected: str) -> None:
    """Raise TypeError unless the entries are real numbers."""
    kind = array.dtype.kind
    if kind == "c":
        raise TypeError(
            f"`{name}` must hold real numbers; got complex ones ({array.dtype}). Pass the real and imaginary "
            f"parts as separate columns, or `{name}.real`."
        )
    if kind == "M":
        raise TypeError(
            f"`{name}` must be {expected}; got entries of type {array.dtype}. Convert them first, for example to "
            f"seconds since one `start` for all samples: `({name} - start) / numpy.timedelta64(1, 's')`."
        )
    if kind == "m":
        raise TypeError(
            f"`{name}` must be {expected}; got entries of type {array.dtype}. Convert them first, for example to "
            f"seconds: `{name} / numpy.timedelta64(1, 's')`."
        )
    if not is_numeric(array):
        raise TypeError(
            f"`{name}` must be {expected}; got {type(value).__name__} with entries of type {array.dtype}. "
            f"Convert the entries to numbers first, for example with numpy.asarray({name}, dtype=float)."
        )


def _odd_part(integers: NDArray[Any]) -> NDArray[np.uint64]:
    """Return |i| without its factors of two: what has to fit into the 53 bits of a significand."""
    with np.errstate(over="ignore"):  # the absolute value of the smallest int64 wraps to itself, and ~0 + 1 to 0
        size = np.abs(integers).astype(np.uint64)
        lowest_bit = size & (~size + np.uint64(1))
    odd: NDArray[np.uint64] = size // np.maximum(lowest_bit, np.uint64(1))
    return odd


def _is_real(entry: object) -> bool:
    # NumPy calls its timedelta64 an integer.
    return isinstance(entry, numbers.Real | Decimal | np.bool_) and not isinstance(entry, np.timedelta64)


def _nearest(entry: Any) -> float:
    if isinstance(entry, Decimal) and entry.is_nan():  # a signalling one does not convert
        return math.nan
    try:
        return float(entry)
    except OverflowError:
        return -math.inf if entry < 0 else math.inf


def _equal(entry: Any, number: float) -> bool:
    if not math.isfinite(number):
        return True
    # Python compares its own numbers exactly; NumPy would round its integers first.
    return bool((int(entry) if isinstance(entry, numbers.Integral) else entry) == float(number))
