"""The report on two samples: every section from a real result, true words, and nothing from data that runs."""

import re
import sys

import numpy as np
import pandas as pd
import pytest
from cli_files import call, refused
from pages import HOSTILE, Page, require_safe

import subspaceot as sot
from subspaceot.report.page import embedded_json

SECTIONS = ["answer", "difference", "size", "directions", "look", "columns", "rows", "done", "words", "cite", "repeat"]
SECTIONS.append("certificate")


def tables(n=40, shift=3.0, names=("height", "mass", "age")):
    """Return two tables that differ by a shift of the first column."""
    rng = np.random.default_rng(0)
    A, B = (pd.DataFrame(rng.standard_normal((n, len(names))), columns=list(names)) for _ in range(2))
    B[names[0]] += shift
    return A, B


@pytest.fixture
def files(tmp_path):
    def written(A, B):
        paths = tmp_path / "a.csv", tmp_path / "b.csv"
        for table, path in zip((A, B), paths, strict=True):
            table.to_csv(path, index=False)
        return [*paths, "-o", tmp_path / "page.html"]

    return written


def reported(arguments):
    """Return the page that the command writes, after the checks that hold for every page."""
    result = call("report", *arguments)
    assert result.exit_code == 0, result.output
    page = Page(arguments[-1].read_bytes())
    require_safe(page)
    assert [element["attributes"]["id"] for element in page.all("section")] == SECTIONS
    assert all(page.section(name) for name in SECTIONS)
    return page


def test_a_difference_is_told_from_top_to_bottom(files):
    page = reported(files(*tables()))
    answer, columns = page.section("answer"), page.section("columns")
    assert "A difference was found" in answer
    assert "The columns that contribute most to the distance are height (" in answer
    assert re.search(r"p-value 0\.005", answer)
    assert re.search(r"solver bounds [\d.]+ to [\d.]+", page.section("size"))
    assert re.search(r"95% confidence interval [\d.]+ to [\d.]+", page.section("size"))
    assert "height" in columns
    assert len(page.all("tr", **{"data-column": "0"})) == 1
    assert "row" in page.section("rows")
    assert "Columns were compared as they came" in page.section("done")
    assert "arXiv:1901.08949" in page.section("cite")
    assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in page.section("repeat")


def test_numbers_are_those_of_the_library(files):
    A, B = tables()
    page = reported([*files(A, B)[:2], "-k", 2, *files(A, B)[2:]])
    result, W = sot.srw(A, B, 2), sot.wasserstein(A, B)
    certificate = page.section("certificate")
    low, high = re.search(r"S_2\^2 is at least ([\d.]+).*?S_2\^2 is at most ([\d.]+)", certificate).groups()
    assert float(low) <= result.upper
    assert float(high) >= result.lower
    assert f"{result.cost / W.cost:.1%}" in page.section("size")
    data = page.data
    assert len(data["labels"][0]) == len(A) == len(page.all("use")) // 2
    moved = result.matches()
    first = next(row for row in moved if row["row_X"] == 0)
    assert data["labels"][1][data["parts"][0][0][0]] == first["row_Y"] + 1  # rows of a file are counted from 1
    shares = [float(share) for share in re.findall(r"(\d+\.\d)% ", page.section("columns"))]
    assert shares[0] == pytest.approx(100.0 * result.feature_share.max(), abs=0.06)
    assert columns_in_order(page) == list(A.columns[np.argsort(-result.feature_share)])


def columns_in_order(page):
    return [column["name"] for column in page.data["columns"]]


def test_every_row_says_where_it_goes(files):
    A, B = tables(n=12)
    data = reported([*files(A, B)[:2], "--force", *files(A, B)[2:]]).data
    for parts, other in zip(data["parts"], reversed(data["labels"]), strict=True):
        for flat in parts:
            targets, percents = flat[::2], flat[1::2]
            assert 1 <= len(targets) <= 3
            assert all(0 <= target < len(other) for target in targets)
            assert sum(percents) <= 101
    for column in data["columns"]:
        assert [len(levels) for levels in column["levels"]] == [len(A), len(B)]
        assert set("".join(column["levels"])) <= set("01234567")


