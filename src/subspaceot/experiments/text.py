"""`text`: distances S_2 between texts, a map of them, and the words in the plane where two of them differ most."""

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..distances import srw
from ..result import Result
from ..runtime.types import Array
from ..text import TextMeasure, WordVectors, nearest_words, read_documents, read_vectors, text_measure
from ._experiment import Experiment, Row, Table, bounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FREQUENT = 30  # words of each text in the figure, as in the paper


@dataclass(frozen=True)
class Config:
    """Settings; the defaults are the paper's, but for `tol`, the certified gap. The files are the caller's."""

    scripts: str = ""
    vectors: str = ""
    texts: tuple[str, ...] = ()
    digest: str = ""  # of texts and vectors: a run does not go on with other files of the same names
    most: int | None = None  # use this many texts only
    k: int = 2
    skip: int = 2000
    upto: int = 20000
    tol: float = 1e-2
    reg: float | None = None
    repeats: int = 1

    def settings(self) -> list[tuple[str, str]]:
        """Return all pairs of texts."""
        return list(combinations(self.texts, 2))


def with_files(config: Config, scripts: Path, vectors: Path, reg: float | None = None) -> Config:
    """Return the settings for the texts in a folder. With `reg`, Algorithm 2 at the paper's threshold of 0.05."""
    texts = read_documents([scripts])
    names = tuple(texts)[: config.most]
    if len(names) < 2:
        raise ValueError(f"{scripts} must hold at least two texts, files that end in .txt; it holds {len(names)}.")
    digest = hashlib.sha256(vectors.read_bytes())
    for name in names:
        digest.update(texts[name].encode())
    files = replace(config, scripts=str(scripts), vectors=str(vectors), texts=names, digest=digest.hexdigest())
    return files if reg is None else replace(files, reg=reg, tol=0.05)


def solve(config: Config, pair: tuple[str, str], seed: int) -> list[Row]:
    """Return the row of a pair's distance, then its most frequent words in the optimal plane and what its axes mean."""
    measures, vocabulary = _read(config)
    first, second = (measures[name] for name in pair)
    method = "auto" if config.reg is None else "frank-wolfe"
    result = srw(
        *(first.points, second.points, config.k, first.weights, second.weights),
        tol=config.tol,
        reg=config.reg,
        method=method,
    )
    same = {"first": first.name, "second": second.name, **bounds(result), "cost": result.cost}
    nothing = {"word": None, "side": None, "x": None, "y": None, "weight": None}
    rows = [{**same, "kind": "distance", **nothing}]
    rows += [{**same, "kind": "word", **word} for word in _words(first, second, result)]
    for side, measure in (("first", first), ("second", second)):
        for word in nearest_words(measure, result.basis, vocabulary):
            rows.append({**same, "kind": "nearest", **nothing, "word": word, "side": side})
    return rows


def _words(first: TextMeasure, second: TextMeasure, result: Result) -> list[Row]:
    """Return the most frequent words of both texts, most frequent first, with their places in the plane."""
    weight: dict[str, float] = {}
    place: dict[str, Array] = {}
    for measure in (first, second):
        inside = result.project(measure.points)
        for word, mass, point in zip(measure.words, measure.weights, inside, strict=True):
            weight[word] = max(weight.get(word, 0.0), float(mass))
            place[word] = point
    chosen = {*first.most_frequent(_FREQUENT), *second.most_frequent(_FREQUENT)}
    sides = {word: "both" if word in second.words else "first" for word in first.words}
    return [
        {
            "word": word,
            "side": sides.get(word, "second"),
            "x": place[word][0],
            "y": place[word][1] if result.k > 1 else 0.0,
            "weight": weight[word],
        }
        for word in sorted(chosen, key=lambda word: (-weight[word], word))
    ]


def _read(config: Config) -> tuple[dict[str, TextMeasure], WordVectors]:
    return _cached(config.scripts, config.vectors, config.texts, config.skip, config.upto, config.digest)


@lru_cache(maxsize=1)
def _cached(
    scripts: str, vectors: str, names: tuple[str, ...], skip: int, upto: int, digest: str
) -> tuple[dict[str, TextMeasure], WordVectors]:
    """Return the texts as measures, and the vocabulary: read once per process, not once per pair."""
    texts = read_documents([scripts])
    vocabulary = read_vectors(vectors, skip=skip, upto=upto)
    return {name: text_measure(name, texts[name], vocabulary) for name in names}, vocabulary


