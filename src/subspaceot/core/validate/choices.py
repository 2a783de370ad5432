"""What is chosen and what is called: flags, names, random generators, callbacks."""

import numbers
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

import numpy as np

from .messages import described

Function = TypeVar("Function", bound=Callable[..., object])
Kind = TypeVar("Kind")


def as_flag(value: object, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be True or False; got {described(value)}.")
    return bool(value)


def as_text(value: object, name: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a text; got {described(value)}.")
    return value


def as_choice(value: object, name: str, choices: Collection[str]) -> str:
    """Return one of the names in `choices`."""
    names = ", ".join(repr(choice) for choice in choices)
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a string, one of {names}; got {described(value)}.")
    if value not in choices:
        raise ValueError(f"`{name}` must be one of {names}; got {value!r}.")
    return value


def as_instance(value: object, name: str, kind: type[Kind], call: str) -> Kind:
    """Return what a function of ours has returned; `call` says how to get one."""
    if not isinstance(value, kind):
        raise TypeError(f"`{name}` must be what `{call}` returns; got {described(value)}.")
    return value


def as_pair_of_names(value: object, name: str) -> tuple[str, str]:
    """Return what both samples are called."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        raise TypeError(f"`{name}` must be two names, those of `X` and of `Y`; got {described(value)}.")
    return str(value[0]), str(value[1])


def as_labels(value: object, name: str, count: int) -> list[str]:
    """Return what so many things are called, their numbers from 0 on for None."""
    if value is None:
        return [str(at) for at in range(count)]
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"`{name}` must be {count} names, or None for their numbers; got {described(value)}.")
    labels = list(map(str, value))
    if len(labels) != count:
        raise ValueError(f"`{name}` must be {count} names, one for each measure; got {len(labels)}.")
    return labels


def as_column(value: object, keys: Collection[str], what: str) -> str:
    """Return one of the keys of a table; a KeyError says which there are."""
    if isinstance(value, str) and value in keys:
        return value
    raise KeyError(f"There is no {what} {value!r}; there are {', '.join(map(repr, keys))}.")


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
