"""How data in chunks are worked on: the settings that a caller may change."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from ..core import validate


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pass over the data is."""

    number: int  # of the pass, from 1 on
    done: int  # pieces of the data that are read
    total: int
    lower: float  # the interval for S_k^2 so far; 0 and infinity before the first
    upper: float


Watcher = Callable[[Progress], object]


@dataclass(frozen=True, slots=True)
class Chunked:
    """Settings for data larger than memory: `srw(X, Y, k, method=Chunked(memory=4e9, folder="work"))`.

    Paths of Parquet files, folders of them and .npy files, `numpy.memmap`, `pyarrow.dataset`, Dask arrays and
    dataframes are worked on in this way by themselves where they take more than an eighth of 1 GB, and read into memory
    where they are smaller. With this as `method` data are never read into memory as a whole, arrays included.

    Parameters
    ----------
    memory : float
        Bytes that this process may use, about.
    folder : str or path, optional
        Where the sums of each finished pass are kept. The same call with the same folder goes on after the last of
        them.
    cells : int, optional
        Cells of each side, a power of two; by default as many as a sample says are needed for `tol`.
    progress : bool or callable
        Show on stderr how much of a pass is done; or a function that is told, as a `Progress`.
    seed : int
        Of the random sample of rows. The interval holds for all rows whatever the sample is.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(4000, 5, 2, rng=0)
    >>> result = sot.srw(data.X, data.Y, k=2, tol=2e-2, method=sot.Chunked(memory=1e8))
    >>> result.converged, result.rows
    (True, (4000, 4000))
    """

    memory: float = 1e9
    folder: str | os.PathLike[str] | None = None
    cells: int | None = None
    progress: bool | Watcher = False
    seed: int = 0

    def __post_init__(self) -> None:
        validate.as_memory(validate.as_positive(self.memory, "memory"))
        if self.cells is not None:
            validate.as_number_of_cells(validate.as_count(self.cells, "cells"), "cells")
        if not callable(self.progress):
            validate.as_flag(self.progress, "progress")
        validate.as_rng(self.seed, "seed")
