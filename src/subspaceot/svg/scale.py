"""From numbers to places in a picture."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 5.0, 10.0)  # what a step between ticks may be, times a power of ten


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high`, laid out from the place `start` to the place `stop` in pixels."""

    low: float
    high: float
    start: float
    stop: float

    @classmethod
    def of(cls, values: Iterable[float], start: float, stop: float) -> "Scale":
        """Return the scale that just holds the values, of which there is at least one; equal ones in its middle."""
        known = list(values)
        low, high = min(known), max(known)
        if low == high:
            reach = 0.5 * abs(low) or 0.5
            low, high = low - reach, high + reach
        return cls(low, high, start, stop)

    def at(self, value: float) -> float:
        """Return the place of a number.

        Examples
        --------
        >>> Scale(0.0, 2.0, 100.0, 0.0).at(0.5)
        75.0
        """
        return self.start + (value - self.low) / (self.high - self.low) * (self.stop - self.start)

    def ticks(self, most: int = 5) -> list[tuple[float, str]]:
        """Return round numbers within the scale, `most` of them at most, and how to write them.

        Examples
        --------
        >>> Scale(0.0, 1.0, 0.0, 1.0).ticks(3)
        [(0.0, '0'), (0.5, '0.5'), (1.0, '1')]
        """
        least = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(least))
        steps = (multiple * power for multiple in (*_STEPS, 20.0))
        for step in steps:
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            if last - first + 1 <= most:
                break
        return [(at * step, f"{at * step:.6g}") for at in range(first, last + 1)]
