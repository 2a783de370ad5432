"""Benchmarks of the test and of intervals: blocks go on where they were, rivals are right, pages show what is kept."""

import importlib.util
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import binom

from benchmarks import blocks, coverage, level, power, rivals

ROOT = Path(__file__).parents[2]


def build_inference():
    """Return the module that writes the page."""
    spec = importlib.util.spec_from_file_location("build_inference", ROOT / "docs" / "build_inference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- blocks ---------------------------------------------------------------------------------------------------------


def drawn(seen, block):
    """Count the draws above 1/2 of the first number of each stream, and note which block was asked for."""
    seen.append(block)
    return {"high": sum(rng.random() > 0.5 for rng in block.streams)}


def test_what_is_kept_is_not_run_again(tmp_path):
    file, seen = tmp_path / "rows.csv", []
    blocks.compute(file, "a", 20, partial(drawn, seen), 1)
    blocks.compute(file, "a", 40, partial(drawn, seen), 1)
    blocks.compute(file, "b", 10, partial(drawn, seen), 1)
    assert [(block.case, block.first) for block in seen] == [("a", 0), ("a", 10), ("a", 20), ("a", 30), ("b", 0)]
    rows = blocks.read(file)
    assert blocks.totals(row for row in rows if row["case"] == "a")["runs"] == 40
    assert blocks.totals(rows)["high"] == sum(int(row["high"]) for row in rows)
    assert blocks.totals([]) == {}
    measured = [{"width": "0.5", "runs": "10"}, {"width": "0.25", "runs": "10"}]
    assert blocks.totals(measured) == {"width": 0.75, "runs": 20}


def test_runs_have_streams_of_their_own():
    firsts = [rng.random() for case in "ab" for first in (0, 10) for rng in blocks.Block(case, first).streams]
    assert len(set(firsts)) == 4 * blocks.SIZE
    assert firsts[:10] == [rng.random() for rng in blocks.Block("a", 0).streams]


# --- the level ------------------------------------------------------------------------------------------------------


def test_bounds_hold_for_all_cases_together():
    cases = 30
    least, most = level.bounds(1000, cases)
    for tail, beside in ((binom.sf(most, 1000, 0.05), most - 1), (binom.cdf(least - 1, 1000, 0.05), least + 1)):
        assert cases * tail <= 0.01
        assert least <= beside <= most
    assert cases * binom.sf(most - 1, 1000, 0.05) > 0.01
    assert cases * binom.cdf(least, 1000, 0.05) > 0.01


@pytest.mark.parametrize(("count", "outside"), [(27, True), (28, False), (50, False), (75, False), (76, True)])
def test_a_case_beyond_its_bounds_is_marked(count, outside):
    assert level.bounds(1000, 31) == (28, 75)
    assert level.line("Gaussian n=50 d=5", 1000, count, 31).endswith("OUTSIDE") is outside
    assert level.line("ties n=50 d=5", 1000, count, 31).endswith("OUTSIDE") is (count > 75)


def test_cases_of_the_level():
    assert {case.name for case in level.CASES.values() if not case.continuous} == {
        f"ties n={n} d={d}" for n in (50, 200) for d in (5, 30, 300)
    }
    for name in ("Gaussian", "Student t(3)", "ties"):
        assert sum(name in case for case in level.CASES) == 6
    for name in ("n=40 m=120", "units", "strata n=50"):
        assert sum(name in case for case in level.CASES if level.CASES[case].exact) == 3
    data, settings = level.CASES["units n=50 d=5"].draw(np.random.default_rng(0))
    assert [len(points) for points in data] == [len(labels) for labels in settings["units"]]


# --- rivals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Energy", "MMD"])
def test_statistics_are_those_of_hyppo(name):
    """Over labellings of one pool, hyppo's statistic is ours times a constant plus another: the p-values are equal."""
    ksample = pytest.importorskip("hyppo.ksample")
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((40, 3))
    K = rivals.gaussian_kernel(Z) if name == "MMD" else -squareform(pdist(Z))
    signs = np.repeat([1.0, -1.0], 20)
    ours, theirs = [], []
    for order in (rng.permutation(40) for _ in range(6)):
        ours.append(signs @ K[np.ix_(order, order)] @ signs)
        theirs.append(getattr(ksample, name)().statistic(Z[order[:20]], Z[order[20:]]))
    slope, constant = np.polyfit(ours, theirs, 1)
    assert slope > 0
    np.testing.assert_allclose(slope * np.array(ours) + constant, theirs, atol=1e-9 * np.ptp(theirs))


def test_permutation_p_values():
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((40, 2))
    K = rivals.gaussian_kernel(Z)
    assert rivals.permuted_p(np.eye(40), 20, 99, rng) == 1.0  # all values are equal
    p_values = [rivals.permuted_p(K[np.ix_(o, o)], 20, 99, rng) for o in (rng.permutation(40) for _ in range(200))]
    assert 0.02 <= np.mean(np.array(p_values) <= 0.05) <= 0.09
    Z[:20] += 2.0
    assert rivals.permuted_p(rivals.gaussian_kernel(Z), 20, 99, rng) == 0.01


def test_mmdagg_keeps_its_level_and_sees_shapes():
    rng = np.random.default_rng(0)
    rejected = [rivals.mmdagg(*rng.standard_normal((2, 30, 2)), 0.05, rng) for _ in range(100)]
    assert sum(rejected) <= binom.isf(0.001, 100, 0.05)
    X, Y = rng.standard_normal((2, 100, 1))
    X = np.sign(X) + 0.1 * rng.standard_normal(X.shape)
    assert rivals.mmdagg(X, Y, 0.05, rng)


# --- alternatives ---------------------------------------------------------------------------------------------------


def test_alternatives_are_as_described():
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((100_000, 3))
    moments = {
        power.shift: ([0.8, 0, 0], np.eye(3)),
        power.spread(2.0): ([0, 0, 0], np.diag([4, 1, 1])),
        power.correlate: ([0, 0, 0], [[1, 0.8, 0], [0.8, 1, 0], [0, 0, 1]]),
        power.split: ([0, 0, 0], np.eye(3)),
    }
    for change, (mean, covariance) in moments.items():
        X = change(rng, Z)
        np.testing.assert_allclose(X.mean(axis=0), mean, atol=0.02)
        np.testing.assert_allclose(np.cov(X.T), covariance, atol=0.05)
    assert np.mean(np.abs(power.split(rng, Z)[:, 0]) < 0.2) < 0.02  # two clusters, nothing between


# --- the page -------------------------------------------------------------------------------------------------------


def test_the_page_shows_what_is_kept():
    page = (ROOT / "docs" / "inference.md").read_text(encoding="utf-8")
    assert build_inference().built(page) == page


@pytest.mark.parametrize("name", ["level", "power", "coverage"])
def test_the_command_prints_what_the_page_shows(name):
    run = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", "--kept"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    page = (ROOT / "docs" / "inference.md").read_text(encoding="utf-8")
    shown = re.search(rf"^python -m benchmarks\.{name}\n```\n\n```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    assert run.stdout == shown


def test_goals_that_are_missed_are_named(tmp_path):
    file = tmp_path / "power.csv"
    counts = dict.fromkeys(power.TESTS, 5)
    for case in ("shift d=30", "shift d=100", "correlation d=100"):
        blocks.append(file, {"case": case, "first": 0, "runs": 10, **counts})
    assert power.report(file)[-1] == "goals missed: shift d=30: 0.500 < 0.78"
    assert power.report(file, "d=100")[-1] == "goals missed: none"
    assert len(power.report(file, "d=100")) == 5


def test_coverages_are_shares_of_the_runs_that_answer(tmp_path):
    file = tmp_path / "coverage.csv"
    sums = dict.fromkeys((*coverage.COUNTED, *coverage.OF_SHARES), 8) | {"refused": 2, "width": 4, "one way width": 2.5}
    name = "shift n=200 k=1 indep."
    blocks.append(file, {"case": name, "first": 0, "runs": 10, **sums | {"planted": 6, "one way": 7}})
    *_, line, missed = coverage.report(file)
    assert line.split()[4:] == [
        *("10", "0.200", "1.000", "0.50", "2.00", "0.700", "0.800", "1.000"),
        *("0.750", "1.000", "1.000", "1.000", "1.000"),
    ]
    assert missed == f"goals missed: {name}: planted 0.750 < 0.9"


def test_an_unknown_case_is_refused_with_the_names():
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.level", "--only", "?"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 2
    assert "Gaussian n=50 d=5" in run.stderr
