"""A text as a measure: its words as points, their frequencies as weights."""

from dataclasses import dataclass

import numpy as np

from ..runtime.types import Array
from .vectors import WordVectors
from .words import count_words


@dataclass(frozen=True, slots=True, eq=False)
class TextMeasure:
    """Words of a text with vectors and weights, in the order of their ranks in the vocabulary."""

    name: str
    words: tuple[str, ...]
    points: Array  # (n, d)
    weights: Array  # (n,) frequencies, sum 1
    total: int  # how many words of the text count, repeats included

    def most_frequent(self, count: int) -> list[str]:
        """Return the most frequent words, most frequent first."""
        order = np.argsort(-self.weights, kind="stable")[:count]
        return [self.words[i] for i in order]


def text_measure(name: str, text: str, vectors: WordVectors) -> TextMeasure:
    """Return the measure of a text over word vectors (paper, section 6 and appendix C.2)."""
    counts = count_words(text, vectors)
    if not counts:
        raise ValueError(
            f"The text {name!r} must hold at least one word of the vocabulary that is written in small letters; it "
            f"holds none. Is it in the language of the word vectors?"
        )
    rows = sorted(vectors.rank[word] for word in counts)
    words = tuple(vectors.words[row] for row in rows)
    frequency = np.array([counts[word] for word in words], dtype=float)
    total = int(frequency.sum())
    return TextMeasure(name, words, vectors.points[rows], frequency / total, total)
