"""`timing`: seconds over the dimension d for W, for the paper's Algorithm 2 and for our default at the same gap."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..distances import srw, wasserstein
from ..instances import fragmented_hypercube
from ..result import Result
from . import _plots
from ._experiment import Experiment, Row, Table, bounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMES = {"W": "$W$, exact", "algorithm 2": "$S_2$ by the paper's Algorithm 2", "default": "$S_2$ by our default"}


@dataclass(frozen=True)
class Config:
    """Settings; the defaults are the paper's."""

    ds: tuple[int, ...] = (10, 25, 50, 100, 250, 500, 1000)
    n: int = 100
    k_star: int = 2
    repeats: int = 100
    reg: float = 0.1
    tol: float = 0.05

    def settings(self) -> tuple[int, ...]:
        """Return the dimensions."""
        return self.ds


def solve(config: Config, d: int, seed: int) -> list[Row]:
    """Return a row with its seconds for each of the three, on the same sample."""
    data = fragmented_hypercube(config.n, d, config.k_star, seed)
    X, Y, k = data.X, data.Y, config.k_star
    srw(X[:5], Y[:5], 1)  # imports and compilation are not what we time
    plain = _timed(lambda: wasserstein(X, Y))
    paper = _timed(lambda: srw(X, Y, k, method="frank-wolfe", reg=config.reg, tol=config.tol))
    # What Algorithm 2's answer is worth as a bound on the exact S_2: its certified gap.
    reached = max(paper[0].gap, 1e-6)
    ours = _timed(lambda: srw(X, Y, k, tol=reached))
    return [
        {"d": d, "method": name, **bounds(result), "seconds": round(seconds, 6)}
        for name, (result, seconds) in (("W", plain), ("algorithm 2", paper), ("default", ours))
    ]


def _timed(call: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def plot(rows: Table) -> "Figure":
    """Return the seconds of the three over d, on logarithmic axes."""
    bands = (_plots.MIN_MAX,)
    figure, [ax] = _plots.panels(size=(8.4, 4.6))
    for colour, name in zip((_plots.GREEN, _plots.ORANGE, _plots.BLUE), _NAMES, strict=True):
        group = rows[rows["method"] == name]
        _plots.curve(ax, group, "d", group["seconds"], label=_NAMES[name], colour=colour, bands=bands)
    ax.set(
        title="Fragmented hypercube: time to the same certified gap",
        xlabel="dimension d of the data",
        ylabel="time of one solve (seconds)",
    )
    _plots.log_axes(ax, sorted(rows["d"].unique()))
    _plots.legend(ax, bands, rows["repeat"].nunique(), loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def finding(rows: Table) -> str:
    """Return mean seconds at the largest d, and the slopes on logarithmic axes."""
    mean = rows.groupby(["method", "d"])["seconds"].mean()
    largest = int(rows["d"].max())
    parts = [f"{name} {1e3 * mean[name, largest]:.0f} ms" for name in _NAMES]
    slopes = {name: _slope(mean[name]) for name in _NAMES}
    return (
        f"at d = {largest}: {', '.join(parts)}; time grows like d to the power {slopes['algorithm 2']:.1f} for "
        f"Algorithm 2, {slopes['default']:.1f} for our default at the same certified gap and {slopes['W']:.1f} for W."
    )


def _slope(mean: Table) -> float:
    """Return the slope of log time over log d, on the upper half of the dimensions."""
    upper = mean.iloc[len(mean) // 2 :] if len(mean) > 3 else mean
    return float(np.polyfit(np.log(upper.index), np.log(upper), 1)[0])


EXPERIMENT = Experiment(
    name="timing",
    shows="Fragmented hypercube: time of W, of Algorithm 2 and of our default over d (section 6.4)",
    claim="SRW by Algorithm 2 takes time quadratic in d, because of the eigendecomposition of V.",
    differs="One CPU thread, where the paper uses a GPU; all solvers work in the span of the points.",
    presets={"paper": Config(), "smoke": Config(ds=(10, 25, 50), repeats=2)},
    solve=solve,
    plots={"figure": plot},
    finding=finding,
    alone=True,
)