def test_nothing_is_listed_where_nothing_was_found(files):
    A, B = tables(shift=0.0)
    page = reported(files(A, B))
    assert "No difference was found" in page.section("answer")
    assert "no proof that there is none" in page.section("answer")
    assert "Directions found 0" in page.section("answer")
    assert page.data is None
    for name in ("look", "columns", "rows"):
        assert "not shown, as chance alone would choose them" in page.section(name)
    assert not page.all("use")
    assert "contribute most" not in page.text
    forced = reported([*files(A, B)[:2], "--force", *files(A, B)[2:]])
    assert "contribute most to the distance" not in forced.section("answer")
    for name in ("look", "columns", "rows"):
        assert "No difference was found: what follows is what chance alone may show." in forced.section(name)
    assert forced.data is not None


def test_one_column_and_one_direction(files):
    page = reported(files(*tables(names=("x",))))
    assert "A difference was found" in page.section("answer")
    assert "their only column" in page.section("look")
    assert "a is drawn above b" in page.section("look")
    assert "sum to 100%" in page.section("columns")


def test_the_same_samples(files):
    A, _ = tables()
    page = reported(files(A, A.sample(frac=1.0, random_state=0)))
    assert "Both samples are the same" in page.section("answer")
    assert page.data is None


def test_without_a_test_the_page_says_so(files):
    A, B = tables()
    page = reported([*files(A, B)[:2], "--no-test", *files(A, B)[2:]])
    assert "Not tested whether there is a difference" in page.section("answer")
    assert "A difference was found" not in page.text
    assert "the elbow" in page.section("directions") or "Elbow" in page.section("directions")


def test_what_was_done_with_the_data_is_told(files, tmp_path):
    A, B = tables()
    A["note"], B["note"], A["gone"] = "text", "text", 1.0
    A.loc[3, "mass"] = np.nan
    A["weight"], B["weight"] = 1.0, 2.0
    given = files(A, B)
    options = ["--standardize", "--drop-missing", "--weights", "weight", "--sample", 30, "--seed", 7]
    page = reported([*given[:2], *options, *given[2:]])
    done = page.section("done")
    assert re.search("Left out, as not every table has them: 'gone' of .*a.csv", done)
    assert "'note'" in done
    assert "with missing values" in done
    assert "30 rows compared, chosen at random of 39" in done
    assert "divided by its standard deviation" in done
    assert "column 'weight'" in done
    assert "the seed 7" in page.section("repeat")
    call_told = " ".join(page.one("pre", **{"class": "call"})["text"].split())
    assert call_told.startswith("subspaceot report ")
    assert "--sample 30 --seed 7 -o" in call_told


def test_a_null_band_is_drawn_beside_the_curve(files):
    given = files(*tables(n=10, names=("x", "y")))
    page = reported([*given[:2], "--null-band", *given[2:]])
    assert "The grey band holds 95%" in page.section("directions")
    assert "99 times" in page.section("directions")


