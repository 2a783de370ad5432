"""All pairs at once: the same matrices wherever they are computed, nothing lost, nothing left running."""

import functools
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import hypothesis
import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import reference
import scipy.sparse
import strategies
import tolerances
import tqdm
from hypothesis import strategies as st

import subspaceot as sot
from subspaceot import pairs

K = 2
SIZES = np.linspace(50, 400, 8).astype(int)

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes through /proc")
PRW = "prw"


def clouds(sizes=SIZES, d=6, seed=0):
    """Return measures of different sizes and shapes, every other one with weights."""
    rng = np.random.default_rng(seed)
    points = [rng.standard_normal((n, d)) * rng.uniform(0.5, 2, d) + rng.standard_normal(d) for n in sizes]
    return [(X, rng.dirichlet(np.ones(len(X)))) if i % 2 else X for i, X in enumerate(points)]


GRID = np.arange(6.0).reshape(3, 2)
MEASURES = clouds()
FEW = clouds([5, 9, 7])


@pytest.fixture(scope="module")
def serial():
    return sot.pairwise(MEASURES, K)


@pytest.fixture(scope="module")
def cluster():
    """Two Dask workers in processes of their own, gone after the tests of this file."""
    import dask.distributed as distributed

    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        yield client
        workers = client.run(os.getpid).values()
    assert not [pid for pid in workers if alive(pid)]


