"""Results in files of arrays and text: nothing in a file is ever executed."""

from os import PathLike
from typing import Any

from ..core import validate
from ..runtime.files import whole_file
from ._archive import read, write
from ._kinds import require_kind


def save(answer: object, path: str | PathLike[str]) -> None:
    """Write what one of our functions has returned to the file `path`, of which there is all or nothing.

    The file is an archive of NumPy's arrays, as `numpy.savez` writes them, without pickle. `load` reads it.
    """
    target = validate.as_file_to_write(path, "path", ".npz")
    require_kind(answer)
    with whole_file(target) as file:
        write(file, answer)


def load(path: str | PathLike[str]) -> Any:
    """Return what `save` has written: the same numbers to the last bit, names and labels of rows included.

    Nothing in the file is executed. One that is damaged, cut off, of another kind or of a newer version is a ValueError
    that says so. The bounds are those of the file; `check()` of a result proves them again.

    Examples
    --------
    >>> import os, tempfile, subspaceot as sot
    >>> result = sot.srw([[0.0, 0.0]], [[3.0, 4.0]], k=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(os.path.join(folder, "result.npz"))
    ...     again = sot.load(os.path.join(folder, "result.npz"))
    >>> again.lower == result.lower, again.check().holds
    (True, True)
    """
    return read(validate.as_path(path, "path"))
