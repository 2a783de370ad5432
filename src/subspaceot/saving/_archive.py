"""An archive of arrays with a header: NumPy's .npz, read without pickle."""

import json
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ._kinds import fits_together
from ._tree import Reader, Writer

VERSION = 1  # of the layout; a change that an older `load` would misread makes it one more
_FORMAT = "subspaceot"
_HEADER, _TREE = "header", "content"

# What reading bytes that somebody else wrote may raise: zip, deflate, NumPy's headers, JSON, our own tree.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, KeyError, TypeError, IndexError),
    *(AttributeError, RuntimeError, MemoryError, OverflowError, SyntaxError),
)


def write(file: BinaryIO, answer: object) -> None:
    """Write an object to an open file."""
    from .. import __version__

    writer = Writer()
    tree = writer.encoded(answer)
    header = {"format": _FORMAT, "version": VERSION, "kind": type(answer).__name__, "written_by": __version__}
    arrays: dict[str, Any] = {f"array_{at}": array for at, array in enumerate(writer.arrays)}
    np.savez(file, **{_HEADER: _text(header), _TREE: _text(tree), **arrays})


def read(path: Path) -> Any:
    """Return the object in a file; every fault of the file is a ValueError that says what is wrong with it."""
    from .. import __version__

    with open(path, "rb") as file:  # no such file, no permission: errors that say so themselves
        with damage_is_an_error(path, "is damaged or was cut off, or is no file that `save` wrote"):
            archive = np.load(file, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile) or _HEADER not in archive.files:
                raise zipfile.BadZipFile
            header = _parsed(archive[_HEADER])
            version, ours = header["version"], header["format"] == _FORMAT and isinstance(header["version"], int)
        if not ours:
            raise ValueError(f"{path} is no file that `save` of subspaceot wrote.")
        if version > VERSION:
            raise ValueError(
                f"{path} was written by a newer subspaceot ({header.get('written_by')}): its format is {version}, and "
                f"this one reads up to {VERSION}. Update with: pip install --upgrade subspaceot"
            )
        written = f"it is damaged, or subspaceot {header.get('written_by')}, which wrote it, has other names than"
        with damage_is_an_error(path, f"does not fit together: {written} {__version__}. Save the result again"):
            count = len(archive.files) - 2
            reader = Reader([archive[f"array_{at}"] for at in range(count)])
            answer = reader.decoded(_parsed(archive[_TREE]))
            if not fits_together(answer):
                raise zipfile.BadZipFile
            return answer


@contextmanager
def damage_is_an_error(path: Path, what: str) -> Iterator[None]:
    """Turn whatever a damaged file raises into one ValueError that names it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that look like those of an old NumPy
            yield
    except _DAMAGE as error:
        raise ValueError(f"{path} {what}.") from error


def _text(value: object) -> np.ndarray:
    """Return JSON text as an array of bytes."""
    return np.frombuffer(json.dumps(value).encode("ascii"), dtype=np.uint8)


def _parsed(array: np.ndarray) -> Any:
    return json.loads(array.astype(np.uint8, casting="no").tobytes())