@pytest.fixture(scope="module", autouse=True)
def no_processes_left():
    yield
    joblib.externals.loky.get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def assert_same(one, other):
    """Check that two answers agree in every bit: the same code ran on the same numbers, with one BLAS thread each."""
    for name in ("distance", "lower", "upper"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert one.unconverged == other.unconverged


def corner(answer, count):
    """Return the answer for the first so many measures; all of them converged."""
    assert answer.converged
    matrices = (matrix[:count, :count] for matrix in (answer.distance, answer.lower, answer.upper))
    return sot.Pairwise(*matrices, unconverged=())


def assert_metric(answer, slack):
    """Check symmetry, zeros, the order of the bounds, and the triangle inequality as far as the bounds can tell."""
    distance, lower, upper = answer.distance, answer.lower, answer.upper
    for matrix in (distance, lower, upper):
        np.testing.assert_array_equal(matrix, matrix.T)
        np.testing.assert_array_equal(np.diag(matrix), 0)
    assert (lower >= 0).all()
    assert (lower <= distance).all()
    assert (distance <= upper).all()
    assert (lower[:, None, :] <= upper[:, :, None] + upper[None, :, :] + slack).all()


# --- the answer -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["srw", PRW, "wasserstein"])
def test_shifted_copies_are_as_far_apart_as_they_were_shifted(metric):
    """Translates differ along one direction only; atoms split at random make sizes and weights differ."""
    rng = np.random.default_rng(0)
    X, shifts = rng.standard_normal((12, 5)), rng.standard_normal((6, 5))
    measures = []
    for shift in shifts:
        split = rng.integers(1, 4, len(X))
        measures.append((np.repeat(X + shift, split, axis=0), np.repeat(1 / split, split)))
    answer = sot.pairwise(measures, None if metric == "wasserstein" else 2, metric=metric, tol=1e-3)
    truth = np.linalg.norm(shifts[:, None] - shifts, axis=2)
    assert answer.converged
    assert (answer.lower <= truth + tolerances.MATRIX_ROOT).all()
    assert (truth <= answer.upper + tolerances.MATRIX_ROOT).all()
    np.testing.assert_allclose(answer.distance, truth, rtol=1e-3)


def test_one_pair_is_what_srw_says(serial):
    def split(measure):
        return measure if isinstance(measure, tuple) else (measure, None)

    for i, j in [(0, 1), (2, 7), (3, 5)]:
        (X, a), (Y, b) = split(MEASURES[i]), split(MEASURES[j])
        result = sot.srw(X, Y, K, a, b, tol=1e-2)
        assert serial.distance[i, j] == result.distance
        assert serial.lower[i, j] ** 2 < result.lower == pytest.approx(serial.lower[i, j] ** 2, rel=1e-14)
        assert serial.upper[i, j] ** 2 > result.upper == pytest.approx(serial.upper[i, j] ** 2, rel=1e-14)


def test_one_pair_is_what_wasserstein_says():
    answer = sot.pairwise(FEW, metric="wasserstein")
    result = sot.wasserstein(FEW[0], FEW[1][0], b=FEW[1][1])
    assert answer.distance[0, 1] == answer.distance[1, 0] == result.distance


def test_one_pair_is_what_prw_says():
    answer = sot.pairwise(FEW, K, metric="prw")
    result = sot.prw(FEW[0], FEW[1][0], K, b=FEW[1][1], tol=1e-2)
    assert answer.distance[0, 1] == result.distance


def test_settings_reach_the_solver():
    (X, Y), reg = (FEW[0], FEW[2]), 0.5
    for settings in ({"reg": reg}, {"reg": reg, "method": "frank-wolfe"}, {"method": "interior-point", "tol": 1e-5}):
        result = sot.srw(X, Y, 1, **{"tol": 1e-2, **settings})
        assert sot.pairwise([X, Y], 1, **settings).distance[0, 1] == result.distance


def test_pairs_of_the_large_example_form_a_metric(serial):
    assert serial.converged
    assert serial.distance.shape == (8, 8)
    assert ((serial.upper**2 - serial.lower**2) <= 1e-2 * serial.upper**2).all()
    assert_metric(serial, 0)


@hypothesis.given(st.data())
def test_metric_within_the_intervals(data):
    points = data.draw(strategies.clouds(sides=3))
    measures = [(X, data.draw(strategies.weights(len(X)))) for X in points]
    d = points[0].shape[1]
    everything = np.concatenate(points)
    # Roots of squared distances that are wrong by BOUND times the spread.
    slack = 3 * np.sqrt(tolerances.BOUND * (reference.spread(everything, everything) + 1))
    assert_metric(sot.pairwise(measures, data.draw(st.integers(1, d))), slack)
    assert_metric(sot.pairwise(measures, metric="wasserstein"), slack)


def test_a_measure_is_at_no_distance_from_itself():
    X = FEW[0]
    answer = sot.pairwise([X, X.copy(), (np.repeat(X, 2, axis=0), np.ones(2 * len(X)))], 2)
    assert answer.converged
    assert answer.upper.max() <= 1e-6


def test_a_pair_that_missed_tol_is_named():
    X, tol = FEW[0], 1e-3
    answer = sot.pairwise([X, X + 100.0, FEW[2], X], 1, tol=tol, method=sot.solvers.QuasiNewton(max_iter=1))
    wide = answer.upper**2 - answer.lower**2 > tol * answer.upper**2 + tolerances.BOUND
    assert answer.unconverged == tuple((i, j) for i in range(4) for j in range(i + 1, 4) if wide[i, j])
    assert 0 < len(answer.unconverged) < 6
    assert not answer.converged
    assert f"{len(answer.unconverged)} of 6 pairs NOT CONVERGED" in repr(answer)


def test_repr_and_pickle(serial):
    assert re.fullmatch(
        r"Pairwise\(8 measures: distances from .* to .*, widest interval \[.*\], CONVERGED\)", repr(serial)
    )
    assert_same(pickle.loads(pickle.dumps(serial)), serial)


# --- wherever it is computed ----------------------------------------------------------------------------------------


def assert_progress(captured):
    """Check that a bar on stderr moved as the 28 pairs finished, not only at the end."""
    assert captured.out == ""
    counts = list(dict.fromkeys(int(count) for count in re.findall(r"(\d+)/28 ", captured.err)))
    assert counts == sorted(counts)
    assert counts[-1] == 28
    assert len(counts) >= 5


@pytest.mark.parametrize("backend", ["sequential", "loky", "threading", "dask"])
def test_every_backend_gives_the_same_and_shows_progress(backend, serial, request, capfd, monkeypatch):
    # A bar moves ten times a second at most, and a quick machine needs two tenths for all.
    monkeypatch.setattr("tqdm.tqdm", functools.partial(tqdm.tqdm, mininterval=0, miniters=1))
    client = request.getfixturevalue("cluster") if backend == "dask" else None
    with joblib.parallel_config(backend=backend, n_jobs=2):
        answer = sot.pairwise(MEASURES, K, progress=True)
    assert_same(answer, serial)
    assert_progress(capfd.readouterr())
    assert client is None or ran_on(client) == 2


def test_n_jobs_alone_starts_processes(serial):
    with joblib.parallel_config(max_nbytes=1000):  # they see all arrays as read-only memory maps
        answer = sot.pairwise(MEASURES[:4], K, n_jobs=2)
    assert len(joblib.externals.loky.get_reusable_executor(reuse=True)._processes) == 2
    assert_same(answer, corner(serial, 4))


def ran_on(client):
    """Return how many workers of the cluster have loaded what solves a pair."""
    return sum(client.run(lambda: "subspaceot.pairs" in sys.modules).values())


def test_a_killed_dask_worker_loses_nothing(serial, cluster):
    before = cluster.run(os.getpid)
    address, pid = min(before.items())
    killed = threading.Event()

    def kill():
        while not cluster.processing().get(address):
            time.sleep(0.01)
        time.sleep(0.05)  # in the middle of the run, which takes a quarter of a second
        os.kill(pid, signal.SIGKILL)
        killed.set()

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    with joblib.parallel_config(backend="dask"):
        answer = sot.pairwise(MEASURES, K)
    assert killed.is_set()  # before the end
    killer.join()
    assert_same(answer, serial)
    cluster.wait_for_workers(2)
    assert pid not in cluster.run(os.getpid).values()


def test_nothing_is_printed_or_modified(capfd):
    copies = pickle.loads(pickle.dumps(FEW))
    sot.pairwise(FEW, K)
    for before, after in zip(copies, FEW, strict=True):
        for old, new in zip(before, after, strict=True):
            np.testing.assert_array_equal(old, new)
    assert capfd.readouterr() == ("", "")


def test_an_error_in_a_worker_is_raised_here(monkeypatch):
    def solve(*arguments, **keywords):
        raise FloatingPointError("A bound is not finite.")

    monkeypatch.setattr("subspaceot.pairs.srw", solve)
    for n_jobs in (1, 2):
        with joblib.parallel_config(backend="threading"), pytest.raises(FloatingPointError, match="bound"):
            sot.pairwise(FEW, K, n_jobs=n_jobs)


def test_blas_does_not_crowd_out_the_workers():
    """Two workers with as many BLAS threads as there are cores take five times as long."""
    code = """
import joblib, threadpoolctl, subspaceot as sot, numpy as np
def threads(seed):
    found = []
    def count(iterate):
        found.extend(pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas")
    sot.srw(*np.random.default_rng(seed).standard_normal((2, 50, 6)), 2, callback=count)
    return max(found)
if __name__ == "__main__":
    for backend in ("threading", "loky"):
        print(*joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(threads)(seed) for seed in range(4)))
"""
    plain = {name: value for name, value in os.environ.items() if not name.endswith("NUM_THREADS")}
    run = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True)
    assert run.stdout.split() == ["1"] * 8, run.stderr


