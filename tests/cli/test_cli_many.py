"""Many rows on the command line: nothing is refused for want of memory, and Ctrl-C or a limit keep what is known."""

import json
import os
import signal
import subprocess
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from cli_files import call

import subspaceot as sot
from subspaceot.core import potentials
from subspaceot.solvers import Auto


@pytest.fixture
def large(monkeypatch):
    """Take the route for many points from 10,000 pairs on."""
    monkeypatch.setattr(potentials, "LARGE_PAIRS", 10_000)


def tables(folder, d=8, n=200):
    data = sot.instances.fragmented_hypercube(n, d, 2, rng=0)
    names = [f"c{j}" for j in range(d)]
    for name, points in (("a", data.X), ("b", data.Y)):
        pd.DataFrame(points, columns=names).to_csv(folder / f"{name}.csv", index=False)
    return folder / "a.csv", folder / "b.csv"


# Any number of rows --------------------------------------------------------------------------------------------------


def test_compare_leaves_out_W_where_it_would_take_long(tmp_path, large):
    result = call("compare", *tables(tmp_path), "-k", 2, "--tol", "2e-2")
    assert result.exit_code == 0
    assert "W in all 8 directions is left out" in result.stderr
    assert "95% confidence interval" in result.stdout
    assert "Share of W^2" not in result.stdout
    answer = json.loads(call("compare", *tables(tmp_path), "-k", 2, "--tol", "2e-2", "--json").stdout)
    assert answer["wasserstein_cost"] is answer["explained"] is None
    exact = sot.srw(*(pd.read_csv(name) for name in tables(tmp_path)), 2)
    assert answer["lower"] <= exact.upper
    assert exact.lower <= answer["upper"]


def test_compare_has_W_in_few_directions(tmp_path, large):
    answer = json.loads(call("compare", *tables(tmp_path, d=3), "-k", 2, "--no-test", "--json").stdout)
    W = sot.wasserstein(*(pd.read_csv(name) for name in tables(tmp_path, d=3)))
    assert answer["wasserstein_cost"] == pytest.approx(W.cost, rel=1e-2)


def test_the_elbow_of_many_rows_is_that_of_some_of_them(tmp_path, large, monkeypatch):
    monkeypatch.setattr("subspaceot.cli._solve._CHOOSE_ROWS", 60)
    answer = json.loads(call("compare", *tables(tmp_path), "--no-test", "--tol", "2e-2", "--json").stdout)
    assert answer["k"] == 2
    assert "Chosen on 60 rows a side" in answer["k_reason"]
    assert answer["n"] == 200


def test_path_and_pairwise(tmp_path, large):
    a, b = tables(tmp_path)
    answer = json.loads(call("path", a, b, "--kmax", 3, "--tol", "0.1", "--json").stdout)
    assert answer["k"] == [1, 2, 3]
    assert answer["wasserstein_cost"] is None
    assert answer["explained"] == [None] * 3
    assert "k" in call("path", a, b, "--kmax", 1).stdout
    picture = call("path", a, b, "--kmax", 2, "--plot", tmp_path / "p.png")
    assert "c0" not in picture.stdout
    assert "W^2" not in picture.stdout.splitlines()[0]
    table = json.loads(call("pairwise", a, b, "--json").stdout)
    assert table["lowers"][0][1] ** 2 <= answer["upper"][1]


@pytest.mark.slow
def test_two_hundred_thousand_rows_a_side(tmp_path):
    """An array of all pairs would take 320 GB."""
    rng = np.random.default_rng(0)
    for name, shift in (("a", 0.0), ("b", 4.0)):
        points = rng.standard_normal((200_000, 4))
        points[:, 0] += shift
        pd.DataFrame(points).add_prefix("c").to_parquet(tmp_path / f"{name}.parquet")
    result = call("compare", tmp_path / "a.parquet", tmp_path / "b.parquet", "-k", 1)
    assert result.exit_code == 0
    assert "Distance S_1" in result.stdout


