"""Pictures: something is on them, names are taken literally, and nothing global is touched."""

import subprocess
import sys

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.plotting import rendered
from subspaceot.plotting._labels import _overlap
from subspaceot.plotting.bars import draw_features
from subspaceot.plotting.curve import draw_curve
from subspaceot.plotting.heatmap import draw_heatmap
from subspaceot.plotting.map import draw_map
from subspaceot.plotting.plane import draw_plane, plane_of
from subspaceot.plotting.wordcloud import draw_words
from subspaceot.tables.mds import metric_mds
from subspaceot.text import WordVectors, text_measure

NAMES = ("$cost_1$ {a}", "größe_2")  # what would be mathematics, or a placeholder, to a careless program


@pytest.fixture(scope="module")
def data():
    return sot.instances.fragmented_hypercube(40, 6, 2, rng=0)


@pytest.fixture(scope="module")
def words():
    rng = np.random.default_rng(0)
    vocabulary = tuple(f"{a}{b}ing" for a in "bcdfgl" for b in "aeiou")
    vectors = WordVectors(vocabulary, rng.standard_normal((30, 8)))
    first = text_measure("first", " ".join(rng.choice(vocabulary[:20], 60)), vectors)
    second = text_measure("second", " ".join(rng.choice(vocabulary[10:], 60)), vectors)
    return first, second, sot.srw(first.points, second.points, 2, first.weights, second.weights)


def pictures(data, words):
    whole, path = sot.wasserstein(data.X, data.Y), sot.srw_path(data.X, data.Y, tol=1e-2)
    D = np.abs(np.subtract.outer([0.0, 1.0, 4.0], [0.0, 1.0, 4.0]))
    names = [*NAMES, "third"]
    return {
        "plane": draw_plane(sot.srw(data.X, data.Y, 2), NAMES),
        "line": draw_plane(sot.srw(data.X, data.Y, 1), NAMES),
        "curve": draw_curve(path, whole, NAMES, elbow=2),
        "heatmap": draw_heatmap(D, names, what="S"),
        "map": draw_map(*metric_mds(D), names, what="S"),
        "words": draw_words(*words),
        "features": draw_features(sot.srw(data.X, data.Y, 2)),
    }


def test_each_has_labels_and_ink(data, words):
    for name, axes in pictures(data, words).items():
        content = rendered(axes, "png")
        assert content.startswith(b"\x89PNG"), name
        assert len(content) > 10_000, name
        assert axes.get_title(loc="left"), name
        if name != "heatmap":
            assert axes.get_xlabel(), name
            assert axes.get_ylabel() or name == "features", name
        else:
            assert [tick.get_text() for tick in axes.get_xticklabels()] == [*NAMES, "third"]


def test_files_do_not_depend_on_the_time(data):
    result = sot.srw(data.X, data.Y, 2)
    for form in ("png", "svg", "pdf"):
        assert rendered(draw_plane(result, NAMES), form) == rendered(draw_plane(result, NAMES), form)


def test_the_null_band_is_drawn_in_units_of_the_curve():
    """At the same samples' W^2, which permuted samples may exceed: the axis ends above the band."""
    X, Y = np.random.default_rng(0).standard_normal((2, 20, 3))
    path, W = sot.srw_path(X, Y, tol=1e-2), sot.wasserstein(X, Y)
    null = np.outer([0.5, 1.0, 1.5], [1.0, 1.1, 1.2]) * W.cost
    for ks in ((1, 2, 3), (2,)):
        band = sot.NullBand(ks, W.cost * np.ones(len(ks)), null[:, : len(ks)], 0.9, exhaustive=False, unconverged=0)
        axes = draw_curve(path, W, NAMES, elbow=2, band=band)
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        assert labels[:2] == ["null band (permutations), 90%", "mean over permutations"]
        shaded = next(artist for artist in axes.collections if artist.get_label() == labels[0])
        corners = np.vstack([outline.vertices for outline in shaded.get_paths()])
        assert np.unique(corners[:, 0]).tolist() == list(ks)
        assert corners[:, 1].min() == pytest.approx(0.5)
        assert corners[:, 1].max() == pytest.approx(band.high.max() / W.cost)
        (mean,) = (line for line in axes.lines if line.get_label() == labels[1])
        np.testing.assert_allclose(mean.get_ydata(), band.mean / W.cost)
        assert axes.get_ylim()[1] > band.high.max() / W.cost
        assert len(rendered(axes, "png")) > 10_000
    alone = draw_curve(path, W, NAMES)
    assert not [text for text in alone.get_legend().get_texts() if "null" in text.get_text()]
    assert alone.get_ylim() == (0.0, 1.08)


def test_the_plane_is_the_subspace(data):
    directions, _ = plane_of(sot.srw(data.X, data.Y, 3))
    np.testing.assert_allclose(directions.T @ directions, np.eye(2), atol=1e-9)
    line = sot.srw(data.X, data.Y, 1)
    directions, labels = plane_of(line)
    np.testing.assert_allclose(directions[:, 0], line.basis[:, 0])
    np.testing.assert_allclose(directions.T @ directions, np.eye(2), atol=1e-9)
    assert "not counted" in labels[1]


@pytest.mark.parametrize("shift", [[1.0, 0.0], [0.0, 0.0]])
def test_displacements_in_one_direction_or_none(shift):
    X = np.array([[0.0, 0.0], [0.0, 1.0]])
    for k in (1, 2):
        assert len(rendered(draw_plane(sot.srw(X, X + np.array(shift), k), NAMES), "png")) > 10_000
    assert len(rendered(draw_plane(sot.srw([[0.0]], [[1.0]], 1), NAMES), "png")) > 10_000


def test_words_are_coloured_by_where_they_occur(words):
    first, second, result = words
    axes = draw_words(first, second, result)
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    kinds = {"both": set(first.words) & set(second.words)}
    kinds["first"], kinds["second"] = set(first.words) - kinds["both"], set(second.words) - kinds["both"]
    shown = {kind: {colours[word] for word in group if word in colours} for kind, group in kinds.items()}
    assert [len(colour) for colour in shown.values()] == [1, 1, 1]
    assert len(set.union(*shown.values())) == 3


def test_labels_keep_clear_of_each_other(words):
    axes = draw_words(*words)
    axes.figure.draw_without_rendering()
    labels = [text for text in axes.texts if text.get_text().endswith("ing")]
    boxes = [tuple(text.get_window_extent().extents) for text in labels]
    assert len(boxes) > 25
    covered = sum(_overlap(p, q) for i, p in enumerate(boxes) for q in boxes[:i])
    assert covered < 0.02 * sum(_overlap(box, box) for box in boxes)


def test_nothing_global_is_touched():
    code = (
        "import sys, subspaceot as sot; from subspaceot.plotting import rendered;"
        "from subspaceot.plotting.plane import draw_plane;"
        "rendered(draw_plane(sot.srw([[0.0, 0.0]], [[3.0, 4.0]], 1), ('a', 'b')), 'png');"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr
