"""How time grows: with the number of points n, the dimension d, the dimension k of the subspace, and 1 / tol."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import subspaceot as sot
from subspaceot.instances import Instance, fragmented_hypercube

from .competitors import COMPETITORS, certified
from .problems import SEED, hypercube, wishart
from .timing import exponent, medians, timed

Calls = Mapping[str, Callable[[], Any]]
PLAIN = ("emd2", "1e-2", "1e-3")


@dataclass(frozen=True, slots=True)
class Scan:
    """Calls by name for each value of what is varied."""

    name: str
    over: str  # n, d, k or tol
    problem: str  # in words
    values: tuple[float, ...]
    calls: Callable[[Any], Calls]
    goal: float | None = None  # the largest exponent our times may have
    fitted_below: float = math.inf  # values from here on are another kind of problem


def plain(data: Instance, k: int) -> Calls:
    """Exact transport, and ours to two gaps."""
    return {name: partial(COMPETITORS[name], data, k) for name in PLAIN}


def turned(d: int) -> Instance:
    """The same cubes in 25 dimensions, turned into d: the geometry stays, the arrays grow."""
    flat = fragmented_hypercube(100, 25, 2, SEED)
    frame, _ = np.linalg.qr(np.random.default_rng(SEED).standard_normal((d, 25)))
    return Instance(flat.X @ frame.T, flat.Y @ frame.T, flat.a, flat.b, flat.truth, frame[:, :2])


def to_gap(tol: float) -> Calls:
    """Two kinds of problems at one tolerance."""
    problems = {"hypercube2-k2-n500": (hypercube(2)(500), 2), "wishart5-k5-n500": (wishart(500), 5)}
    return {name: partial(certified(tol), *problem) for name, problem in problems.items()}


DIMENSIONS = (25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)

SCANS = (
    Scan(
        "scan-n",
        "n",
        "a cube split along 2 of 30 directions, k = 2",
        (100, 200, 500, 1000, 2000),
        lambda n: plain(hypercube(2)(n), 2),
    ),
    Scan(
        "scan-d-same-points",
        "d",
        "100 points of a cube split along 2 of 25 directions, turned into d dimensions, k = 2",
        DIMENSIONS,
        lambda d: plain(turned(d), 2),
        goal=1.0,
    ),
    Scan(
        "scan-d-more-noise",
        "d",
        "100 points of a cube split along 2 of d directions, k = 2",
        DIMENSIONS,
        # Not rotated: no solver looks at single coordinates, and a rotation at d = 10,000 takes many minutes.
        lambda d: plain(fragmented_hypercube(100, d, 2, SEED), 2),
        goal=1.0,
    ),
    Scan(
        "scan-k",
        "k",
        "100 points of a cube split along 2 of 30 directions",
        (1, 2, 3, 5, 8, 12, 20, 30),
        lambda k: plain(hypercube(2)(100), k),
        fitted_below=30,  # k = d is one exact transport
    ),
    Scan("scan-tol", "tol", "two problems of 500 points", (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4), to_gap),
)


def scanned(scan: Scan, repeats: int, *, quick: bool = False) -> dict[str, Any]:
    """Return the seconds of all calls at each value, the gaps they reached, and the exponents that fit."""
    points = []
    for value in scan.values[:3] if quick else scan.values:
        seconds, answers = timed(scan.calls(value), repeats)
        results = {name: answer for name, answer in answers.items() if isinstance(answer, sot.Result)}
        points.append(
            {
                scan.over: value,
                "seconds": seconds,
                "median": medians(seconds),
                "gap": {name: result.gap for name, result in results.items()},
                "status": {name: result.status.name for name, result in results.items()},
                "iterations": {name: result.n_iter for name, result in results.items()},
            }
        )
    return {
        "name": scan.name,
        "over": scan.over,
        "problem": scan.problem,
        "goal": scan.goal,
        "points": points,
        "fitted": [point[scan.over] for point in points if point[scan.over] < scan.fitted_below],
        "exponents": exponents([point for point in points if point[scan.over] < scan.fitted_below], scan.over),
    }


def exponents(fitted: list[dict[str, Any]], over: str) -> dict[str, dict[str, float | None]]:
    """Return for each curve the power of n, d, k or 1 / tol that fits all values, and the upper half of them."""
    values = [1 / point[over] if over == "tol" else point[over] for point in fitted]
    half = len(values) // 2 if len(values) > 3 else 0
    return {
        name: {
            "all": exponent(values, seconds := [point["median"][name] for point in fitted]),
            "upper half": exponent(values[half:], seconds[half:]),
        }
        for name in fitted[0]["median"]
    }


def missed(scan: dict[str, Any]) -> list[str]:
    """Return the exponents above the goal, in words."""
    return [
        f"{scan['name']} to {name}: {scan['over']}^{power['all']:.2f} > {scan['over']}^{scan['goal']:g}"
        for name, power in scan["exponents"].items()
        if scan["goal"] is not None and name != "emd2" and power["all"] is not None and power["all"] > scan["goal"]
    ]
