"""How messages show what came."""

import reprlib

import numpy as np


def described(value: object) -> str:
    """Return a short description of an unexpected value and its type."""
    if value is None:
        return "None"
    return f"{' '.join(reprlib.repr(value).split())} ({type(value).__name__})"


def nonfinite(entry: np.float64) -> str:
    """Return the name of an entry that is not finite."""
    return "NaN" if np.isnan(entry) else str(entry)
