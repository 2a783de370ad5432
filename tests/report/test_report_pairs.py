"""The reports on many samples and on texts."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from cli_files import call, refused
from pages import HOSTILE, Page, require_safe

import subspaceot as sot
from subspaceot.report import Pairs, Source, TextPair, pairs_page, texts_page
from subspaceot.report.labels import placed, width_of
from subspaceot.tables.mds import metric_mds
from subspaceot.tables.pair_tests import PairTests
from subspaceot.text import WordVectors, text_measure


def page_of(content):
    page = Page(content)
    require_safe(page)
    return page


def pairs_of(names, tests=None, seed=0):
    """Return the distances of samples with these names, which lie on a line."""
    rng = np.random.default_rng(seed)
    found = sot.pairwise([rng.standard_normal((8, 3)) + 2.0 * i for i in range(len(names))], 1)
    places, stress = metric_mds(found.distance)
    bounds = {"distance": found.distance, "lower": found.lower, "upper": found.upper}
    words = {"sizes": ["8 rows"] * len(names), "what": "files", "unit": "units of the data"}
    return Pairs(
        names, k=1, d=3, gap=0.01, converged=True, places=places, stress=stress, tests=tests, **bounds, **words
    )


SOURCE = Source(call="subspaceot pairwise *.csv", is_command=True, seed=0)


def test_the_command_writes_all_pairs(tmp_path):
    paths = [tmp_path / f"day {i}.csv" for i in range(3)]
    samples = [np.random.default_rng(i).standard_normal((12, 2)) + 3.0 * i for i in range(3)]
    for sample, path in zip(samples, paths, strict=True):
        pd.DataFrame(sample, columns=["x", "y"]).to_csv(path, index=False)
    result = call(
        "pairwise",
        *paths,
        *["-k", "1", "--test", "--permutations", "99", "--standardize", "--report"],
        tmp_path / "x.html",
    )
    assert result.exit_code == 0, result.output
    assert "x.html" in result.stdout
    page = page_of((tmp_path / "x.html").read_bytes())
    assert "A difference was found in 3 of 3 pairs" in page.section("answer")
    assert "Farthest apart are day 0 and day 2" in page.section("answer")
    assert len(page.all("circle")) == 3
    assert "All 3 pairs" in page.section("rows")
    assert page.section("nearest").count("12 rows") == 3
    assert "2 columns compared: x, y" in page.section("done")
    assert "divided by its standard deviation" in page.section("done")
    assert "subspaceot pairwise" in page.section("repeat")


def test_numbers_of_pairs_are_those_given():
    pairs = pairs_of(["a", "b", "c", "d"])
    page = page_of(pairs_page(pairs, SOURCE, ["Nothing."]))
    cells = re.findall(r"[\d.]+", page.section("table").split("d a")[1])
    off = [f"{value:.3g}" for i, row in enumerate(pairs.distance) for j, value in enumerate(row) if i != j]
    assert [cell for cell in cells if cell not in ("0",)][: len(off)] == off
    assert "Not tested" in page.section("answer")
    assert page.data["distances"][0][3] == f"{pairs.distance[0, 3]:.4g}"
    order = np.sort(pairs.distance[np.triu_indices(4, 1)])
    shown = [
        float(cell["attributes"]["data-v"])
        for cell in page.all("td", **{"class": "number"})
        if cell["attributes"].get("data-v")
    ]
    assert shown[::2] == pytest.approx(order)


def test_many_samples_are_colours_without_numbers():
    page = page_of(pairs_page(pairs_of([f"sample {i}" for i in range(30)]), SOURCE, []))
    assert len(page.all("table", **{"class": "heat dense"})) == 1
    assert len([cell for cell in page.all("td") if re.fullmatch("h[0-7]", cell["attributes"].get("class", ""))]) == 870
    assert "The 300 nearest of 435 pairs" in page.section("rows")
    assert len(page.content.encode()) < 300_000


def test_where_no_pair_differs_none_is_said_to():
    p = np.ones((2, 2))
    page = page_of(pairs_page(pairs_of(["a", "b"], PairTests(p, p, 999, 0.05)), SOURCE, []))
    assert "A difference was found in 0 of 1 pair" in page.section("answer")
    assert "not found" in page.section("rows")


def test_hostile_names_of_samples_do_nothing():
    page = page_of(pairs_page(pairs_of(HOSTILE), SOURCE, [HOSTILE[0]]))
    assert HOSTILE[0] in page.section("nearest")
    assert page.data["names"][0] == HOSTILE[0]
    assert "<script>alert" not in page.content


# Texts ----------------------------------------------------------------------------------------------------------------


@cache
def vectors():
    words = tuple(f"{a}{b}ing" for a in "bcdfgl" for b in "aeiou")
    return WordVectors(words, np.random.default_rng(0).standard_normal((30, 8)))


def text_pair(names=("first", "second")):
    rng = np.random.default_rng(1)
    first = text_measure(names[0], " ".join(rng.choice(vectors().words[:20], 60)), vectors())
    second = text_measure(names[1], " ".join(rng.choice(vectors().words[10:], 60)), vectors())
    result = sot.srw(first.points, second.points, 2, first.weights, second.weights)
    return TextPair((first, second), result, [["one", "two"], ["three", "four"]])


def test_two_texts():
    pair = text_pair()
    page = page_of(texts_page(pair, None, SOURCE, ["Words were counted."]))
    assert "one, two" in page.section("answer")
    assert "three, four" in page.section("answer")
    cloud = page.one("svg", **{"class": "plane cloud"})
    first, second = pair.texts
    for word in {*first.most_frequent(30), *second.most_frequent(30)}:
        assert word in cloud["text"]
    (top, *_), cost = np.argsort(-first.weights * pair.result.point_cost), pair.result.point_cost
    share = 100.0 * first.weights[top] * cost[top] / (first.weights @ cost)
    assert f"{first.words[top]} ({share:.0f}%)" in page.section("answer")
    assert "Words were counted." in page.section("done")
    assert repr(pair.result.lower) in page.section("certificate")
    assert not page.all("section", id="map")


def test_many_texts_and_hostile_names():
    pairs = pairs_of(HOSTILE[:4])
    page = page_of(texts_page(text_pair((HOSTILE[0], HOSTILE[1])), pairs, SOURCE, []))
    assert HOSTILE[0] in page.section("answer")
    assert page.section("nearest")
    assert page.data["kind"] == "map"
    assert "<img" not in page.content


def test_the_command_writes_texts(tmp_path):
    lines = [
        f"{word} {' '.join(map(str, point))}" for word, point in zip(vectors().words, vectors().points, strict=True)
    ]
    (tmp_path / "small.vec").write_text("\n".join(["30 8", *lines]) + "\n")
    for name, words in (("a", vectors().words[:9]), ("b", vectors().words[5:20]), ("c", vectors().words[15:])):
        (tmp_path / f"{name}.txt").write_text(" ".join(words))
    texts = [tmp_path / f"{name}.txt" for name in "abc"]
    options = ["--vectors", tmp_path / "small.vec", "--skip", 0, "--report", tmp_path / "x.html"]
    for given in (texts, texts[:2]):
        result = call("text", *given, *options)
        assert result.exit_code == 0, result.output
        page = page_of((tmp_path / "x.html").read_bytes())
        assert "30 words have a vector" in page.section("done")
        assert len(page.all("section", id="map")) == (len(given) == 3)
    assert "must end in one of .html" in refused("text", *texts, *options[:-1], tmp_path / "x.pdf")


# Names beside dots ----------------------------------------------------------------------------------------------------


def test_names_cover_neither_each_other_nor_the_edge():
    rng = np.random.default_rng(0)
    dots, texts, size = rng.uniform(60.0, 440.0, (15, 2)), [f"name {i}" for i in range(15)], 12.0
    ends = placed(dots, texts, [size] * 15, (0.0, 0.0, 500.0, 500.0), radius=4.0)
    boxes = [(x, y - size, x + width_of(text, size), y) for (x, y), text in zip(ends, texts, strict=True)]
    for i, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0.0
        assert right <= 500.0
        for other in boxes[:i]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
