"""How time and memory grow with the number of points: `python -m benchmarks.growth [--k K ...] [--largest N]`.

Hypercubes split along k of 20 directions, certified to 1e-2, each in a process of its own. Beside it what POT takes for
the same points projected onto the k hidden directions, until a call took S processor seconds: `ot.emd2` with its cost
matrix, `ot.lp.emd2_lazy`, and BSP-OT, which is an upper bound: its error is relative to `emd2`, or to `emd2_lazy`.
"""

import argparse
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence

import numpy as np

from . import memory

TOL, D, SEED = 1e-2, 20, 0
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
PEERS = ("emd2", "emd2_lazy", "bsp")


def ours(n: int, k: int) -> tuple[float, float, float]:
    """Return processor seconds, gigabytes beyond the data, and the certified gap."""
    import subspaceot as sot

    warm = sot.instances.fragmented_hypercube(6000, 4, 2, SEED)
    sot.srw(warm.X, warm.Y, 2, tol=5e-2)  # loads compiled code
    data = sot.instances.fragmented_hypercube(n, D, k, SEED, rotate=True)
    found: list[tuple[float, float]] = []

    def solve() -> None:
        began = time.process_time()
        gap = sot.srw(data.X, data.Y, k, tol=TOL).gap
        found.append((time.process_time() - began, gap))

    peak = memory.peak_of(solve)
    [(seconds, gap)] = found
    return seconds, float("nan") if peak is None else peak / 1e9, gap


def peer(name: str, n: int, k: int) -> tuple[float, float]:
    """Return processor seconds and the cost that a function of POT finds for the projected points."""
    import ot

    import subspaceot as sot

    data = sot.instances.fragmented_hypercube(n, D, k, SEED)
    X, Y, weights = data.X[:, :k].copy(), data.Y[:, :k].copy(), np.full(n, 1 / n)
    calls: dict[str, Callable[[], float]] = {
        "emd2": lambda: float(ot.emd2(weights, weights, ot.dist(X, Y), numItermax=10**8)),
        "emd2_lazy": lambda: float(ot.lp.emd2_lazy(X, Y, weights, weights, numItermax=10**8)[0]),
        "bsp": lambda: _bsp(X, Y),
    }
    began = time.process_time()
    cost = calls[name]()
    return time.process_time() - began, cost


def _bsp(X: np.ndarray, Y: np.ndarray) -> float:
    """Return the cost of the bijection of BSP-OT."""
    import ot

    return float(ot.bsp.compute_bspot_bijection(X, Y)[0])


def main() -> None:
    """Parse the arguments and print a line for each number of points."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=(1, 2, 3, 5), metavar="K", help="directions")
    parser.add_argument("--largest", type=int, default=SIZES[-1], metavar="N", help="points of each side, at most")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for the largest call of a peer")
    options = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"  # before the processes start
    titles = ("k", "n", "seconds", "GB", "gap", *PEERS, "error of bsp")
    print("".join(f"{title:>13s}" for title in titles), flush=True)
    for k in options.k:
        print_growth(k, [n for n in SIZES if n <= options.largest], options.seconds)


def print_growth(k: int, sizes: Sequence[int], limit: float) -> None:
    """Print the lines for one k, and the exponent of the time from 10,000 points on."""
    times: list[float] = []
    going = set(PEERS)
    for n in sizes:
        seconds, gigabytes, gap = alone(ours, n, k)
        times.append(seconds)
        found = {name: alone(peer, name, n, k) for name in PEERS if name in going}
        # The next n is three times as large, so that its matrix takes nine times as long.
        going -= {name for name, (taken, _) in found.items() if (3.0 if name == "bsp" else 10.0) * taken > limit}
        cells = [f"{found[name][0]:.2f}" if name in found else "" for name in PEERS]
        exact = next((found[name][1] for name in PEERS[:2] if name in found), None)
        error = f"{found['bsp'][1] / exact - 1.0:+.1%}" if exact and "bsp" in found else ""
        shown = (str(k), f"{n:,}", f"{seconds:.2f}", f"{gigabytes:.2f}", f"{gap:.1e}", *cells, error)
        print("".join(f"{cell:>13s}" for cell in shown), flush=True)
    large = [(n, taken) for n, taken in zip(sizes, times, strict=True) if n >= 10_000]
    if len(large) > 1:
        exponent = np.polyfit(*np.log(np.array(large)).T, 1)[0]
        print(f"k = {k}: time grows like n^{exponent:.2f} from 10,000 points on", flush=True)


def alone(function: Callable[..., tuple[float, ...]], *arguments: object) -> tuple[float, ...]:
    """Return what a function returns in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


if __name__ == "__main__":
    main()
