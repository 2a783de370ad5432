"""`subspaceot reproduce`: the paper's experiments, from rows to figures."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..experiments import Experiment

_EXAMPLE = """\b
Example:
  subspaceot reproduce hypercube-plan --preset smoke
"""


class BadInput(click.ClickException):
    """A mistake of the caller: one sentence and exit code 2."""

    exit_code = 2


def _list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the names of the experiments with what they show."""
    if not wanted or context.resilient_parsing:
        return
    from ..experiments import EXPERIMENTS

    width = max(map(len, EXPERIMENTS))
    for name, experiment in EXPERIMENTS.items():
        click.echo(f"{name:<{width}}  {experiment.shows}")
    context.exit()


@click.command(epilog=_EXAMPLE)
@click.argument("name")
@click.option(
    "--preset", type=click.Choice(["smoke", "paper"]), default="smoke", show_default=True, help="How much to run."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the results.  [default: reproduction/PRESET]",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes to use; changes no row. `timing` solves one at a time.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all random draws.")
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the experiments.")
@click.pass_context
def reproduce(context: click.Context, name: str, preset: str, out: Path | None, jobs: int, seed: int) -> None:
    """Reproduce the experiment NAME of the paper, or `all` of them.

    Each gets a folder with its rows (CSV), their times, a figure and a summary of two lines: what the paper says, and
    what was found. A run that was interrupted goes on where it stopped.
    """
    failed = 0
    for experiment in _chosen(name):
        folder = (out or Path("reproduction") / preset) / experiment.name
        failed += _reproduced(experiment, experiment.presets[preset], folder, jobs, seed)
    if failed:
        context.exit(1)


def _chosen(name: str) -> "list[Experiment]":
    """Return the experiments that a name stands for."""
    from ..experiments import EXPERIMENTS

    if name == "all":
        return list(EXPERIMENTS.values())
    if name not in EXPERIMENTS:
        raise BadInput(f"NAME must be one of all, {', '.join(EXPERIMENTS)}; got {name}.")
    return [EXPERIMENTS[name]]


def _reproduced(experiment: "Experiment", config: Any, folder: Path, jobs: int, seed: int) -> int:
    """Run one experiment, print its summary, and return how many rows missed their tolerance."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ..experiments import read_rows, report, unconverged
    from ..experiments import reproduce as run

    errors = Console(stderr=True)
    columns = (TextColumn(experiment.name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=errors, disable=not errors.is_terminal, transient=True) as bar:
            line = bar.add_task(experiment.name)
            for done, total in run(experiment, config, folder, seed=seed, jobs=jobs):
                bar.update(line, completed=done, total=total)
    except (ValueError, OSError) as error:
        raise BadInput(str(error)) from error
    summary = report(experiment, folder)
    click.echo(f"{experiment.name} -> {folder}\n{summary}")
    return unconverged(read_rows(folder))
