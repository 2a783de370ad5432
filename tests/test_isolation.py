"""What the caller set for BLAS and NumPy reaches no computation, and is there again afterwards."""

import os
import subprocess
import sys
import threading
from functools import cached_property

import numpy as np
import problems
import pytest
import threadpoolctl
from proof import assert_same_bits

import subspaceot as sot
from subspaceot import geodesic, planar
from subspaceot.runtime import isolation
from subspaceot.runtime.isolation import isolated, isolated_properties

X, Y, K, A, B = problems.zero_weights()
DEFAULT = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
RAISE = dict.fromkeys(DEFAULT, "raise")


def threads():
    """Return how many threads the BLAS libraries use, as a set; those that know one thread only left out."""
    pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
    return {pool["num_threads"] for pool in pools if pool.get("threading_layer") != "disabled"}


@pytest.fixture
def caller():
    """A caller with three BLAS threads, in whose NumPy every rounding to zero is an error."""
    with threadpoolctl.threadpool_limits(3, user_api="blas"), np.errstate(all="raise"):
        yield
        assert (threads(), np.geterr()) == ({3}, RAISE)


class Seen:
    """Points that note the state in which they are read."""

    def __init__(self, points):
        self.points, self.states = points, []

    def __array__(self, dtype=None, copy=None):
        self.states.append((threads(), np.geterr()))
        return np.array(self.points, dtype=dtype)


