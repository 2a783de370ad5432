"""The run: a scan of the data, a search on the sample, then one pass for each Omega, until the gap is small enough."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..core import validate
from ..core.certificate import relative_gap
from ..core.rounding import down, up
from ..core.status import Iterate, Status
from ..runtime.types import Array
from ..solvers import Callback
from .block import Coordinates
from .cells import CellSums, Side, View
from .engine import Engine, find_engine
from .folder import Folder
from .proof import Proof, prove
from .scan import Scan, ScanOf
from .search import MOST_CELLS, Samples, next_factor
from .settings import Chunked, Progress
from .source import Piece, Source

PASSES = 6  # over the data for one Omega each, at most, where `max_iter` does not say
_SAMPLE_SHARE = 1 / 24  # of the memory, for the sample of each side
_MOST_SAMPLED = 200_000  # rows of each side


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """Where a run ended."""

    status: Status
    coordinates: Coordinates
    lower: Proof  # the one whose lower bound is best
    upper: Proof
    history: tuple[Iterate, ...]
    rows: tuple[int, int]
    passes: int

    @property
    def interval(self) -> tuple[float, float]:
        """Both bounds in the caller's units."""
        unit = self.coordinates.unit
        return max(down(self.lower.lower * unit), 0.0), up(self.upper.upper * unit)


@dataclass(frozen=True, eq=False, slots=True)
class _Task:
    """One side of a pass."""

    name: str
    asked: object  # what the answer depends on, besides the data
    function: Callable[[Piece, int], Any]
    add: Callable[[Any, Any], Any]
    kind: type[Any]


