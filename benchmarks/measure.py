"""Times, answers and memory of all competitors on one problem."""

from functools import partial
from typing import Any

import numpy as np

import subspaceot as sot
from subspaceot.instances import Instance

from .competitors import COMPETITORS, POT_PROJECTION
from .memory import MEASURED, peak_memory
from .problems import Problem
from .timing import medians, timed


def measured(problem: Problem, repeats: int, *, pot: bool = True) -> dict[str, Any]:
    """Return one row: median times as ratios to `emd2`, memory, and how good each answer is; POT's solver if `pot`."""
    data = problem.data()
    calls = {name: partial(competitor, data, problem.k) for name, competitor in COMPETITORS.items()}
    if not pot:
        calls.pop(POT_PROJECTION, None)
    seconds, answers = timed(calls, repeats)
    median = medians(seconds)
    ratio = {name: value / median["emd2"] for name, value in median.items()}
    loose, tight, paper = answers["1e-2"], answers["1e-3"], answers["algorithm 2"]
    return {
        "name": problem.name,
        "problem": problem.family,
        "n": len(data.X),
        "m": len(data.Y),
        "d": data.X.shape[1],
        "k": problem.k,
        "emd2 ms": 1e3 * median["emd2"],
        "ratio 1e-2": ratio["1e-2"],
        "goal 1e-2": problem.goals[0],
        "gap 1e-2": loose.gap,
        "ratio 1e-3": ratio["1e-3"],
        "goal 1e-3": problem.goals[1],
        "gap 1e-3": tight.gap,
        "iterations": [loose.n_iter, tight.n_iter],
        "status": [loose.status.name, tight.status.name],
        "lower": tight.lower,
        "upper": tight.upper,
        "peak MB": {name: peak_memory(problem.name, name) for name in MEASURED},
        "algorithm 2 ratio": ratio["algorithm 2"],
        "algorithm 2 value": paper.cost,
        "algorithm 2 error %": 100 * (paper.cost / tight.cost - 1),
        "algorithm 2 inside": tight.lower <= paper.cost <= tight.upper,
        "algorithm 2 iterations": paper.n_iter,
        "POT ratio": ratio.get(POT_PROJECTION),
        "POT attains %": attained(data, answers[POT_PROJECTION], tight) if POT_PROJECTION in answers else None,
        "seconds": seconds,
    }


def with_pot_of(row: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    """Return a row with what an earlier run says of POT's solver on the same problem, if it says anything."""
    for other in earlier["rows"]:
        if other["name"] == row["name"] and other["POT ratio"] is not None:
            seconds = row["seconds"] | {POT_PROJECTION: other["seconds"][POT_PROJECTION]}
            return row | {name: other[name] for name in ("POT ratio", "POT attains %")} | {"seconds": seconds}
    return row


def attained(data: Instance, basis: Any, result: sot.Result) -> float | None:
    """Return the share of S_k^2, in %, that exact transport in a basis costs; None for a basis of NaN."""
    if not np.isfinite(basis).all():
        return None
    return 100 * sot.wasserstein(data.X @ basis, data.Y @ basis, data.a, data.b).cost / result.cost


def missed(row: dict[str, Any]) -> list[str]:
    """Return the goals that a row does not meet, in words."""
    return [
        f"{row['name']} to {tol}: {row[f'ratio {tol}']:.3g} > {row[f'goal {tol}']:.3g}"
        for tol in ("1e-2", "1e-3")
        if row[f"goal {tol}"] is not None and row[f"ratio {tol}"] > row[f"goal {tol}"]
    ]
