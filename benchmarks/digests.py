"""Digests of what the public functions return: `python -m benchmarks.digests [SEEDS]`.

Two source trees that print the same lines return the same bits: for changes that only move code.
"""

import argparse
import hashlib
from collections.abc import Iterator

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

import subspaceot as sot


def main() -> None:
    """Print one line a call."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.digests", description=__doc__)
    parser.add_argument("seeds", nargs="?", type=int, default=4, help="how many seeds of each problem (default 4)")
    for seed in range(parser.parse_args().seeds):
        for name, digest in digests(seed):
            print(f"{seed} {name:28s} {digest}", flush=True)


def digests(seed: int) -> Iterator[tuple[str, str]]:
    """Yield the name of each call with the digest of what it returned."""
    rng = np.random.default_rng(seed)
    named = {
        "hypercube": sot.instances.fragmented_hypercube(60, 20, 2, seed, rotate=True),
        "wishart": sot.instances.wishart_gaussians(50, 15, 4, seed),
        "annulus": sot.instances.disk_to_annulus(80, 12, 2, seed),
    }
    for name, data in named.items():
        for k in (1, 2, 5):
            yield f"srw {name} {k}", of_result(sot.srw(data.X, data.Y, k, data.a, data.b))
        for k in (1, 2):
            yield f"prw {name} {k}", of_result(sot.prw(data.X, data.Y, k, data.a, data.b))
        path = sot.srw_path(data.X, data.Y, range(1, 6), data.a, data.b)
        yield f"path {name}", of_arrays(path.lower, path.upper)
    X, Y, a = rng.standard_normal((40, 90)), rng.standard_normal((35, 90)), rng.random(40)
    settings = ({}, {"method": "interior-point"}, {"method": "frank-wolfe", "reg": 5.0, "max_iter": 30})
    for options in (*settings, {"method": "supergradient", "max_iter": 20}):
        yield f"srw wide {options.get('method', 'auto')}", of_result(sot.srw(X, Y, 2, a, **options))
    yield "wasserstein wide", of_result(sot.wasserstein(X, Y, a))
    t = 1e6 * np.arange(20)
    yield "srw stamps", of_result(sot.srw(np.c_[t, 0 * t], np.c_[t, 0 * t + 1], 1))


def of_result(result: sot.Result) -> str:
    """Return the digest of a result's bounds and of what proves them."""
    plan = result.sparse_plan if result.k == 1 else result.plan
    plan = plan.toarray() if scipy.sparse.issparse(plan) else plan
    return of_arrays(result.lower, result.upper, result.omega, plan, *result.potentials)


def of_arrays(*arrays: ArrayLike) -> str:
    """Return the digest of some arrays."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(np.asarray(array, dtype=float)).tobytes())
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    main()
