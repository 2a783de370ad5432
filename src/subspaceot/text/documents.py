"""Texts from files and folders."""

from collections.abc import Iterable
from pathlib import Path


def read_documents(paths: Iterable[str | Path]) -> dict[str, str]:
    """Return the texts by name: the name of each file without its ending, in the order given.

    A folder stands for the `.txt` files in it, in alphabetical order.
    """
    texts: dict[str, str] = {}
    for path in _files(paths):
        name = path.stem
        if name in texts:
            raise ValueError(f"Texts must have different names; {name!r} comes again as {path}.")
        try:
            texts[name] = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} must be text in UTF-8; byte {error.start} is not. Save it as UTF-8.") from error
    return texts


def _files(paths: Iterable[str | Path]) -> Iterable[Path]:
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob("*.txt"))
        if not found:
            raise ValueError(f"The folder {path} must hold at least one .txt file; it holds none.")
        yield from found
