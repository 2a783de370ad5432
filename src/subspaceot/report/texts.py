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


@dataclass(frozen=True, slots=True, eq=False)
class _Word:
    """A word in the cloud."""

    text: str
    weight: float  # its larger frequency of both
    point: Array  # (d,)
    side: str  # its class in the style sheet


def cloud_picture(pair: TextPair) -> Markup:
    """Return the most frequent words of both texts where they lie in the plane in which the texts differ most."""
    words = _cloud(pair)
    directions, _ = plane_of(pair.result)
    dots = fitted(np.array([word.point for word in words]) @ directions, _WIDTH, _HEIGHT)
    sizes = [_SIZES[0] + _SIZES[1] * float(np.sqrt(word.weight / words[0].weight)) for word in words]
    shown = [printable(word.text) for word in words]
    ends = placed(dots, shown, sizes, (0.0, 0.0, _WIDTH, _HEIGHT), radius=2.0)
    parts = [
        tag("circle", cx=round(x, 1), cy=round(y, 1), r=2.0, class_=word.side)
        for word, (x, y) in zip(words, dots.tolist(), strict=True)
    ]
    parts += [
        tag("text", text, x=x, y=y, font_size=round(size, 1), class_=word.side)
        for word, text, (x, y), size in zip(words, shown, ends, sizes, strict=True)
    ]
    names = " and ".join(text.name for text in pair.texts)
    told = f"{count(len(words), 'word')} of {names}, near each other where they mean alike."
    return picture(_WIDTH, _HEIGHT, *parts, description=told, class_="plane cloud")


def _cloud(pair: TextPair) -> list[_Word]:
    """Return the most frequent words of both texts, the most frequent one first."""
    words: dict[str, _Word] = {}
    of_first, of_second = (set(text.words) for text in pair.texts)
    frequent = {word for text in pair.texts for word in text.most_frequent(_FREQUENT)}
    for text in pair.texts:
        for word, weight, point in zip(text.words, text.weights, text.points, strict=True):
            if word in frequent:
                known = words.get(word)
                side = "both" if word in of_first & of_second else "first" if word in of_first else "second"
                words[word] = _Word(word, max(float(weight), 0.0 if known is None else known.weight), point, side)
    return sorted(words.values(), key=lambda word: (-word.weight, word.text))


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