# --- interrupted ----------------------------------------------------------------------------------------------------

# A transport of 3,000 points takes seconds without a glance at signals, a pair of 800 as long in many steps.
LONG = """
import sys
import joblib, numpy as np, subspaceot as sot

def main(backend, metric):
    rng = np.random.default_rng(0)
    n, settings = (3000, {"metric": metric}) if metric == "wasserstein" else (800, {"k": 2, "tol": 1e-4})
    measures = [rng.standard_normal((n, 20)) for _ in range(8)]
    sot.srw(measures[0][:9], measures[1][:9], 1)  # loads everything
    print("ready", flush=True)
    try:
        with joblib.parallel_config(backend=backend):
            sot.pairwise(measures, n_jobs=1 if backend == "sequential" else 2, progress=True, **settings)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.stdin.readline()
        raise

if __name__ == "__main__":
    main(*sys.argv[1:])
"""


def session(leader):
    """Return the command lines of all processes in the session of a process, zombies aside."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, *_, sid = (path / "stat").read_text().rsplit(")", 1)[1].split()[:4]
            if int(sid) == leader and state != "Z":
                found[int(path.name)] = (path / "cmdline").read_text()
        except OSError:  # it ended while we looked
            continue
    return found


def eventually(condition, seconds):
    """Return whether the condition comes true within so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def interrupt(backend, metric, everyone=False):
    """Return how many seconds a call needs to hear Ctrl-C; check that the caller goes on and no process is left."""
    child = subprocess.Popen(
        [sys.executable, "-c", LONG, backend, metric],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    )
    with child:
        try:
            assert child.stdout.readline() == "ready\n"
            workers = 2 if backend == "loky" else 0

            def started():
                return sum("popen_loky" in command for command in session(child.pid).values()) >= workers

            assert eventually(started, 60)
            time.sleep(1.0)
            began = time.monotonic()
            (os.killpg if everyone else os.kill)(child.pid, signal.SIGINT)
            assert child.stdout.readline() == "interrupted\n"
            seconds = time.monotonic() - began
            workers = 1  # none may be left, though the caller goes on
            assert not started()
            child.stdin.write("\n")
            child.stdin.flush()
            assert child.wait(timeout=60) != 0
            assert eventually(lambda: not session(child.pid), 60)
        finally:
            for pid in session(child.pid):
                os.kill(pid, signal.SIGKILL)
    return seconds


