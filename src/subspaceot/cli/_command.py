"""Commands whose help is printed like every other output, and which know how they were called."""

import shlex
from collections.abc import Sequence

import click

from ._output import print_help

_CALL = "subspaceot.call"  # its place in the `meta` of click's context, which all commands of a call share


def remember_call(ctx: click.Context, arguments: Sequence[str]) -> None:
    """Remember what the command was called with."""
    ctx.meta[_CALL] = shlex.join(["subspaceot", *arguments])


def the_call() -> str:
    """Return how the command was called, as a shell takes it."""
    call: str = click.get_current_context().meta[_CALL]
    return call


class PrintedHelp(click.Command):
    """A command that notices when its help cannot be written."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = print_help
        return option
