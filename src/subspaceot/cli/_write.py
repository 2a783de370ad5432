"""What commands write: refused before any work if it cannot be, and never left half done."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .._whole import write_whole
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


def write_picture(path: Path, draw: "Callable[[], Figure]") -> None:
    """Write a figure in the form that the name of the file says."""
    from ..pictures import rendered

    write_whole(path, rendered(draw(), path.suffix.lower().lstrip(".")))
