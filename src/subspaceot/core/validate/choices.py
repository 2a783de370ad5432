"""What is chosen and what is called: flags, names, random generators, callbacks."""

import numbers
from collections.abc import Callable, Collection
from typing import TypeVar

import numpy as np

from .messages import described

Function = TypeVar("Function", bound=Callable[..., object])


def as_flag(value: object, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be True or False; got {described(value)}.")
    return bool(value)


def as_choice(value: object, name: str, choices: Collection[str]) -> str:
    """Return one of the names in `choices`."""
    names = ", ".join(repr(choice) for choice in choices)
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a string, one of {names}; got {described(value)}.")
    if value not in choices:
        raise ValueError(f"`{name}` must be one of {names}; got {value!r}.")
    return value


def as_rng(value: object, name: str = "rng") -> np.random.Generator:
    """Return a random generator: the caller's own, or a new one from an integer seed."""
    if isinstance(value, np.random.Generator):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(
            f"`{name}` must be a numpy.random.Generator or an integer seed; got {described(value)}. Pass a seed "
            f"such as 0, or numpy.random.default_rng(0)."
        )
    if value < 0:
        raise ValueError(f"`{name}` must not be a negative seed; got {value}. Pass a seed such as 0.")
    return np.random.default_rng(int(value))


def as_callback(value: Function | None, name: str = "callback") -> Function | None:
    """Return a function of one argument, or None."""
    if value is not None and not callable(value):
        raise TypeError(f"`{name}` must be a function of one argument; got {type(value).__name__}.")
    return value