class Run:
    """One run over a pair of sources."""

    def __init__(
        self,
        sources: tuple[Source, Source],
        k: int,
        settings: Chunked,
        *,
        tol: float,
        max_iter: int | None,
        callback: Callback | None,
        tell: Callable[[Progress], object],
    ) -> None:
        self._sources, self._k, self._settings, self._tol = sources, k, settings, tol
        self._limit, self._callback, self._tell = max_iter or PASSES, callback, tell
        self._pieces: list[Sequence[Piece]] = [source.pieces() for source in sources]
        self._engines: list[Engine] = [find_engine(pieces) for pieces in self._pieces]
        self._folder = None if settings.folder is None else Folder(settings.folder, self._identity)
        self._began, self._passes, self._bounds = time.perf_counter(), 0, (0.0, np.inf)
        self._history: list[Iterate] = []
        self._moments: list[Array | None] = [None, None]

    def outcome(self) -> Outcome:
        """Return where the run ends."""
        scans = self._scan()
        coordinates = _coordinates(*scans)
        samples = Samples(coordinates.inside(scans[0].sample), coordinates.inside(scans[1].sample), self._k)
        factor, count = samples.search(self._tol, self._settings.cells)
        best: tuple[Proof, Proof] | None = None
        narrowest = np.inf
        while True:
            views = samples.views(factor, count, coordinates, moments=best is None)
            proof = prove(*self._sides(views, scans), factor, self._k)
            best = (proof, proof) if best is None else _better(best, proof)
            outcome = Outcome(Status.STALLED, coordinates, *best, (), (scans[0].rows, scans[1].rows), self._passes)
            status = self._record(outcome)
            following = self._next(best, count, narrowest)
            if status is not None or following is None:
                return replace(outcome, status=status or outcome.status, history=tuple(self._history))
            narrowest = min(narrowest, relative_gap(best[0].lower, best[1].upper))
            factor, count = following

    def _sides(self, views: tuple[View, View], scans: tuple[Scan, Scan]) -> tuple[Side, Side]:
        """Return what a pass knows of both measures."""
        sides, sums = [], self._sum_up(views, scans)
        for at, (view, scan) in enumerate(zip(views, scans, strict=True)):
            if view.moments:
                self._moments[at] = sums[at].moment
            moment = self._moments[at]
            assert moment is not None  # as the first pass sums them up
            reach = view.coordinates.reach(scan.low, scan.high)
            sides.append(Side.of(sums[at], moment, view.factor, reach))
        return sides[0], sides[1]

    def _next(self, best: tuple[Proof, Proof], count: int, narrowest: float) -> tuple[Array, int] | None:
        """Return the Omega and the number of cells of the next pass; None where both would be the same again.

        There are more cells where another Omega has not helped.
        """
        factor = next_factor(best[1], self._k)
        same = factor is best[1].factor or self._k == len(factor)
        more = count
        if same or relative_gap(best[0].lower, best[1].upper) > 0.7 * narrowest:
            more = self._settings.cells or min(4 * count, MOST_CELLS)
        return None if same and more == count else (factor, more)

    def _scan(self) -> tuple[Scan, Scan]:
        """Return what the first pass knows of both sides."""
        tasks: list[_Task] = []
        for side, (source, pieces) in enumerate(zip(self._sources, self._pieces, strict=True)):
            size = max(2, min(int(_SAMPLE_SHARE * self._settings.memory / (8 * source.d)), _MOST_SAMPLED))
            # No piece needs to bring all of the sample; one with more than four times its share brings too little.
            few = min(size, 4 * size // len(pieces) + 1000)
            asked = ScanOf(source.d, few, (self._settings.seed, side), source.name, source.labels)
            tasks.append(_Task("scan", asked, asked.of_piece, partial(Scan.plus, size=size), Scan))
        first, second = self._pass(tasks)
        for scan, source in zip((first, second), self._sources, strict=True):
            validate.require_any_rows(scan.rows, scan.weight, source.name, f"`{source.name}`")
        return first, second

    def _sum_up(self, views: tuple[View, View], scans: tuple[Scan, Scan]) -> tuple[CellSums, CellSums]:
        """Return the sums over the cells of both sides."""
        tasks = [_Task("cells", view, partial(_sum_piece, view=view), CellSums.plus, CellSums) for view in views]
        first, second = self._pass(tasks)
        for scan, sums, source in zip(scans, (first, second), self._sources, strict=True):
            validate.require_same_rows(scan.rows, sums.rows, source.name)
        return first, second

    def _pass(self, tasks: list["_Task"]) -> Any:
        """Return what one pass over both sides sums up to; what a folder has of it is not read again."""
        self._passes += 1
        total, finished = sum(map(len, self._pieces)), 0

        def done(more: int) -> None:
            nonlocal finished
            finished += more
            self._tell(Progress(self._passes, finished, total, *self._bounds))

        done(0)
        sums = []
        for side, task in enumerate(tasks):
            pieces, name = self._pieces[side], f"{self._passes:02d}-{task.name}-{'XY'[side]}"
            found = None if self._folder is None else self._folder.kept(name, task.asked, task.kind)
            if found is not None:
                done(len(pieces))
            else:
                found = self._engines[side].total(task.function, task.add, pieces, done)
                if self._folder is not None:
                    self._folder.keep(name, task.asked, found)
            sums.append(found)
        return tuple(sums)

    @property
    def _identity(self) -> dict[str, Any]:
        """What the folder of this run remembers it by."""
        settings = self._settings
        first, second = (source.identity for source in self._sources)
        names = {"k": self._k, "tol": self._tol, "seed": settings.seed, "cells": settings.cells}
        return {"X": first, "Y": second, "memory": settings.memory, **names}

    def _record(self, outcome: Outcome) -> Status | None:
        """Add a record of a pass to the history, and return why the run ends, or None."""
        self._bounds = lower, upper = outcome.interval
        record = Iterate(len(self._history) + 1, lower, upper, 0.0, time.perf_counter() - self._began)
        self._history.append(record)
        answer = None if self._callback is None else self._callback(record)
        if relative_gap(lower, upper) <= self._tol:
            return Status.CONVERGED
        if isinstance(answer, bool | np.bool_) and bool(answer):
            return Status.STOPPED
        return Status.MAX_ITER if len(self._history) >= self._limit else None


def _sum_piece(piece: Piece, number: int, *, view: View) -> CellSums:
    return CellSums.of(piece.blocks(), view)


def _better(best: tuple[Proof, Proof], proof: Proof) -> tuple[Proof, Proof]:
    """Return the proofs of the best lower and the best upper bound."""
    lower, upper = best
    return proof if proof.lower > lower.lower else lower, proof if proof.upper < upper.upper else upper


def _coordinates(first: Scan, second: Scan) -> Coordinates:
    """Return coordinates in which the samples have mean 0 together, and a spread of about 1."""
    centre = 0.5 * (first.sample.mean(axis=0) + second.sample.mean(axis=0))
    low, high = np.minimum(first.low, second.low), np.maximum(first.high, second.high)
    largest = float(np.maximum(high - centre, centre - low).max())
    validate.require_visible_range(largest)
    if largest == 0.0:
        return Coordinates(centre, 1.0)
    spread = max(float(np.mean(np.sum(((scan.sample - centre) / largest) ** 2, axis=1))) for scan in (first, second))
    return Coordinates(centre, float(2.0 ** np.floor(np.log2(largest * np.sqrt(max(spread, 1e-30))))))
