"""Texts as measures over word vectors: every word a point, every frequency a weight."""

from .documents import read_documents
from .meaning import nearest_words
from .measure import TextMeasure, text_measure
from .vectors import WordVectors, read_vectors
from .words import count_words

__all__ = [
    "TextMeasure",
    "WordVectors",
    "count_words",
    "nearest_words",
    "read_documents",
    "read_vectors",
    "text_measure",
]
