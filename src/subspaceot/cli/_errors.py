"""Bad input, in one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

import click


class BadInput(click.ClickException):
    """What is wrong with what was given, and what to do about it; exit code 2."""

    exit_code = 2


@contextmanager
def library_errors() -> Iterator[None]:
    """Turn what a machine lacks, memory or a package, into a sentence; a mistake of ours keeps its traceback."""
    try:
        yield
    except MemoryError as error:
        sentence = str(error).split(" Use fewer points")[0] or "There is not enough memory for this many points."
        raise BadInput(f"{sentence} Add --sample N to use N random rows of each, such as --sample 2000.") from error
    except ImportError as error:
        if error.name is None:  # a sentence of ours, which names the extra to install
            raise BadInput(str(error)) from error
        package = error.name.partition(".")[0]
        if package == "subspaceot":
            raise
        raise BadInput(
            f"This command needs the package {package}. Install it with: pip install 'subspaceot[cli]'"
        ) from error


@contextmanager
def bad_input() -> Iterator[None]:
    """Turn the library's sentences about its arguments, and the system's about files, into ours."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        raise BadInput(f"{name}{error.strerror or error}.") from error
