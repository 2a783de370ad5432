"""`plot` of answers: on the axes that are given, from the numbers of the answer, whatever the names are."""

import subprocess
import sys
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure

import subspaceot as sot
from subspaceot.core.table import Table
from subspaceot.plotting.canvas import as_label, between
from subspaceot.plotting.density import HELD, levels_that_hold
from subspaceot.plotting.histograms import bin_edges

HOSTILE = ["$cost_1$ {a} of a name that is far too long", "</script>", "_x", "^2\\frac", "a\nb\x1b[31m", "%s"]


@pytest.fixture
def axes():
    return Figure(figsize=(6, 4)).add_subplot()


@pytest.fixture(scope="module")
def data():
    return sot.instances.fragmented_hypercube(40, 6, 2, rng=0)


@pytest.fixture(scope="module")
def result(data):
    pandas = pytest.importorskip("pandas")
    return sot.srw(pandas.DataFrame(data.X, columns=HOSTILE), pandas.DataFrame(data.Y, columns=HOSTILE), 2)


def texts(axes):
    """Draw the axes, which fails on what matplotlib would take for mathematics, and return all texts."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axes.figure.canvas.draw()
    legend = [text.get_text() for text in axes.get_legend().get_texts()] if axes.get_legend() else []
    ticks = [tick.get_text() for tick in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    return [axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left"), *legend, *ticks]


def test_the_samples_are_drawn_in_the_leading_directions(result, axes):
    assert result.plot(axes, names=("$a_1$", "b")) is axes
    dots = [drawn for drawn in axes.collections if isinstance(drawn, PathCollection)]
    frame = result.problem.frame
    for drawn, points in zip(dots, (frame.X, frame.Y), strict=True):
        np.testing.assert_allclose(np.asarray(drawn.get_offsets()), result.project(points))
    assert len({len(path.vertices) for drawn in dots for path in drawn.get_paths()}) == 2  # two shapes, beside colours
    shown = texts(axes)
    assert "$a_1$" in shown
    assert shown[0].startswith("direction 1: ")
    assert shown[2] == "Where $a_1$ and b differ most"


def test_one_direction_is_two_histograms(data, axes):
    weights = np.arange(1.0, 41.0)
    result = sot.srw(data.X, data.Y, 1, weights)
    result.plot(axes)
    above, below = axes.patches
    z, a = result.project(data.X)[:, 0], weights / weights.sum()
    heights, edges, _ = above.get_data()
    np.testing.assert_allclose(heights, np.histogram(z, edges, weights=a)[0])
    assert heights.sum() == pytest.approx(1.0)
    assert below.get_data().values.sum() == pytest.approx(-1.0)
    means = [float(line.get_xdata()[0]) for line in axes.lines if len(line.get_xdata()) == 2][:2]
    assert means == pytest.approx([a @ z, result.project(data.Y)[:, 0].mean()])
    assert axes.get_xlabel() == "the direction, in units of the data"
    assert not [text for text in texts(axes) if "not counted" in text]


def test_many_points_are_regions_and_the_pairs_that_contribute_most(axes):
    data = sot.instances.fragmented_hypercube(600, 4, 2, rng=0)
    result = sot.srw(data.X, data.Y, 2, tol=1e-2)
    result.plot(axes)
    assert not [drawn for drawn in axes.collections if isinstance(drawn, PathCollection)]
    (lines,) = (drawn for drawn in axes.collections if isinstance(drawn, LineCollection))
    matches = result.matches()
    cost = np.sort(matches["mass"] * matches["squared_displacement"])[::-1]
    assert len(lines.get_segments()) == 200
    (label,) = (text for text in texts(axes) if "contribute most" in text)
    assert f"the 200 pairs that contribute most ({cost[:200].sum() / cost.sum():.1%} of the cost)" == label


def test_regions_hold_what_they_say():
    density = np.random.default_rng(0).random((50, 40)) ** 4
    for level, share in zip(levels_that_hold(density), HELD, strict=True):
        assert density[density >= level].sum() / density.sum() == pytest.approx(share, abs=1e-2)
    alone = np.zeros((3, 3))
    alone[1, 1] = 1.0
    assert (np.diff(levels_that_hold(alone)) > 0.0).all()


def test_bins_hold_all_values():
    for values in (np.array([2.0]), np.array([1.0, 1.0, 5.0]), np.random.default_rng(0).standard_cauchy(500)):
        edges = bin_edges(values, np.ones(len(values)))
        assert np.histogram(values, edges)[0].sum() == len(values)
        assert 12 <= len(edges) - 1 <= 60


def test_bars_are_the_shares_and_lines_the_confidence_intervals(result, axes):
    rows = [sot.FeatureInterval(name, 0.3, 0.1, 0.9, True) for name in HOSTILE[:-1]]
    rows.append(sot.FeatureInterval(HOSTILE[-1], 0.0, None, None, False))
    numbers = (1.0, 0.5, 1.5, 0.1, 0.1, None)
    found = sot.Intervals(2, 0.9, *numbers, tuple(rows), simultaneous=False, bases=np.ones((2, 6, 2)))
    assert result.plot_features(axes, intervals=found, count=4) is axes
    table: Table = result.features()
    widths = [bar.get_width() for bar in axes.patches]
    np.testing.assert_allclose(widths, [*table["share"][:4], table["share"][4:].sum()])
    labels = [tick.get_text() for tick in axes.get_yticklabels()]
    assert labels == [*(as_label(name, 28) for name in table["name"][:4]), "2 others"]
    (lines,) = (drawn for drawn in axes.collections if isinstance(drawn, LineCollection))
    known = [i for i, name in enumerate(table["name"][:4]) if name != HOSTILE[-1]]
    assert [segment.tolist() for segment in lines.get_segments()] == [[[0.1, i], [0.9, i]] for i in known]
    assert "90% confidence interval in the populations" in texts(axes)
    with pytest.raises(TypeError, match=r"`intervals` must be what `sot\.intervals\(X, Y, k\)` returns"):
        result.plot_features(axes, intervals=3)


def test_a_path_is_drawn_with_its_elbow_and_its_band(data, axes, monkeypatch):
    path, W = sot.srw_path(data.X, data.Y, range(1, 5), tol=1e-2), sot.wasserstein(data.X, data.Y)
    assert path.plot(axes, names=("$a$", "b")) is axes
    (curve,) = (line for line in axes.lines if line.get_label() == "$S_k^2$")
    np.testing.assert_allclose(curve.get_ydata(), path.cost / W.cost, rtol=1e-3)
    assert any(text.get_text().startswith(f"elbow: k = {path.elbow().k}") for text in axes.texts)
    texts(axes)
    null = np.outer([0.5, 1.0, 1.5], path.cost)
    band = sot.NullBand(path.ks, path.cost, null, 0.9, exhaustive=False, unconverged=0)
    other = Figure().add_subplot()
    path.plot(other, W=W, band=band)
    assert "null band (permutations), 90%" in texts(other)
    some = Figure().add_subplot()
    sot.srw_path(data.X, data.Y, [2, 4], tol=1e-2).plot(some)
    assert not [text for text in some.texts if "elbow" in text.get_text()]
    monkeypatch.setattr("subspaceot.plotting.curve.is_large", lambda n, m: True)  # so that W is not computed
    raw = Figure().add_subplot()
    path.plot(raw)
    (curve,) = (line for line in raw.lines if line.get_label() == "$S_k^2$")
    np.testing.assert_array_equal(curve.get_ydata(), path.cost)
    assert raw.get_ylabel() == "$S_k^2$, squared units of the data"
    assert any(text.get_text() == f"elbow: k = {path.elbow().k}" for text in raw.texts)
    with pytest.raises(TypeError, match="`W` must be"):
        path.plot(some, W=1.0)
    with pytest.raises(TypeError, match="`band` must be"):
        path.plot(some, band=1.0)


def test_pairs_are_drawn_as_cells_and_as_places(data, axes):
    pairs = sot.pairwise([data.X, data.Y, data.X + 1.0], 2)
    assert pairs.plot(axes, names=HOSTILE[:3], what="S") is axes
    cells = np.ma.filled(axes.images[0].get_array(), np.nan)
    np.testing.assert_array_equal(cells, np.where(np.eye(3, dtype=bool), np.nan, pairs.distance))
    assert as_label(HOSTILE[0]) in texts(axes)
    places = Figure(layout="constrained").add_subplot()
    assert pairs.plot(places, kind="map") is places
    z = np.asarray(places.collections[0].get_offsets())
    np.testing.assert_allclose(np.linalg.norm(z[0] - z[1]), pairs.distance[0, 1], rtol=0.1)
    for names, kind, said in ((["a"], ValueError, "got 1"), ("abc", TypeError, "must be 3 names")):
        with pytest.raises(kind, match=said):
            pairs.plot(names=names)
    with pytest.raises(ValueError, match="`kind` must be one of 'heatmap', 'map'"):
        pairs.plot(kind="tree")


def test_without_axes_the_current_ones_are_used(result):
    import matplotlib.pyplot as plt

    with mpl.rc_context({"backend": "agg"}):
        plt.close("all")
        try:
            axes = result.plot()
            assert axes is plt.gca()
            figure, (left, right) = plt.subplots(1, 2)
            assert result.plot_features() is right
            assert figure.axes == [left, right]
        finally:
            plt.close("all")


def test_what_is_no_axes_is_refused(result):
    with pytest.raises(TypeError, match=r"`ax` must be what `plt\.gca\(\)` returns; got <Figure"):
        result.plot(Figure())
    with pytest.raises(TypeError, match="`names` must be two names"):
        result.plot(names="ab")


def test_pyplot_is_not_loaded_for_axes_that_are_given_and_its_absence_is_one_error():
    code = (
        "import sys, subspaceot as sot; from matplotlib.figure import Figure;"
        "r = sot.srw([[0.0, 0.0]], [[3.0, 4.0]], 1); r.plot(Figure().add_subplot());"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr
    code = (
        "import sys; sys.modules['matplotlib'] = None; import subspaceot as sot\n"
        "r = sot.srw([[0.0, 0.0]], [[3.0, 4.0]], 1)\n"
        "p, q = sot.srw_path([[0.0, 0.0]], [[3.0, 4.0]]), sot.pairwise([[[0.0]], [[1.0]]], 1)\n"
        "for f in (r.plot, r.plot_features, p.plot, q.plot):\n"
        "    try: f()\n"
        "    except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    said = "Pictures need matplotlib. Install it with: pip install 'subspaceot[cli]'"
    assert run.stdout.splitlines() == [said] * 4, run.stderr


def test_a_map_without_scikit_learn_is_one_error():
    code = (
        "import sys; sys.modules['sklearn'] = None; import subspaceot as sot; from matplotlib.figure import Figure\n"
        "try: sot.pairwise([[[0.0]], [[1.0]]], 1).plot(Figure().add_subplot(), kind='map')\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.strip() == "A map needs scikit-learn. Install it with: pip install 'subspaceot[cli]'", run.stderr


def test_titles_are_short_and_names_are_no_placeholders():
    assert between("Where {} and {} differ", ("{}", "x" * 50)) == f"Where {{}} and {'x' * 15}… differ"