INTERRUPTED = [
    ("sequential", "srw", False),
    ("sequential", "wasserstein", False),
    ("loky", "srw", True),  # as a terminal does
]


@LINUX
@pytest.mark.parametrize(("backend", "metric", "everyone"), INTERRUPTED)
def test_ctrl_c_stops_the_call_and_leaves_no_process(backend, metric, everyone):
    interrupt(backend, metric, everyone)


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "metric", "everyone"), [*INTERRUPTED, ("threading", "srw", False), ("loky", "srw", False)]
)
def test_ctrl_c_is_heard_within_two_seconds(backend, metric, everyone):
    assert interrupt(backend, metric, everyone) < 2


def test_solves_of_an_interrupted_call_stop_at_their_next_step(monkeypatch):
    """In threads of this process they cannot be ended from outside."""
    monkeypatch.setattr(pairs, "_interrupted", {"interrupted"})
    settings = {"metric": "srw", "k": K, "tol": 1e-3, "reg": None, "solver": sot.solvers.QuasiNewton()}
    converged = {
        call: pairs._PairSolver(call=call, **settings).solve((FEW[0], None), (FEW[2], None)).converged
        for call in ("alive", "interrupted")
    }
    assert converged == {"alive": True, "interrupted": False}


DASK = """
import sys
import joblib, numpy as np, subspaceot as sot
from dask.distributed import Client, LocalCluster

if __name__ == "__main__":
    measures = [np.random.default_rng(i).standard_normal((200, 5)) for i in range(60)]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        client.run(lambda: sot.srw([[0.0]], [[1.0]], 1))
        print("ready", flush=True)
        try:
            with joblib.parallel_config(backend="dask"):
                sot.pairwise(measures, 2)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        print(client.submit(sum, [1, 2]).result(), len(client.ncores()), flush=True)
"""


@LINUX
@pytest.mark.slow
def test_ctrl_c_leaves_the_callers_cluster_alone(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(DASK)
    command = [sys.executable, str(script)]
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "start_new_session": True, "text": True}
    with subprocess.Popen(command, **settings) as child:
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(1.0)
            began = time.monotonic()
            os.kill(child.pid, signal.SIGINT)
            assert child.stdout.readline() == "interrupted\n"
            assert time.monotonic() - began < 2
            assert child.stdout.readline() == "3 2\n"
            assert child.wait(timeout=30) == 0
            assert eventually(lambda: not session(child.pid), 2)
        finally:
            for pid in session(child.pid):
                os.kill(pid, signal.SIGKILL)


# --- names ----------------------------------------------------------------------------------------------------------


