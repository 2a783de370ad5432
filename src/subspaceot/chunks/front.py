"""From what the caller passed to a result: sources with the same columns, settings that fit, and the run."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..core import validate
from ..core.columns import Points
from ..runtime.types import Array
from .engine import find_engine
from .opened import as_source, comes_in_chunks
from .passes import Run
from .result import ChunkedResult
from .scan import Scan, ScanOf
from .settings import Chunked, Progress
from .source import Source

_LOADED = 1 / 8  # of the memory: data that take no more are solved in memory, which takes some times as much


def as_sources(X: Any, Y: Any, a: Any, b: Any) -> tuple[Source, Source]:
    """Return both sources, with the columns of Y in the order of those of X."""
    first, second = as_source(X, a, "X", "a"), as_source(Y, b, "Y", "b")
    validate.match_columns(first.labels, second.labels, first.d, second.d, "X", "Y")
    if first.labels is not None and second.labels is not None:
        second = second.with_columns(first.labels)
    return first, second


@dataclass(frozen=True, slots=True)
class Call:
    """What the caller of `srw` asked for, as it came."""

    k: Any
    tol: Any
    reg: Any
    method: Any
    init: Any
    max_iter: Any
    callback: Any

    @property
    def settings(self) -> Chunked:
        """The settings for chunks."""
        return self.method if isinstance(self.method, Chunked) else Chunked()

    @property
    def in_memory(self) -> dict[str, Any]:
        """The arguments of a call with arrays."""
        return {name: getattr(self, name) for name in ("tol", "reg", "method", "init", "max_iter", "callback")}


def wanted(method: object, X: object, Y: object) -> bool:
    """Return whether a call is about data in chunks."""
    return isinstance(method, Chunked) or comes_in_chunks(X) or comes_in_chunks(Y)


def answer(X: Any, Y: Any, a: Any, b: Any, call: Call, in_memory: Callable[..., Any]) -> Any:
    """Return a `ChunkedResult`, or what `in_memory`, which is `srw`, returns for data small enough to be loaded."""
    sources = as_sources(X, Y, a, b)
    if not _is_loaded(sources, call):
        return solved(sources, call)
    (points_X, a), (points_Y, b) = map(_loaded, sources)
    return in_memory(points_X, points_Y, call.k, a, b, **call.in_memory)


def _is_loaded(sources: tuple[Source, Source], call: Call) -> bool:
    """Return whether both sides are small enough to be solved in memory, and nobody asked for chunks.

    Where they are not, what only the ordinary route takes is refused.
    """
    if not isinstance(call.method, Chunked):
        sizes = [math.inf if source.rows is None else 8.0 * source.rows * source.d for source in sources]
        if sum(sizes) <= _LOADED * call.settings.memory:
            return True
        if call.method != "auto":
            validate.refuse_setting("method", call.method, "Pass `Chunked(...)` for other settings.")
    if call.reg is not None:
        validate.refuse_setting("reg", call.reg, "The exact problem is solved.")
    if call.init is not None:
        validate.refuse_setting("init", call.init, "Omega is learned from a sample of the rows.")
    if validate.is_auto(call.k):
        validate.refuse_setting("k", call.k, "Pass an int such as 2; `select_k` on a sample of the rows finds one.")
    return False


def _loaded(source: Source) -> tuple[Points, Array | None]:
    """Return points, with the names of their columns, and weights of a source that fits into memory."""
    blocks = [block for piece in source.pieces() for block in piece.blocks()]
    for block in blocks:
        validate.require_finite_rows(
            *(block.points, block.weights, source.name, block.file, block.first, source.labels)
        )
    validate.require_any_rows(sum(map(len, blocks)), 1.0, source.name, f"`{source.name}`")
    weights = [block.weights for block in blocks if block.weights is not None]
    points = np.concatenate([block.points for block in blocks])
    return Points(points, source.labels), np.concatenate(weights) if weights else None


def solved(sources: tuple[Source, Source], call: Call) -> ChunkedResult:
    """Return the distance of all rows of two sources with the same columns."""
    k, tol = validate.as_dimension(call.k, sources[0].d), validate.as_positive(call.tol, "tol")
    limit = None if call.max_iter is None else validate.as_count(call.max_iter, "max_iter")
    callback = validate.as_callback(call.callback)
    with _watcher(call.settings) as tell:
        outcome = Run(sources, k, call.settings, tol=tol, max_iter=limit, callback=callback, tell=tell).outcome()
    return ChunkedResult(k, sources[0].labels or sources[1].labels, outcome)


def sampled(sources: Sequence[Source], size: int, seed: int) -> list[tuple[Array, int]]:
    """Return a random sample of so many rows of each source, in proportion to their weights, and how many there are."""
    found = []
    for side, source in enumerate(sources):
        pieces, asked = source.pieces(), ScanOf(source.d, size, (seed, side), source.name, source.labels)
        engine = find_engine(pieces)
        scan = engine.total(asked.of_piece, partial(Scan.plus, size=size), pieces, lambda more: None)
        validate.require_any_rows(scan.rows, scan.weight, source.name, f"`{source.name}`")
        found.append((scan.sample, scan.rows))
    return found


@contextmanager
def _watcher(settings: Chunked) -> Iterator[Callable[[Progress], object]]:
    """Yield what to tell how far a pass is."""
    if callable(settings.progress):
        yield settings.progress
        return
    if not settings.progress:
        yield lambda progress: None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        raise ImportError("`progress=True` needs tqdm: pip install 'subspaceot[parallel]'.") from None
    with tqdm(total=1, unit="piece") as bar:

        def tell(progress: Progress) -> None:
            bar.total, bar.n = progress.total, progress.done
            known = (
                "" if not np.isfinite(progress.upper) else f", S_k^2 in [{progress.lower:.4g}, {progress.upper:.4g}]"
            )
            bar.set_description(f"pass {progress.number}{known}")

        yield tell
