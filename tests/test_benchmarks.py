"""The benchmark runs, reaches the gaps it times, and says the same in its table and in its JSON."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def benchmarks(*arguments):
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_quick_run(tmp_path):
    file = tmp_path / "run.json"
    run = benchmarks("--quick", "--repeats", 1, "--json", file)
    assert run.returncode == 0, run.stderr
    report, lines = json.loads(file.read_text()), run.stdout.splitlines()

    assert {"import subspaceot", "import ot", "first srw"} <= set(report["startup seconds"])
    assert any(line.startswith("once per process: ") for line in lines)
    assert lines[-1].startswith("goals missed: ")
    [header] = [line for line in lines if line.startswith("problem ")]
    assert header in (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(report["rows"]) >= 3
    for row in report["rows"]:
        check_gaps(row)
        check_ratios(row)
        check_algorithm_2(row)
        [line] = [line for line in lines if line.split()[:2] == [row["problem"], str(row["n"])]]
        assert f"{row['ratio 1e-3']:.1f}" in line.split()


def check_gaps(row):
    assert row["status"] == ["CONVERGED", "CONVERGED"]
    assert row["gap 1e-2"] <= 1e-2
    assert row["gap 1e-3"] <= 1e-3
    assert 0 < row["lower"] <= row["upper"]


def check_ratios(row):
    [unit] = row["seconds"]["emd2"]
    assert row["emd2 ms"] == pytest.approx(1e3 * unit)
    for name, ratio in (("1e-2", "ratio 1e-2"), ("1e-3", "ratio 1e-3"), ("algorithm 2", "algorithm 2 ratio")):
        assert row[ratio] == pytest.approx(row["seconds"][name][0] / unit)


def check_algorithm_2(row):
    value, lower, upper = row["algorithm 2 value"], row["lower"], row["upper"]
    assert row["algorithm 2 inside"] == (lower <= value <= upper)
    assert row["algorithm 2 error %"] == pytest.approx(100 * (value / (0.5 * (lower + upper)) - 1), abs=1e-9)


def test_unknown_problem_is_refused_with_the_names():
    run = benchmarks("--quick", "--only", "nothing")
    assert run.returncode == 2
    assert "wishart5-k5-n100" in run.stderr
