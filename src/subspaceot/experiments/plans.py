"""`hypercube-plan`, `disk-plan`: where points go in the sense of W and of S_2, seen in the true plane."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..distances import srw, wasserstein
from ..runtime.types import Array
from . import _plots
from ._experiment import Experiment, Row, Table, bounds
from ._families import FAMILIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Config:
    """Settings; the defaults are the paper's, but for `tol`, the certified gap of S_2."""

    family: str
    n: int = 250
    d: int = 30
    k_star: int = 2
    repeats: int = 1
    tol: float = 1e-3

    def settings(self) -> tuple[int, ...]:
        """Return the dimensions of the subspaces: all of them for W, and k* for S."""
        return (self.d, self.k_star)


def solve(config: Config, k: int, seed: int) -> list[Row]:
    """Return one row for each pair of points with mass between them, in the plane of the true subspace."""
    family = FAMILIES[config.family]
    data = family.draw(config.n, config.d, config.k_star, seed)
    assert data.subspace is not None
    result = wasserstein(data.X, data.Y) if k == config.d else srw(data.X, data.Y, k, tol=config.tol)
    plan = result.sparse_plan.tocoo()
    X, Y = data.X @ data.subspace, data.Y @ data.subspace
    T = family.true_map(X)
    same = {"distance": "W" if k == config.d else "S", **bounds(result)}
    return [
        {**same, **_pair("x", X[i]), **_pair("y", Y[j]), **_pair("true_y", T[i]), "mass": mass}
        for i, j, mass in zip(plan.row, plan.col, plan.data, strict=True)
    ]


def _pair(name: str, point: Array) -> Row:
    """Return the columns of a point of the plane."""
    return {f"{name}1": point[0], f"{name}2": point[1]}


def plot(rows: Table, title: str) -> "Figure":
    """Return both plans side by side, each pair as a segment as dark as its mass."""
    first = rows[rows["repeat"] == 0]
    figure, axes = _plots.panels(2, size=(9.0, 5.3))
    figure.suptitle(f"{title}, seen in the plane of the true subspace", fontsize=12)
    for ax, name, distance in zip(axes, ("$W$", "$S_2$"), "WS", strict=True):
        pairs = first[first["distance"] == distance]
        _plots.draw_plan(ax, pairs)
        ax.set(
            title=f"Optimal for {name}: {root_error(pairs):.2f} from the true targets",
            xlabel="first true direction (units of the data)",
            ylabel="second true direction",
        )
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3)
    return figure


def root_error(pairs: Table) -> float:
    """Return how far, in the true plane, the mass arrives from where the true map sends it: root of the mean square."""
    square = (pairs["y1"] - pairs["true_y1"]) ** 2 + (pairs["y2"] - pairs["true_y2"]) ** 2
    return float(np.sqrt(np.average(square, weights=pairs["mass"])))


def finding(rows: Table) -> str:
    """Return how far each plan is from the true map."""
    S, W = (root_error(rows[rows["distance"] == name]) for name in "SW")
    return (
        f"in the true plane mass arrives {W:.2f} away from where the true map sends it with W's plan, and {S:.2f} with "
        f"S_2's (root of the mean square)."
    )


def experiment(family: str) -> Experiment:
    """Return the experiment for one kind of data."""
    kind = FAMILIES[family]
    return Experiment(
        name=f"{family}-plan",
        shows=f"{kind.title}: plans in the sense of W and of S_2, n = 250 points (section {kind.section})",
        claim="transport in the sense of S_2 withstands the sampling noise that leads W's plan astray.",
        differs="Exact plans (S_2 with a certified gap of 1e-3), where the paper's S_2 plan is blurred by entropy.",
        presets={"paper": Config(family), "smoke": Config(family, n=60)},
        solve=solve,
        plots={"figure": partial(plot, title=kind.title)},
        finding=finding,
    )
