"""The benchmark runs, reaches the gaps it times, says the same in its table and in its JSON, and so does the page."""

import gzip
import json
import os
import platform
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import subspaceot as sot
from benchmarks import machine, measure, memory, plays, scans, start, table, timing
from benchmarks.competitors import COMPETITORS
from benchmarks.problems import PROBLEMS

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results.json"
LINUX = sys.platform.startswith("linux")


def benchmarks(*arguments):
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """What a short run prints, and its report."""
    file = tmp_path_factory.mktemp("benchmark") / "run.json"
    run = benchmarks("--quick", "--only", "hypercube2-k2", "--repeats", 1, "--json", file)
    assert run.returncode == 0, run.stderr
    return run.stdout, json.loads(file.read_text())


# --- the run --------------------------------------------------------------------------------------------------------


def test_quick_run(quick):
    lines, report = quick[0].splitlines(), quick[1]
    assert lines[-1].startswith("goals missed: ")
    assert table.header() in lines
    assert [row["name"] for row in report["rows"]] == ["hypercube2-k2-n100"]
    for row in report["rows"]:
        check_gaps(row)
        check_ratios(row)
        check_algorithm_2(row)
        check_pot_projection(row)
        if LINUX:  # 100 x 100 doubles are 80 kB; a few of them are less than the steps in which the kernel counts
            assert 0 <= row["peak MB"]["emd2"] < 100
            assert 0 <= row["peak MB"]["1e-3"] < 100
        assert table.line(row) in lines


def check_gaps(row):
    assert row["status"] == ["CONVERGED", "CONVERGED"]
    assert row["gap 1e-2"] <= 1e-2
    assert row["gap 1e-3"] <= 1e-3
    assert 0 < row["lower"] <= row["upper"]


def check_ratios(row):
    [unit] = row["seconds"]["emd2"]
    assert row["emd2 ms"] == pytest.approx(1e3 * unit)
    ratios = {"1e-2": "ratio 1e-2", "1e-3": "ratio 1e-3", "algorithm 2": "algorithm 2 ratio"}
    for name, ratio in {**ratios, "POT projection": "POT ratio"}.items():
        assert row[ratio] == pytest.approx(row["seconds"][name][0] / unit)


def check_algorithm_2(row):
    value, lower, upper = row["algorithm 2 value"], row["lower"], row["upper"]
    assert row["algorithm 2 inside"] == (lower <= value <= upper)
    assert row["algorithm 2 error %"] == pytest.approx(100 * (value / (0.5 * (lower + upper)) - 1), abs=1e-9)


def check_pot_projection(row):
    # P_k <= S_k <= the upper end, and the share is of the middle.
    assert 0 < row["POT attains %"] <= 100 * row["upper"] / (0.5 * (row["lower"] + row["upper"])) + 1e-9


def test_the_report_describes_the_machine_and_does_not_name_it(quick):
    described = quick[1]["machine"]
    assert described["numpy"] == np.__version__
    assert described["cores"] == os.cpu_count()
    assert described["BLAS threads"] == 1
    assert described["of which srw uses"] == 1
    assert {"processor", "memory GB", "Python", "scipy", "POT", "numba", "subspaceot", "BLAS"} <= set(described)
    for private in (platform.node(), str(ROOT), str(Path.home()), sys.prefix):
        assert not private.strip("/") or f'"{private}' not in json.dumps(quick[1])


def test_unknown_problem_is_refused_with_the_names():
    run = benchmarks("--quick", "--scans", "--only", "nothing")
    assert run.returncode == 2
    for name in ("wishart5-k5-n100", "start", "scan-d-more-noise"):
        assert name in run.stderr


def test_problems_are_those_that_have_goals():
    goals = {problem.name: problem.goals for problem in PROBLEMS if not problem.family.startswith("plays")}
    assert goals == {
        "hypercube2-k2-n100": (6, 20),
        "hypercube2-k2-n500": (1.2, 4),
        "hypercube2-k2-n1000": (0.6, 2),
        "hypercube2-k2-n2000": (0.4, 1.5),
        "hypercube4-k2-n500": (1.5, 5),
        "hypercube2-k5-n100": (10, 40),
        "hypercube2-k5-n500": (2, 6),
        "wishart5-k5-n100": (10, 35),
        "wishart5-k5-n500": (2, 7),
        "wishart5-k5-n1000": (1.5, 4),
        "texts-k2-n800": (8, 25),
        "hypercube3-wide-k3-n500": (5, 15),
        "same-gaussian-k2-n100": (25, None),
    }