def test_a_dict_keeps_its_names():
    points = [GRID, GRID[::-1] ** 2]
    answer = sot.pairwise(dict(zip("ab", points, strict=True)), 1)
    assert_same(answer, sot.pairwise(points, 1))
    assert answer.names == ("a", "b")
    assert sot.pairwise(points, 1).names is None


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_table_is_split_by_its_groups(library):
    rng = np.random.default_rng(5)
    columns = {"x": rng.standard_normal(21), "who": [f"g{i % 3}" for i in range(21)], "y": rng.standard_normal(21)}
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[library]
    answer = sot.pairwise(make(columns), 1, group="who")
    points = np.column_stack([columns["x"], columns["y"]])
    assert_same(answer, sot.pairwise([points[i::3] for i in range(3)], 1))
    assert answer.names == ("g0", "g1", "g2")


def test_a_frame_has_one_row_per_pair(serial):
    table = serial.to_frame()
    assert table.columns == ("first", "second", "distance", "lower", "upper", "converged")
    assert len(table) == 28
    row = list(table)[9]
    i, j = row["first"], row["second"]
    assert (i, j) == (1, 4)
    assert (row["distance"], row["lower"], row["upper"]) == (
        serial.distance[i, j], serial.lower[i, j], serial.upper[i, j])  # fmt: skip
    assert table["converged"].all()
    named = sot.Pairwise(*np.zeros((3, 3, 3)), unconverged=((0, 2),), names=("a", "b", "c")).to_frame()
    assert named["first"].tolist() == ["a", "a", "b"]
    assert named["second"].tolist() == ["b", "c", "c"]
    assert named["converged"].tolist() == [True, False, True]
    assert named.to_polars()["first"].to_list() == ["a", "a", "b"]


def test_names_are_saved(tmp_path):
    sot.Pairwise(*np.zeros((3, 2, 2)), unconverged=(), names=("a", "b")).save(tmp_path / "x.npz")
    assert sot.load(tmp_path / "x.npz").names == ("a", "b")


@pytest.mark.parametrize(
    ("measures", "group", "error", "message"),
    [
        (GRID, "g", TypeError, "`group` names a column of one table; `measures` is ndarray"),
        (pd.DataFrame({"x": [1.0]}), "g", ValueError, "`group` 'g' names no column of `measures`; its columns are 'x'"),
        (pd.DataFrame({"x": [1.0, 2.0], "g": ["a", "a"]}), "g", ValueError, "column 'g' holds 'a'"),
        (pd.DataFrame({"x": [1.0, 2.0], "g": ["a", None]}), "g", ValueError, "1 rows have no value in it"),
        (pd.DataFrame({"x": [1.0, None], "g": ["a", "b"]}), "g", ValueError, "must not have missing values"),
        (pd.DataFrame({"x": ["1", "2"], "g": ["a", "b"]}), "g", TypeError, "must have numeric columns only"),
    ],
)
def test_bad_groups_are_refused_before_any_work(no_work, measures, group, error, message):
    with pytest.raises(error, match=re.escape(message)):
        sot.pairwise(measures, 1, group=group)


# --- input ----------------------------------------------------------------------------------------------------------


def with_nan(row):
    points = GRID.copy()
    points[row, 1] = np.nan
    return points


@pytest.fixture
def no_work(monkeypatch):
    """Make any work on the data a failure."""

    def work(*arguments, **keywords):
        raise AssertionError("work was done before the input was refused")

    for name in ("srw", "find_workers"):
        monkeypatch.setattr(f"subspaceot.pairs.{name}", work)


