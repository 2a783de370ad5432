"""The two kinds of data of sections 6.1 and C.1, which share their experiments."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import instances
from ..instances import Instance
from ..runtime.types import Array


@dataclass(frozen=True)
class Family:
    """A pair of distributions that differ in their first k* coordinates only."""

    title: str
    section: str  # of the paper
    draw: Callable[[int, int, int, int], Instance]  # (n, d, k*, seed) -> samples with the truth
    true_map: Callable[[Array], Array]  # first k* coordinates of points of the first distribution -> of their images


def _hypercube(n: int, d: int, k_star: int, seed: int) -> Instance:
    return instances.fragmented_hypercube(n, d, k_star, seed)


def _split(Z: Array) -> Array:
    split: Array = Z + 2 * np.sign(Z)
    return split


def _disk(n: int, d: int, k_star: int, seed: int) -> Instance:
    return instances.disk_to_annulus(n, d, k_star, seed)


def _blown_up(Z: Array) -> Array:
    k = Z.shape[1]
    r = np.linalg.norm(Z, axis=1, keepdims=True)
    blown_up: Array = Z * (instances.annulus_radius(r**k, k) / r)
    return blown_up


FAMILIES = {
    "hypercube": Family("Fragmented hypercube", "6.1", _hypercube, _split),
    "disk": Family("Disk to annulus", "C.1", _disk, _blown_up),
}
