"""The confidence interval for the distance of the populations, where there is one."""

from typing import TYPE_CHECKING

import numpy as np

from ._interrupt import interrupted, note_interrupt
from ._rows import Sample, part_of_each
from ._samples import Reading, Samples
from ._stderr import watched

if TYPE_CHECKING:
    from ..tables.population import Population

_MOST_ROWS = 1000  # a side where k > 1: each of 40 halves is a solve, together some 6 s at d = 50

_STOPPED = "stopped by Ctrl-C."


def population_of(samples: Samples, k: int, reading: Reading) -> "Population":
    """Return the interval for k directions, or why there is none."""
    from ..core.validate.inference import FEWEST_POINTS
    from ..inference.intervals import LARGEST_K, intervals
    from ..tables.population import LEVEL, Population

    if k > LARGEST_K:
        return Population(None, f"with more than {LARGEST_K} directions its bias exceeds its standard error. Try -k 1.")
    if min(_rows_of_mass(sample.weights, len(sample.points)) for sample in samples.each) < FEWEST_POINTS:
        return Population(None, f"it takes at least {FEWEST_POINTS} rows a side.")
    if interrupted():
        return Population(None, _STOPPED)
    X, Y = thinned = _thinned(samples, k, reading.seed).each
    if min(map(_units_of_mass, thinned)) < FEWEST_POINTS:
        return Population(None, f"it takes at least {FEWEST_POINTS} units a side.")
    try:
        weights = X.weights, Y.weights
        units = None if X.units is None or Y.units is None else (X.units, Y.units)
        bar = watched()
        found = intervals(X.points, Y.points, k, *weights, level=LEVEL, units=units, rng=reading.seed, progress=bar)
    except KeyboardInterrupt:  # the distance is known, and is not thrown away
        note_interrupt()
        return Population(None, _STOPPED)
    reason = found.reason
    return Population(found if reason is None else None, reason, (len(X.points), len(Y.points)))


def _units_of_mass(sample: Sample) -> int:
    """Return the number of units that have a row with mass; where none are named, each row is one."""
    units = sample.rows if sample.units is None else sample.units
    return len(set(units if sample.weights is None else units[sample.weights > 0.0]))


def _rows_of_mass(weights: "np.ndarray | None", rows: int) -> int:
    return rows if weights is None else int(np.count_nonzero(weights))


def _thinned(samples: Samples, k: int, seed: int) -> Samples:
    """Return the part of the rows that the interval is computed from."""
    from ..tables.thinning import most_rows

    most = most_rows(samples.d)
    return samples.part(part_of_each(samples.each, most if k == 1 else min(most, _MOST_ROWS), seed))
