"""Word vectors from a file in fastText's text format."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

import numpy as np

from ..core import validate
from ..runtime.types import Array


@dataclass(frozen=True, eq=False)
class WordVectors:
    """The words of a vocabulary, most frequent first, and a vector for each."""

    words: tuple[str, ...]
    points: Array  # (len(words), d)

    @cached_property
    def rank(self) -> dict[str, int]:
        """The row of each word in `points`."""
        return {word: row for row, word in enumerate(self.words)}

    def __contains__(self, word: object) -> bool:
        return word in self.rank


def read_vectors(path: str | Path, *, skip: int = 2000, upto: int = 20000) -> WordVectors:
    """Return the vectors of the words of rank `skip` + 1 to `upto`, the most frequent word having rank 1.

    Parameters
    ----------
    path : path
        A text file, `.gz` or not, whose first line holds the number of words and of dimensions, and whose other lines
        hold a word and its vector, most frequent word first. Not more of it is read than needed.
    skip : int
        How many of the most frequent words to leave out: they say little about what a text is about.
    upto : int
        Rank of the last word that is read; fewer where the file ends before.
    """
    skip, upto = validate.as_ranks(skip, upto)
    path = Path(path)
    try:
        with _opened(path) as file:
            d = _dimension(file.readline(), path)
            return _collected(_entries(file, path, d, skip, upto), path, skip, d)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} must be text in UTF-8; byte {error.start} of a line is not.") from error
    except (gzip.BadGzipFile, EOFError) as error:
        raise ValueError(f"{path} must be a whole gzip file, as its name says; {error}.") from error


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return path.open(encoding="utf-8", newline="\n")


def _dimension(line: str, path: Path) -> int:
    """Return the number of dimensions that the first line promises."""
    numbers = line.split()
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers) or int(numbers[1]) == 0:
        raise ValueError(
            f"{path} must begin with a line of two numbers, how many words and how many dimensions, as in fastText's "
            f".vec files; it begins with {line.strip()[:40]!r}."
        )
    return int(numbers[1])


def _entries(file: IO[str], path: Path, d: int, skip: int, upto: int) -> Iterator[tuple[str, Array]]:
    """Yield word and vector of the wanted ranks."""
    for rank, line in enumerate(file, start=1):
        if rank > upto:
            return
        if rank <= skip:
            continue
        word, *numbers = line.rstrip().split(" ")
        try:
            vector = np.array(numbers, dtype=float)
        except ValueError as error:
            raise ValueError(f"{path} must hold a word and {d} numbers on line {rank + 1}; {error}.") from error
        if vector.shape != (d,):
            raise ValueError(f"{path} must hold {d} numbers after each word; line {rank + 1} holds {len(vector)}.")
        if not np.isfinite(vector).all():
            raise ValueError(f"{path} must hold finite numbers; line {rank + 1} ({word!r}) does not.")
        yield word, vector


def _collected(entries: Iterator[tuple[str, Array]], path: Path, skip: int, d: int) -> WordVectors:
    vectors: dict[str, Array] = {}
    for word, vector in entries:
        vectors.setdefault(word, vector)  # a word that comes twice keeps its better rank
    if not vectors:
        raise ValueError(f"{path} must hold more than the {skip} most frequent words, which are left out; it does not.")
    return WordVectors(tuple(vectors), np.array(list(vectors.values())).reshape(len(vectors), d))
