"""`subspaceot reproduce`: the paper's experiments, from rows to figures."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import _options
from ._command import PrintedHelp
from ._errors import BadInput, bad_input
from ._output import finish, print_line
from ._stderr import print_stderr, watched
from ._write import save

if TYPE_CHECKING:
    from ..experiments import Experiment

_EXAMPLE = """\b
Examples:
  subspaceot reproduce hypercube-plan
  subspaceot reproduce all --preset paper --jobs 2
  subspaceot reproduce text --scripts plays/ --vectors glove.vec.gz
"""


def _list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the names of the experiments with what they show."""
    if not wanted or context.resilient_parsing:
        return
    from ..experiments import EXPERIMENTS

    width = max(map(len, EXPERIMENTS))
    for name, experiment in EXPERIMENTS.items():
        print_line(f"{name:<{width}}  {experiment.shows}")
    finish()
    context.exit()


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.argument("name", metavar="NAME|all")
@click.option(
    "--preset", type=click.Choice(["smoke", "paper"]), default="smoke", show_default=True, help="How much to run."
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the results; by default reproduction/PRESET.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes to use; they change no row. `timing` always solves one problem at a time.",
)
@click.option("--seed", metavar="S", type=click.IntRange(0), default=0, show_default=True, help="Of all random draws.")
@click.option(
    "--scripts",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="For `text`: a folder of texts, files that end in .txt.",
)
@click.option(
    "--vectors",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="For `text`: word vectors in fastText's text format, .gz or not, most frequent word first.",
)
@click.option(
    "--reg", metavar="GAMMA", callback=_options.positive, help="For `text`: run the paper's Algorithm 2, such as 0.1."
)
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the experiments.")
@click.pass_context
def reproduce(
    context: click.Context,
    name: str,
    preset: str,
    out: Path | None,
    jobs: int,
    seed: int,
    scripts: Path | None,
    vectors: Path | None,
    reg: float | None,
) -> None:
    """Reproduce the experiment NAME of the paper, or all of them.

    Each gets a folder with its rows (CSV), their times, a figure and a summary of two lines: what the paper says, and
    what was found. A run that was interrupted goes on where it stopped.
    """
    out = out or Path("reproduction") / preset
    failed = 0
    for experiment in _chosen(name, scripts, vectors, reg):
        config, folder = experiment.presets[preset], out / experiment.name
        if experiment.name == "text":
            from ..experiments.text import with_files

            assert scripts is not None
            assert vectors is not None
            if not vectors.is_file():
                raise BadInput(
                    f"--vectors must be a file that can be read more than once; {vectors} is a pipe or device."
                )
            with bad_input():
                config = with_files(config, scripts, vectors, reg)
            # Both tables of the same texts, regularised and exact, have a place.
            folder = folder if reg is None else out / f"text-reg-{reg:g}"
        failed += _reproduced(experiment, config, folder, jobs, seed)
    if failed:
        context.exit(1)


def _chosen(name: str, scripts: Path | None, vectors: Path | None, reg: float | None) -> "list[Experiment]":
    """Return the experiments that a name stands for; `text` only with its files."""
    from ..experiments import EXPERIMENTS

    if name not in ("all", *EXPERIMENTS):
        raise BadInput(f"NAME must be one of all, {', '.join(EXPERIMENTS)}; got {name}.")
    given = scripts is not None and vectors is not None
    wanted = scripts is not None or vectors is not None or reg is not None
    if wanted and name not in ("all", "text"):
        raise BadInput(f"--scripts, --vectors and --reg are for text; {name} has no use for them. Leave them out.")
    if (wanted or name == "text") and not given:
        raise BadInput("text needs both --scripts DIR, a folder of texts, and --vectors FILE, their word vectors.")
    if name != "all":
        return [EXPERIMENTS[name]]
    if not given:
        print_stderr("text is left out: it needs --scripts DIR and --vectors FILE.")
    return [experiment for experiment in EXPERIMENTS.values() if given or experiment.name != "text"]


def _reproduced(experiment: "Experiment", config: Any, folder: Path, jobs: int, seed: int) -> int:
    """Run one experiment, print its summary, and return how many rows missed their tolerance."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ..experiments import read_rows, report_files, summary_lines, unconverged
    from ..experiments import reproduce as run

    columns = (TextColumn(experiment.name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), disable=not watched(), transient=True)
    with bad_input(), bar:
        line = bar.add_task(experiment.name)
        for done, total in run(experiment, config, folder, seed=seed, jobs=jobs):
            bar.update(line, completed=done, total=total)
    rows = read_rows(folder)
    for text in (f"{experiment.name} -> {folder}", *summary_lines(experiment, rows), ""):
        print_line(text)
    for path, content in report_files(experiment, rows, folder):
        save(path, content)
    return unconverged(rows)
