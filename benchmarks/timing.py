"""Seconds of several calls, taken in turn, and how they grow."""

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

WARM = 1.0  # seconds: in a first run shorter than this, loading compiled code and touching memory would be felt
PATIENCE = 60.0  # seconds: a call whose runs have taken this long is not repeated further


def timed(calls: Mapping[str, Callable[[], Any]], repeats: int) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Return the seconds of each call's runs, `repeats` of them or fewer if they are slow, and its last answer.

    A first run of less than `WARM` seconds does not count.
    """
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    answers: dict[str, Any] = {}
    for turn in range(repeats + 1):
        for name, call in calls.items():  # in turn, so that a slow minute slows all of them
            if len(seconds[name]) == repeats or sum(seconds[name]) > PATIENCE:
                continue
            began = time.perf_counter()
            answers[name] = call()
            run = time.perf_counter() - began
            if turn > 0 or run >= WARM:
                seconds[name].append(run)
    return seconds, answers


def medians(seconds: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the median of each call's runs."""
    return {name: statistics.median(runs) for name, runs in seconds.items()}


def exponent(values: Sequence[float], seconds: Sequence[float]) -> float | None:
    """Return p of the power law seconds ~ values^p that fits best on logarithmic axes; None for a single value."""
    if len(values) < 2:
        return None
    slope, _ = statistics.linear_regression([math.log(v) for v in values], [math.log(s) for s in seconds])
    return slope
