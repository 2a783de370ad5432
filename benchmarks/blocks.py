"""Blocks of random runs, spread over processes and written to a file as they come: what is there is not run again."""

import csv
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import joblib
import numpy as np

Row: TypeAlias = dict[str, int | str]

SIZE = 10  # runs of a block: small enough that little is lost when a long run is stopped


@dataclass(frozen=True)
class Block:
    """The runs first, ..., first + SIZE - 1 of a case."""

    case: str
    first: int

    @property
    def streams(self) -> list[np.random.Generator]:
        """A random stream for each run, which depends on the case and on the number of the run alone."""
        return [np.random.default_rng([zlib.crc32(self.case.encode()), self.first + i]) for i in range(SIZE)]


def computed(
    file: Path, cases: Sequence[str], runs: int, count: Callable[[Block], Row], jobs: int
) -> dict[str, list[Row]]:
    """Return the rows of each case, those of `file` and new ones, which are appended to it as they come.

    `count` returns what was counted in a block. All cases get as many runs; fewer of them are a part of more.
    """
    kept = {Block(str(row["case"]), int(row["first"])): row for row in read(file)}
    blocks = [Block(case, first) for case in cases for first in range(0, runs, SIZE)]
    missing = [block for block in blocks if block not in kept]
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
    began = time.perf_counter()
    for done, row in enumerate(parallel(joblib.delayed(_row)(count, block) for block in missing), 1):
        append(file, row)
        kept[Block(str(row["case"]), int(row["first"]))] = row
        if done % 10 == 0 or done == len(missing):
            print(f"  {done} of {len(missing)} blocks, {time.perf_counter() - began:.0f} s", flush=True)
    return {case: [kept[block] for block in blocks if block.case == case] for case in cases}


def totals(rows: Iterable[Row]) -> dict[str, int]:
    """Return the sums over blocks of all that was counted; an empty sum for no rows."""
    sums: dict[str, int] = {}
    for row in rows:
        for name, value in row.items():
            if name not in ("case", "first"):
                sums[name] = sums.get(name, 0) + int(value)
    return sums


def read(file: Path) -> list[Row]:
    """Return the rows of a file; none where it does not exist."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as lines:
        return [dict(row) for row in csv.DictReader(lines)]


def append(file: Path, row: Row) -> None:
    """Write one more row; the first writes the header too."""
    new = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, fieldnames=list(row), lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def _row(count: Callable[[Block], Row], block: Block) -> Row:
    row: dict[str, Any] = {"case": block.case, "first": block.first, "runs": SIZE}
    return {**row, **count(block)}
