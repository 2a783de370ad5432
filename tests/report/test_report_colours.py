"""Colours of reports: texts have a contrast of 4.5 to what is behind them, pictures one of 3, light and dark."""

import re

import pytest

from subspaceot.report.page import _text

STYLE = _text("style.css")
BACKGROUNDS = ("page", "card", "wash")
TEXTS = ("ink", "soft", "a", "b", "both", "found", "none", "warn")  # the second sample's colour is also that of words
PICTURES = ("a", "b", "bar", "found", "focus")


def variables(block):
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))


LIGHT = variables(STYLE[: STYLE.index("@media")])
DARK = {**LIGHT, **variables(re.search(r"@media \(prefers-color-scheme: dark\) \{(.*?)\n\}", STYLE, re.DOTALL)[1])}
PRINT = {**LIGHT, **variables(STYLE[STYLE.index("@media print") :])}


def luminance(colour):
    """Return the relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    """Return the contrast ratio of WCAG 2."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_known_colours():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK, PRINT], ids=["light", "dark", "print"])
def test_texts_and_pictures_can_be_seen(scheme):
    faint = {(t, b): contrast(scheme[t], scheme[b]) for t in TEXTS for b in BACKGROUNDS}
    assert not {pair: value for pair, value in faint.items() if value < 4.5}
    faint = {t: contrast(scheme[t], scheme["card"]) for t in PICTURES}
    assert not {name: value for name, value in faint.items() if value < 3.0}
    assert contrast(scheme["card"], scheme["ink"]) >= 7.0  # of the words at a dot


def test_numbers_in_the_heat_map_can_be_read():
    for level, ink in re.findall(r"\.h(\d) \{ background: var\(--l\d\); color: (#\w{3}); \}", STYLE):
        assert contrast(LIGHT[f"l{level}"], "#" + "".join(2 * digit for digit in ink[1:])) >= 4.5
    assert len(re.findall(r"\.h\d \{", STYLE)) == 8


def test_both_samples_differ_in_lightness_or_hue_for_the_colour_blind():
    """Blue and red stay apart where the red and the green receptors see the same (Viénot, Brettel and Mollon 1999)."""
    for scheme in (LIGHT, DARK):
        first, second = (seen_by_deuteranopes(scheme[name]) for name in "ab")
        assert sum((p - q) ** 2 for p, q in zip(first, second, strict=True)) ** 0.5 > 0.3


def seen_by_deuteranopes(colour):
    """Return linear RGB as somebody without green receptors sees it."""
    r, g, b = (((int(colour[i : i + 2], 16) / 255.0) ** 2.2) for i in (1, 3, 5))
    return 0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b
