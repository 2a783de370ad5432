"""Plays as measures over word vectors, where the reader has some: files that cannot be part of the project."""

import os
from collections.abc import Iterator
from pathlib import Path

from subspaceot.instances import Instance
from subspaceot.text import read_documents, read_vectors, text_measure

FOLDER = "SUBSPACEOT_TEXT_DATA"  # the variable that names a folder with `plays/*.txt` and word vectors, `*.vec.gz`
PAIRS = (("Rom", "H5"), ("Ham", "Mac"))


def plays() -> Iterator[tuple[str, Instance]]:
    """Yield the pairs of plays that are there, with their names; nothing where the variable names no such folder."""
    if FOLDER not in os.environ:
        return
    folder = Path(os.environ[FOLDER])
    pairs = [[folder / "plays" / f"{name}.txt" for name in pair] for pair in PAIRS]
    pairs = [files for files in pairs if all(file.exists() for file in files)]
    vectors_file = next(folder.glob("*.vec.gz"), None)
    if not pairs or vectors_file is None:
        return
    vectors = read_vectors(vectors_file)
    for files in pairs:
        first, second = (text_measure(name, text, vectors) for name, text in read_documents(files).items())
        measures = first.points, second.points, first.weights, second.weights
        yield f"{first.name}-{second.name}", Instance(*measures, truth=None, subspace=None)
