"""The smallest numbers that were seen so far, for compiled loops."""

from ...runtime.compiled import inlined
from ...runtime.types import Array, Indices


@inlined
def insert(value: float, place: int, values: Array, places: Indices) -> None:
    """Put `value` and its place into a list of the smallest, ascending, whose last entry goes."""
    at = len(values) - 1
    while at > 0 and values[at - 1] > value:
        values[at], places[at] = values[at - 1], places[at - 1]
        at -= 1
    values[at], places[at] = value, place
