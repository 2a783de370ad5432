"""Lines on stderr, for people: remarks and errors."""

import contextlib
import sys

import click

from ..runtime.printable import printable


def print_stderr(text: str) -> None:
    """Print one line, control characters escaped. Where stderr is closed or full, nobody can be told."""
    with contextlib.suppress(OSError):
        click.echo(printable(text), err=True)


def show_cursor() -> None:
    """Make the cursor visible where stderr is a terminal."""
    if watched():
        with contextlib.suppress(OSError):
            sys.stderr.write("\x1b[?25h")
            sys.stderr.flush()


def watched() -> bool:
    """Return whether stderr is a terminal, so that somebody sees progress; it is None where it was closed."""
    return sys.stderr is not None and sys.stderr.isatty()
