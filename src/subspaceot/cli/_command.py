"""Commands whose help is printed like every other output."""

import click

from ._output import print_help


class PrintedHelp(click.Command):
    """A command that notices when its help cannot be written."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = print_help
        return option