def test_the_text_problem_has_the_sizes_of_its_goal():
    data = next(problem for problem in PROBLEMS if problem.family == "texts-k2").data()
    assert data.X.shape == (800, 300)
    assert data.Y.shape == (1300, 300)


def test_missed_goals_are_named():
    row = {"name": "p", "ratio 1e-2": 3.0, "goal 1e-2": 2, "ratio 1e-3": 3.0, "goal 1e-3": 4}
    assert measure.missed(row) == ["p to 1e-2: 3 > 2"]
    assert measure.missed({**row, "goal 1e-2": None}) == []
    times = {"import": {"seconds": 0.5, "goal": 0.4}, "other": {"seconds": 3.0, "goal": None}}
    assert start.missed(times) == ["import: 0.50 s > 0.4 s"]


def test_without_pot_its_columns_are_empty(monkeypatch):
    monkeypatch.setattr(measure, "peak_memory", lambda problem, competitor: None)
    row = measure.measured(next(problem for problem in PROBLEMS if problem.quick), 1, pot=False)
    assert row["POT ratio"] is row["POT attains %"] is None
    assert "POT projection" not in row["seconds"]
    assert table.line(row).endswith(f"{row['algorithm 2 error %']:+.1f} %" + 18 * " ")


def test_a_basis_of_nan_attains_nothing():
    data = sot.instances.fragmented_hypercube(10, 4, 1, 0)
    result = sot.srw(data.X, data.Y, 1, tol=1e-2)
    assert measure.attained(data, np.full((4, 1), np.nan), result) is None
    assert table.attains({"POT ratio": 2.0, "POT attains %": None}) == "NaN"
    assert table.attains({"POT ratio": None, "POT attains %": None}) == ""
    best = measure.attained(data, sot.prw(data.X, data.Y, 1).basis, result)
    assert measure.attained(data, np.eye(4)[:, 3:], result) < best <= 100 * result.upper / result.cost


def test_pot_projection_returns_nan_on_data_of_another_scale():
    data = sot.instances.wishart_gaussians(30, 20, 5, 0)
    basis = COMPETITORS["POT projection"](
        sot.instances.Instance(30 * data.X, 30 * data.Y, data.a, data.b, None, None), 5
    )
    assert np.isnan(basis).any()


# --- times ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves only when told."""
    now = [0.0]
    monkeypatch.setattr(timing.time, "perf_counter", lambda: now[0])
    return now


def takes(clock, *durations):
    remaining = list(durations)

    def call():
        clock[0] += remaining.pop(0)
        return len(remaining)

    return call


def test_a_short_first_run_does_not_count_and_a_long_one_does(clock):
    calls = {"short": takes(clock, 0.9, 0.1, 0.3, 0.2), "long": takes(clock, 5.0, 3.0, 4.0)}
    seconds, answers = timing.timed(calls, 3)
    assert seconds == {"short": pytest.approx([0.1, 0.3, 0.2]), "long": pytest.approx([5, 3, 4])}
    assert answers == {"short": 0, "long": 0}
    assert timing.medians(seconds) == {"short": pytest.approx(0.2), "long": pytest.approx(4)}


def test_what_takes_too_long_is_not_repeated(clock):
    seconds, _ = timing.timed({"slow": takes(clock, 61.0), "slower": takes(clock, 50.0, 50.0)}, 5)
    assert seconds == {"slow": [61.0], "slower": pytest.approx([50, 50])}


@pytest.mark.parametrize("power", [-1.0, 0.0, 2.5])
def test_the_exponent_of_a_power_law_is_found(power):
    values = [25, 100, 1000, 10_000]
    assert timing.exponent(values, [0.3 * value**power for value in values]) == pytest.approx(power)
    assert timing.exponent([25], [1.0]) is None


