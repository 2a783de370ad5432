"""Parquet files larger than memory on a Dask cluster: certified gap, processor time, memory, rows a second.

    python -m benchmarks.stream [--rows 1000000] [--folder FOLDER] [--keep]

The data are a hypercube split along 2 of 20 directions, rotated, as float32. They are written into FOLDER in chunks,
and deleted in the end. Without --rows there are 20,000,000 rows a side: 3.2 GB.
"""

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

D, K, TOL = 20, 2, 2e-2
TRUTH = 8.0  # of the law; two samples of it are near
PART = 500_000  # rows of a row group
FILE = 2_000_000  # rows of a file, at most
WORKERS, WORKER_MEMORY = 2, "2GB"
LARGE_ROWS, LARGE_WORKERS = 10**8, 32  # what the last line predicts


def main() -> None:
    """Write the data, measure in a process of its own, and print what came out."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stream", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000_000, metavar="N", help="of each side (default 20,000,000)")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="for the data (default: a temporary one)")
    parser.add_argument("--keep", action="store_true", help="do not delete the data; those that are there are used")
    options = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"  # before the processes start
    folder = options.folder or Path(tempfile.mkdtemp())
    context = multiprocessing.get_context("spawn")
    try:
        for side, seed in (("x", 0), ("y", 1)):
            if not (folder / side).exists():
                run(context, write, folder / side, options.rows, seed)
        found = run(context, measured, folder)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print_lines(found, options.rows)


def run(context: Any, function: Any, *args: Any) -> Any:
    """Return what a function returns in a process of its own, which may have children."""
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(sender, function, args))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    finally:
        process.join()


def send(sender: Any, function: Any, args: tuple[Any, ...]) -> None:
    """Send what a function returns."""
    sender.send(function(*args))


def write(folder: Path, rows: int, seed: int) -> None:
    """Write one side, a row group at a time; `seed` 0 is the cube, 1 the cube split along two directions."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    Q = np.linalg.qr(np.random.default_rng(99).standard_normal((D, D)))[0]
    names = [f"c{j}" for j in range(D)]
    schema = pa.schema([(name, pa.float32()) for name in names])
    rng = np.random.default_rng(seed)
    for first in range(0, rows, FILE):
        with pq.ParquetWriter(folder / f"part-{first:010d}.parquet", schema, compression="none") as writer:
            for start in range(first, min(first + FILE, rows), PART):
                points = rng.uniform(-1.0, 1.0, (min(PART, rows - start), D))
                if seed:
                    points[:, :K] += 2.0 * np.sign(points[:, :K])
                columns = (points @ Q).astype(np.float32).T
                writer.write_table(pa.table(dict(zip(names, columns, strict=True)), schema))


def measured(folder: Path) -> dict[str, Any]:
    """Return gap, seconds, memory and what each pass took."""
    import distributed

    import subspaceot as sot

    unit = min(unit_of(seed) for seed in range(3))
    with (
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, memory_limit=WORKER_MEMORY, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(used)  # the import of subspaceot is not measured
        passes: dict[int, list[float]] = {}

        def tell(progress: Any) -> None:
            passes.setdefault(progress.number, []).append(time.perf_counter())
            if progress.done in (0, progress.total):
                cpu = sum(seconds for seconds, _ in client.run(used).values())
                passes[progress.number].append(cpu)
                line = f"pass {progress.number}: {progress.done} of {progress.total} pieces"
                print(f"{line}, S_k^2 in [{progress.lower:.5g}, {progress.upper:.5g}]", file=sys.stderr, flush=True)

        before, here = sum(seconds for seconds, _ in client.run(used).values()), time.process_time()
        began = time.perf_counter()
        result = sot.srw(folder / "x", folder / "y", K, tol=TOL, method=sot.Chunked(memory=1e9, progress=tell))
        wall, here = time.perf_counter() - began, time.process_time() - here
        workers = list(client.run(used).values())
    return {
        "gap": result.gap,
        "interval": (result.lower, result.upper),
        "converged": result.converged,
        "unit": unit,
        "wall": wall,
        "client": here,
        "workers": sum(seconds for seconds, _ in workers) - before,
        "client_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "worker_gb": [peak / 1e6 for _, peak in workers],
        "passes": [(times[-2] - times[0], times[-1] - times[1]) for times in passes.values()],
    }


def used() -> tuple[float, float]:
    """Return the processor seconds and the largest memory in kB of this process."""
    import subspaceot.chunks.passes  # noqa: F401

    return time.process_time(), float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def unit_of(seed: int) -> float:
    """Return the processor seconds of one exact transport with its cost matrix."""
    import ot

    X, Y = np.random.default_rng(seed).standard_normal((2, 2000, 30))
    weights = np.full(2000, 1 / 2000)
    began = time.process_time()
    ot.emd2(weights, weights, ot.dist(X, Y), numItermax=10**8)
    return time.process_time() - began


def print_lines(found: dict[str, Any], rows: int) -> None:
    """Print what was measured, and what more rows on more workers would take."""
    lower, upper = found["interval"]
    total = found["client"] + found["workers"]
    print(
        f"{rows} x {D} a side, k = {K}: S_k^2 in [{lower:.6g}, {upper:.6g}], gap {found['gap']:.1e} of {TOL:.0e} asked"
    )
    print(
        f"processor: {total / found['unit']:.0f} units of {found['unit']:.2f} s ({found['client']:.0f} s in the "
        f"client, {found['workers']:.0f} s in {WORKERS} workers); {found['wall']:.0f} s on the clock"
    )
    print(
        f"memory: client {found['client_gb']:.2f} GB, workers {', '.join(f'{gb:.2f}' for gb in found['worker_gb'])} GB"
    )
    seconds = 0.0
    for number, (wall, cpu) in enumerate(found["passes"], 1):
        print(
            f"pass {number}: {2 * rows / max(wall, 1e-9):.3g} rows/s on the clock, {2 * rows / max(cpu, 1e-9):.3g} "
            f"rows per processor second of a worker"
        )
        seconds += cpu * LARGE_ROWS / rows / LARGE_WORKERS
    print(
        f"{LARGE_ROWS:.0e} rows a side on {LARGE_WORKERS} workers: {seconds:.0f} s in passes + {found['client']:.0f} s "
        f"in the client, if each worker has a core of its own, reads at the rate above, and the passes are as many"
    )
    print(json.dumps(found), file=sys.stderr)


if __name__ == "__main__":
    main()
