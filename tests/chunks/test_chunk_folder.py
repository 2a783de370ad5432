"""A run that was killed goes on after its last finished pass, and a folder belongs to one call."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.chunks import passes
from subspaceot.chunks.scan import ScanOf

CALL = """
import sys, time
import numpy as np
import subspaceot as sot

def tell(progress):
    print(progress.number, progress.done, flush=True)
    if progress.number == int(sys.argv[2]) and progress.done >= 1:
        time.sleep(60)

x, y = (np.load(name, mmap_mode="r") for name in ("x.npy", "y.npy"))
sot.srw(x, y, 1, tol=0.3, method=sot.Chunked(cells=64, folder=sys.argv[1], progress=tell))
"""


@pytest.fixture
def arrays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.save("x.npy", rng.standard_normal((3000, 3)))
    np.save("y.npy", rng.standard_normal((4000, 3)) + 2)
    return [np.load(name, mmap_mode="r") for name in ("x.npy", "y.npy")]


def solved(arrays, folder=None, **changes):
    told = []
    settings = {"cells": 64, "folder": folder, "progress": told.append, **changes.pop("settings", {})}
    result = sot.srw(*arrays, **{"k": 1, "tol": 0.3, **changes}, method=sot.Chunked(**settings))
    return result, told


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("number", [1, 2])
def test_a_run_that_was_killed_goes_on(arrays, tmp_path, number):
    undisturbed, _ = solved(arrays)
    folder = tmp_path / "work"
    process = subprocess.Popen([sys.executable, "-c", CALL, folder, str(number)], stdout=subprocess.PIPE, text=True)
    try:
        assert any(line.split()[0] == str(number) and line.split()[1] != "0" for line in process.stdout)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    assert not [name for name in os.listdir(folder) if name.startswith(".unfinished")]
    kept = content(folder)
    result, _ = solved(arrays, folder)
    assert (result.lower, result.upper) == (undisturbed.lower, undisturbed.upper)
    assert all(content(folder)[name] == data for name, data in kept.items())


def test_finished_passes_are_not_read_again(arrays, tmp_path, monkeypatch):
    folder = tmp_path / "work"
    first, _ = solved(arrays, folder)
    assert len(content(folder)) == 1 + 2 * first.passes
    monkeypatch.setattr(passes, "_sum_piece", lambda *args: None)  # whoever reads a row fails
    monkeypatch.setattr(ScanOf, "of_piece", lambda *args: None)
    second, told = solved(arrays, folder)
    assert (first.lower, first.upper, first.passes) == (second.lower, second.upper, second.passes)
    assert (second.displacement == first.displacement).all()
    assert told[-1].done == told[-1].total


def test_damaged_passes_are_read_again(arrays, tmp_path):
    folder = tmp_path / "work"
    first, _ = solved(arrays, folder)
    (folder / "01-scan-X.npz").write_bytes((folder / "01-scan-X.npz").read_bytes()[:100])
    (folder / "02-cells-Y.npz").write_bytes(b"")
    (folder / "02-cells-X.npz").unlink()
    second, _ = solved(arrays, folder)
    assert (first.lower, first.upper) == (second.lower, second.upper)


def test_a_folder_belongs_to_one_call(arrays, tmp_path):
    folder = tmp_path / "work"
    solved(arrays, folder)
    for changes, name in [
        ({"k": 2}, "k"),
        ({"tol": 0.2}, "tol"),
        ({"settings": {"seed": 1}}, "seed"),
        ({"settings": {"cells": 128}}, "cells"),
        ({"settings": {"memory": 2e9}}, "memory"),
    ]:
        with pytest.raises(ValueError, match=f"`folder` .*work is that of another call: other {name}"):
            solved(arrays, folder, **changes)
    with pytest.raises(ValueError, match="another call: other Y"):
        solved([arrays[0], arrays[0]], folder)
    time.sleep(0.01)
    np.save("y.npy", arrays[1] + 0)  # the same file at another time
    with pytest.raises(ValueError, match="another call: other Y"):
        solved([arrays[0], np.load("y.npy", mmap_mode="r")], folder)
    with pytest.raises(ValueError, match="is not empty, and no folder of ours"):
        solved(arrays, tmp_path)
    (folder / "subspaceot-chunks.json").write_text("{")
    with pytest.raises(ValueError, match="holds a damaged"):
        solved(arrays, folder)