def test_ctrl_c_during_the_curve_leaves_the_rest_of_the_page(files, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("subspaceot.path.curve.srw_path", stopped)
    given = files(*tables())
    assert call("report", *given[:2], "-k", 1, *given[2:]).exit_code == 130
    page = Page(given[-1].read_bytes())
    require_safe(page)
    assert "as the run was stopped by Ctrl-C" in page.section("directions")
    assert "A difference was found" in page.section("answer")


def test_compare_writes_the_same_page(files, tmp_path):
    A, B = tables()
    *given, _, page = files(A, B)
    result = call("compare", *given, "--report", page, "--json")
    assert result.exit_code == 0
    both = Page(page.read_bytes()), reported([*given, "-o", page])
    for name in set(SECTIONS) - {"repeat"}:
        assert both[0].section(name) == both[1].section(name)


def test_the_same_call_gives_the_same_bytes(files):
    arguments = files(*tables())
    reported(arguments)
    first = arguments[-1].read_bytes()
    reported(arguments)
    assert arguments[-1].read_bytes() == first


def test_a_page_of_a_thousand_rows_is_small(tmp_path):
    A, B = tables(n=1000, names=[f"column {j}" for j in range(12)])
    sot.srw(A, B, k=2, tol=1e-2).report(tmp_path / "page.html", curve=sot.srw_path(A, B, [1, 2], tol=0.1))
    page = Page((tmp_path / "page.html").read_bytes())
    assert len(page.all("use")) == 2000
    assert len(page.content.encode()) < 300_000
    assert len(page.one("table", id="row-table")["text"].split("row ")) >= 200  # of A and of B
    assert "Listed are the 100 of 1,000 rows" in page.section("rows")


def test_hostile_names_are_shown_and_do_nothing(tmp_path):
    A, B = tables(names=HOSTILE)
    A.index = pd.Index([f"{HOSTILE[i % len(HOSTILE)]} {i}" for i in range(len(A))])
    result = sot.srw(A, B, k=2)
    test = sot.two_sample_test(A, B, n_permutations=99)
    path = tmp_path / "page.html"
    result.report(path, names=(HOSTILE[0], HOSTILE[1]), test=test, curve=sot.srw_path(A, B, [1, 2, 3]), note=HOSTILE[2])
    page = Page(path.read_bytes())
    require_safe(page)
    assert HOSTILE[0] in page.one("h1")["text"]
    assert HOSTILE[2] in page.section("done")
    assert "{{ 7 * 7 }}" in page.section("columns")
    assert r"\u202e" in page.section("columns")
    assert page.data["names"] == HOSTILE[:2]
    assert {column["name"] for column in page.data["columns"]} >= set(HOSTILE[:3])
    assert "<script>alert" not in page.content
    assert "<img" not in page.content
    assert "<svg onload" not in page.content


@pytest.mark.parametrize("text", [*HOSTILE, "<!--", "]]>", "\\u003c", "'\"`"])
def test_json_within_a_script_holds_every_text(text):
    shown = embedded_json({"a": [text]})
    assert not set(shown) & set("<>&\u2028\u2029")
    page = Page(f'<script type="application/json" id="data">{shown}</script>'.encode())
    assert page.data == {"a": [text]}


# From Python --------------------------------------------------------------------------------------------------------


def test_a_result_writes_its_report(tmp_path):
    A, B = tables()
    A.index = pd.Index([f"person {i}" for i in range(len(A))])
    result = sot.srw(A, B, k=1)
    test, found = sot.two_sample_test(A, B, n_permutations=99), sot.intervals(A, B, 1)
    band = sot.null_band(A, B, [1, 2], n_permutations=19, tol=0.1)
    result.report(
        tmp_path / "x.html", ("before", "after"), test=test, intervals=found, curve=sot.srw_path(A, B), band=band
    )
    page = Page((tmp_path / "x.html").read_bytes())
    require_safe(page)
    assert "before" in page.one("h1")["text"]
    assert "A difference was found" in page.section("answer")
    assert "remains open" not in page.section("answer")
    assert "person 0" in page.section("rows")
    assert "confidence interval" in page.section("answer")
    assert "The grey band holds" in page.section("directions")
    assert "subspaceot.srw(X, Y, k=1)" in page.section("repeat")
    result.report(str(tmp_path / "y.html"))
    bare = Page((tmp_path / "y.html").read_bytes())
    assert "Not tested whether there is a difference" in bare.section("answer")
    assert "remains open whether chance alone explains what follows (no test was made)" in bare.section("answer")
    assert "sot." not in bare.section("answer")  # advice is for who calls, not for who reads


def test_reports_of_other_results(tmp_path):
    A, B = tables(n=15)
    weights = np.r_[0.0, np.arange(1.0, 15.0)]
    for number, result in enumerate(
        [sot.wasserstein(A, B), sot.prw(A, B, 1, rng=0), sot.prw(A, B, 2, p=1.0, rng=0), sot.srw(A, B, 2, reg=0.5),
         sot.srw(A, B, 2, weights), sot.srw(A, B, k="auto"), sot.srw(A.to_numpy(), B.to_numpy(), 1, max_iter=1)]
    ):  # fmt: skip
        path = tmp_path / f"{number}.html"
        result.report(path)
        page = Page(path.read_bytes())
        require_safe(page)
        assert all(page.section(name) for name in SECTIONS)
    assert "Not converged" in page.section("size")


def test_what_a_distance_means_is_said_of_each_kind(tmp_path):
    A, B = tables(n=15)
    said = {
        "so that it is the same": sot.wasserstein(A, B),
        "is W of both samples as they are seen in one direction only": sot.prw(A, B, 1, rng=0),
        "the root of order 1 of the mean of powers 1": sot.prw(A, B, 2, p=1.0, rng=0),
        "is how far they move in 2 directions only": sot.srw(A, B, 2),
    }
    for words, result in said.items():
        result.report(tmp_path / "x.html")
        assert words in Page((tmp_path / "x.html").read_bytes()).section("size")


def test_rows_that_stay_together_are_named(files):
    A, B = tables(n=12)
    A["donor"], B["donor"] = np.arange(12) // 2, 6 + np.arange(12) // 2
    A["batch"], B["batch"] = A["donor"] % 2, B["donor"] % 2
    given = files(A, B)
    page = reported([*given[:2], "--units", "donor", "--strata", "batch", "--force", *given[2:]])
    assert "Tests move all rows with the same 'donor' together." in page.section("done")
    assert "Tests compare within each 'batch'." in page.section("done")


def test_more_columns_than_a_square_matrix_of_them_could_have(tmp_path):
    X, Y = np.random.default_rng(0).standard_normal((2, 6, 20_000)) * 0.1
    Y += 1.0
    for k in (1, 2):
        sot.srw(X, Y, k=k, tol=0.1).report(tmp_path / "x.html")
        page = Page((tmp_path / "x.html").read_bytes())
        require_safe(page)
        assert "No single column contributes as much as 0.05%" in page.section("columns")
    Y[:, 7] += 300.0
    sot.srw(X[:1], Y[:1], k=1).report(tmp_path / "x.html")  # two points: the span is one line
    page = Page((tmp_path / "x.html").read_bytes())
    assert "Listed is the one of 20000 columns" in page.section("columns")
    assert "NaN" not in page.content


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        ("x.pdf", {}, r"`path` must end in \.html; got"),
        ("no such folder/x.html", {}, "`path` must be in a folder that exists"),
        ("x.html", {"curve": 3}, "`curve` must be what `sot.srw_path"),
        ("x.html", {"band": 3}, "`band` must be what `sot.null_band"),
        ("x.html", {"note": 3}, "`note` must be a text"),
        ("x.html", {"test": 3}, "`test` must be what"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, path, options, message):
    result = sot.srw([[0.0, 5.0]], [[3.0, 9.0]], k=1)
    with pytest.raises((TypeError, ValueError), match=message):
        result.report(tmp_path / path, **options)
    assert not list(tmp_path.iterdir())


def test_a_missing_jinja_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'subspaceot\[report\]'"):
        sot.srw([[0.0, 5.0]], [[3.0, 9.0]], k=1).report(tmp_path / "x.html")


def test_a_report_that_could_not_be_written_is_refused_first(files):
    given = files(*tables())
    assert "must end in one of .html" in refused("report", *given[:2], "-o", "page.txt")
    assert "does not exist" in refused("compare", *given[:2], "--report", given[-1].parent / "no" / "x.html")


@pytest.mark.slow
def test_a_hundred_thousand_rows(tmp_path):
    data = sot.instances.fragmented_hypercube(100_000, 10, 2, rng=0, rotate=True)
    paths = [tmp_path / "a.npy", tmp_path / "b.npy"]
    for points, path in zip((data.X, data.Y), paths, strict=True):
        np.save(path, points)
    page = reported([*paths, "-k", 2, "--seconds", 300, "-o", tmp_path / "page.html"])
    assert len(page.content.encode()) < 300_000
    assert "1,000 of 100,000 rows" in page.section("look")
    assert "was not computed, as it takes long" in page.section("directions")
    assert "Listed are the 100 of 100,000 rows" in page.section("rows")
