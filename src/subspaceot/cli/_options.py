"""Options that several commands share."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from ..core.validate.inference import LEAST_PERMUTATIONS
from ._cluster import cluster
from ._samples import Reading

Command = Callable[..., Any]


def dimension(ctx: click.Context, param: click.Parameter, value: str) -> int | str:
    """Return an integer of at least 1, or the word auto."""
    if value == "auto":
        return value
    try:
        k = int(value)
    except ValueError:
        k = 0
    if k < 1:
        raise click.BadParameter(f"must be an integer of at least 1, or auto; got {value!r}.", ctx, param)
    return k


def positive(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Return a finite number above 0, or None where the option was not given."""
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0.0 < number < float("inf"):
        raise click.BadParameter(f"must be a positive number, such as 1e-3; got {value!r}.", ctx, param)
    return number


def level(ctx: click.Context, param: click.Parameter, value: str) -> float:
    """Return a number strictly between 0 and 1."""
    try:
        alpha = float(value)
    except ValueError:
        alpha = 0.0
    if not 0.0 < alpha < 1.0:
        raise click.BadParameter(f"must be between 0 and 1, both excluded; got {value!r}.", ctx, param)
    return alpha


@dataclass(frozen=True, slots=True)
class Testing:
    """How to test: one field per option."""

    permutations: int
    alpha: float
    force: bool
    jobs: int


def testing(usual: int) -> Callable[[Command], Command]:
    """Add the options of a test with so many labellings by default; the command gets them as one `testing`."""

    def add(function: Command) -> Command:
        @labels
        @permutations(f"Random labellings to compare with; {usual} by default.", usual)
        @click.option(
            "--alpha",
            metavar="P",
            callback=level,
            default="0.05",
            help="A p up to this is a difference; 0.05 by default.",
        )
        @click.option("--force", is_flag=True, help="List columns and rows even where no difference is found.")
        @jobs_of("Processes for the test; 1 by default.")
        @wraps(function)
        def with_testing(*, permutations: int, alpha: float, force: bool, jobs: int, **rest: Any) -> Any:
            return function(testing=Testing(permutations, alpha, force, jobs), **rest)

        return with_testing

    return add


def alpha(function: Command) -> Command:
    """Add --alpha."""
    text = "The largest p that counts as a difference; 0.05 by default."
    return click.option("--alpha", metavar="P", callback=level, default="0.05", help=text)(function)


def permutations(text: str, usual: int | None = None) -> Callable[[Command], Command]:
    """Add --permutations."""
    kind = click.IntRange(LEAST_PERMUTATIONS)
    return click.option("--permutations", metavar="N", type=kind, default=usual, help=text)


def labels(function: Command) -> Command:
    """Add the options that name columns of labels, which `tables` reads."""
    units = "Column of units, such as donors, whose rows belong together: a test moves them as a whole."
    strata = "Column of strata, such as batches: a test compares within each of them."
    add_units = click.option("--units", metavar="COL", help=units)
    add_strata = click.option("--strata", metavar="COL", help=strata)
    return add_units(add_strata(function))


def tables(function: Command) -> Command:
    """Add the options that say how to read files; the command gets them as one `reading`."""

    @click.option("--value", metavar="V", multiple=True, help="A value of --group to compare; may be repeated.")
    @click.option("--weights", metavar="COL", help="Column of weights; by default all rows weigh the same.")
    @click.option("--standardize", is_flag=True, help="Divide each column by its standard deviation over all files.")
    @click.option("--drop-missing", is_flag=True, help="Leave out rows with missing values.")
    @click.option("--ignore", metavar="COL", multiple=True, help="Leave out a column, such as an id; may be repeated.")
    @click.option("--encode", is_flag=True, help="Turn text of at most 50 categories into indicator columns.")
    @click.option("--sample", metavar="N", type=click.IntRange(1), help="Use N random rows of each file.")
    @click.option("--seed", metavar="S", type=click.IntRange(0), default=0, help="Of random choices; 0 by default.")
    @click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster, which reads files larger than memory.")
    @click.option("--separator", metavar="CHAR", help="Between values of a text file, such as ';'.")
    @click.option("--decimal", metavar="CHAR", default=".", help="In numbers of a text file, such as ','.")
    @click.option("--no-header", is_flag=True, help="The text files have no line of column names.")
    @wraps(function)
    def with_reading(
        *,
        value: tuple[str, ...],
        weights: str | None,
        standardize: bool,
        drop_missing: bool,
        ignore: tuple[str, ...],
        encode: bool,
        sample: int | None,
        scheduler: str | None,
        seed: int,
        separator: str | None,
        decimal: str,
        no_header: bool,
        units: str | None = None,
        strata: str | None = None,
        **rest: Any,
    ) -> Any:
        reading = Reading(
            weights=weights,
            standardize=standardize,
            drop_missing=drop_missing,
            ignore=ignore,
            sample=sample,
            seed=seed,
            separator=separator,
            header=not no_header,
            units=units,
            strata=strata,
            encode=encode,
            decimal=decimal,
            values=value,
            scheduler=scheduler,
        )
        with cluster(scheduler):
            return function(reading=reading, **rest)

    return with_reading


def tol(default: float) -> Callable[[Command], Command]:
    """Add --tol."""
    text = f"Relative width of the interval to reach; {default:g} by default."
    return click.option("--tol", metavar="T", callback=positive, default=str(default), help=text)


def seconds(function: Command) -> Command:
    """Add --seconds."""
    text = "Stop the distance after so long, with the interval by then; of more than 25 million pairs of rows after 30."
    return click.option("--seconds", metavar="S", callback=positive, help=text)(function)


def file_option(name: str, text: str) -> Callable[[Command], Command]:
    """Add an option that names a file to write."""
    return click.option(name, metavar="FILE", type=click.Path(path_type=Path), help=text)


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
group = click.option("--group", metavar="COL", help="Split one file in two by this column, which holds two values.")


def jobs_of(text: str) -> Callable[[Command], Command]:
    """Add --jobs."""
    return click.option("--jobs", metavar="N", type=click.IntRange(1), default=1, help=text)


jobs = jobs_of("Pairs solved at the same time; 1 by default.")