BAD_MEASURES = {
    "None": (None, TypeError, "`measures` must be a list of at least two measures.*got None"),
    "number": (3, TypeError, "`measures` must be a list.*3 (int)"),
    "string": ("clouds", TypeError, "`measures` must be a list.*'clouds' (str)"),
    "strings": (["a", "b"], TypeError, "`measures[0]` must be an (n, d) array of numbers"),
    "dict of one": ({"u": GRID}, ValueError, "`measures` must hold at least two measures; got 1"),
    "dict of tables": ({"u": GRID, "v": GRID[:, :1]}, ValueError, "got 2 in `measures['u']` and 1 in `measures['v']`"),
    "names": (
        {1: GRID, "1": GRID},
        ValueError,
        "must have a different name for each as text; '1' names two. Rename",
    ),
    "one DataFrame": (pd.DataFrame(GRID), TypeError, "`measures` must be a list.*one DataFrame"),
    "one array": (GRID, TypeError, "`measures` must be a list.*one array of shape (3, 2)"),
    "sparse": (scipy.sparse.csr_array(GRID), TypeError, "`measures"),
    "none at all": ([], ValueError, "`measures` must hold at least two measures; got none"),
    "only one": ([GRID], ValueError, "`measures` must hold at least two measures; got 1"),
    "another d": (
        [GRID, GRID, GRID[:, :1]],
        ValueError,
        "same number of columns; got 2 in `measures[0]` and 1 in `measures[2]`",
    ),
    "NaN": ([GRID, GRID, GRID, with_nan(2)], ValueError, "`measures[3]` must be finite; got NaN in row 2"),
    "NaN in a pair": ([GRID, (with_nan(1), None)], ValueError, "`measures[1][0]` must be finite; got NaN in row 1"),
    "1-d": ([GRID, GRID[0]], ValueError, "`measures[1]` must have two dimensions"),
    "empty": ([GRID, GRID[:0]], ValueError, "`measures[1]` must hold at least one point"),
    "sparse measure": ([GRID, scipy.sparse.csr_array(GRID)], TypeError, "`measures[1]` must be a dense array"),
    "two rows": (
        [GRID, ((0.0, 1.0), (2.0, 3.0))],
        ValueError,
        "`measures[1]` must be.*a tuple whose points have shape (2,)",
    ),
    "list of both": ([GRID, [GRID, np.ones(3)]], TypeError, "`measures[1]` must be.*tuple(measures[1])"),
    "short weights": (
        [(GRID, [1.0, 2.0]), GRID],
        ValueError,
        "`measures[0][1]` must hold one weight for each of the 3 points",
    ),
    "negative weights": (
        [GRID, (GRID, [1, -1, 1])],
        ValueError,
        "`measures[1][1]` must not be negative; got -1 at position 1",
    ),
    "no mass": ([GRID, (GRID, [0, 0, 0])], ValueError, "`measures[1][1]` must have a positive sum"),
}

BAD_SETTINGS = [
    ({"metric": "euclidean"}, ValueError, "`metric` must be one of 'srw', 'prw', 'wasserstein'; got 'euclidean'"),
    ({"metric": None}, TypeError, "`metric` must be a string"),
    ({"k": None}, TypeError, "`k` must be an integer; got None"),
    ({"k": 2.0}, TypeError, "`k` must be an integer"),
    ({"k": True}, TypeError, "`k` must be an integer"),
    ({"k": 0}, ValueError, "`k` must be between 1 and the dimension d=2; got 0"),
    ({"k": 3}, ValueError, "`k` must be between 1 and the dimension d=2; got 3"),
    ({"k": 3, "metric": "prw"}, ValueError, "`k` must be between 1 and the dimension d=2; got 3"),
    ({"metric": "wasserstein", "k": 9}, ValueError, "`k` must be between 1 and the dimension"),
    ({"tol": 0}, ValueError, "`tol` must be positive"),
    ({"tol": "small"}, TypeError, "`tol` must be a real number"),
    ({"tol": -1, "metric": "wasserstein", "k": None}, ValueError, "`tol` must be positive"),
    ({"reg": -1}, ValueError, "`reg` must be positive"),
    ({"reg": 1.0, "metric": "wasserstein", "k": None}, ValueError, '`reg` must be left out for `metric="wasserstein"`'),
    ({"reg": 1.0, "metric": "prw"}, ValueError, '`reg` must be left out for `metric="prw"`'),
    ({"reg": 1.0, "method": "interior-point"}, ValueError, "`reg` must be left out for `method='interior-point'`"),
    ({"method": "newton"}, ValueError, "`method` must be one of"),
    ({"method": None}, TypeError, "`method` must be one of"),
    ({"method": "frank-wolfe"}, ValueError, "`reg` must be a positive number"),
    ({"method": "frank-wolfe", "metric": "prw"}, ValueError, '`method` must be left at "auto" for `metric="prw"`'),
    ({"method": sot.solvers.Auto(), "metric": "wasserstein", "k": None}, ValueError, '`method` must be left at "auto"'),
    ({"n_jobs": 0}, ValueError, "`n_jobs` must not be 0"),
    ({"n_jobs": 2.0}, TypeError, "`n_jobs` must be an integer"),
    ({"n_jobs": True}, TypeError, "`n_jobs` must be an integer"),
    ({"n_jobs": "all"}, TypeError, "`n_jobs` must be an integer"),
    ({"progress": 1}, TypeError, "`progress` must be True or False"),
    ({"progress": "bar"}, TypeError, "`progress` must be True or False"),
]


