"""What ends a command early, in one sentence."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from ..runtime.printable import printable
from ._stderr import print_stderr

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CommandError(click.ClickException):
    """An error whose message may quote data: control characters are escaped."""

    def format_message(self) -> str:
        """Return the message as it is shown."""
        return printable(self.message)

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it on stderr."""
        print_stderr(f"Error: {self.message}")


class BadInput(CommandError):
    """What is wrong with what was given, and what to do about it."""

    exit_code = 2


class OutputError(CommandError):
    """What could not be written, and why."""

    exit_code = 3


@contextmanager
def library_errors() -> Iterator[None]:
    """Turn what a machine lacks, memory, disk space or a package, into a sentence; our mistakes keep tracebacks."""
    try:
        yield
    except MemoryError as error:
        sentence = str(error).split(" Use fewer points")[0] or "There is not enough memory for these data."
        raise BadInput(f"{sentence} Close other programs, or use a machine with more memory.") from error
    except ImportError as error:
        if error.name is None:  # a sentence of ours, which names the extra to install
            raise BadInput(str(error)) from error
        package = error.name.partition(".")[0]
        if package == "subspaceot":
            raise
        raise BadInput(
            f"This command needs the package {package}. Install it with: pip install 'subspaceot[cli]'"
        ) from error
    except OSError as error:
        if error.errno not in _DISK_FULL:
            raise
        raise OutputError(f"{_named(error)}{error.strerror}. Free some disk space, then call again.") from error


@contextmanager
def bad_input() -> Iterator[None]:
    """Turn the library's sentences about its arguments, and the system's about files, into ours."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        if error.errno in _DISK_FULL:
            raise
        raise BadInput(f"{_named(error)}{error.strerror or error}.") from error


def _named(error: OSError) -> str:
    return f"{error.filename}: " if error.filename else ""
