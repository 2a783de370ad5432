"""Options that several commands share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

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


def tables(function: Command) -> Command:
    """Add the options that say how to read files; the command gets them as one `reading`."""

    @click.option("--weights", metavar="COL", help="Column of weights; by default all rows weigh the same.")
    @click.option("--standardize", is_flag=True, help="Divide each column by its standard deviation over all files.")
    @click.option("--drop-missing", is_flag=True, help="Leave out rows with missing values.")
    @click.option("--ignore", metavar="COL", multiple=True, help="Leave out a column, such as an id; may be repeated.")
    @click.option("--sample", metavar="N", type=click.IntRange(1), help="Use N random rows of each file.")
    @click.option("--seed", metavar="S", type=click.IntRange(0), default=0, help="Of the random rows; 0 by default.")
    @click.option("--separator", metavar="CHAR", help="Between values of a text file, such as ';'.")
    @click.option("--no-header", is_flag=True, help="The text files have no line of column names.")
    @wraps(function)
    def with_reading(
        *,
        weights: str | None,
        standardize: bool,
        drop_missing: bool,
        ignore: tuple[str, ...],
        sample: int | None,
        seed: int,
        separator: str | None,
        no_header: bool,
        **rest: Any,
    ) -> Any:
        reading = Reading(weights, standardize, drop_missing, ignore, sample, seed, separator, not no_header)
        return function(reading=reading, **rest)

    return with_reading


def tol(default: float) -> Callable[[Command], Command]:
    """Add --tol."""
    text = f"Relative width of the interval to reach; {default:g} by default."
    return click.option("--tol", metavar="T", callback=positive, default=str(default), help=text)


def file_option(name: str, text: str) -> Callable[[Command], Command]:
    """Add an option that names a file to write."""
    return click.option(name, metavar="FILE", type=click.Path(path_type=Path), help=text)


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
group = click.option("--group", metavar="COL", help="Split one file in two by this column, which holds two values.")
jobs = click.option(
    "--jobs", metavar="N", type=click.IntRange(1), default=1, help="Pairs solved at the same time; 1 by default."
)