def test_a_scan_holds_times_gaps_and_exponents():
    tiny = scans.Scan(
        "tiny", "n", "a few points", (8, 12, 16), lambda n: scans.plain(small(n), 1), 0.0, fitted_below=16
    )
    scan = scans.scanned(tiny, 1)
    assert [point["n"] for point in scan["points"]] == [8, 12, 16]
    assert scan["fitted"] == [8, 12]
    for point in scan["points"]:
        assert point["gap"]["1e-3"] <= 1e-3
        assert point["status"] == {"1e-2": "CONVERGED", "1e-3": "CONVERGED"}
        assert point["median"].keys() == {"emd2", "1e-2", "1e-3"}
    at_8, at_12 = (point["median"]["1e-2"] for point in scan["points"][:2])
    assert scan["exponents"]["1e-2"]["all"] == pytest.approx(np.log(at_12 / at_8) / np.log(12 / 8))
    growing = {name for name, power in scan["exponents"].items() if power["all"] > 0}
    assert len(scans.missed(scan)) == len(growing - {"emd2"})
    lines = table.scan_lines(scan)
    assert lines[0] == "tiny: a few points"
    assert f"{1e3 * at_8:.1f}" in lines[2].split()


def small(n):
    return sot.instances.fragmented_hypercube(n, 4, 1, 0)


def test_exponents_over_tol_count_smaller_gaps_as_more():
    points = [{"tol": tol, "median": {"p": tol**-0.5}} for tol in (1e-1, 1e-2, 1e-3, 1e-4)]
    assert scans.exponents(points, "tol")["p"] == {"all": pytest.approx(0.5), "upper half": pytest.approx(0.5)}


def test_scans_over_d_reach_as_far_as_promised():
    over_d = [scan for scan in scans.SCANS if scan.over == "d"]
    assert {(min(scan.values), max(scan.values), scan.goal) for scan in over_d} == {(25, 10_000, 1.0)}
    assert {scan.over for scan in scans.SCANS} == {"n", "d", "k", "tol"}
    # The same points: their distances do not change.
    one, two = scans.turned(25), scans.turned(70)
    np.testing.assert_allclose(one.X @ one.Y.T, two.X @ two.Y.T, atol=1e-12)


@pytest.mark.slow
def test_first_calls_meet_their_goals():
    measured = start.start(3)
    assert measured.keys() == {"import subspaceot", "import POT", "later process", "first process"}
    assert start.missed(measured) == []


