"""Compiled code on disk: damaged files, folders that cannot be written to, other processes, forks."""

import errno
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import numba
import pytest

from subspaceot.runtime.compiled import compiled


def double(x):
    return 2 * x


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return an empty folder in which compiled code is kept during a test."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def hits(*arguments):
    """Check the answer of `double`, compiled anew, to each argument; return how often its code came from the disk."""
    function = compiled(double)
    for x in arguments:
        assert function(x) == 2 * x
    return sum(function.stats.cache_hits.values())


def files(folder, ending):
    found = sorted(folder.rglob(f"*.{ending}"))
    assert found
    return found


def test_code_is_kept_for_each_signature():
    assert hits(1, 2.5) == 0
    assert hits(1, 2.5) == 2


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["truncated", "empty", "zeros", "text", "other"])
def test_a_damaged_file_counts_as_absent_and_is_replaced(ending, damage, folder):
    assert hits(1) == 0
    [path] = files(folder, ending)
    content = path.read_bytes()
    damaged = {
        "truncated": content[:-9],
        "empty": b"",
        "zeros": bytes(len(content)),
        "text": b"hello\n" * 99,
        "other": pickle.dumps(numba.__version__) + pickle.dumps(None),
    }
    path.write_bytes(damaged[damage])
    assert hits(1) == 0
    assert hits(1) == 1


def test_an_index_that_is_damaged_while_it_is_used(folder):
    function = compiled(double)
    assert function(1) == 2
    [index] = files(folder, "nbi")
    index.write_bytes(index.read_bytes()[:-9])
    assert function(2.5) == 5.0
    assert hits(2.5) == 1


def test_without_a_folder_to_write_to(folder, monkeypatch):
    def refuse(*arguments, **keywords):
        raise PermissionError

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert hits(1) == hits(1) == 0
    assert not folder.exists() or not list(folder.rglob("*.nb?"))


def test_a_folder_that_can_no_longer_be_written_to(folder):
    function = compiled(double)
    [subfolder] = folder.iterdir()
    subfolder.rmdir()
    subfolder.write_text("not a folder")
    assert function(1) == 2


def test_a_full_disk(folder, monkeypatch):
    def write(path):
        raise OSError(errno.ENOSPC, "No space left on device")

    function = compiled(double)
    monkeypatch.setattr(function._cache._cache_file, "_open_for_write", write)
    assert function(1) == 2
    assert not list(folder.rglob("*.nb?"))


def test_two_processes_that_compile_for_different_signatures_do_not_share_a_file(folder):
    one, other = compiled(double), compiled(double)
    other._cache._cache_file._load_index = dict  # as it was before the first had written
    assert (one(1), other(2.5)) == (2, 5.0)
    assert len(files(folder, "nbc")) == 2
    assert hits(2.5) == 1
    assert hits(1) == 0


AT_ONCE = """
import sys
import subspaceot as sot
sot.srw([[0.0, 1.0], [2.0, 3.0], [5.0, 1.0]], [[1.0, 1.0], [4.0, 3.0], [5.0, 5.0]], 1)
print("done")
"""


@pytest.mark.slow
def test_processes_that_compile_everything_at_once(folder):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    command = [sys.executable, "-W", "error", "-c", AT_ONCE]
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [process.communicate(timeout=300) for process in running] == [("done\n", "")] * 4


FORK = """
import os, sys, threading
import numba.core.event
from subspaceot.runtime.compiled import compiled

@compiled
def double(x):
    return 2 * x

@compiled
def triple(x):
    return 3 * x

class Slowly(numba.core.event.Listener):
    def on_start(self, event):
        compiling.set()
        forking.wait(1)  # the compiler's lock is held meanwhile

    def on_end(self, event):
        pass

compiling, forking = threading.Event(), threading.Event()
thread = threading.Thread(target=double, args=(1,))
with numba.core.event.install_listener("numba:compile", Slowly()):
    thread.start()
    compiling.wait()
    child = os.fork()
if child == 0:
    os._exit(0 if (double(1), triple(1), double(2.5)) == (2, 3, 5.0) else 1)
_, status = os.waitpid(child, 0)
thread.join()
print(os.waitstatus_to_exitcode(status), double(1), triple(1))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_while_another_thread_compiles(tmp_path, folder):
    script = Path(tmp_path, "script.py")
    script.write_text(FORK)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    # In a session of its own, so that a child that hangs is ended with its parent.
    process = subprocess.Popen(
        [sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, _ = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 9)
            process.communicate()
    assert out.split() == ["0", "2", "3"]
