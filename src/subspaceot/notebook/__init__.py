"""What a notebook shows of an answer: the number, how far it is to be trusted, a small picture. Needs no extra."""

from importlib import import_module

# Class of an answer -> the module here whose `html` shows it.
_SHOWN_BY = {
    "Intervals": "intervals",
    "NullBand": "null",
    "Pairwise": "pairs",
    "Path": "path",
    "Result": "result",
    "SelectedK": "selection",
    "TwoSampleTest": "two_sample",
}


def html_of(answer: object) -> str:
    """Return an answer as a piece of HTML in the text colour of the page around it; texts from data are escaped."""
    name = next(kind.__name__ for kind in type(answer).__mro__ if kind.__name__ in _SHOWN_BY)
    shown: str = import_module(f".{_SHOWN_BY[name]}", __name__).html(answer)
    return shown