# --- memory ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not LINUX, reason="the system does not tell")
def test_peak_memory_is_that_of_the_call_alone():
    megabytes = 256  # half of it is more than malloc ever keeps for later
    before = np.ones(megabytes * 131072)
    del before  # a higher peak in the past
    peak = memory.peak_of(lambda: np.ones(megabytes * 131072 // 2).sum())
    assert peak == pytest.approx(megabytes / 2 * 2**20, rel=0.1)


# --- the plays ------------------------------------------------------------------------------------------------------


def test_plays_are_left_out_where_there_are_none(monkeypatch, tmp_path):
    monkeypatch.delenv(plays.FOLDER, raising=False)
    assert list(plays.plays()) == []
    monkeypatch.setenv(plays.FOLDER, str(tmp_path))
    assert list(plays.plays()) == []


def test_plays_become_measures(monkeypatch, tmp_path):
    words = [f"{a}{b}{c}" for a in "bcdfghklmnprst" for b in "aeiou" for c in "abcdefghijklmnopqrstuvwxyzäöü"]
    lines = [f"{word} {rank} 1" for rank, word in enumerate(words)]
    with gzip.open(tmp_path / "few.vec.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join([f"{len(lines)} 2", *lines]))
    (tmp_path / "plays").mkdir()
    (tmp_path / "plays" / "Rom.txt").write_text(f"{words[2001]} {words[2001]} {words[2005]}")
    (tmp_path / "plays" / "H5.txt").write_text(f"{words[2002]} {words[2003]} {words[2004]}")
    monkeypatch.setenv(plays.FOLDER, str(tmp_path))
    [(name, data)] = plays.plays()
    assert name == "Rom-H5"
    np.testing.assert_array_equal(data.X, [[2001, 1], [2005, 1]])
    np.testing.assert_allclose(data.a, [2 / 3, 1 / 3])
    np.testing.assert_allclose(data.b, [1 / 3] * 3)


# --- the page -------------------------------------------------------------------------------------------------------


@cache
def tiny_scans():
    """Scans of tiny problems in the place of the real ones."""
    found = []
    for scan in scans.SCANS:
        values = (1e-1, 1e-2) if scan.over == "tol" else (6, 9)
        calls = scans.plain(small(8), 1)
        if scan.over == "tol":
            calls = {"hypercube2-k2-n500": calls["1e-2"], "wishart5-k5-n500": calls["1e-3"]}
        few = scans.Scan(scan.name, scan.over, scan.problem, values, lambda value, calls=calls: calls, scan.goal)
        found.append(scans.scanned(few, 1))
    return found


def built(report, folder):
    """Return the page on performance and that for developers which the builder makes of a report."""
    (folder / "run.json").write_text(json.dumps(report))
    (folder / "benchmarks.md").write_bytes((ROOT / "docs" / "benchmarks.md").read_bytes())
    command = [sys.executable, str(ROOT / "docs" / "build_performance.py"), str(folder / "run.json")]
    command += ["--docs", str(folder), "--table", str(folder / "benchmarks.md")]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return tuple((folder / name).read_text(encoding="utf-8") for name in ("performance.md", "benchmarks.md"))


def test_the_page_shows_what_was_measured(quick, tmp_path):
    times = {name: {"seconds": 0.123, "goal": goal} for name, goal in start.GOALS.items()}
    page, developers = built({**quick[1], "start": times, "scans": tiny_scans()}, tmp_path)
    for row in quick[1]["rows"]:
        first_table = page.split("## Beside other solvers")[0]
        [cells] = [line for line in first_table.splitlines() if line.startswith(f"| {row['problem']} | 100 | 30 |")]
        assert f"{row['gap 1e-3']:.1e}" in cells
        for tol in ("1e-2", "1e-3"):
            met = row[f"ratio {tol}"] <= row[f"goal {tol}"]
            assert re.search(rf"{r'[*][*]' if met else '[0-9]'} \({row[f'goal {tol}']:g}\)", cells)
        assert f"{row['algorithm 2 error %']:+.1f} %" in page
        assert table.line(row) in developers.splitlines()
    for scan in tiny_scans():
        power = scan["exponents"]["wishart5-k5-n500" if scan["over"] == "tol" else "1e-2"]["all"]
        assert (f"tol^{-power:.2f}" if scan["over"] == "tol" else f"{scan['over']}^{power:.2f}") in page
    assert page.count("| 0.12 |") == len(times)
    assert "nan" not in page
    pictures = set(re.findall(r"\]\((figures/[^)]+)\)", page))
    assert pictures == {f"figures/performance-{name}.png" for name in ("ratios", "n", "d", "k", "tol")}
    assert all((tmp_path / picture).stat().st_size > 5_000 for picture in pictures)


def test_pot_of_an_earlier_run(quick):
    (row,) = quick[1]["rows"]
    without = row | {"POT ratio": None, "POT attains %": None}
    without["seconds"] = {name: runs for name, runs in row["seconds"].items() if name != "POT projection"}
    assert measure.with_pot_of(without, {"rows": []}) == without
    assert measure.with_pot_of(without, {"rows": [without]}) == without
    assert measure.with_pot_of(without, {"rows": [row]}) == row


def test_pot_of_another_machine_is_refused(tmp_path):
    (tmp_path / "other.json").write_text(json.dumps({"machine": {"processor": "another"}, "rows": []}))
    run = benchmarks("--quick", "--pot-from", tmp_path / "other.json")
    assert run.returncode == 2
    assert "--pot-from must be a run on this machine" in run.stderr


def test_the_page_of_a_run_without_scans(quick, tmp_path):
    page, _ = built(quick[1], tmp_path)
    assert "## Against one exact transport" in page
    assert "## How cost grows" not in page


def test_the_kept_page_is_that_of_the_kept_run(tmp_path):
    report = json.loads(RESULTS.read_text(encoding="utf-8"))
    page, developers = built(report, tmp_path)
    assert page == (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert developers == (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert {row["name"] for row in report["rows"]} >= {p.name for p in PROBLEMS if not p.family.startswith("plays")}
    assert {scan["name"] for scan in report["scans"]} == {scan.name for scan in scans.SCANS}


def test_the_machine_is_described_where_the_system_tells_nothing(monkeypatch, tmp_path):
    def refuse(*arguments):
        raise OSError

    monkeypatch.setattr(machine, "CPUINFO", tmp_path / "none")
    monkeypatch.setattr(machine.os, "sysconf", refuse)
    described = machine.machine(2)
    assert described["processor"]
    assert described["memory GB"] is None
