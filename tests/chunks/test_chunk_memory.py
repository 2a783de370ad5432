"""A process whose memory is capped solves data that are larger than the cap."""

import subprocess
import sys

import numpy as np
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="RLIMIT_DATA is another thing elsewhere"),
]

CAP = 700_000_000  # bytes of data beyond what the imports take
CALL = """
import resource, sys
import numpy as np
import subspaceot as sot

small = sot.instances.fragmented_hypercube(3000, 20, 2, rng=0)
sot.srw(small.X, small.Y, 2, tol=0.5, method=sot.Chunked(cells=64))  # imports, and loads compiled code
with open("/proc/self/status") as status:
    used = 1024 * int(next(line for line in status if line.startswith("VmData")).split()[1])
resource.setrlimit(resource.RLIMIT_DATA, (used + {cap}, used + {cap}))
if sys.argv[1] == "whole":
    np.ascontiguousarray(np.load("x.npy", mmap_mode="r"), dtype=float)
    sys.exit()
result = sot.srw("x.npy", "y.npy", 2, tol=2e-2)
print(result.lower, result.upper, type(result).__name__)
"""


def test_data_larger_than_the_memory_of_the_process(tmp_path):
    rows, d = 5_000_000, 20  # 800 MB a side as float64
    for seed, name in enumerate(("x.npy", "y.npy")):
        rng = np.random.default_rng(seed)
        array = np.lib.format.open_memmap(tmp_path / name, "w+", np.float32, (rows, d))
        for first in range(0, rows, 500_000):
            points = rng.uniform(-1.0, 1.0, (500_000, d)).astype(np.float32)
            points[:, :2] += 2 * seed * np.sign(points[:, :2])
            array[first : first + 500_000] = points
        del array

    def run(how):
        code = CALL.format(cap=CAP)
        return subprocess.run([sys.executable, "-c", code, how], cwd=tmp_path, capture_output=True, text=True)

    assert "MemoryError" in run("whole").stderr
    found = run("chunks")
    assert found.returncode == 0, found.stderr
    lower, upper, kind = found.stdout.split()
    assert kind == "ChunkedResult"
    assert float(lower) <= 8.01
    assert float(upper) >= 7.99
    assert 1 - float(lower) / float(upper) <= 2e-2
