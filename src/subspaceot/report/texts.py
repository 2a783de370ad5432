"""The report on texts: the words that tell two of them apart, and where there are more, all distances."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..plotting.plane import plane_of
from ..result import Result
from ..runtime.digits import number
from ..runtime.lines import count
from ..runtime.printable import printable
from ..runtime.types import Array
from ..svg import Markup, picture, tag
from ..tables.comparison import distance_rows, status_lines
from ..tables.parts import Parts
from ..tables.summary import Summary
from ..text import TextMeasure
from .labels import placed
from .page import embedded_json, page
from .pairs import Pairs, content_of, data_of, fitted
from .source import Source

_FREQUENT = 30  # words of each text in the cloud
_MOST_WORDS = 100  # that the table lists
_WIDTH, _HEIGHT = 720.0, 520.0  # pixels of the cloud
_SIZES = (11.0, 12.0)  # pixels of a rare word, and what the most frequent one has more


@dataclass(frozen=True, slots=True, eq=False)
class TextPair:
    """Two texts with their distance, and the words that are nearest to the main direction of each."""

    texts: tuple[TextMeasure, TextMeasure]
    result: Result
    meanings: Sequence[Sequence[str]]


def texts_page(pair: TextPair, pairs: Pairs | None, source: Source, done: Sequence[str]) -> bytes:
    """Return the report as the content of an HTML file; `pairs` has the distances of all texts, of more than two."""
    result = pair.result
    names = [printable(text.name) for text in pair.texts]
    summary, moved = Summary(result, None, []), _moved(pair)
    return page(
        "text.html",
        source=source,
        done=done,
        pair_names=names,
        sizes=[f"{text.total:,} words, {len(text.words):,} different ones" for text in pair.texts],
        result=result,
        symbol=summary.symbol,
        about=[", ".join(map(printable, words)) for words in pair.meanings],
        rows=distance_rows(summary, "as asked for"),
        remarks=[line.text for line in status_lines(result) if line.text],
        cloud=cloud_picture(pair),
        moved=moved,
        most=[f"{row['word']} ({row['share']:.0%})" for row in moved[:5]],
        number=number,
        bounds=(repr(result.lower), repr(result.upper), number(result.gap, 3)),
        many=None if pairs is None else content_of(pairs),
        data=embedded_json(None if pairs is None else data_of(pairs)),
    )


def cloud_picture(pair: TextPair) -> Markup:
    """Return the most frequent words of both texts where they lie in the plane in which the texts differ most."""
    first, second = pair.texts
    directions, _ = plane_of(pair.result)
    weight: dict[str, float] = {}
    vector: dict[str, Array] = {}
    for text in pair.texts:
        for word, mass, point in zip(text.words, text.weights, text.points, strict=True):
            weight[word], vector[word] = max(weight.get(word, 0.0), float(mass)), point
    chosen = {*first.most_frequent(_FREQUENT), *second.most_frequent(_FREQUENT)}
    words = sorted(chosen, key=lambda word: (-weight[word], word))
    dots = fitted(np.array([vector[word] for word in words]) @ directions, _WIDTH, _HEIGHT)
    largest = max(weight[word] for word in words)
    sizes = [_SIZES[0] + _SIZES[1] * float(np.sqrt(weight[word] / largest)) for word in words]
    shown = [printable(word) for word in words]
    ends = placed(dots, shown, sizes, (0.0, 0.0, _WIDTH, _HEIGHT), radius=2.0)
    sides = [_side(word, set(first.words), set(second.words)) for word in words]
    marks = [
        tag("circle", cx=round(x, 1), cy=round(y, 1), r=2.0, class_=side)
        for (x, y), side in zip(dots.tolist(), sides, strict=True)
    ]
    letters = [
        tag("text", word, x=x, y=y, font_size=round(size, 1), class_=side)
        for word, (x, y), size, side in zip(shown, ends, sizes, sides, strict=True)
    ]
    told = f"{count(len(words), 'word')} of {first.name} and {second.name}, near each other where they mean alike."
    return picture(_WIDTH, _HEIGHT, *marks, *letters, description=told, class_="plane cloud")


def _side(word: str, of_first: set[str], of_second: set[str]) -> str:
    """Return the class of a word in the style sheet."""
    return "both" if word in of_first & of_second else "first" if word in of_first else "second"


def _moved(pair: TextPair) -> list[dict[str, Any]]:
    """Return the words of the first text that contribute most, and what becomes of them."""
    first, second = pair.texts
    cost, parts = np.maximum(pair.result.point_cost, 0.0), Parts.of(pair.result)
    contribution = first.weights * cost
    total = float(contribution.sum()) or 1.0
    rows = []
    for i in np.argsort(-contribution, kind="stable")[:_MOST_WORDS]:
        ((j, part),) = parts.largest(int(i))
        rows.append(
            {
                "word": printable(first.words[i]),
                "share": float(contribution[i]) / total,
                "frequency": float(first.weights[i]),
                "length": float(np.sqrt(cost[i])),
                "to": printable(second.words[j]),
                "part": part,
            }
        )
    return rows