def pattern(message):
    return ".*".join(re.escape(part) for part in message.split(".*"))


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("case", BAD_MEASURES)
def test_bad_measures(case):
    measures, error, message = BAD_MEASURES[case]
    with pytest.raises(error, match=pattern(message)):
        sot.pairwise(measures, 1)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(("settings", "error", "message"), BAD_SETTINGS, ids=lambda value: str(value)[:60])
def test_bad_settings(settings, error, message):
    with pytest.raises(error, match=pattern(message)):
        sot.pairwise([GRID, GRID + 1], **{"k": 1, **settings})


@pytest.mark.parametrize(
    "measures",
    [
        pytest.param(np.stack([GRID, GRID + 1]), id="3-d array"),
        pytest.param((GRID, GRID + 1), id="tuple"),
        pytest.param((points for points in (GRID, GRID + 1)), id="generator"),
        pytest.param([GRID.tolist(), (GRID + 1).astype(int)], id="list of rows and integers"),
        pytest.param([pd.DataFrame(GRID), (pd.DataFrame(GRID + 1), pd.Series([1.0, 1.0, 1.0]))], id="DataFrames"),
        pytest.param([(GRID, None), (GRID + 1, [2, 2, 2])], id="pairs"),
        pytest.param([tuple(map(tuple, GRID)), GRID + 1], id="tuple of three rows"),
    ],
)
def test_measures_of_every_kind(measures):
    assert sot.pairwise(measures, np.int64(1), n_jobs=np.int64(1)).distance[0, 1] == pytest.approx(np.sqrt(2))


def test_what_cannot_fit_is_refused_before_it_starts(monkeypatch):
    monkeypatch.setattr("subspaceot.pairs.srw", None)
    a_solve = 8 * 9 * 400 * 350  # of the two largest, arrays of points aside
    monkeypatch.setattr("subspaceot.core.validate.memory._physical_memory", lambda: a_solve)
    with pytest.raises(
        MemoryError, match=r"^A solve with up to n=350 and m=400 points in dimension d=6 .* fewer points"
    ):
        sot.pairwise(MEASURES, K, method="quasi-newton")
    monkeypatch.setattr("subspaceot.core.validate.memory._physical_memory", lambda: int(1.5 * a_solve))
    with pytest.raises(MemoryError, match=r"^Running 2 solves at once .* a smaller `n_jobs`, or fewer points"):
        sot.pairwise(MEASURES, K, n_jobs=2)


def test_without_joblib_one_after_another(monkeypatch, serial):
    monkeypatch.setitem(sys.modules, "joblib", None)
    for n_jobs in (None, 1):
        assert_same(sot.pairwise(MEASURES[:3], K, n_jobs=n_jobs), corner(serial, 3))
    for n_jobs in (2, -1):
        with pytest.raises(ImportError, match=rf"`n_jobs={n_jobs}` needs joblib.*subspaceot\[parallel\]"):
            sot.pairwise(FEW, K, n_jobs=n_jobs)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr("subspaceot.pairs.srw", None)
    with pytest.raises(ImportError, match=r"needs tqdm.*subspaceot\[parallel\]"):
        sot.pairwise(FEW, K, progress=True)
