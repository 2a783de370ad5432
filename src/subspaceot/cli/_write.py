"""Files that are there whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ._errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def require_writable(path: Path, endings: tuple[str, ...]) -> None:
    """Refuse, before any work is done, a file that could not be written in the end."""
    if path.suffix.lower().lstrip(".") not in endings:
        wanted = ", ".join(f".{ending}" for ending in endings)
        raise BadInput(f"{path} must end in one of {wanted}, which says what to write.")
    if path.is_dir():
        raise BadInput(f"{path} is a folder; give the name of a file in it.")
    folder = path.parent
    if not folder.is_dir():
        raise BadInput(f"The folder {folder} does not exist, so that {path.name} cannot be written there.")
    if not os.access(folder, os.W_OK):
        raise BadInput(f"The folder {folder} does not allow writing, so that {path.name} cannot be written there.")


def write(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside it, then rename: whoever looks sees the old content or the new."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # A temporary file is private; a result is as readable as any new file of this user.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def write_picture(path: Path, draw: "Callable[[], Figure]") -> None:
    """Write a figure in the form that the name of the file says."""
    from ..pictures import rendered

    write(path, rendered(draw(), path.suffix.lower().lstrip(".")))
