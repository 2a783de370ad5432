"""Names of files: what is no file that could be written is refused before any work."""

import os
from pathlib import Path

from .messages import described


def as_path(value: object, name: str) -> Path:
    """Return the name of a file."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"`{name}` must be the name of a file; got {described(value)}.")
    return Path(os.fsdecode(value))


def as_file_to_write(value: object, name: str, ending: str) -> Path:
    """Return the name of a file that can be written, with this ending."""
    path = as_path(value, name)
    if path.suffix.lower() != ending:
        raise ValueError(f"`{name}` must end in {ending}; got {str(path)!r}.")
    if path.is_dir():
        raise ValueError(f"`{name}` must be the name of a file; {str(path)!r} is a folder. Name a file in it.")
    if not path.parent.is_dir():
        raise ValueError(f"`{name}` must be in a folder that exists; there is no {str(path.parent)!r}. Make it first.")
    return path
