"""Numbers that choose: counts, tolerances, strengths, powers, shares."""

import math
import numbers

import numpy as np

from ...runtime.types import Array
from .arrays import as_float64
from .messages import described, nonfinite


def as_integer(value: object, name: str, *, usual: int = 2) -> int:
    """Return a Python or NumPy integer as an int. True is no count and 2.0 may be a rounding accident."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"`{name}` must be an integer; got {described(value)}. Pass an int such as {usual}.")
    return int(value)


def as_count(value: object, name: str) -> int:
    """Return an integer of at least 1."""
    count = as_integer(value, name)
    if count < 1:
        raise ValueError(f"`{name}` must be at least 1; got {count}. Pass a positive integer.")
    return count


def as_jobs(value: object, name: str = "n_jobs") -> int | None:
    """Return a number of workers, negative where it counts from the number of cores, or None for no wish."""
    if value is None:
        return None
    jobs = as_integer(value, name)
    if jobs == 0:
        raise ValueError(f"`{name}` must not be 0. Pass the number of workers, -1 for one per core, or None.")
    return jobs


def as_ranks(skip: object, upto: object) -> tuple[int, int]:
    """Return how many of the most frequent words to leave out, 0 or more, and the rank of the last one wanted."""
    last = as_count(upto, "upto")
    left_out = 0 if skip == 0 else as_count(skip, "skip")
    if last <= left_out:
        raise ValueError(f"`upto` must be larger than `skip`={left_out}, the words left out; got {last}.")
    return left_out, last


def as_real(value: object, name: str, *, usual: str = "1e-3") -> float:
    """Return a Python or NumPy real number as a float; integers too large for one become inf."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"`{name}` must be a real number; got {described(value)}. Pass a float such as {usual}.")
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


def as_positive(value: object, name: str) -> float:
    """Return a finite number above 0, such as `tol` or `reg`."""
    number = as_real(value, name)
    if not 0 < number < math.inf:
        raise ValueError(f"`{name}` must be positive and finite; got {number:g}. Pass a number such as 1e-3.")
    return number


def as_nonnegative(value: object, name: str) -> float:
    """Return a finite number of at least 0, such as a noise level."""
    number = as_real(value, name)
    if not 0 <= number < math.inf:
        raise ValueError(f"`{name}` must be finite and not negative; got {number:g}. Pass 0 or more.")
    return number


def as_fraction(value: object, name: str) -> float:
    """Return a real number between 0 and 1."""
    number = as_real(value, name)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"`{name}` must be between 0 and 1; got {number:g}.")
    return number


def as_power(value: object, name: str) -> float:
    """Return a finite number of at least 1, the power of a distance."""
    number = as_real(value, name)
    if not 1 <= number < math.inf:
        raise ValueError(f"`{name}` must be finite and at least 1; got {number:g}. Pass 2 for squared distances.")
    return number


def as_numbers(value: object, name: str) -> Array:
    """Return a list of finite numbers as a new array (q,)."""
    values = np.array(as_float64(value, name, "a list of numbers"))
    if values.ndim != 1:
        raise ValueError(f"`{name}` must be one list of numbers; got an array of shape {values.shape}.")
    if not np.isfinite(values).all():
        i = int(np.argmin(np.isfinite(values)))
        raise ValueError(f"`{name}` must be finite; got {nonfinite(values[i])} at position {i} (counted from 0).")
    return values
