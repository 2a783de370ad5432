"""The report on many samples: all distances, a map, and which is nearest to which."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ..runtime.digits import above, below, number
from ..runtime.lines import count
from ..runtime.printable import printable
from ..runtime.types import Array
from ..svg import Markup, label, picture, tag
from .labels import placed, width_of
from .page import embedded_json, page
from .source import Source

if TYPE_CHECKING:
    from ..tables.pair_tests import PairTests

MOST_PAIRS = 300  # that the table of pairs lists, the nearest first
_MOST_NUMBERS = 16  # samples up to which every cell of the heat map holds its number
_LONGEST = 40  # letters of a name on the map
_LEVELS = 8  # of colour
_WIDTH, _HEIGHT, _MARGIN = 720.0, 420.0, 30.0  # pixels of the map
_LEAST_HEIGHT = 220.0  # of the map of samples on a line
_SIZE, _RADIUS = 13.0, 6.0  # pixels of its names and dots
_FAR = 20.0  # pixels from a dot to its name from which on a line joins them


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The distances between all pairs of N samples, and what is known of the samples."""

    names: Sequence[str]
    sizes: Sequence[str]  # of each, in words
    what: str  # the samples are called, such as "files"
    k: int
    d: int
    unit: str
    distance: Array  # (N, N)
    lower: Array
    upper: Array
    gap: float  # the largest relative width of an interval of squared distances
    converged: bool
    places: Array  # (N, 2) of a map
    stress: float  # by how much its distances are off
    tests: "PairTests | None" = None


def pairs_page(pairs: Pairs, source: Source, done: Sequence[str]) -> bytes:
    """Return the report as the content of an HTML file; `done` says what was done with the data."""
    return page("pairwise.html", source=source, done=done, **content_of(pairs), data=embedded_json(data_of(pairs)))


def content_of(pairs: Pairs) -> dict[str, Any]:
    """Return what the templates show of many samples."""
    order = sorted(combinations(range(len(pairs.names)), 2), key=lambda pair: float(pairs.distance[pair]))
    return {
        "pairs": pairs,
        "names": [printable(name) for name in pairs.names],
        "tone": "found" if pairs.tests is not None and _found(pairs) else "",
        "answer": _answer(pairs, order),
        "tiles": _tiles(pairs, order),
        "levels": _levels(pairs.distance),
        "number": number,
        "written": len(pairs.names) <= _MOST_NUMBERS,
        "nearest": [int(j) for j in np.argmin(_off_diagonal(pairs.distance), axis=1)],
        "farthest": [int(j) for j in np.argmax(pairs.distance, axis=1)],
        "listed": [_pair(pairs, i, j) for i, j in order[:MOST_PAIRS]],
        "of_pairs": len(order),
        "map": map_picture(pairs),
    }


def data_of(pairs: Pairs) -> dict[str, Any]:
    """Return what a script needs to draw the distances of one sample on the map."""
    texts = [[number(float(value), 4) for value in row] for row in pairs.distance]
    return {"kind": "map", "names": [printable(name) for name in pairs.names], "distances": texts}


def map_picture(pairs: Pairs) -> Markup:
    """Return dots whose distances resemble those of the samples, with their names."""
    wide, tall = (float(span) for span in np.ptp(pairs.places, axis=0))
    height = float(np.clip(_WIDTH * tall / (wide or 1.0) + 4.0 * _MARGIN, _LEAST_HEIGHT, _HEIGHT))
    dots = fitted(pairs.places, _WIDTH, height)
    texts = [_short(printable(name)) for name in pairs.names]
    ends = placed(dots, texts, [_SIZE] * len(texts), (0.0, 0.0, _WIDTH, height), radius=_RADIUS)
    marks = [tag("circle", cx=round(x, 1), cy=round(y, 1), r=_RADIUS, fill="var(--a)") for x, y in dots.tolist()]
    return picture(
        _WIDTH,
        height,
        tag("path", d="".join(map(leader, dots.tolist(), ends, texts)), class_="lines"),
        tag("g", id="links"),
        tag("g", *marks, id="dots"),
        tag("g", *(label(*end, text, size=_SIZE) for end, text in zip(ends, texts, strict=True)), id="names"),
        description=f"A map of {len(texts)} {pairs.what}: near on it means alike.",
        class_="plane",
        id="plane",
    )


