"""Tests of samples from files."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import validate
from ._errors import BadInput
from ._options import Testing
from ._print import note
from ._rows import Sample, part_of_each
from ._samples import Reading, Samples
from ._stderr import watched

if TYPE_CHECKING:
    from ..inference.null_band import NullBand
    from ..inference.selection import SelectedK
    from ..inference.two_sample_result import TwoSampleTest
    from ..tables.pair_tests import PairTests
    from ..tables.tested import Tested

LABELLINGS = 199  # of a test beside other things; with MOST_DIRECTIONS and tables/thinning.py 15 s at most
BAND_TOL = 3e-2  # of the null band: a third of the time of 1e-2, and no value changes by more than 0.4 %
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


def require_enough(samples: Samples) -> None:
    """Refuse samples with too few rows for a test."""
    few = too_few(samples)
    if few is not None:
        raise BadInput(f"{few} Give more rows, or describe them with: subspaceot compare --no-test")


def pair_tests_of(samples: Samples, reading: Reading, permutations: int | None, alpha: float, jobs: int) -> "PairTests":
    """Return the tests of all pairs; not all rows are seen where they would take long."""
    from ..tables.pair_tests import enough_labellings, pair_tests

    require_enough(samples)
    count = enough_labellings(len(samples.each), alpha) if permutations is None else permutations
    part = _thinned(samples, reading)
    for sample, whole in zip(part.each, samples.each, strict=True):
        if len(sample.points) < len(whole.points):
            note(f"tested on {len(sample.points):,} of {len(whole.points):,} rows of {whole.name}, chosen at random")
    data = [(each.points, each.weights, each.units, each.strata) for each in part.each]
    with _library_arguments(("one file", "another"), reading):
        return pair_tests(data, alpha=alpha, n_permutations=count, rng=reading.seed, n_jobs=jobs, progress=watched())


def permutation_test(
    samples: Samples, reading: Reading, testing: Testing, *, thin: bool = True, sequential: bool = False
) -> "Tested":
    """Return the test of two samples; `thin` leaves out rows where all of them would take long."""
    from ..inference.permutation import two_sample_test

    part = _thinned(samples, reading) if thin else samples
    with _library_arguments(_names(samples), reading):
        validate.require_attainable(testing.alpha, testing.permutations)
        test = two_sample_test(**_arguments(part, reading, testing), sequential=sequential)
    return _tested(test, part, samples, testing.alpha)


def permutation_tests(samples: Samples, reading: Reading, testing: Testing) -> "Tested":
    """Return the test, and in how many directions the samples differ."""
    from ..inference.selection import select_k

    part = _thinned(samples, reading)
    with _library_arguments(_names(samples), reading):
        selection = select_k(
            **_arguments(part, reading, testing), alpha=testing.alpha, max_k=min(samples.d, MOST_DIRECTIONS)
        )
    return _tested(selection.first, part, samples, testing.alpha, selection)


def _tested(
    test: "TwoSampleTest", part: Samples, samples: Samples, alpha: float, selection: "SelectedK | None" = None
) -> "Tested":
    """Return what a test of a part of the samples says."""
    from ..tables.finding import Finding
    from ..tables.tested import Tested

    X, Y = part.each
    finding = Finding(test, X.points, Y.points, X.weights, Y.weights, samples.columns, alpha)
    n, m = (sample.of for sample in samples.each)
    return Tested(finding, _names(samples), (n, m), samples.scales, selection)


def null_band_of(samples: Samples, reading: Reading, ks: Sequence[int], permutations: int, jobs: int) -> "NullBand":
    """Return the null band of the curve over `ks`."""
    from ..inference.null_band import null_band

    require_enough(samples)
    with _library_arguments(_names(samples), reading):
        return null_band(
            **pair_arguments(*samples.each), k=ks, n_permutations=permutations, tol=BAND_TOL, rng=reading.seed,
            n_jobs=jobs, progress=watched(),
        )  # fmt: skip


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


def _names(samples: Samples) -> tuple[str, str]:
    first, second = samples.each
    return first.name, second.name


@contextmanager
def _library_arguments(names: tuple[str, str], reading: Reading) -> Iterator[None]:
    """Turn the library's sentences about its arguments into ones about options and files."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        for option, column in reading.labels.items():
            text = text.replace(f"`{option[2:]}`", f"{option} {column!r}", 1)
        words = {"`units`": "--units", "`strata`": "--strata", "`n_permutations`": "--permutations"}
        words |= {"`alpha`": "--alpha", "`X`": names[0], "`Y`": names[1]}
        for argument, word in words.items():
            text = text.replace(argument, word)
        raise BadInput(text) from error
