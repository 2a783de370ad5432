"""Tables from files: CSV, TSV, Parquet, NPY, NPZ."""

import csv
import io
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from ..tables.preparing.kinds import is_number
from ._errors import BadInput, bad_input
from ._numbers import EXACT, Inexact, as_doubles, from_text

if TYPE_CHECKING:
    import pandas as pd

_ENDINGS = ".csv, .tsv, .parquet, .npy or .npz"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The content of one file."""

    name: str  # as the caller wrote it
    frame: "pd.DataFrame"  # columns named by strings, each once; the index counts rows from 1
    nameless: int  # columns without a name, left out
    inexact: dict[str, Inexact]  # columns with an integer that is no double


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """A file to read, as often as needed: what is no regular file, such as a pipe, is kept in memory."""

    path: Path
    content: bytes | None

    @classmethod
    def of(cls, path: Path) -> "_Source":
        """Return the source. Names such as /dev/stdin and /dev/fd/63 may lead to a pipe, which is read only once."""
        regular = path.is_file() and not path.is_relative_to("/dev")
        return cls(path, None if regular else path.read_bytes())

    @property
    def empty(self) -> bool:
        """Whether it holds nothing."""
        return (self.path.stat().st_size if self.content is None else len(self.content)) == 0

    @property
    def ending(self) -> str:
        """What says how to read it: the ending of its name; for a pipe without one, how its content begins."""
        ending = self.path.suffix.lower()
        if self.content is None or ending:
            return ending
        beginnings = {b"PAR1": ".parquet", b"\x93NUM": ".npy", b"PK\x03\x04": ".npz"}
        return beginnings.get(self.content[:4], ".csv")

    def open(self) -> BinaryIO:
        """Return its bytes from the beginning."""
        return self.path.open("rb") if self.content is None else io.BytesIO(self.content)

    def __str__(self) -> str:
        return str(self.path)


def read_table(name: str, *, separator: str | None = None, header: bool = True, decimal: str = ".") -> Table:
    """Return the table in a file; every way in which it cannot be one is a sentence.

    `name` is a path; for an array in an NPZ file with several, the path, a colon and the array's name.
    """
    try:
        path, array = _parts(name)
        if not path.exists():
            raise BadInput(f"{path} does not exist. Check the name and the folder.")
        if path.is_dir():
            return _with_numbered_rows(name, _read_folder(path), 0)
        source = _Source.of(path)
        if source.empty:
            raise BadInput(f"{path} is empty.")
        ending = source.ending
        if ending in (".csv", ".tsv", ".txt"):
            frame, nameless = _read_text(source, separator, "," if ending == ".csv" else "\t", header, decimal)
        elif separator is not None or not header or decimal != ".":
            option = "--separator" if separator is not None else "--decimal" if header else "--no-header"
            raise BadInput(f"{option} is for text files (.csv, .tsv); {path} is none.")
        elif ending in (".parquet", ".pq"):
            frame, nameless = _read_parquet(source), 0
        elif ending == ".npy":
            frame, nameless = _from_array(_load(source), str(path)), 0
        elif ending == ".npz":
            frame, nameless = _from_array(_member(source, array), name), 0
        else:
            raise BadInput(f"{path} must end in {_ENDINGS}; its ending says how to read it.")
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror or error}.") from error
    return _with_numbered_rows(name, frame, nameless)


def _with_numbered_rows(name: str, frame: "pd.DataFrame", nameless: int) -> Table:
    """Return the table, its rows counted from 1; one without rows is refused."""
    if frame.shape[0] == 0:
        raise BadInput(f"{_parts(name)[0]} holds no rows, only {frame.shape[1]} column names.")
    frame, inexact = as_doubles(frame)
    frame.index = range(1, len(frame) + 1)
    return Table(name, frame, nameless, inexact)


def _parts(name: str) -> tuple[Path, str | None]:
    """Return the path, and the array asked for after the colon in `file.npz:array`."""
    path, colon, array = name.rpartition(":")
    if colon and path.lower().endswith(".npz") and not Path(name).exists():
        return Path(path), array
    return Path(name), None


# Text ---------------------------------------------------------------------------------------------------------------


def _read_text(
    source: _Source, asked: str | None, usual: str, header: bool, decimal: str
) -> "tuple[pd.DataFrame, int]":
    import pandas as pd

    if asked is None:
        _check_separator(source, usual)
    elif len(asked) != 1:
        raise BadInput(f"--separator must be one character, such as ';'; got {asked!r}.")
    separator = asked or usual
    if len(decimal) != 1 or decimal == separator or decimal in "0123456789+-eE":
        raise BadInput(
            f"--decimal must be one character that is no digit and no separator, such as ','; got {decimal!r}."
        )
    first = _first_row(source, separator)
    if header:
        _check_header(first, source.path)
    options: dict[str, Any] = {
        "sep": separator,
        "decimal": decimal,
        "header": 0 if header else None,
        "index_col": False,
        "encoding": "utf-8-sig",
        "low_memory": False,
        "skipinitialspace": True,
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # rows longer than the header would lose values
            with source.open() as file:
                frame = pd.read_csv(file, **options)
    except UnicodeDecodeError as error:
        raise BadInput(f"{source} must be text in UTF-8; byte {error.start} is not. Save it as UTF-8.") from error
    except pd.errors.EmptyDataError as error:
        raise BadInput(f"{source} holds no columns.") from error
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise BadInput(f"{source} must have the same number of values in every row; {_detail(error)}") from error
    frame.columns = range(frame.shape[1])
    frame = _with_large_integers(frame, source, options)
    if not header:
        frame.columns = [str(column) for column in range(frame.shape[1])]
        return frame, 0
    named = [bool(name.strip()) for name in first]
    frame.columns = [name.strip() for name in first]
    return frame.loc[:, named], len(named) - sum(named)


def _with_large_integers(frame: "pd.DataFrame", source: _Source, options: dict[str, Any]) -> "pd.DataFrame":
    """Return the table with integers of any length where pandas has rounded them or taken them for text."""
    import pandas as pd

    text = [at for at in frame.columns if frame[at].dtype.kind not in "biuf"]
    rounded = [at for at in frame.columns if frame[at].dtype.kind == "f" and (frame[at].abs() >= EXACT).any()]
    columns = {at: frame[at] for at in text}
    if rounded:
        with source.open() as file:
            again = pd.read_csv(file, **{**options, "dtype": str})
        columns |= {at: again.iloc[:, at].str.replace(options["decimal"], ".") for at in rounded}
    for at, column in columns.items():
        numbers = from_text(column)
        if numbers is not None:
            frame[at] = numbers
    return frame


def _first_row(source: _Source, separator: str) -> list[str]:
    try:
        with source.open() as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as file:
            for row in csv.reader(file, delimiter=separator, skipinitialspace=True):
                if row:
                    return row
    except UnicodeDecodeError as error:
        raise BadInput(f"{source} must be text in UTF-8; byte {error.start} is not. Save it as UTF-8.") from error
    except csv.Error as error:
        raise BadInput(f"{source} is no table: {error}.") from error
    raise BadInput(f"{source} holds no columns, only empty lines.")


def _check_separator(source: _Source, usual: str) -> None:
    """Refuse a file whose first line falls into more parts by another separator than by the one its ending means."""
    parts = len(_first_row(source, usual))
    for other, word in ((";", "semicolons"), ("\t", "tabs"), (",", "commas"), ("|", "bars")):
        if len(_first_row(source, other)) > parts:
            shown = "$'\\t'" if other == "\t" else f"'{other}'"
            plain = "','" if usual == "," else "$'\\t'"
            raise BadInput(
                f"{source} seems to be separated by {word}; add --separator {shown} to read it so, or --separator "
                f"{plain} if it is not."
            )


def _check_header(names: list[str], path: Path) -> None:
    if all(is_number(name) for name in names):
        raise BadInput(
            f"{path} seems to have no header: its first line holds numbers only. Add a line of column names, or "
            f"--no-header to number the columns from 0."
        )
    stripped = [name.strip() for name in names if name.strip()]
    twice = sorted({name for name in stripped if stripped.count(name) > 1})
    if twice:
        raise BadInput(f"{path} must name each column once; {listed(twice)} comes more than once.")


def _detail(error: BaseException) -> str:
    """Return what pandas says about the first bad row, as the end of a sentence."""
    text = str(error).strip().removeprefix("Error tokenizing data. C error: ").rstrip(".")
    if "Length of header" in text:
        text = "some rows are longer than the header"
    return f"{text[:1].lower()}{text[1:]}."


# Parquet and arrays -------------------------------------------------------------------------------------------------


def _read_parquet(source: _Source) -> "pd.DataFrame":
    import pyarrow
    import pyarrow.parquet

    try:
        with source.open() as file:
            # Integers beside missing values become Python's: as doubles they would be rounded.
            frame = pyarrow.parquet.read_table(file).to_pandas(integer_object_nulls=True)
    except (pyarrow.ArrowException, ValueError) as error:
        raise BadInput(f"{source} is no readable Parquet file: {str(error).splitlines()[0]}") from error
    frame.columns = [str(name) for name in frame.columns]
    return frame


def _read_folder(path: Path) -> "pd.DataFrame":
    """Return the rows of all Parquet files in a folder."""
    from ..chunks.datasets import opened_path

    with bad_input():
        frame = opened_path(path, str(path)).to_table().to_pandas(integer_object_nulls=True)
    frame.columns = [str(name) for name in frame.columns]
    return frame


def _load(source: _Source) -> Any:
    path = source.path
    try:
        return np.load(path if source.content is None else source.open(), allow_pickle=False)
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        if "pickle" in str(error).lower():
            raise BadInput(
                f"{path} holds Python objects or is no {path.suffix} file; only arrays of numbers are read, for "
                f"safety. Save it as a float array."
            ) from error
        raise BadInput(f"{path} is no readable {path.suffix} file: {error}.") from error


def _member(source: _Source, array: str | None) -> Any:
    """Return one array of an NPZ file: the one asked for, or the only one."""
    archive, path = _load(source), source.path
    if not hasattr(archive, "files"):
        raise BadInput(f"{path} holds a single array; name it .npy.")
    with archive:
        names = archive.files
        if array is None and len(names) != 1:
            which = f" such as {path}:{names[0]}" if names else ""
            raise BadInput(f"{path} holds {len(names)} arrays ({listed(names)}); say which one,{which}")
        if array is not None and array not in names:
            raise BadInput(f"{path} has no array {array!r}; it holds {listed(names)}.")
        try:
            return archive[names[0] if array is None else array]
        except (ValueError, zipfile.BadZipFile) as error:
            raise BadInput(f"{path} holds an array that is no plain array of numbers: {error}") from error


def _from_array(array: Any, name: str) -> "pd.DataFrame":
    import pandas as pd

    if not isinstance(array, np.ndarray):
        raise BadInput(f"{name} holds several arrays; name it .npz.")
    if array.ndim != 2:
        raise BadInput(f"{name} must hold a table, one row per point; got an array of shape {array.shape}.")
    if array.dtype.kind not in "biuf":
        raise BadInput(f"{name} must hold real numbers; got entries of type {array.dtype}.")
    if array.shape[1] == 0:
        raise BadInput(f"{name} holds no columns.")
    return pd.DataFrame(array, columns=[str(column) for column in range(array.shape[1])])


def listed(names: list[str], most: int = 8) -> str:
    """Return names in quotes with commas between, the first few of many."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
