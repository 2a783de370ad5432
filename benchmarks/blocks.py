"""Blocks of random runs, spread over processes and written to a file as they come: what is there is not run again."""

import argparse
import csv
import time
import zlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import joblib
import numpy as np

Row: TypeAlias = dict[str, Any]  # case, first, runs, and what was counted

SIZE = 10  # runs of a block: small enough that little is lost when a long run is stopped
TELL = 60.0  # seconds from one line on progress to the next


@dataclass(frozen=True)
class Block:
    """The runs first, ..., first + SIZE - 1 of a case."""

    case: str
    first: int

    @property
    def streams(self) -> list[np.random.Generator]:
        """A random stream for each run, which depends on the case and on the number of the run alone."""
        return [np.random.default_rng([zlib.crc32(self.case.encode()), self.first + i]) for i in range(SIZE)]


def arguments(prog: str, description: str, runs: int, file: Path, cases: Collection[str]) -> argparse.Namespace:
    """Return the options of a command that runs blocks: `runs`, `only`, `jobs` and `rows`."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("--runs", type=int, default=runs, metavar="N", help=f"of each case, in tens (default {runs})")
    parser.add_argument("--only", metavar="NAME", default="", help="only cases that hold NAME in their name")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument("--rows", type=Path, default=file, metavar="FILE", help="where the blocks are kept")
    parser.add_argument("--kept", dest="runs", action="store_const", const=0, help="run nothing, print what is kept")
    options = parser.parse_args()
    if not any(options.only in name for name in cases):
        parser.error(f"--only must be part of one of: {', '.join(cases)}")
    return options


def run(
    prog: str,
    description: str,
    runs: int,
    file: Path,
    cases: Collection[str],
    count: Callable[[Block], Row],
    report: Callable[[Path, str], list[str]],
) -> None:
    """Parse the arguments of a command, run what is missing, and print the table."""
    options = arguments(prog, description, runs, file, cases)
    for name in cases:
        if options.only in name:
            compute(options.rows, name, options.runs, count, options.jobs)
    print(*report(options.rows, options.only), sep="\n")


def compute(file: Path, case: str, runs: int, count: Callable[[Block], Row], jobs: int) -> None:
    """Append to a file the blocks of a case that it lacks, each as soon as it is finished.

    `count` returns what was counted in a block. Few runs are a part of more.
    """
    kept = {(row["case"], int(row["first"])) for row in read(file)}
    missing = [Block(case, first) for first in range(0, runs, SIZE) if (case, first) not in kept]
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
    told = time.perf_counter()
    for done, row in enumerate(parallel(joblib.delayed(_row)(count, block) for block in missing), 1):
        append(file, row)
        if time.perf_counter() - told > TELL:
            told = time.perf_counter()
            print(f"{case}: {done} of {len(missing)} blocks", flush=True)


def totals(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the sums over blocks of all that was counted or measured; nothing for no rows."""
    sums: dict[str, Any] = {}
    for row in rows:
        for name, value in row.items():
            if name not in ("case", "first"):
                number = float(value)
                sums[name] = sums.get(name, 0) + (int(number) if number.is_integer() else number)
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
    return {"case": block.case, "first": block.first, "runs": SIZE, **count(block)}
