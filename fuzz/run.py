"""Many problems on a few processes, and the report."""

import multiprocessing
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing.connection import Connection, wait

import numpy as np

from .draw import describe, draw, draw_on_the_line
from .solve import Record, run_one

_SILENCE = 600.0  # seconds after which a process that says nothing is ended
_SHOWN = 100  # failures that the report lists one by one
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


def repeat(index: int, seed: int, line: bool) -> int:
    """Run one problem alone, print it and what came of it, and return the exit code."""
    drawn = (draw_on_the_line if line else draw)(seed, index)
    print(describe(drawn))
    record = run_one(drawn)
    print(
        f"# {record.seconds:.2f} s, {', '.join(record.statuses) or record.refused or 'no result'}, gaps {record.gaps}"
    )
    print(*[f"# {failure}" for failure in record.failures] or ["# passed"], sep="\n")
    if record.details:
        print(record.details)
    return 1 if record.failures else 0


def run(count: int, seed: int, line: bool, jobs: int) -> int:
    """Run `count` problems, print the report, and return the exit code: 1 if any failed."""
    began = time.perf_counter()
    records = []
    last = 0.0
    for record in _records(count, seed, line, jobs):
        records.append(record)
        now = time.perf_counter()
        if now - last > (1.0 if sys.stderr.isatty() else 30.0):
            last = now
            failed = sum(bool(record.failures) for record in records)
            end = "\r" if sys.stderr.isatty() else "\n"
            rate = (now - began) / len(records)
            print(f"{len(records)} of {count} problems, {failed} failed, {rate:.2f} s each", end=end, file=sys.stderr)
            sys.stderr.flush()
    records.sort(key=lambda record: record.index)
    print(report(records, seed, line, time.perf_counter() - began))
    return 1 if any(record.failures for record in records) else 0


def _records(count: int, seed: int, line: bool, jobs: int) -> Iterable[Record]:
    """Yield what came of each problem, as they finish."""
    if jobs == 1:
        return (run_one((draw_on_the_line if line else draw)(seed, index)) for index in range(count))
    return in_processes(partial(_solve, seed=seed, line=line), count, jobs)


def _solve(index: int, seed: int, line: bool) -> Record:
    return run_one((draw_on_the_line if line else draw)(seed, index))


def in_processes(task: Callable[[int], Record], count: int, jobs: int) -> Iterator[Record]:
    """Yield task(0), ..., task(count - 1) as they finish. A process that dies or hangs is a failure of its problem."""
    waiting = iter(range(count))
    busy: dict[Connection, _Worker] = {}

    def go_on(worker: _Worker | None) -> None:
        index = next(waiting, None)
        if index is None:
            if worker is not None:
                worker.end()
            return
        if worker is None or not worker.start(index):
            worker = _Worker(task)  # the old one is dead
            worker.start(index)
        busy[worker.connection] = worker

    for _ in range(jobs):
        go_on(None)
    while busy:
        for connection in wait(list(busy), timeout=5.0):
            worker = busy.pop(connection)
            try:
                yield connection.recv()
                go_on(worker)
            except (EOFError, OSError):
                code = worker.end()
                yield Record(worker.index, "?", "?", failures=[f"the process ended with exit code {code}"])
                go_on(None)
        for worker in [worker for worker in busy.values() if time.perf_counter() - worker.since > _SILENCE]:
            del busy[worker.connection]
            worker.end()
            yield Record(worker.index, "?", "?", failures=[f"no answer within {_SILENCE:.0f} s"])
            go_on(None)


class _Worker:
    """A process that runs one problem at a time."""

    def __init__(self, task: Callable[[int], Record]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, there = context.Pipe()
        self.process = context.Process(target=_work, args=(there, task), daemon=True)
        self.process.start()
        there.close()
        self.index, self.since = -1, 0.0

    def start(self, index: int) -> bool:
        """Send the number of a problem, and return whether the process is there to hear it."""
        self.index, self.since = index, time.perf_counter()
        try:
            self.connection.send(index)
        except OSError:
            return False
        return True

    def end(self) -> int | None:
        """End the process and return its exit code."""
        self.connection.close()
        self.process.join(timeout=1.0)  # it ends by itself where it waits for a problem
        self.process.kill()
        self.process.join()
        return self.process.exitcode


def _work(connection: Connection, task: Callable[[int], Record]) -> None:
    """Run the problems whose numbers come, until nobody is there any more."""
    try:
        while True:
            connection.send(task(connection.recv()))
    except (EOFError, OSError):
        pass


def report(records: list[Record], seed: int, line: bool, seconds: float) -> str:
    """Return the tables of what happened."""
    failed = [record for record in records if record.failures]
    lines = [f"{len(records)} problems, seed {seed}, {seconds:.0f} s: {len(failed)} failed", ""]
    lines += [*_by_kind(records), ""]
    for title, counts in (
        ("function", Counter(record.function for record in records)),
        ("status", Counter(status for record in records for status in record.statuses)),
        ("refused", Counter(_NUMBER.sub("#", record.refused)[:80] for record in records if record.refused is not None)),
    ):
        lines.append(f"{title}: " + (", ".join(f"{name} {number}" for name, number in counts.most_common()) or "none"))
    missing = sum(record.factors_missing for record in records)
    lines.append(f"results without `factor`, whose lower proof was not checked: {missing}")
    slowest = max(records, key=lambda record: record.seconds, default=None)
    if slowest is not None:
        lines.append(f"slowest call: {slowest.seconds:.1f} s, index {slowest.index}")
    if failed:
        lines += ["", "failures by what they say:"]
        where = defaultdict(list)
        for record in failed:
            for failure in dict.fromkeys(_NUMBER.sub("#", failure)[:110] for failure in record.failures):
                where[failure].append(record.index)
        for failure, indices in sorted(where.items(), key=lambda item: -len(item[1])):
            lines.append(f"{len(indices):6d}  {failure}  ({', '.join(map(str, indices[:4]))})")
        option = "--line " if line else ""
        lines += ["", f"failures, each repeated by `python -m fuzz {option}--only INDEX {seed}`:"]
        lines += [f"{r.index:6d}  {r.kind}, {r.function}: {r.failures[0][:160]}" for r in failed[:_SHOWN]]
        lines += [f"... and {len(failed) - _SHOWN} more"] if len(failed) > _SHOWN else []
    return "\n".join(lines)


def _by_kind(records: list[Record]) -> list[str]:
    """Return the table of kinds: how many, refused, failed, and the median and worst gap of runs without `max_iter`."""
    lines = [f"{'kind':22s}{'problems':>9s}{'refused':>9s}{'failed':>8s}{'median gap':>12s}{'worst gap':>11s}"]
    for kind in sorted({record.kind for record in records}):
        mine = [record for record in records if record.kind == kind]
        gaps = [gap for record in mine for gap in record.gaps]
        refused = sum(record.refused is not None for record in mine)
        failed = sum(bool(record.failures) for record in mine)
        middle, worst = (f"{np.median(gaps):.1e}", f"{max(gaps):.1e}") if gaps else ("-", "-")
        lines.append(f"{kind:22s}{len(mine):9d}{refused:9d}{failed:8d}{middle:>12s}{worst:>11s}")
    return lines