def test_a_machine_with_little_memory_takes_the_route_without_arrays(monkeypatch):
    data = sot.instances.fragmented_hypercube(60, 5, 2, rng=0)
    expected = sot.srw(data.X, data.Y, 2, tol=2e-2)
    monkeypatch.setattr("subspaceot.core.validate.memory._physical_memory", lambda: 8 * 60 * 60)
    result = sot.srw(data.X, data.Y, 2, tol=2e-2)
    assert result.converged
    assert result.lower <= expected.upper
    assert expected.lower <= result.upper
    path = sot.srw_path(data.X, data.Y, [1, 2], tol=2e-2)
    assert path.lower[1] <= expected.upper
    assert sot.pairwise([data.X, data.Y], 2).lower[0, 1] ** 2 <= expected.upper


# Ctrl-C and limits ---------------------------------------------------------------------------------------------------


def pressed(monkeypatch, when):
    """Press Ctrl-C when an ascent has made so many steps; return what is done with the next one."""
    after, steps = [], Auto.steps

    def interrupted(self, *arguments):
        for count, step in enumerate(steps(self, *arguments)):
            yield step
            if count + 1 == when and not after:
                signal.raise_signal(signal.SIGINT)
                after.append(signal.getsignal(signal.SIGINT))

    monkeypatch.setattr(Auto, "steps", interrupted)
    return after


def test_ctrl_c_prints_the_interval_so_far(tmp_path, monkeypatch):
    a, b = tables(tmp_path)
    exact = sot.srw(*(pd.read_csv(name) for name in (a, b)), 2)
    pressed(monkeypatch, 3)
    result = call("compare", a, b, "-k", 2, "--tol", "1e-9", "--no-test", "--json")
    assert result.exit_code == 130
    assert "Ctrl-C again ends at once" in result.stderr
    answer = json.loads(result.stdout)
    assert answer["status"] == "STOPPED"
    assert answer["lower"] <= exact.upper
    assert exact.lower <= answer["upper"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_the_first_step_waits_for_its_end(tmp_path, monkeypatch):
    a, b = tables(tmp_path)
    steps = Auto.steps

    def interrupted(self, *arguments):
        signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # the second one ends the command at once
        yield from steps(self, *arguments)

    monkeypatch.setattr(Auto, "steps", interrupted)
    result = call("compare", a, b, "-k", 2, "--tol", "1e-9")
    assert result.exit_code == 130
    assert "Not converged (STOPPED)" in result.stdout
    assert "No confidence interval for the populations: stopped by Ctrl-C." in result.stdout


def test_ctrl_c_leaves_the_part_of_a_path_that_is_known(tmp_path, monkeypatch):
    a, b = tables(tmp_path)
    pressed(monkeypatch, 2)
    result = call("path", a, b, "--kmax", 6, "--tol", "1e-9", "--json")
    assert result.exit_code == 130
    answer = json.loads(result.stdout)
    assert 1 <= len(answer["k"]) < 6
    assert answer["elbow"] is None
    assert "STOPPED" in answer["status"]


def test_ctrl_c_in_a_confidence_interval_keeps_the_distance(tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("subspaceot.inference.intervals.intervals", interrupted)
    result = call("compare", *tables(tmp_path), "-k", 2)
    assert result.exit_code == 130
    assert "Distance S_2" in result.stdout
    assert "stopped by Ctrl-C" in result.stdout


def test_a_limit_of_time(tmp_path, monkeypatch):
    monkeypatch.setattr("subspaceot.distances.srw", partial(sot.srw, method="supergradient"))
    result = call("compare", *tables(tmp_path), "-k", 2, "--tol", "1e-12", "--seconds", "0.5", "--no-test")
    assert result.exit_code == 1
    assert "stopped after 0.5 s; --seconds S gives it longer" in result.stderr
    assert "Not converged (STOPPED)" in result.stdout


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals of POSIX")
def test_a_call_in_the_background_of_a_shell_is_left_alone(tmp_path):
    """Where Ctrl-C is ignored, as after `nohup`, it stays ignored."""
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); from subspaceot.cli import main; "
        "code = main(sys.argv[1:]); assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN; sys.exit(code)"
    )
    arguments = ["compare", *tables(tmp_path), "-k", "2", "--no-test"]
    run = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
