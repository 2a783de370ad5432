"""Tests of samples from files."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core import validate
from ._errors import BadInput
from ._options import Testing
from ._rows import Sample, part_of_each
from ._samples import Reading, Samples
from ._stderr import watched
from ._tested import Tested

LABELLINGS = 199  # of a test beside other things; with MOST_DIRECTIONS and tables/thinning.py it takes 20 s at most
MOST_DIRECTIONS = 5  # that `compare` looks for: each takes one more test


def too_few(samples: Samples) -> str | None:
    """Return a sentence where a sample has too few rows for a test."""
    from ..inference.permutation import LEAST_POINTS

    for sample in samples.each:
        count = len(sample.points) if sample.weights is None else int(np.count_nonzero(sample.weights))
        if count < LEAST_POINTS:
            rows = "row" if count == 1 else "rows"
            weighty = "" if sample.weights is None else " of positive weight"
            return f"{sample.name} has {count} {rows}{weighty}, and a test needs at least {LEAST_POINTS}."
    return None


def permutation_test(
    samples: Samples, reading: Reading, testing: Testing, *, thin: bool = True, sequential: bool = False
) -> Tested:
    """Return the test of two samples; `thin` leaves out rows where all of them would take long."""
    from ..inference.permutation import two_sample_test

    part = _thinned(samples, reading) if thin else samples
    with _library_arguments(samples, reading):
        validate.require_attainable(testing.alpha, testing.permutations)
        test = two_sample_test(**_arguments(part, reading, testing), sequential=sequential)
    return Tested.of(test, part, samples, testing.alpha)


def permutation_tests(samples: Samples, reading: Reading, testing: Testing) -> Tested:
    """Return the test, and in how many directions the samples differ."""
    from ..inference.selection import select_k

    part = _thinned(samples, reading)
    with _library_arguments(samples, reading):
        selection = select_k(
            **_arguments(part, reading, testing), alpha=testing.alpha, max_k=min(samples.d, MOST_DIRECTIONS)
        )
    return Tested.of(selection.first, part, samples, testing.alpha, selection)


def _thinned(samples: Samples, reading: Reading) -> Samples:
    """Return the part of the rows that a test sees within reasonable time."""
    from ..tables.thinning import most_rows

    kept = part_of_each(samples.each, most_rows(samples.d), reading.seed)
    return samples.part(kept)


def _arguments(samples: Samples, reading: Reading, testing: Testing) -> dict[str, Any]:
    """Return the arguments that both tests have."""
    first, second = samples.each
    return {
        **pair_arguments(first, second),
        "n_permutations": testing.permutations,
        "rng": reading.seed,
        "n_jobs": testing.jobs,
        "progress": watched(),
    }


def pair_arguments(first: Sample, second: Sample) -> dict[str, Any]:
    """Return the two samples as arguments of a function of the library."""
    return {
        "X": first.points,
        "Y": second.points,
        "a": first.weights,
        "b": second.weights,
        "units": None if first.units is None else (first.units, second.units),
        "strata": None if first.strata is None else (first.strata, second.strata),
    }


@contextmanager
def _library_arguments(samples: Samples, reading: Reading) -> Iterator[None]:
    """Turn the library's sentences about its arguments into ones about options and files."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        for option, column in reading.labels.items():
            text = text.replace(f"`{option[2:]}`", f"{option} {column!r}", 1)
        words = {"`units`": "--units", "`strata`": "--strata", "`n_permutations`": "--permutations"}
        words |= {"`alpha`": "--alpha", "`X`": samples.each[0].name, "`Y`": samples.each[1].name}
        for argument, word in words.items():
            text = text.replace(argument, word)
        raise BadInput(text) from error