def table(rows: Table) -> tuple[list[str], Array]:
    """Return the names of the texts and the values of S_k^2 between them, (N, N)."""
    pairs = rows[rows["kind"] == "distance"]
    names = [str(name) for name in dict.fromkeys([*pairs["first"], *pairs["second"]])]
    values = np.zeros((len(names), len(names)))
    for first, second, cost in zip(pairs["first"], pairs["second"], pairs["cost"], strict=True):
        i, j = names.index(str(first)), names.index(str(second))
        values[i, j] = values[j, i] = cost
    return names, values


def plot_table(rows: Table) -> "Axes":
    """Return the paper's table: S_k^2 between all pairs, the nearest text of each in bold."""
    from ..plotting.heatmap import draw_heatmap

    names, values = table(rows)
    return draw_heatmap(values, names, what=f"$S_{rows['k'].iloc[0]}^2$ (squared units of the word vectors)")


def plot_map(rows: Table) -> "Axes":
    """Return the texts on a map whose distances resemble S_k."""
    from ..plotting.map import draw_map
    from ..tables.mds import metric_mds

    names, values = table(rows)
    points, stress = metric_mds(np.sqrt(np.maximum(values, 0.0)))
    return draw_map(points, stress, names, what="units of the word vectors")


def plot_words(rows: Table) -> "Axes":
    """Return the most frequent words of the farthest pair in the plane where they differ most."""
    from ..plotting.wordcloud import draw_placed_words

    first, second = farthest(rows)
    words = _of_pair(rows, first, second, "word")
    return draw_placed_words(
        words["word"].astype(str).tolist(),
        words[["x", "y"]].to_numpy(float),
        words["side"].tolist(),
        words["weight"].to_numpy(float),
        (str(first), str(second)),
        remark=f"the {_FREQUENT} most frequent words of each text, larger where more frequent",
    )


def farthest(rows: Table) -> tuple[str, str]:
    """Return the names of the two texts that are farthest apart."""
    pairs = rows[rows["kind"] == "distance"]
    pair = pairs.loc[pairs["cost"].idxmax()]
    return pair["first"], pair["second"]


def _of_pair(rows: Table, first: Any, second: Any, kind: str) -> Table:
    """Return the rows of one kind of one pair."""
    return rows[(rows["first"] == first) & (rows["second"] == second) & (rows["kind"] == kind)]


def finding(rows: Table) -> str:
    """Return the nearest text of each, the widest interval, and what the plane of the farthest pair means."""
    names, values = table(rows)
    others = np.where(np.eye(len(names), dtype=bool), np.inf, values)
    nearest = ", ".join(f"{name}: {names[j]} {others[i, j]:.3g}" for i, (name, j) in enumerate(_argmins(names, others)))
    pairs = rows[rows["kind"] == "distance"]
    gap = ((pairs["upper"] - pairs["lower"]) / pairs["upper"]).max()
    first, second = farthest(rows)
    near = _of_pair(rows, first, second, "nearest")
    words = {side: ", ".join(near[near["side"] == side]["word"].astype(str)) for side in ("first", "second")}
    return (
        f"nearest text of each by S_{pairs['k'].iloc[0]}^2: {nearest} (certified gaps up to {gap:.1%}); farthest are "
        f"{first} ({words['first']}) and {second} ({words['second']})."
    )


def _argmins(names: list[str], values: Array) -> list[tuple[str, int]]:
    return [(name, int(np.argmin(row))) for name, row in zip(names, values, strict=True)]


EXPERIMENT = Experiment(
    name="text",
    shows="Texts as measures over word vectors: table, map, word cloud (section 6.5); needs --scripts and --vectors",
    claim="scripts of one genre or theme are nearer to each other, and the optimal plane shows what sets two apart.",
    differs="Other texts and vectors, as the paper's scripts are not free; exact with a certified gap, or as the paper "
    "did with --reg 0.1.",
    presets={"paper": Config(), "smoke": Config(most=3, tol=0.05)},
    solve=solve,
    plots={"table": plot_table, "map": plot_map, "words": plot_words},
    finding=finding,
)
