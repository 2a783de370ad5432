"""Small problems with a name for each difficulty, as (X, Y, k, a, b)."""

import numpy as np


def plain(n=9, m=11, d=4, k=2, seed=0):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, d)), 1.5 * rng.standard_normal((m, d)) + 0.3
    return X, Y, k, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(m))


def uniform():
    X, Y, k, _, _ = plain(n=10, m=10, d=5, k=3, seed=1)
    return X, Y, k, None, None


def zero_weights():
    X, Y, k, a, b = plain(n=12, m=10, seed=2)
    a[[0, 5]], b[[3, 9]] = 0, 0
    X[0] *= 30  # far from everything that has mass
    Y[9] = X[0]  # and close to a massless point of the other side
    return X, Y, k, a, b


def repeated_points():
    X, Y, k, a, b = plain(n=10, m=12, seed=3)
    X[5:], Y[6:] = X[:5], Y[:6]
    Y[:2] = X[:2]
    return X, Y, k, a, b


def many_dimensions():
    return plain(n=4, m=5, d=30, k=3, seed=4)


def k_above_the_rank():
    X, Y, _, a, b = plain(n=3, m=2, d=12, k=3, seed=5)
    return X, Y, 7, a, b


def flat():
    """Points in a plane of R^6, k = 3."""
    rng = np.random.default_rng(6)
    plane = np.linalg.qr(rng.standard_normal((6, 2)))[0].T
    return rng.standard_normal((8, 2)) @ plane, rng.standard_normal((9, 2)) @ plane + 0.1, 3, None, None


def zero_weights_in_many_dimensions():
    X, Y, k, a, b = plain(n=5, m=6, d=40, k=2, seed=7)
    a[1], b[[0, 2]] = 0, 0
    return X, Y, k, a, b


def whole_space():
    X, Y, _, a, b = plain(d=3, seed=8)
    return X, Y, 3, a, b


def one_point_against_many():
    X, Y, k, _, b = plain(n=1, m=12, d=4, k=2, seed=9)
    return X, Y, k, None, b


NAMED = {
    make.__name__: make
    for make in (
        plain,
        uniform,
        zero_weights,
        repeated_points,
        many_dimensions,
        k_above_the_rank,
        flat,
        zero_weights_in_many_dimensions,
        whole_space,
        one_point_against_many,
    )
}
