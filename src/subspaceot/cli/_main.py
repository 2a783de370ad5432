"""The group of commands, each loaded when it is called, and the exit codes."""

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from .. import __version__
from ._command import PrintedHelp, remember_call
from ._errors import library_errors
from ._output import finish, print_line
from ._stderr import print_stderr

# Name, where it lives, and what the list of commands says: importing them all would make --help slow.
_COMMANDS = {
    "demo": ("demo:demo", "Compare two kinds of handwritten digits: a first look, no files needed."),
    "compare": ("compare:compare", "Compare two tables: is there a difference, how large is it, and where."),
    "test": ("two_sample:two_sample", "Test whether two tables may well come from one population."),
    "path": ("path:path", "Show how the distance grows with the number of directions k, and its elbow."),
    "pairwise": ("pairwise:pairwise", "Compare many tables with each other: table, heat map and map."),
    "text": ("text:text", "Compare texts through word vectors: table, map and word cloud."),
    "report": ("report:report", "Compare two tables and write the answer as a page to send to a colleague."),
    "reproduce": ("reproduce:reproduce", "Reproduce the figures and tables of the paper."),
}


class _LazyGroup(PrintedHelp, click.Group):
    """A group that imports a command when it is called, not when it is listed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        remember_call(ctx, args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f".{module}", __package__), attribute)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            with library_errors():
                code = super().invoke(ctx)
        except click.exceptions.Exit:
            finish()  # output that is lost weighs more than an interval wider than asked for
            raise
        finish()
        return code

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version and leave."""
    if wanted and not ctx.resilient_parsing:
        print_line(f"subspaceot, version {__version__}")
        finish()
        ctx.exit()


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all well, 1 did not converge (the interval is valid), 2 bad input, 3 output that could not "
    "be written (the answer is printed first), 130 stopped by Ctrl-C. `subspaceot COMMAND --help` shows an example of "
    "each command.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
def command() -> None:
    """Say how far apart two samples of points are, in which few directions, and which points go where.

    Every distance comes with an interval that provably contains the exact value. Start with: subspaceot demo
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of one call of the command; one sentence on stderr where something is wrong."""
    if sys.stdout is None:
        print_stderr("Error: Standard output is closed, so that no answer can be printed. Open it, or redirect it.")
        return 3
    try:
        given = None if arguments is None else list(arguments)
        code = command.main(args=given, prog_name="subspaceot", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except (click.Abort, KeyboardInterrupt):
        return 130
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else "subspaceot"
        print_stderr(f"Error: {error.format_message()} See {path} --help.")
        return 2
    except click.ClickException as error:
        error.show()
        return error.exit_code
