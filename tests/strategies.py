"""Random small problems: uneven and zero weights, repeated points, ties, n != m, points on grids and in subspaces."""

import numpy as np
from hypothesis import strategies as st

WEIGHTS = [0.0, 1e-6, 0.1, 1.0, 1.0, 3.0]


@st.composite
def clouds(draw, d=None, max_points=8, max_d=6, sides=2):
    """Return points of so many measures, each (n, d), with coordinates of order one."""
    d = draw(st.integers(1, max_d)) if d is None else d
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["normal", "grid", "repeated", "flat", "shared"]))
    points = [rng.standard_normal((draw(st.integers(1, max_points)), d)) for _ in range(sides)]
    points = [cloud * rng.uniform(0.2, 2, d) + rng.standard_normal(d) for cloud in points]
    if kind == "grid":
        points = [np.round(cloud) for cloud in points]
    elif kind == "repeated":
        points = [cloud[rng.integers(0, len(cloud), len(cloud))] for cloud in points]
    elif kind == "flat":
        projector = np.linalg.qr(rng.standard_normal((d, max(1, d // 2))))[0]
        points = [cloud @ projector @ projector.T for cloud in points]
    elif kind == "shared":
        for cloud in points[1:]:
            count = min(len(cloud), len(points[0]))
            cloud[:count] = points[0][:count]
    return points


@st.composite
def weights(draw, n):
    """Return None for uniform weights, or n weights, some of them zero or tiny, of positive sum."""
    if draw(st.booleans()):
        return None
    values = np.array(draw(st.lists(st.sampled_from(WEIGHTS), min_size=n, max_size=n)))
    if not values.any():
        values[draw(st.integers(0, n - 1))] = 1.0
    return values


@st.composite
def pairs(draw, **keywords):
    """Return (X, Y, a, b)."""
    X, Y = draw(clouds(**keywords))
    return X, Y, draw(weights(len(X))), draw(weights(len(Y)))


@st.composite
def problems(draw, **keywords):
    """Return (X, Y, k, a, b) with any k in 1..d."""
    X, Y, a, b = draw(pairs(**keywords))
    return X, Y, draw(st.integers(1, X.shape[1])), a, b


@st.composite
def planted(draw, min_points=2, max_points=10, max_d=6):
    """Return (X, Y, k, a, b, truth): Y = T(X) with T(x) = x + U grad h(U^T x), so that S_k^2 = W^2 for k >= rank U.

    |z|^2 / 2 + h is convex, hence T is the gradient of a convex function and optimal; the displacements lie in the
    span of U. Rows of Y come in another order.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d, n = draw(st.integers(1, max_d)), draw(st.integers(min_points, max_points))
    rank = draw(st.integers(1, d))
    k = draw(st.integers(rank, d))
    U = np.linalg.qr(rng.standard_normal((d, rank)))[0]
    X = rng.standard_normal((n, d))
    Z = X @ U
    if draw(st.booleans()):  # h(z) = z.A z / 2 + c.z with A >= -0.9
        A = rng.standard_normal((rank, rank))
        move = Z @ (A @ A.T - 0.9 * np.eye(rank)) + rng.standard_normal(rank)
    else:  # the hypercube's map: h(z) = 2 |z|_1
        move = 2 * np.sign(Z)
    a = rng.dirichlet(np.ones(n))
    order = rng.permutation(n)
    return X, (X + move @ U.T)[order], k, a, a[order], float(a @ np.sum(move**2, axis=1))
