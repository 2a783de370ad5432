"""What `compare` and `report` share: their options, and the answer."""

from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from . import _options
from ._options import Command
from ._population import population_of
from ._samples import Reading, Samples, load_pair
from ._solve import compared, compared_at_elbow, require_k
from ._testing import LABELLINGS, permutation_test, permutation_tests, too_few

if TYPE_CHECKING:
    from ..path.curve import Path
    from ..tables.comparison import Comparison


@dataclass(frozen=True, slots=True)
class Asked:
    """What two tables are asked: one field per option, or group of options."""

    files: tuple[str, ...]
    k: int | str
    group: str | None
    reading: Reading
    testing: _options.Testing
    no_test: bool
    tol: float
    seconds: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The samples, the comparison, and the curve over k where it was needed for that."""

    samples: Samples
    comparison: "Comparison"
    curve: "Path | None"


def comparison_options(function: Command) -> Command:
    """Add the files and the options of a comparison; the command gets them as one `asked`."""

    @click.argument("files", nargs=-1, required=True, metavar="A [B]")
    @click.option(
        "-k",
        metavar="K|auto",
        callback=_options.dimension,
        default="auto",
        help="Number of directions; auto by default.",
    )
    @_options.group
    @_options.tables
    @_options.testing(LABELLINGS)
    @click.option("--no-test", is_flag=True, help="Describe these rows alone; -k auto is then the elbow.")
    @_options.tol(1e-3)
    @_options.seconds
    @wraps(function)
    def with_asked(**options: Any) -> Any:
        asked = Asked(**{field.name: options.pop(field.name) for field in fields(Asked)})
        return function(asked=asked, **options)

    return with_asked


def answered(asked: Asked) -> Answer:
    """Return the answer; the test comes first, as it says for how many directions the rest is asked."""
    from ..tables.comparison import Comparison
    from ..tables.population import Population

    k, reading, testing, effort = asked.k, asked.reading, asked.testing, (asked.tol, asked.seconds)
    samples = load_pair(asked.files, asked.group, reading)
    if isinstance(k, int):
        require_k(k, samples.d)
    untested = "--no-test" if asked.no_test else too_few(samples)
    test, curve = None, None
    if untested is None:
        test = (permutation_test if isinstance(k, int) else permutation_tests)(samples, reading, testing)
    if isinstance(k, int):
        summary, reason = compared(samples, k, *effort), "as asked for"
    elif test is None:
        summary, reason, curve = compared_at_elbow(samples, *effort, reading.seed)
    else:
        summary, reason = compared(samples, max(1, test.k), *effort), test.reason
    if test is not None and test.found:
        population = population_of(samples, summary.result.k, reading)
    else:
        population = Population(None, "not tested." if test is None else "without a difference W may be 0.")
    first, second = samples.each
    comparison = Comparison(
        names=(first.name, second.name),
        rows=(first.rows, second.rows),
        scales=samples.scales,
        summary=summary,
        reason=reason,
        tested=test,
        untested=untested,
        population=population,
        listed=test is None or test.found or testing.force,
        unlisted="--force lists them",
    )
    return Answer(samples, comparison, curve)
