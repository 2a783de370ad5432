"""What a large problem costs in memory, and how the dimension enters time. Each runs in a process of its own."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# Prints peak memory above what the process had with its input, in bytes, and the time of the call.
MEASURE = """
import resource, time
import numpy as np
import subspaceot as sot

def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

rng = np.random.default_rng(0)
sot.srw(rng.standard_normal((9, 3)), rng.standard_normal((9, 3)), 1)  # loads POT
{data}
before, began = peak(), time.perf_counter()
result = sot.srw(X, Y, {k}, tol={tol})
print(peak() - before, time.perf_counter() - began, result.gap)
"""


def measure(data, k, tol=1e-3):
    """Return bytes above the input, seconds and gap."""
    run = subprocess.run(
        [sys.executable, "-c", MEASURE.format(data=data, k=k, tol=tol)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return map(float, run.stdout.split())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ru_maxrss is in other units elsewhere")
@pytest.mark.parametrize("k", [2, 5])
def test_four_thousand_points(k):
    data = "data = sot.instances.fragmented_hypercube(4000, 30, 2, 0, rotate=True); X, Y = data.X, data.Y"
    memory, _, gap = measure(data, k, tol=1e-2)
    assert gap <= 1e-2
    assert memory <= 1.3e9


WIDE = """
flat = sot.instances.fragmented_hypercube(100, 200, 2, 0, rotate=True)
turn = np.linalg.qr(rng.standard_normal(({d}, 200)))[0]
X, Y = np.ascontiguousarray(flat.X @ turn.T), np.ascontiguousarray(flat.Y @ turn.T)
del turn
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ru_maxrss is in other units elsewhere")
@pytest.mark.parametrize("k", [1, 2])
def test_twenty_thousand_dimensions(k):
    _, narrow, _ = measure(WIDE.format(d=200), k)
    memory, wide, gap = measure(WIDE.format(d=20_000), k)
    # A few passes over 2 x 100 x 20,000 numbers, and products with as many of them, take a fraction of a second.
    assert wide <= 3 * narrow + 0.5
    assert memory <= 1e9
    assert gap <= 1e-3
