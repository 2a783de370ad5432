"""`toy`: four points against five in the plane, where P_1 = S_1 in one example and P_1 < S_1 in another."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..distances import srw, wasserstein
from ..instances import Instance, planar
from ..planar import AngleCurves, angle_curves
from ..result import Result
from . import _plots
from ._experiment import Experiment, Row, Table, bounds, middle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_EMPTY = dict.fromkeys(("x1", "x2", "y1", "y2", "mass", "theta", "cost", "largest", "smallest"))


@dataclass(frozen=True)
class Config:
    """Settings: the distance between angles in degrees, and the certified gap of S_1."""

    examples: tuple[str, ...] = ("coincide", "differ")
    step: float = 0.25
    tol: float = 1e-6
    repeats: int = 1

    def settings(self) -> tuple[str, ...]:
        """Return the examples: P_1 and S_1 coincide in the first and differ in the second."""
        return self.examples


def solve(config: Config, example: str, seed: int) -> list[Row]:
    """Return the atoms of W's plan and of S_1's, one row for each, and the three curves, one row for each angle."""
    data = planar(coincide=example == "coincide")
    W = wasserstein(data.X, data.Y, data.a, data.b)
    robust = srw(data.X, data.Y, 1, data.a, data.b, tol=config.tol)
    theta = np.linspace(0.0, 180.0, round(180.0 / config.step) + 1)
    curves = angle_curves(data.X, data.Y, data.a, data.b, theta=theta)
    parts = (("W", W, _atoms(data, W)), ("S", robust, _atoms(data, robust)), ("angle", robust, _angles(curves)))
    return [
        {"example": example, "kind": kind, **bounds(result), **_EMPTY, **values}
        for kind, result, part in parts
        for values in part
    ]


def _atoms(data: Instance, result: Result) -> Iterator[Row]:
    """Yield the ends and the mass of each atom of the plan."""
    plan = result.sparse_plan.tocoo()
    for i, j, mass in zip(plan.row, plan.col, plan.data, strict=True):
        yield {"x1": data.X[i, 0], "x2": data.X[i, 1], "y1": data.Y[j, 0], "y2": data.Y[j, 1], "mass": mass}


def _angles(curves: AngleCurves) -> Iterator[Row]:
    """Yield the values of the three curves at each angle."""
    for theta, cost, largest, smallest in zip(curves.theta, curves.cost, curves.largest, curves.smallest, strict=True):
        yield {"theta": theta, "cost": cost, "largest": largest, "smallest": smallest}


def plot(rows: Table) -> "Figure":
    """Return a row of panels for each example: W's plan, S_1's plan, and the curves over the angle."""
    examples = list(rows["example"].unique())
    figure, axes = _plots.panels(3, len(examples), size=(11.0, 3.7 * len(examples)))
    for number, example in enumerate(examples):
        group = rows[rows["example"] == example]
        left, centre, right = axes[3 * number : 3 * number + 3]
        for ax, kind, name in ((left, "W", "$W$"), (centre, "S", "$S_1$")):
            _plan(ax, group[group["kind"] == kind])
            ax.set(title=f"Plan of {name}: {_eigenvalues(group[group['kind'] == kind])}")
        _direction(centre, group)
        _curves(right, group)
    axes[1].legend(fontsize=8, loc="best")
    return figure


def _plan(ax: Any, atoms: Table) -> None:
    """Draw the atoms of a plan, each as wide as its mass."""
    for x1, x2, y1, y2, mass in atoms[["x1", "x2", "y1", "y2", "mass"]].itertuples(index=False):
        ax.plot([x1, y1], [x2, y2], color="#999999", linewidth=20 * mass, solid_capstyle="round", alpha=0.6)
    ax.plot(atoms["x1"], atoms["x2"], "o", color=_plots.BLUE, markersize=6, label="first measure")
    ax.plot(atoms["y1"], atoms["y2"], "s", color=_plots.ORANGE, markersize=6, label="second measure")
    ax.plot([], [], color="#999999", linewidth=3, alpha=0.6, label="transported mass")
    ax.set(xlabel="first coordinate (units of the data)", ylabel="second coordinate")
    ax.set_aspect("equal", adjustable="datalim")


def _direction(ax: Any, group: Table) -> None:
    """Draw the line onto which the projections are farthest apart."""
    angle = np.deg2rad(_highest(group)["theta"])
    points = group[["x1", "x2", "y1", "y2"]].dropna().to_numpy().reshape(-1, 2)
    centre, reach = points.mean(axis=0), np.linalg.norm(points - points.mean(axis=0), axis=1).max()
    ends = centre + reach * np.outer([-1, 1], [np.cos(angle), np.sin(angle)])
    label = "direction of $P_1$"
    ax.plot(ends[:, 0], ends[:, 1], color=_plots.GREEN, linestyle="--", linewidth=1.8, label=label, zorder=0)


def _curves(ax: Any, group: Table) -> None:
    """Draw the three curves over the angle, with P_1^2 and S_1^2."""
    angles = group[group["kind"] == "angle"]
    ax.plot(angles["theta"], angles["largest"], color=_plots.BLACK, label="largest eigenvalue of its plan's V")
    ax.plot(angles["theta"], angles["cost"], color=_plots.PURPLE, label="cost of the projections")
    ax.plot(angles["theta"], angles["smallest"], color="#aaaaaa", label="smallest eigenvalue")
    highest, S = _highest(group), _robust(group)
    ax.axhline(S, color=_plots.BLACK, linestyle=":", linewidth=1.2)
    ax.plot(highest["theta"], highest["cost"], "o", color=_plots.PURPLE, markersize=6)
    ax.set(
        title=f"$P_1^2$ = {highest['cost']:.3f} (dot), $S_1^2$ = {S:.3f} (dotted)",
        xlabel=r"angle $\theta$ of the line (degrees)",
        ylabel="squared units of the data",
        xlim=(0, 180),
        ylim=(0, 1.55 * angles["largest"].max()),
        xticks=[0, 45, 90, 135, 180],
    )
    ax.legend(fontsize=8, loc="upper center")


def _eigenvalues(atoms: Table) -> str:
    """Return the cost of a plan and the largest eigenvalue of its V, in words."""
    D = atoms[["x1", "x2"]].to_numpy() - atoms[["y1", "y2"]].to_numpy()
    V = (D * atoms["mass"].to_numpy()[:, None]).T @ D
    return f"cost {np.trace(V):.3f}, $\\lambda_1$ = {np.linalg.eigvalsh(V)[-1]:.3f}"


def _highest(group: Table) -> Any:
    """Return the row of the angle whose projections are farthest apart: P_1^2 is its cost."""
    angles = group[group["kind"] == "angle"]
    return angles.loc[angles["cost"].idxmax()]


def _robust(group: Table) -> float:
    """Return S_1^2, the middle of its interval."""
    return float(middle(group[group["kind"] == "angle"]).iloc[0])


def finding(rows: Table) -> str:
    """Return P_1^2 and S_1^2 of each example."""
    parts = []
    for _, group in rows.groupby("example"):
        P, S = _highest(group), _robust(group)
        lowest = group["largest"].min()
        parts.append(
            f"of all angles tried {P['theta']:g} degrees has the highest cost, P_1^2 = {P['cost']:.4f}, while S_1^2 = "
            f"{S:.4f} and no angle's plan has a largest eigenvalue below {lowest:.4f}"
        )
    return f"{'. In the other example '.join(parts)}."


EXPERIMENT = Experiment(
    name="toy",
    shows="Small measures in the plane: curves over the angle where P_1 = S_1, and where P_1 < S_1 (figures 1 and S1)",
    claim="the largest cost of projections onto a line is P_1^2, and it can equal S_1^2 or lie strictly below it.",
    differs="Other points, as the paper does not list its own, and no panel with a random plan. In the second example "
    "no plan that is optimal for one angle attains S_1^2: it takes a mixture; the curve's lowest only bounds it.",
    presets={"paper": Config(), "smoke": Config(step=1.0)},
    solve=solve,
    plots={"figure": plot},
    finding=finding,
)
