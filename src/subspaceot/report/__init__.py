"""Pages to send to a colleague: one HTML file each. Needs the extra `report`."""

from .comparison import Evidence, comparison_page
from .page import require_jinja
from .pairs import Pairs, pairs_page
from .source import Source, data_in_words
from .texts import TextPair, texts_page

__all__ = [
    "Evidence",
    "Pairs",
    "Source",
    "TextPair",
    "comparison_page",
    "data_in_words",
    "pairs_page",
    "require_jinja",
    "texts_page",
]
