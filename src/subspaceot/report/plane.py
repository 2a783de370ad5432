"""Both samples in the plane in which they differ most: a picture, and what a script needs to answer questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..plotting.plane import plane_of
from ..runtime.digits import number
from ..runtime.printable import printable
from ..runtime.types import Array, Indices, Mask
from ..svg import Markup, Scale, bottom_axis, left_axis, picture, tag
from ..tables.comparison import Comparison
from ..tables.parts import Parts
from .columns import called

MOST_POINTS = 1000  # of each sample: more dots hide each other
_MOST_LINES = 250  # of the plan: more of them hide the dots
_TARGETS = 3  # of a row that are named; of many rows one, as most are not drawn and take more space
_MINUS = "\N{MINUS SIGN}"
_TERMS, _DECIMALS = 5, 2  # of a weighted sum of columns that is written out
_LEVELS = 8  # of colour, by the value of a column
_LENGTH = 110.0  # pixels of the longest arrow of a column

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 720.0, 56.0, 12.0, 24.0, 46.0  # pixels: the picture and its margins
_HEIGHTS = (240.0, 480.0)  # of the part within the axes, least and most

# Radius by the root of a weight in units of the mean weight: four sizes can be told apart.
_SIZES = (0.6, 1.0, 1.5, 2.2)
_RADIUS = 3.2  # pixels of a dot of mean weight


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The rows of one sample that are drawn."""

    rows: Indices
    of: int  # rows with weight
    places: Array  # (q, 2) in the plane, in units of the data

    @property
    def all(self) -> bool:
        """Whether no row is left out."""
        return len(self.rows) == self.of


