"""Files and folders larger than memory: read in chunks, solved for all rows; tests see a random part of them."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.rounding import down, up
from ..tables.preparing.draft import Samples
from ._errors import BadInput, bad_input
from ._files import listed
from ._print import note
from ._progress import spinner
from ._rows import Sample
from ._samples import Reading
from ._solve import require_k, until_stopped
from ._stderr import watched
from ._tables import AllPairs

if TYPE_CHECKING:
    from ..chunks.datasets import DatasetSource
    from ..chunks.result import ChunkedResult
    from ..chunks.settings import Progress as Passed
    from ..core.status import Iterate
    from ._progress import Show

MOST_IN_MEMORY = 2e8  # bytes of all numbers of all files: reading and solving tables takes some times as much
SEEN = 20_000  # rows of each file that tests may see, at most
_SECONDS = 30.0  # for a distance: after so many no further pass begins, unless --seconds says otherwise
_ENDINGS = (".parquet", ".pq")


def larger_than_memory(files: Sequence[str], reading: Reading) -> bool:
    """Return whether files are Parquet, or folders of it, that hold more numbers than are read into memory at once.

    With --scheduler all of them count as such.
    """
    if not all(Path(name).is_dir() or name.lower().endswith(_ENDINGS) for name in files):
        if reading.scheduler is not None:
            raise BadInput("--scheduler is for Parquet files and folders of them, which a cluster reads in parts.")
        return False
    if reading.scheduler is not None:
        return True
    size: float = sum(8.0 * dataset.count_rows() * len(dataset.schema.names) for dataset in _opened(files))
    return size > MOST_IN_MEMORY


def sources_of(files: Sequence[str], reading: Reading) -> "list[DatasetSource]":
    """Return the sources of files, with the columns that are numbers in all of them; say what is left out."""
    from ..chunks.datasets import DatasetSource, is_number

    refused = {
        "--standardize": reading.standardize,
        "--drop-missing": reading.drop_missing,
        "--encode": reading.encode,
        "--units": reading.units,
        "--strata": reading.strata,
    }
    for option, given in refused.items():
        if given:
            raise BadInput(f"{option} needs all rows in memory, and these files are larger: make smaller files first.")
    datasets = _opened(files)
    kinds = [{field.name: is_number(field.type) for field in dataset.schema} for dataset in datasets]
    if reading.weights is not None and not all(kind.get(reading.weights) for kind in kinds):
        raise BadInput(f"--weights {reading.weights!r} must name a column of numbers in every file.")
    aside = {*reading.ignore, reading.weights}
    labels = tuple(
        name for name in datasets[0].schema.names if name not in aside and all(kind.get(name) for kind in kinds)
    )
    left = sorted({name for kind in kinds for name in kind if name not in aside and name not in labels})
    if not labels:
        raise BadInput(f"{' and '.join(files[:2])} share no column of numbers.")
    if left:
        note(f"left out, as not every file has them as numbers: {listed(left)}")
    return [
        DatasetSource(dataset, name, labels, reading.weights) for dataset, name in zip(datasets, files, strict=True)
    ]


def sample_of(sources: "Sequence[DatasetSource]", names: Sequence[str], reading: Reading) -> Samples:
    """Return random rows of each file: as many as --sample says, or as tests can see."""
    from ..chunks.front import sampled

    size = SEEN if reading.sample is None else reading.sample
    with bad_input(), spinner("reading a sample of all rows"):
        found = sampled(sources, size, reading.seed)
    each = []
    for name, (points, rows) in zip(names, found, strict=True):
        if len(points) < rows:
            note(f"{len(points)} of {rows} rows of {name}, chosen at random (--seed {reading.seed})")
        labels = np.array([f"{i + 1} of the sample" for i in range(len(points))], dtype=object)
        each.append(Sample(name, points, None, labels, drawn_from=rows))
    return Samples(tuple(each), sources[0].labels, (1.0,) * sources[0].d)


def solved_in_chunks(
    sources: "Sequence[DatasetSource]", k: int, tol: float, seconds: float | None = None
) -> "ChunkedResult":
    """Return the distance of all rows of two sources; after Ctrl-C what is known by then, or nothing."""
    from ..chunks.front import Call, solved
    from ..chunks.settings import Chunked

    first, second = sources
    seconds = _SECONDS if seconds is None else seconds
    with bad_input(), until_stopped(_nothing_shown(), seconds) as callback, _pass_bar(k) as tell:
        call = Call(k, tol, None, Chunked(progress=tell), None, None, callback)
        return solved((first, second), call)


def pairs_in_chunks(files: Sequence[str], names: list[str], k: int | None, tol: float, reading: Reading) -> AllPairs:
    """Return the distances between all pairs of files, of all rows."""
    sources = sources_of(files, reading)
    k = min(2, sources[0].d) if k is None else k
    require_k(k, sources[0].d)
    distance, lower, upper = np.zeros((3, len(files), len(files)))
    converged = True
    for i, j in combinations(range(len(files)), 2):
        result = solved_in_chunks((sources[i], sources[j]), k, tol)
        distance[i, j] = distance[j, i] = result.distance
        lower[i, j] = lower[j, i] = max(0.0, down(math.sqrt(result.lower)))
        upper[i, j] = upper[j, i] = up(math.sqrt(result.upper))
        converged = converged and result.converged
    return AllPairs(names, k, distance, lower, upper, converged)


@contextmanager
def _nothing_shown() -> "Iterator[Show]":
    """Yield what shows nothing: the bar of a pass has the interval too."""

    def show(iterate: "Iterate") -> None:
        return None

    yield show


@contextmanager
def _pass_bar(k: int) -> "Iterator[Any]":
    """Yield what is told how far a pass is: its bar has the interval so far and the time left of the pass."""
    if not watched():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[interval]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"distance for k = {k}", total=None, interval="")

        def tell(progress: "Passed") -> None:
            interval = ""
            if math.isfinite(progress.upper):
                interval = f"between {math.sqrt(progress.lower):.4g} and {math.sqrt(progress.upper):.4g}"
            if progress.done == 0:
                bar.reset(task)
            text = f"distance for k = {k}, pass {progress.number}"
            bar.update(task, total=progress.total, completed=progress.done, description=text, interval=interval)

        yield tell


def _opened(files: Sequence[str]) -> list[Any]:
    """Return the datasets in files and folders."""
    from ..chunks.datasets import opened_path

    with bad_input():
        return [opened_path(name, name) for name in files]
