"""Notebooks show the numbers of the answer, bounds and confidence intervals in their own words, names as text."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.runtime.digits import above, below, number

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover=alert(1) x='",
    "a\x1b[31m\u202eb",
    "n" * 300,
)
TAGS = {"div", "span", "b", "bdi", "table", "thead", "tbody", "tr", "th", "td", "p"}
TAGS |= {"svg", "title", "g", "path", "rect", "text", "circle"}


class _Parsed(HTMLParser):
    """The tags, attributes and texts of a piece of HTML, as a browser sees them."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(self.texts)


@pytest.fixture(scope="module")
def tables():
    pandas = pytest.importorskip("pandas")
    X, Y = np.random.default_rng(0).standard_normal((2, 40, len(HOSTILE)))
    names = list(HOSTILE)
    return pandas.DataFrame(X, columns=names, index=names + list(range(34))), pandas.DataFrame(Y * 3.0, columns=names)


@pytest.fixture(scope="module")
def answers(tables):
    X, Y = tables
    result = sot.srw(X, Y, 2)
    rows = tuple(sot.FeatureInterval(name, 0.2, 0.1, 0.3, True) for name in HOSTILE[:-1])
    rows += (sot.FeatureInterval(HOSTILE[-1], 0.0, None, None, False),)
    numbers = (9.25, 7.125, 11.5, 1.1, 0.1, None)
    return {
        "result": result,
        "line": sot.srw(X, Y, 1),
        "auto": sot.srw(X, Y, "auto"),
        "stopped": sot.srw(X, Y, 2, max_iter=1, tol=1e-9),
        "projected": sot.prw(X, Y, 2, p=1.5),
        "same": sot.srw(X, X, 2),
        "path": sot.srw_path(X, Y, tol=1e-2),
        "short path": sot.srw_path(X, Y, [2], tol=1e-2),
        "pairs": sot.pairwise({name: X + at for at, name in enumerate(HOSTILE)}, 1, tol=0.1),
        "unnamed pairs": sot.pairwise([X, Y], 1, tol=0.1),
        "test": sot.two_sample_test(X, Y, n_permutations=19),
        "band": sot.null_band(X, Y, [1, 2], n_permutations=19, tol=0.1),
        "selected": sot.select_k(X, Y, n_permutations=19),
        "intervals": sot.Intervals(1, 0.9, *numbers, rows, simultaneous=True, bases=np.ones((2, 6, 1))),
        "no intervals": sot.Intervals(1, 0.9, *[None] * 5, HOSTILE[1], (), simultaneous=True, bases=np.ones((2, 6, 1))),
        "features": result.features(),
        "matches": result.matches(),
    }


def test_hostile_names_are_texts(answers):
    """No tag, no attribute and no control character comes from a name; the markup is well-formed."""
    for title, answer in answers.items():
        html = answer._repr_html_()
        parsed = _Parsed(html)
        assert set(parsed.tags) <= TAGS, title
        assert not {name for name, _ in parsed.attributes if name.startswith("on") or name in ("src", "href")}, title
        assert "\x1b" not in html, title
        assert "\u202e" not in html, title
        ElementTree.fromstring(f"<div>{html}</div>")
        assert len(html) < 40_000, title
    for title in ("result", "line", "projected", "pairs", "intervals", "features"):
        assert HOSTILE[1] in _Parsed(answers[title]._repr_html_()).text, title


def test_a_picture_stands_beside_the_number(answers):
    for title, answer in answers.items():
        if title not in ("features", "matches", "no intervals"):
            assert "svg" in _Parsed(answer._repr_html_()).tags, title


def test_solver_bounds_and_confidence_intervals_are_never_mixed_up(answers):
    for title in ("result", "line", "auto", "projected", "path", "pairs"):
        text = _Parsed(answers[title]._repr_html_()).text
        assert "solver bounds" in text, title
        assert "onfidence" not in text, title
    text = _Parsed(answers["intervals"]._repr_html_()).text
    assert "90% confidence interval of the populations 7.125 to 11.5" in text
    assert "solver bounds" not in text
    assert "10.0% to 30.0%" in text
    assert "not identified" in text
    assert "no confidence interval" in _Parsed(answers["no intervals"]._repr_html_()).text


def test_the_numbers_are_those_of_the_answer(answers):
    result, text = answers["result"], _Parsed(answers["result"]._repr_html_()).text
    assert f"Distance S₂  {number(result.distance)}" in text
    assert f"S₂² = {number(result.cost)}, solver bounds {below(result.lower)} to {above(result.upper)}" in text
    assert "40 points" in text
    assert sot.Status.MAX_ITER.value in _Parsed(answers["stopped"]._repr_html_()).text
    assert "found at alpha=0.05" in _Parsed(answers["auto"]._repr_html_()).text
    projected = _Parsed(answers["projected"]._repr_html_()).text
    assert f"P₂ to the power 1.5 = {number(answers['projected'].cost)}" in projected
    for k, one in answers["path"].results.items():
        assert above(one.upper) in _Parsed(answers["path"]._repr_html_()).text, k
    assert f"Two-sample test: p =  {answers['test'].p_value:.4g}" in _Parsed(answers["test"]._repr_html_()).text
    assert number(float(answers["band"].mean[1])) in _Parsed(answers["band"]._repr_html_()).text
    assert f"k =  {answers['selected'].k}" in _Parsed(answers["selected"]._repr_html_()).text
    assert f"{answers['pairs'].distance[0, 3]:.4g}" in _Parsed(answers["pairs"]._repr_html_()).text
    assert "S₂  0" in _Parsed(answers["same"]._repr_html_()).text


def test_many_points_and_many_measures_stay_small():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2, 3000, 3))
    assert len(sot.srw(X, Y + 1.0, 2, tol=0.1)._repr_html_()) < 40_000
    pairs = sot.Pairwise(*[np.abs(np.subtract.outer(np.arange(80.0), np.arange(80.0)))] * 3, ())
    assert len(pairs._repr_html_()) < 5_000


def test_it_needs_no_matplotlib_and_no_jinja():
    code = (
        "import sys; sys.modules['matplotlib'] = sys.modules['jinja2'] = sys.modules['pandas'] = None\n"
        "import subspaceot as sot\n"
        "print(sot.srw([[0.0, 0.0]], [[3.0, 4.0]], 2)._repr_html_()[:4])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.strip() == "<div", run.stderr
