"""The command `subspaceot`: parse, call, print. What it prints is computed elsewhere."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of the command.

    It is 0, 1 (did not converge), 2 (bad input), 3 (output that could not be written) or 130 (Ctrl-C).
    """
    try:
        from ._main import run
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        print("The command needs the extra `cli`. Install it with: pip install 'subspaceot[cli]'", file=sys.stderr)
        return 2
    return run(arguments)
