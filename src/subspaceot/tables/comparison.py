"""A whole answer in lines: whether there is a difference, how large, in which columns, and which rows go where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..runtime.digits import above, below, number
from ..runtime.lines import Line, count, heading, remark_lines, table_lines
from .population import Population
from .summary import Feature, Summary
from .tested import Tested

if TYPE_CHECKING:
    from ..result import Result

LISTED = 6  # columns
_DISPLACEMENTS = 3  # rows
_WHAT_BOUNDS_SAY = "Solver bounds say how well a number is computed for these rows, and nothing of the populations."
_NOT_LISTED = "Columns and rows are not listed, as chance alone would choose them"


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Everything that is said of two samples."""

    names: tuple[str, str]
    rows: tuple[NDArray[Any], NDArray[Any]]  # labels of the rows of both
    scales: tuple[float, ...]  # what each column was divided by
    summary: Summary
    reason: str  # for k
    tested: Tested | None
    untested: str | None  # why there is no test
    population: Population
    listed: bool  # whether columns and rows are
    unlisted: str  # how to see them where they are not

    @property
    def unit(self) -> str:
        """The unit of the distance."""
        return "units of the data" if all(scale == 1.0 for scale in self.scales) else "standard deviations"

    def lines(self) -> list[Line]:
        """Return the answer."""
        lines = [Line(sizes_text(self.names, self.rows, len(self.summary.names)), bold=True), Line()]
        if self.summary.same:
            return [*lines, same_line()]
        if self.tested is None:
            lines.append(Line(f"Not tested whether there is a difference: {self.untested}"))
        else:
            lines += self.tested.answer_lines()
            if self.listed:
                lines += self.tested.kind_lines()
        lines += heading("How far apart they are")
        lines += distance_lines(self.summary, self.reason, self.population.row())
        lines += [Line(), Line(_WHAT_BOUNDS_SAY)]
        if self.tested is not None:
            lines.append(Line(self.population.remark()))
        if not self.listed:
            return [*lines, Line(), Line(f"{_NOT_LISTED}; {self.unlisted}.")]
        return [*lines, *self._feature_lines(), *self._displacement_lines()]

    def _feature_lines(self) -> list[Line]:
        """Return the columns that contribute most with their means as they came."""
        features = listed_features(self.summary)
        if not features:
            return []
        scale = dict(zip(self.summary.names, self.scales, strict=True))
        cells = (
            [] if self.population is None else self.population.shares([f.name for f in features], self.summary.names)
        )
        titles = [] if self.population is None or not cells else [f"{self.population.title} of the population"]
        more = [[cell] for cell in cells] or [[] for _ in features]
        means = [f"mean in {name}" for name in self.names]
        rows = [
            (f.name, f"{f.share:.1%}", *cell, number(scale[f.name] * f.mean_X), number(scale[f.name] * f.mean_Y))
            for f, cell in zip(features, more, strict=True)
        ]
        return [*heading("Columns that contribute most"), *table_lines(["", "share", *titles, *means], rows)]

    def _displacement_lines(self) -> list[Line]:
        """Return the largest displacements, by the labels of rows."""
        of_X, of_Y = self.rows
        rows = [
            (f"row {of_X[p.i]}", number(p.length), f"row {of_Y[p.j]} ({p.part:.0%} of it)")
            for p in self.summary.displacements(_DISPLACEMENTS)
        ]
        titles = ["", "displacement", f"mostly to, in {self.names[1]}"]
        return [*heading(f"Rows of {self.names[0]} with the largest displacement"), *table_lines(titles, rows)]


def sizes_text(names: Sequence[str], rows: Sequence[NDArray[Any]], d: int) -> str:
    """Return the title of an answer: what is compared, and how much of it."""
    first, second = (count(len(labels), "row") for labels in rows)
    return f"{names[0]} and {names[1]}: {first} against {second}, {count(d, 'column')}"


def same_line() -> Line:
    """Return that there is nothing to compare."""
    return Line("Both samples are the same: every distance is 0.")


def listed_features(summary: Summary) -> list[Feature]:
    """Return the columns that contribute most, as many as are listed."""
    return [feature for feature in summary.features(LISTED) if feature.share >= 0.0005]


def solver_bounds(low: float, high: float) -> str:
    """Return certified bounds in words, rounded outwards."""
    return f"solver bounds {below(low)} to {above(high)}"


def distance_lines(summary: Summary, reason: str, population: tuple[str, str, str] | None = None) -> list[Line]:
    """Return the distance, its interval, what it explains, and why this k; `population` is one more line."""
    return [*remark_lines(distance_rows(summary, reason, population)), *status_lines(summary.result)]


def distance_rows(
    summary: Summary, reason: str, population: tuple[str, str, str] | None = None
) -> list[tuple[str, str, str]]:
    """Return name, number and remark of what `distance_lines` says."""
    result, W, d = summary.result, summary.W, summary.result.problem.frame.d
    rows = [(f"Distance {summary.symbol}", number(result.distance), solver_bounds(*summary.distance_interval))]
    if population is not None:
        rows.append(population)
    if W is not None:
        where = f"in all {d} directions" if d > 1 else "in the only direction"
        rows.append(("Wasserstein distance W", number(W.distance), where))
    if summary.explained is not None:
        least, most = summary.explained_interval or (0.0, 1.0)
        share_bounds = f"solver bounds {below(100 * least, 4)}% to {above(100 * most, 4)}%"
        rows.append(("Share of W^2", f"{summary.explained:.1%}", share_bounds))
    rows.append(("k, directions", str(result.k), reason))
    return rows


def status_lines(result: "Result") -> list[Line]:
    """Return why the run stopped where it did not reach what was asked, or solved the regularised problem."""
    if not result.converged:
        reached = f"its relative width is {result.gap:.1e}"
        text = f"Not converged ({result.status.name}): the interval is valid, but wider than asked for; {reached}."
        return [Line(), Line(text)]
    return [] if result.reg is None else [Line(), Line(result.status.value)]
