"""The answer that a result of Python's gives in words: the same that the command line prints."""

from typing import TYPE_CHECKING

import numpy as np

from ..core import validate
from ..core.potentials import is_large
from ..distances import wasserstein
from ..features import feature_names, scales
from ..inference.interval_result import Intervals
from ..inference.intervals import LARGEST_K
from ..inference.two_sample_result import TwoSampleTest
from ..matches import row_labels
from ..projected_result import ProjectedResult
from ..result import Result
from .comparison import Comparison
from .finding import Finding
from .population import Population
from .summary import Summary
from .tested import Tested, reason_for_k

if TYPE_CHECKING:
    from ..runtime.types import Array

ALPHA = 0.05  # of a test whose own level is not known


def comparison_of(
    result: Result,
    names: object = ("X", "Y"),
    *,
    W: object = None,
    test: object = None,
    intervals: object = None,
    advice: bool = True,
) -> Comparison:
    """Return all that is known of the samples of a result, its Wasserstein distance included where that is quick.

    `advice` says how to get what was not given.
    """
    first, second = validate.as_pair_of_names(names, "names")
    frame, columns = result.problem.frame, tuple(feature_names(result))
    known = None if W is None else validate.as_instance(W, "W", Result, "sot.wasserstein(X, Y)")
    tested = _tested(result, test, (first, second), columns)
    return Comparison(
        names=(first, second),
        rows=(row_labels(frame.index[0], frame.n), row_labels(frame.index[1], frame.m)),
        scales=tuple(scales(result).tolist()),
        summary=Summary(result, _wasserstein_of(result) if known is None else known, columns),
        reason="as asked for" if result.selection is None else reason_for_k(result.selection),
        tested=tested,
        untested="pass `test=sot.two_sample_test(X, Y)`." if advice else "no test was made.",
        population=_population(result, intervals, columns, advice),
        listed=tested is None or tested.found,
        unlisted="`features()` and `matches()` list them",
    )


def _wasserstein_of(result: Result) -> Result | None:
    """Return the Wasserstein distance of the same samples; None where it would take long, or is of another power."""
    frame = result.problem.frame
    if isinstance(result, ProjectedResult) and result.p != 2.0:
        return None
    if not isinstance(result, ProjectedResult) and result.problem.k == result.problem.r and result.reg is None:
        return result
    return None if is_large(frame.n, frame.m) else wasserstein(frame.X, frame.Y, *frame.weights)


def _tested(result: Result, test: object, names: tuple[str, str], columns: tuple[str, ...]) -> Tested | None:
    """Return what a test says: the given one, or the first of those that selected k."""
    selection = result.selection
    if test is None and selection is None:
        return None
    found = selection.first if test is None and selection is not None else test
    found = validate.as_instance(found, "test", TwoSampleTest, "sot.two_sample_test(X, Y)")
    alpha = ALPHA if selection is None else selection.alpha
    X, Y = result.problem.frame.massive
    a, b = result.problem.a, result.problem.b
    validate.require_same_samples(found.sizes, len(found.direction), (len(X), len(Y)), X.shape[1])
    finding = Finding(found, X, Y, _unless_uniform(a), _unless_uniform(b), columns, alpha)
    return Tested(finding, names, found.sizes, tuple(scales(result).tolist()), selection if test is None else None)


def _unless_uniform(weights: "Array") -> "Array | None":
    return None if np.all(weights == weights[0]) else weights


def _population(result: Result, intervals: object, columns: tuple[str, ...], advice: bool) -> Population:
    """Return what confidence intervals say of the populations, or how to get some."""
    if intervals is None and result.k > LARGEST_K:
        return Population(None, f"with more than {LARGEST_K} directions its bias exceeds its standard error.")
    if intervals is None:
        return Population(
            None, f"pass `intervals=sot.intervals(X, Y, k={result.k})`." if advice else "none was computed."
        )
    found = validate.as_instance(intervals, "intervals", Intervals, f"sot.intervals(X, Y, k={result.k})")
    validate.require_same_features(found.k, [row.name for row in found.features], result.k, columns)
    frame = result.problem.frame
    return Population(found if found.reason is None else None, found.reason, (frame.n, frame.m))