class Plane:
    """The picture of a comparison, and the data behind it; `columns` are those that can be highlighted."""

    def __init__(self, comparison: Comparison, columns: Sequence[int]) -> None:
        self.comparison, self.columns = comparison, columns
        frame = comparison.summary.result.problem.frame
        self.directions, self.titles = plane_of(comparison.summary.result)
        self.parts = Parts.of(comparison.summary.result)
        rng = np.random.default_rng(0)
        first, second = (_chosen(mask, rng) for mask in (frame.rows, frame.columns))
        self.sides = (
            Drawn(first, int(frame.rows.sum()), self._placed(frame.X[first], 1.0)),
            Drawn(second, int(frame.columns.sum()), self._placed(frame.Y[second], -1.0)),
        )

    def _placed(self, points: Array, side: float) -> Array:
        """Return places in the plane; on a line, the first sample above and the second below it."""
        places: Array = points @ self.directions
        if points.shape[1] == 1:
            frame = self.comparison.summary.result.problem.frame
            spread = float(max(frame.X.max(), frame.Y.max()) - min(frame.X.min(), frame.Y.min()))
            places = places + np.array([0.0, 0.06 * side * (spread or 1.0)])
        return places

    @property
    def on_a_line(self) -> bool:
        """Whether there is one column only, so that the second axis means nothing."""
        return len(self.directions) == 1

    @cached_property
    def scales(self) -> tuple[Scale, Scale]:
        """From places to pixels, the same number of pixels to a unit in both directions."""
        places = np.vstack([side.places for side in self.sides])
        low, high = places.min(axis=0), places.max(axis=0)
        middle, span = 0.5 * (low + high), 1.04 * np.maximum(high - low, 1e-9 * (1.0 + np.abs(high).max()))
        width = _WIDTH - _LEFT - _RIGHT
        height = float(np.clip(width * span[1] / span[0], *_HEIGHTS))
        reach = 0.5 * np.array([width, height]) * max(span[0] / width, span[1] / height)
        (left, bottom), (right, top) = middle - reach, middle + reach
        return (
            Scale(float(left), float(right), _LEFT, _WIDTH - _RIGHT),
            Scale(float(bottom), float(top), _TOP + height, _TOP),
        )

    def picture(self) -> Markup:
        """Return the picture: dots, a line from each of some rows to where it mostly goes, axes."""
        across, up = self.scales
        unit, frame = self.comparison.unit, self.comparison.summary.result.problem.frame
        names = self.comparison.names
        bottom = up.start
        pixels = [self._pixels(side.places) for side in self.sides]
        titles = [f"{title}, in {unit}" for title in self.titles]
        return picture(
            _WIDTH,
            bottom + _BOTTOM,
            tag("defs", *_shapes()),
            bottom_axis(across, bottom, title=titles[0], most=7),
            left_axis(up, _LEFT, title=titles[1], most=7) if not self.on_a_line else "",
            tag("path", id="lines", class_="lines", d=self._lines(pixels[0])),
            _dots("a", pixels[0], frame.weights[0][self.sides[0].rows]),
            _dots("b", pixels[1], frame.weights[1][self.sides[1].rows]),
            tag("g", id="links"),
            description=f"{len(pixels[0])} rows of {names[0]} and {len(pixels[1])} rows of {names[1]} in the plane.",
            class_="plane",
            id="plane",
        )

    def data(self) -> dict[str, Any]:
        """Return what a script needs to name rows, where they go, and the values of columns."""
        of_X, of_Y = self.comparison.rows
        targets, extra_Y = self._targets(self.parts, self.sides[0], self.sides[1], of_Y, 1)
        sources, extra_X = self._targets(self.parts.reversed, self.sides[1], self.sides[0], of_X, 0)
        summary = self.comparison.summary
        costs = np.maximum(summary.result.point_cost[self.sides[0].rows], 0.0) ** (1.0 / summary.power)
        return {
            "kind": "plane",
            "names": [printable(name) for name in self.comparison.names],
            "labels": [_labels(of_X[self.sides[0].rows]), _labels(of_Y[self.sides[1].rows])],
            "extra": [extra_X, extra_Y],
            "parts": [targets, sources],
            "lengths": [number(float(cost)) for cost in costs],
            "unit": self.comparison.unit,
            "columns": [self._column(j) for j in self.columns],
        }

    def explained(self) -> list[str]:
        """Return the directions of the axes as weighted sums of columns."""
        divided = any(scale != 1.0 for scale in self.comparison.scales)
        unit = " (columns divided by their standard deviations)" if divided else ""
        return [
            f"{title[0].upper()}{title[1:]} = {self._sum(weights)}{unit}"
            for title, weights in zip(self.titles, self.directions.T, strict=True)
            if weights.any()
        ]

    def _sum(self, weights: Array) -> str:
        """Return the largest terms of a weighted sum of columns."""
        order = np.argsort(-np.abs(weights), kind="stable")
        largest = [int(j) for j in order[:_TERMS] if abs(weights[j]) >= 0.5 * 10.0**-_DECIMALS]
        text = ""
        for j in largest:
            sign = _MINUS if weights[j] < 0.0 else "+" if text else ""
            space = " " if text else ""
            name = called(printable(self.comparison.summary.names[j]))
            text += f"{space}{sign}{space}{abs(weights[j]):.{_DECIMALS}f} {name}"
        rest = int(np.count_nonzero(weights)) - len(largest)
        return f"{text} and {rest} smaller term{'s' * (rest > 1)}" if rest else text

    def _pixels(self, places: Array) -> Array:
        across, up = self.scales
        return np.column_stack([[across.at(x) for x in places[:, 0]], [up.at(y) for y in places[:, 1]]])

    def _lines(self, pixels: Array) -> str:
        """Return the path of lines from some drawn rows to the row, drawn or not, that takes most of each."""
        rows, Y = self.sides[0].rows, self.comparison.summary.result.problem.frame.Y
        chosen = np.unique(np.linspace(0, len(rows) - 1, min(_MOST_LINES, len(rows))).astype(int))
        targets = [j for i in chosen for j, _ in self.parts.largest(int(rows[i]))]
        ends = zip(pixels[chosen], self._pixels(self._placed(Y[targets], -1.0)), strict=True)
        return "".join(f"M{x[0]:.1f} {x[1]:.1f}L{y[0]:.1f} {y[1]:.1f}" for x, y in ends)

    def _targets(
        self, parts: Parts, side: Drawn, other: Drawn, labels: Any, number_of_other: int
    ) -> tuple[list[list[int]], list[list[Any]]]:
        """Return for each drawn row where it goes and how many percent of it; rows that are not drawn come extra."""
        frame = self.comparison.summary.result.problem.frame
        points = (frame.X, frame.Y)[number_of_other]
        at = {int(row): place for place, row in enumerate(other.rows)}
        extra: list[list[Any]] = []
        found = []
        for row in side.rows:
            flat: list[int] = []
            for j, part in parts.largest(int(row), _TARGETS if other.all else 1):
                if j not in at:
                    at[j] = len(other.rows) + len(extra)
                    ((x, y),) = self._pixels(self._placed(points[[j]], 1.0 - 2.0 * number_of_other))
                    extra.append([round(x), round(y), *_labels(labels[[j]])])
                flat += [at[j], round(100.0 * part)]
            found.append(flat)
        return found, extra

    def _column(self, j: int) -> dict[str, Any]:
        """Return name, arrow and levels of a column."""
        frame, scale = self.comparison.summary.result.problem.frame, self.comparison.scales[j]
        values = [points[side.rows, j] for points, side in zip((frame.X, frame.Y), self.sides, strict=True)]
        bounds = np.quantile(np.concatenate(values), np.arange(1, _LEVELS) / _LEVELS)
        longest = float(np.linalg.norm(self.directions[list(self.columns)], axis=1).max()) or 1.0
        dx, dy = _LENGTH / longest * self.directions[j]
        return {
            "name": printable(self.comparison.summary.names[j]),
            "arrow": [round(float(dx), 1), round(0.0 if self.on_a_line else -float(dy), 1)],
            "levels": ["".join(map(str, np.searchsorted(bounds, value, side="right"))) for value in values],
            "low": number(float(scale * bounds[0]), 4),
            "high": number(float(scale * bounds[-1]), 4),
        }


