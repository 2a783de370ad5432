"""What commands write: refused before any work if it cannot be, and never left half done."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..runtime.files import write_whole
from ._errors import BadInput, bad_input
from ._output import not_written

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def require_writable(path: Path, endings: tuple[str, ...]) -> None:
    """Refuse, before any work is done, a file that could not be written in the end."""
    if path.suffix.lower().lstrip(".") not in endings:
        wanted = ", ".join(f".{ending}" for ending in endings)
        raise BadInput(f"{path} must end in one of {wanted}, which says what to write.")
    with bad_input():
        if path.is_dir():
            raise BadInput(f"{path} is a folder; give the name of a file in it.")
        folder = path.parent
        if not folder.is_dir():
            raise BadInput(f"The folder {folder} does not exist, so that {path.name} cannot be written there.")
        if not os.access(folder, os.W_OK):
            raise BadInput(f"The folder {folder} does not allow writing, so that {path.name} cannot be written there.")
        if path.exists() and not os.access(path, os.W_OK):
            raise BadInput(f"{path} exists and does not allow writing. Choose another name.")


def require_picture(path: Path) -> None:
    """Refuse, before any work is done, a picture that could not be drawn or written in the end."""
    from ..plotting import FORMATS, require_matplotlib

    require_writable(path, FORMATS)
    with bad_input():
        require_matplotlib()


def save(path: Path, content: bytes) -> bool:
    """Write a file and return whether that was possible; where it was not, the command ends with exit code 3."""
    try:
        write_whole(path, content)
    except OSError as error:
        not_written(str(path), error)
        return False
    return True


def save_picture(path: Path, draw: "Callable[[], Axes]") -> bool:
    """Write the figure of axes in the form that the name of the file says, and return whether that was possible."""
    from ..plotting import rendered

    return save(path, rendered(draw(), path.suffix.lower().lstrip(".")))
