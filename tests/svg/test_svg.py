"""Pictures written by hand: texts stay texts, ticks are round numbers within the scale, places are affine."""

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subspaceot import svg

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "]]></title><b>",
    "&lt;b&gt; & \x1b[31m \u202e",
)


class _Found(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", HOSTILE)
def test_texts_and_attributes_stay_what_they_are(name):
    found = _Found()
    content = svg.picture(10, 10, svg.label(0, 0, name), svg.tag("g", class_=name), description=name)
    found.feed(content)
    assert found.tags == ["svg", "title", "text", "g"]
    assert not {name for name in found.attributes if name.startswith("on")}
    assert name.split("\x1b")[0] in found.text
    assert "\x1b" not in content
    assert "\u202e" not in content
    ElementTree.fromstring(content)  # well-formed XML too


@given(st.text())
def test_any_text_comes_back_from_the_parser(text):
    (child,) = ElementTree.fromstring(svg.tag("a", svg.tag("b", text), title=text))
    printable = ElementTree.fromstring(svg.tag("a", title=text)).get("title")
    assert (child.text or "") == printable
    if text.isprintable():
        assert printable == text


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 8))
def test_ticks_are_few_round_numbers_within_the_scale(low, width, most):
    scale = svg.Scale(low, low + width, 0.0, 100.0)
    if scale.high == scale.low or width < 1e-6 * abs(low):
        return
    ticks = scale.ticks(most)
    assert len(ticks) <= most
    for value, _ in ticks:
        assert -1e-6 <= scale.at(value) <= 100 + 1e-6
    steps = np.diff([value for value, _ in ticks])
    assert (steps > 0).all()


def test_there_are_ticks():
    for low, high in ((0, 1), (0.13, 0.87), (-3, 250), (1e-9, 7e-9), (0.999, 1.001)):
        assert len(svg.Scale(low, high, 0.0, 1.0).ticks(5)) >= 2


def test_a_scale_of_equal_values_has_them_in_its_middle():
    for value in (0.0, 3.0, -2.0):
        assert svg.Scale.of([value, value], 0.0, 10.0).at(value) == pytest.approx(5.0)
    assert svg.Scale.of([1.0, 2.0, 4.0], 30.0, 0.0).at(4.0) == 0.0


def test_shapes_are_where_the_numbers_are():
    (path,) = ElementTree.fromstring(svg.tag("g", svg.polyline([(1, 2), (3, 4.25)], svg.FIRST)))
    assert path.get("d") == "M1.0 2.0L3.0 4.2"
    area = ElementTree.fromstring(svg.band([(0, 0), (1, 0)], [(0, 2), (1, 3)], svg.GREY))
    assert area.get("d") == "M0.0 0.0L1.0 0.0L1.0 3.0L0.0 2.0Z"
    axis = ElementTree.fromstring(svg.bottom_axis(svg.Scale(0.0, 10.0, 5.0, 105.0), 50.0, title="<k>", most=3))
    texts = [(t.get("x"), t.text) for t in axis.iter("text")]
    assert texts == [("5", "0"), ("55", "5"), ("105", "10"), ("55", "<k>")]
    upright = ElementTree.fromstring(svg.left_axis(svg.Scale(0.0, 1.0, 90.0, 10.0), 30.0, title="share", most=3))
    assert [t.text for t in upright.iter("text")] == ["0", "0.5", "1", "share"]


def dot_count(markup):
    return ElementTree.fromstring(markup).get("d").count("M")


def test_all_dots_are_one_element():
    assert dot_count(svg.dots([(float(i), 1.0) for i in range(7)], svg.SECOND)) == 7
    box = ElementTree.fromstring(svg.rectangle(1, 2, 3, -1, svg.BOTH))
    assert (box.get("width"), box.get("height")) == ("3", "0")