def _chosen(massive: Mask, rng: np.random.Generator) -> Indices:
    """Return the rows to draw: all that have weight, or as many of them as can be told apart."""
    rows = np.flatnonzero(massive)
    return rows if len(rows) <= MOST_POINTS else np.sort(rng.choice(rows, MOST_POINTS, replace=False))


def _shapes() -> list[Markup]:
    """Return a circle and a diamond of each size, to be drawn again and again."""
    shapes = []
    for at, size in enumerate(_SIZES):
        r = _RADIUS * size
        shapes.append(tag("circle", id=f"a{at}", r=r))
        shapes.append(
            tag("path", id=f"b{at}", d=f"M0 {-1.3 * r:.1f}L{1.3 * r:.1f} 0L0 {1.3 * r:.1f}L{-1.3 * r:.1f} 0Z")
        )
    return shapes


def _dots(side: str, pixels: Array, weights: Array) -> Markup:
    """Return the dots of one sample, with areas about in proportion to their weights."""
    radii = np.sqrt(weights / weights.mean())
    sizes = np.argmin(np.abs(radii[:, None] - _SIZES), axis=1)
    dots = [f'<use href="#{side}{s}" x="{x:.1f}" y="{y:.1f}"/>' for (x, y), s in zip(pixels, sizes, strict=True)]
    return tag("g", Markup("".join(dots)), id=f"dots-{side}", class_=f"dots {side}")


def _labels(labels: Any) -> list[Any]:
    """Return labels of rows for JSON: whole numbers as they are, all else as text."""
    entries = list(labels) if labels.dtype.kind in "mM" else labels.tolist()  # times would become whole numbers
    return [label if type(label) is int else printable(str(label)) for label in entries]
