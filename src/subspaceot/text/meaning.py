"""What a direction means, in words."""

import numpy as np

from ..runtime.types import Array
from .measure import TextMeasure
from .vectors import WordVectors


def nearest_words(measure: TextMeasure, basis: Array, vectors: WordVectors, *, count: int = 5) -> list[str]:
    """Return the words nearest, by cosine, to the main direction of a measure within a subspace.

    The direction is the first weighted principal component of the measure projected onto `basis` (d, k). A component
    has no sign: both are tried, and the one whose nearest words the measure itself uses more, by frequency times
    cosine, is kept; where it uses none of them, the one nearer to its words by their weighted mean cosine.
    """
    direction = principal_direction(measure, basis)
    own = dict(zip(measure.words, measure.weights, strict=True))
    cosines = _cosines(vectors.points, direction)
    tried = []
    for sign in (1.0, -1.0):
        nearest = np.argsort(-sign * cosines, kind="stable")[:count]
        words = [vectors.words[row] for row in nearest]
        used = sum(own.get(vectors.words[row], 0.0) * sign * float(cosines[row]) for row in nearest)
        near = sign * float(measure.weights @ _cosines(measure.points, direction))
        tried.append((used, near, words))
    return max(tried, key=lambda candidate: candidate[:2])[2]


def principal_direction(measure: TextMeasure, basis: Array) -> Array:
    """Return the unit vector (d,) in the subspace along which the projected measure is widest."""
    inside = measure.points @ basis
    centred = inside - measure.weights @ inside
    _, vectors = np.linalg.eigh(centred.T @ (measure.weights[:, None] * centred))
    direction: Array = basis @ vectors[:, -1]
    return direction


def _cosines(points: Array, direction: Array) -> Array:
    """Return the cosines (n,) between points and a unit vector; 0 for a point at the origin."""
    lengths = np.linalg.norm(points, axis=1)
    cosines: Array = points @ direction / np.where(lengths > 0.0, lengths, 1.0)
    return cosines