CALLS = {
    "srw": lambda X, Y: sot.srw(X, Y, K, A, B),
    "supergradient": lambda X, Y: sot.srw(X, Y, K, A, B, method="supergradient", max_iter=20),
    "frank-wolfe": lambda X, Y: sot.srw(X, Y, K, A, B, method="frank-wolfe", reg=0.01),
    "interior-point": lambda X, Y: sot.srw(X, Y, K, A, B, method="interior-point"),
    "wasserstein": lambda X, Y: sot.wasserstein(X, Y, A, B),
    "srw_path": lambda X, Y: sot.srw_path(X, Y, None, A, B),
    "prw": lambda X, Y: sot.prw(X, Y, K, A, B),
    "prw of one dimension": lambda X, Y: sot.prw(X, Y, 1, A, B, p=1.5),
    "pairwise": lambda X, Y: sot.pairwise([(X, A), (Y, B), (X, None)], K),
    "pairwise prw": lambda X, Y: sot.pairwise([(X, A), (Y, B)], K, metric="prw"),
    "barycentric": lambda X, Y: geodesic.barycentric(X, Y, np.full((len(A), len(B)), 1e-3), 0.5),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_callers_state_does_not_reach_a_call(name, caller):
    points = Seen(X), Seen(Y)
    CALLS[name](*points)
    for seen in points:
        assert seen.states
        assert all(state == ({1}, DEFAULT) for state in seen.states)


def test_angle_curves(caller):
    points = Seen(X[:, :2])
    planar.angle_curves(points, Y[:, :2])
    assert points.states == [({1}, DEFAULT)] * len(points.states)


@pytest.mark.parametrize("scale", [1e-60, 1.0, 1e60])
def test_a_strict_caller_gets_the_same_answer(scale):
    calls = [
        lambda: sot.srw(scale * X, scale * Y, K, A, B),
        lambda: sot.srw(scale * X, scale * Y, K, A, B, tol=1e-6),
        lambda: sot.prw(scale * X, scale * Y, K, A, B),
        lambda: sot.prw(scale * X, scale * Y, 1, A, B),
        lambda: sot.srw_path(scale * X, scale * Y, None, A, B).results[K],
    ]
    for call in calls:
        relaxed = call()
        with np.errstate(all="raise"):
            strict = call()
            for name in (name for name in dir(strict) if not name.startswith("_")):
                getattr(strict, name)
            strict.project(scale * X)
            strict.interpolate([0.0, 0.3])
            repr(strict)
            assert_same_bits(strict, relaxed)


def test_a_large_problem_of_a_strict_caller():
    """Sinkhorn's kernels underflow here, and what is computed when a result is asked for is dense."""
    data = sot.instances.fragmented_hypercube(120, 20, 2, rng=0, rotate=True)
    with np.errstate(all="raise"):
        result = sot.srw(data.X, data.Y, 2)
        assert result.sparse_plan.nnz <= 5 * 240
        assert result.feature_share.sum() == pytest.approx(1)
        assert sot.prw(data.X, data.Y, 2).converged
        assert sot.srw_path(data.X, data.Y, [1, 2, 3]).converged
        assert sot.pairwise([data.X, data.Y, data.X + 1], 2).converged


def test_nested_calls_and_errors(caller):
    def fail():
        assert (threads(), np.geterr()) == ({1}, DEFAULT)
        raise ZeroDivisionError

    @isolated
    def outer():
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                isolated(fail)()
            assert (threads(), np.geterr()) == ({1}, DEFAULT)
        fail()

    with pytest.raises(ZeroDivisionError):
        outer()
    with pytest.raises(ValueError, match="`k`"):
        sot.srw(X, Y, 99)


def test_a_callback_runs_in_the_same_state_and_may_fail(caller):
    def callback(iterate):
        states.append((threads(), np.geterr()))
        raise KeyboardInterrupt

    states = []
    with pytest.raises(KeyboardInterrupt):
        sot.srw(X, Y, K, callback=callback)
    assert states == [({1}, DEFAULT)]


def test_members_of_a_class(caller):
    def state():
        return threads(), np.geterr()

    @isolated_properties
    class Lazy:
        field = 3

        @property
        def derived(self):
            """What it is."""
            return state()

        @cached_property
        def kept(self):
            return state()

        def method(self, x):
            return x, state()

        def _private(self):
            return state()

    lazy = Lazy()
    assert lazy.derived == lazy.kept == ({1}, DEFAULT)
    assert lazy.kept is lazy.kept
    assert lazy.method(1) == (1, ({1}, DEFAULT))
    assert lazy._private() == ({3}, RAISE)
    assert (lazy.field, Lazy.derived.__doc__) == (3, "What it is.")


@pytest.mark.parametrize("first_out", ["first in", "last in"])
def test_the_last_of_several_threads_restores(first_out, caller):
    began, may_end = [threading.Event(), threading.Event()], [threading.Event(), threading.Event()]

    @isolated
    def work(i):
        began[i].set()
        assert may_end[i].wait(60)
        seen[i] = threads()

    seen = {}
    workers = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for i in range(2):
        workers[i].start()
        assert began[i].wait(60)
    order = [0, 1] if first_out == "first in" else [1, 0]
    for i in order:
        assert threads() == {1}
        may_end[i].set()
        workers[i].join()
    assert seen == {0: {1}, 1: {1}}
    assert threads() == {3}


def test_many_threads_at_once(caller):
    small = X[:4], Y[:5]
    workers = [threading.Thread(target=lambda: [sot.srw(*small, 1) for _ in range(20)]) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert threads() == {3}


def test_a_limit_that_somebody_else_has_set_meanwhile_stays(caller):
    limits = []
    isolated(lambda: limits.append(threadpoolctl.threadpool_limits(2, user_api="blas")))()
    assert threads() == {2}
    threadpoolctl.threadpool_limits(3, user_api="blas")


class PerThread:
    """A library each thread of which has a limit of its own, as OpenBLAS with OpenMP is."""

    user_api, internal_api, threading_layer, filepath = "blas", "openblas", "openmp", "libopenblas.so"

    def __init__(self):
        self.limits = threading.local()

    def get_num_threads(self):
        return getattr(self.limits, "count", 4)

    def set_num_threads(self, count):
        self.limits.count = count

    def clear_controlling_thread(self, force=False):
        pass


def test_limits_of_single_threads(monkeypatch):
    class Controller:
        lib_controllers = (PerThread(),)

    monkeypatch.setattr(isolation, "get_cached_controller", Controller)
    library = Controller.lib_controllers[0]
    seen = []

    @isolated
    def inner():
        seen.append(library.get_num_threads())

    def other_thread():
        inner()
        seen.append(library.get_num_threads())

    @isolated
    def outer():
        thread = threading.Thread(target=other_thread)
        thread.start()
        thread.join()
        seen.append(library.get_num_threads())

    outer()
    assert seen == [1, 4, 1]
    assert library.get_num_threads() == 4


@pytest.mark.parametrize("n", [150, 300])
def test_the_answer_does_not_depend_on_the_callers_threads(n):
    data = sot.instances.fragmented_hypercube(n, 40, 2, 0, rotate=True)
    answers = []
    for count in (1, 2, 3):
        with threadpoolctl.threadpool_limits(count, user_api="blas"):
            answers.append(sot.srw(data.X, data.Y, 3, tol=0.02))
            _ = answers[-1].sparse_plan, answers[-1].omega
    for answer in answers[1:]:
        assert_same_bits(answer, answers[0])


FIRST = """
import threadpoolctl
import subspaceot as sot

def threads():
    return {pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"}

seen = set()
data = sot.instances.fragmented_hypercube(60, 20, 2, rng=0)
sot.srw(data.X, data.Y, 2, tol=1e-6, callback=lambda iterate: seen.update(threads()))
print(seen, threads())
"""


def in_a_process(code):
    """Return what a fresh interpreter with two BLAS threads prints."""
    environment = {**os.environ, **dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "2")}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_libraries_that_the_first_call_loads_are_limited_too():
    assert in_a_process(FIRST) == "{1} {2}"


FORK = """
import os, threading, threadpoolctl
from subspaceot.runtime.isolation import isolated
import numpy as np

def threads():
    [count] = {pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"}
    return count

def child(function):
    \"\"\"Return what a forked process finds.\"\"\"
    pid = os.fork()
    if pid == 0:
        os._exit(function())
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

@isolated
def stay():
    inside.set()
    leave.wait()

inside, leave = threading.Event(), threading.Event()
thread = threading.Thread(target=stay)
thread.start()
inside.wait()
print(threads(), child(threads), child(isolated(threads)), child(lambda: isolated(threads)() + 10 * threads()))
print(isolated(lambda: child(threads))())
leave.set()
thread.join()
print(threads(), isolated(threads)(), threads())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_process_does_not_wait_for_threads_it_does_not_have():
    assert in_a_process(FORK).split() == ["1", "2", "1", "21", "1", "2", "1", "2"]
