"""Rows on disk: written as they are made, complete after a crash."""

import csv
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ..runtime.files import write_whole
from ._experiment import Row, Table
from ._run import Finished

ROWS, SECONDS, RECORD = "rows.csv", "seconds.csv", "run.json"


class Rows:
    """The rows of one run in a folder. `finished` tasks are on disk, in order, from task 0 on."""

    def __init__(self, rows: BinaryIO, seconds: BinaryIO) -> None:
        self._rows, self._seconds = rows, seconds
        self.finished = _cut_to_finished_tasks(rows, seconds)

    def append(self, done: Finished) -> None:
        """Write the rows of the next task, then its time; both are on disk when this returns."""
        if done.task.number != self.finished:
            raise ValueError(f"`done` must be task {self.finished}, the next one; got task {done.task.number}.")
        _write(self._rows, done.rows)
        _write(self._seconds, [{"task": done.task.number, "rows": len(done.rows), "seconds": round(done.seconds, 6)}])
        self.finished += 1


@contextmanager
def open_rows(folder: Path, record: dict[str, Any]) -> Iterator[Rows]:
    """Open the rows of a run to append to them. `record` holds what decides them: experiment, config, seed, version.

    A line that was cut off by a crash is dropped, and so are the rows of a task that had not finished. A folder that
    holds the rows of another run is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ROWS, "a+b") as rows, open(folder / SECONDS, "a+b") as seconds:
        _lock(rows, folder)
        _agree(folder, record, empty=os.path.getsize(folder / ROWS) == 0)
        yield Rows(rows, seconds)


def read_rows(folder: Path) -> Table:
    """Return the rows of a run as a DataFrame."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("Rows are read with pandas; install it with `pip install 'subspaceot[cli]'`.") from error
    # Only an empty cell is missing: "NA" may be the name of a text.
    return pd.read_csv(folder / ROWS, keep_default_na=False, na_values=[""])


def _agree(folder: Path, record: dict[str, Any], *, empty: bool) -> None:
    """Store the record of a new run; refuse to go on with a run that has another."""
    record = json.loads(json.dumps(record))  # as it will be read back: tuples become lists
    file = folder / RECORD
    if not file.exists():
        if not empty:
            raise ValueError(f"{folder} holds rows but no {RECORD} that says of which run. Choose another folder.")
        write_whole(file, (json.dumps(record, indent=2) + "\n").encode())
        return
    stored = json.loads(file.read_text(encoding="utf-8"))
    here, there = _flat(record), _flat(stored)
    for name in [*here, *there]:
        if here.get(name) != there.get(name):
            raise ValueError(
                f"{folder} holds a run with other arguments: {name} is {there.get(name)!r} there and "
                f"{here.get(name)!r} here. Choose another folder, or remove that one."
            )


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with the entries of its config beside the others."""
    config: dict[str, Any] = record.get("config", {})
    return {name: value for name, value in record.items() if name != "config"} | config


def _write(file: BinaryIO, rows: list[Row]) -> None:
    """Append rows to a CSV file, a header first if it is new, and wait for the disk."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if file.seek(0, os.SEEK_END) == 0:
        writer.writerow(rows[0])
    for row in rows:
        writer.writerow([_plain(value) for value in row.values()])
    file.write(text.getvalue().encode())
    file.flush()
    os.fsync(file.fileno())


def _plain(value: Any) -> Any:
    """Return a NumPy scalar as Python's own, whose repr is what the file holds."""
    return value.item() if hasattr(value, "item") else value


def _cut_to_finished_tasks(rows: BinaryIO, seconds: BinaryIO) -> int:
    """Cut both files after the last finished task and return the number of finished tasks.

    A task is finished if another task's rows follow, or if its time was written, and with it how many rows it has.
    """
    tasks, times = _tasks(rows), _tasks(seconds)
    finished = len(tasks)
    if finished and not (finished <= len(times) and times[finished - 1].cells[1] == str(tasks[-1].lines)):
        finished -= 1
    rows.truncate(tasks[finished - 1].end if finished else 0)
    timed = min(finished, len(times))
    seconds.truncate(times[timed - 1].end if timed else 0)
    return finished


@dataclass
class _Lines:
    """The lines of one task in a file."""

    lines: int  # how many
    end: int  # where the last of them ends, in bytes
    cells: list[str]  # of the last of them


def _tasks(file: BinaryIO) -> list[_Lines]:
    """Return the lines of task 0, 1, ... in a CSV file with first column `task`, up to the first incomplete line."""
    file.seek(0)
    tasks: list[_Lines] = []
    position, columns = 0, 0
    for line in file.read().splitlines(keepends=True):
        cells = _cells(line)
        position += len(line)
        if not cells or (columns and len(cells) != columns):
            break
        if not columns:  # the header
            columns = len(cells)
        elif cells[0] == str(len(tasks)):
            tasks.append(_Lines(1, position, cells))
        elif cells[0] == str(len(tasks) - 1):
            tasks[-1] = _Lines(tasks[-1].lines + 1, position, cells)
        else:
            break
    return tasks


def _cells(line: bytes) -> list[str]:
    """Return the cells of one line, none if it was cut off."""
    if not line.endswith(b"\n"):
        return []
    try:
        return next(csv.reader([line.decode()]))
    except (UnicodeDecodeError, csv.Error):
        return []


def _lock(file: BinaryIO, folder: Path) -> None:
    """Keep a second process from writing to the same rows; the lock ends with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise ValueError(f"{folder} is being written by another run. Wait for it, or choose another folder.") from error