def leader(dot: Sequence[float], end: tuple[float, float], text: str) -> str:
    """Return the path of a line from a dot to its name where that is far off, or nothing."""
    left, right = end[0], end[0] + width_of(text, _SIZE)
    x, y = min(max(dot[0], left), right), end[1] - 0.35 * _SIZE
    far = max(abs(x - dot[0]), abs(y - dot[1])) > _FAR
    return f"M{dot[0]:.1f} {dot[1]:.1f}L{x:.1f} {y:.1f}" if far else ""


def fitted(places: Array, width: float, height: float) -> Array:
    """Return places in the plane in pixels of a picture, the same number to a unit in both directions."""
    low, high = places.min(axis=0), places.max(axis=0)
    space = np.array([width - 6.0 * _MARGIN, height - 2.0 * _MARGIN])  # names need space at both sides
    scale = float(np.min(space / np.maximum(high - low, 1e-12 * (1.0 + float(np.abs(places).max())))))
    flipped = (places - 0.5 * (low + high)) * [scale, -scale]
    pixels: Array = flipped + np.array([0.5 * width, 0.5 * height])
    return pixels


def _answer(pairs: Pairs, order: Sequence[tuple[int, int]]) -> list[str]:
    """Return what was found in a few sentences."""
    (i, j), (p, q) = order[0], order[-1]
    names = [printable(name) for name in pairs.names]
    texts = []
    if len(order) > 1:
        near, far = (number(float(pairs.distance[pair]), 4) for pair in ((i, j), (p, q)))
        texts.append(f"Nearest to each other are {names[i]} and {names[j]}, at a distance S_{pairs.k} of {near}.")
        texts.append(f"Farthest apart are {names[p]} and {names[q]}, at {far}.")
    if pairs.tests is None and pairs.what == "texts":  # which are no samples of rows
        return texts
    if pairs.tests is None:
        open_question = "so that distances alone are no sign of a difference"
        texts.append(f"Not tested: two samples of one population are at a distance too, {open_question}.")
    else:
        texts.append(
            f"A difference was found in {_found(pairs)} of {count(len(order), 'pair')}: p at most "
            f"{pairs.tests.alpha:g}, corrected for the number of pairs by Holm's method. Where none was found, that is "
            f"no proof that there is none."
        )
    return texts


def _found(pairs: Pairs) -> int:
    """Return in how many pairs a difference was found."""
    tests = pairs.tests
    return 0 if tests is None else int((tests.corrected <= tests.alpha)[np.triu_indices(len(pairs.names), 1)].sum())


def _tiles(pairs: Pairs, order: Sequence[tuple[int, int]]) -> list[tuple[str, str, str]]:
    """Return what the most important numbers are called, the numbers, and a remark on each."""
    least, most = (float(pairs.distance[pair]) for pair in (order[0], order[-1]))
    tiles = [
        ("Samples", str(len(pairs.names)), f"{count(len(order), 'pair')} of them"),
        (f"Smallest S_{pairs.k}", number(least, 4), f"in {pairs.unit}"),
        (f"Largest S_{pairs.k}", number(most, 4), f"in {pairs.unit}"),
    ]
    return [*tiles, ("Solver bounds", f"{100.0 * pairs.gap:.2g}%", "relative width of squared distances, at most")]


def _pair(pairs: Pairs, i: int, j: int) -> dict[str, Any]:
    """Return one row of the table of pairs."""
    return {
        "i": i,
        "j": j,
        "distance": float(pairs.distance[i, j]),
        "lower": float(pairs.lower[i, j]),
        "bounds": f"{below(float(pairs.lower[i, j]))} to {above(float(pairs.upper[i, j]))}",
        "p": None if pairs.tests is None else float(pairs.tests.corrected[i, j]),
    }


def _off_diagonal(distance: Array) -> Array:
    off: Array = np.where(np.eye(len(distance), dtype=bool), np.inf, distance)
    return off


def _levels(distance: Array) -> list[list[int]]:
    """Return the colour of each cell, from the smallest distance to the largest; those of the diagonal do not count."""
    off = distance[~np.eye(len(distance), dtype=bool)]
    low, high = float(off.min()), float(off.max())
    scaled = (distance - low) / (high - low) if high > low else np.zeros_like(distance)
    levels: list[list[int]] = np.clip(_LEVELS * scaled, 0.0, _LEVELS - 1.0).astype(int).tolist()
    return levels


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
