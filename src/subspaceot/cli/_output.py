"""Text on stdout: control characters escaped, and what cannot be written remembered.

A command prints its answer first and writes its files then. Whatever fails is collected, the rest is still done, and
`finish` ends the command with exit code 3 and one sentence.
"""

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import click

from ..runtime.printable import printable, printable_json
from ._errors import OutputError

_STATE = "subspaceot.output"  # its place in the `meta` of click's context, which all commands of a call share


@dataclass(slots=True)
class _Output:
    """What happened to the output of one call so far."""

    open: bool = True  # stdout still takes text
    failures: list[str] = field(default_factory=list)  # clauses, for one sentence


def print_line(text: str = "", *, bold: bool = False) -> None:
    """Print one line of the answer; what is not printable in it is escaped."""
    _write(click.style(printable(text), bold=True) if bold else printable(text))


def print_json(content: Mapping[str, Any]) -> None:
    """Print one object; a number that JSON cannot hold would be a mistake of ours."""
    text = printable_json(json.dumps(content, ensure_ascii=False, allow_nan=False))
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        text = json.dumps(content, allow_nan=False)
    _write(text)


def print_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the help of a command and leave it."""
    if wanted and not ctx.resilient_parsing:
        for line in ctx.get_help().split("\n"):
            print_line(line)
        finish()
        ctx.exit()


def not_written(file: str, error: OSError) -> None:
    """Remember that a file could not be written."""
    _output().failures.append(f"{file} cannot be written: {error.strerror or error}")


def finish() -> None:
    """Raise the error that ends the command with exit code 3, if anything could not be written."""
    output = _output()
    if not output.failures:
        return
    printed = ["the answer itself was printed"] if output.open else []
    raise OutputError(f"{'; '.join(output.failures + printed)}.")


def _output() -> _Output:
    output: _Output = click.get_current_context().meta.setdefault(_STATE, _Output())
    return output


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def _write(text: str) -> None:
    output = _output()
    if not output.open:
        return
    try:
        click.echo(text.encode(_encoding(), "backslashreplace").decode(_encoding()))
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        output.open = False
        _discard_stdout()
    except OSError as error:
        output.open = False
        output.failures.append(f"The answer cannot be printed: {error.strerror or error}")
        _discard_stdout()


def _discard_stdout() -> None:
    """Redirect stdout to the null device: flushing its buffer would fail again when Python ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
