"""No call leaves a trace: nothing printed, nothing modified, the same bits each time and from any thread."""

import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import problems
import pytest
from proof import assert_same_bits

import subspaceot as sot

X, Y, _, A, B = problems.plain()


@pytest.mark.parametrize(
    "settings", [{}, {"method": "supergradient", "max_iter": 5}, {"method": "frank-wolfe", "reg": 0.1}], ids=str
)
def test_nothing_is_printed_or_modified(settings, capfd):
    init = np.diag([1.0, 1.0, 0.0, 0.0])
    arrays = [X.copy(), Y.copy(), A.copy(), B.copy(), init]
    copies = [array.copy() for array in arrays]
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sot.srw(arrays[0], arrays[1], 2, arrays[2], arrays[3], init=init, **settings)
        for name in (name for name in dir(result) if not name.startswith("_")):
            getattr(result, name)
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert capfd.readouterr() == ("", "")


def test_the_result_does_not_follow_later_changes_of_the_data():
    mine = [array.copy() for array in (X, Y, A, B)]
    result = sot.srw(mine[0], mine[1], 2, mine[2], mine[3])
    for array in mine:
        array[:] = 7.0
    assert_same_bits(result, sot.srw(X, Y, 2, A, B))


@pytest.mark.parametrize("problem", problems.NAMED)
def test_same_input_same_bits(problem):
    X, Y, k, a, b = problems.NAMED[problem]()
    assert_same_bits(sot.srw(X, Y, k, a, b), sot.srw(X, Y, k, a, b))


TWICE = """
import numpy as np
import subspaceot as sot

data = sot.instances.fragmented_hypercube(150, 40, 2, 0, rotate=True)
for k in (2, 3):
    one, other = (sot.srw(data.X, data.Y, k, tol=0.02) for _ in range(2))
    print((one.lower, one.upper) == (other.lower, other.upper), np.array_equal(one.omega, other.omega))
"""


def test_same_bits_with_two_threads_of_linear_algebra():
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "2")
    run = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True, env=os.environ | threads)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["True"] * 4


def test_two_threads_at_once_give_the_same_bits_as_one_after_the_other():
    data = [sot.instances.wishart_gaussians(60, 12, 4, seed) for seed in range(4)]

    def solve(instance):
        return sot.srw(instance.X, instance.Y, 3)

    serial = [solve(instance) for instance in data]
    with ThreadPoolExecutor(2) as pool:
        for one, other in zip(pool.map(solve, data), serial, strict=True):
            assert_same_bits(one, other)
