"""Hostile problems, each a function of (seed, index) alone, so that a failure can be repeated by itself."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

Array = np.ndarray
Rng = np.random.Generator

METHODS = ("auto", "quasi-newton", "interior-point", "supergradient", "frank-wolfe")
POWERS = {1.0: 0.22, 1.5: 0.22, 2.0: 0.33, 3.0: 0.21, 1000.0: 0.02}
_FUNCTIONS = {"srw": 0.46, "wasserstein": 0.1, "srw_path": 0.1, "prw": 0.2, "pairwise": 0.06, "init": 0.08}
_STRICT = 0.2  # share of problems solved while NumPy raises on every floating-point exception
_LARGE = 0.03  # share of problems with up to 100 points a side
_TINY = (1e-16, 1e-300, 1e-310)


@dataclass
class Problem:
    """Two weighted measures. `moments` is for planted ones: see `planted`."""

    kind: str
    X: Array
    Y: Array
    a: Array | None = None
    b: Array | None = None
    moments: list[Fraction] | None = None

    def known(self, k: int, p: Fraction) -> list[tuple[Fraction, Fraction]]:
        """Return bounds of S_k^2 and P_k^2 that the construction gives."""
        if self.moments is None or p != 2:
            return []
        # In the k leading coordinates of the construction the map is optimal; all of them together are all that moves.
        return [(sum(self.moments[:k], Fraction(0)), sum(self.moments, Fraction(0)))]


@dataclass
class Draw:
    """A problem and the call to make of it."""

    seed: int
    index: int
    problem: Problem
    function: str
    strict: bool  # NumPy raises on floating-point exceptions
    ask_sparse: bool
    options: dict[str, Any] = field(default_factory=dict)  # keyword arguments of the call
    first: dict[str, Any] = field(default_factory=dict)  # for "init": those of the call that it starts from
    third: tuple[Array, Array | None] | None = None  # for "pairwise": one more measure


def draw(seed: int, index: int) -> Draw:
    """Return problem `index` of the stream `seed`."""
    rng = np.random.default_rng([seed, index])
    problem = _problem(rng)
    function = str(rng.choice(list(_FUNCTIONS), p=list(_FUNCTIONS.values())))
    drawn = Draw(seed, index, problem, function, bool(rng.random() < _STRICT), bool(rng.random() < 0.4))
    _CALLS[function](rng, drawn)
    return drawn


def draw_on_the_line(seed: int, index: int) -> Draw:
    """Return problem `index` of the stream `seed` of problems in one dimension."""
    rng = np.random.default_rng([seed, index, 1])
    problem = _line(rng, *_sizes(rng)[:2], 1)
    problem.kind = "line"
    function = ("srw", "prw")[index % 2]
    drawn = Draw(seed, index, problem, function, bool(rng.random() < _STRICT), ask_sparse=bool(rng.random() < 0.2))
    _CALLS[function](rng, drawn)
    return drawn


def _problem(rng: Rng) -> Problem:
    kind = str(rng.choice(list(KINDS)))
    n, m, d = _sizes(rng)
    problem = KINDS[kind](rng, n, m, d)
    problem.kind = kind
    return problem


def _sizes(rng: Rng) -> tuple[int, int, int]:
    """Return n, m and d: small mostly, n = m for two problems in five."""
    if rng.random() < _LARGE:
        n, m = rng.integers(13, 101, 2)
        d = rng.integers(1, 9)
    else:
        n, m = rng.integers(1, 13, 2)
        d = rng.integers(1, 8)
    return int(n), int(n if rng.random() < 0.4 else m), int(d)


def _weights(rng: Rng, n: int) -> Array | None:
    """Return uniform weights (None), uneven, integer, tiny or zero ones."""
    kind = rng.choice(["uniform", "uneven", "counts", "tiny", "zero"], p=[0.55, 0.2, 0.1, 0.075, 0.075])
    if kind == "uniform":
        return None
    weights = rng.integers(1, 9, n).astype(float) if kind == "counts" else rng.dirichlet(np.ones(n))
    few = rng.permutation(n)[: n // 2]
    if kind == "tiny":
        weights[few] = rng.choice(_TINY, len(few))
    elif kind == "zero":
        weights[few] = 0.0
    return weights


def _weighted(rng: Rng, X: Array, Y: Array) -> Problem:
    return Problem("", X, Y, _weights(rng, len(X)), _weights(rng, len(Y)))


# Kinds of problems ----------------------------------------------------------------------------------------------------


def _one_law(rng: Rng, n: int, m: int, d: int) -> Problem:
    return _weighted(rng, rng.standard_normal((n, d)), rng.standard_normal((m, d)))


def _two_laws(rng: Rng, n: int, m: int, d: int) -> Problem:
    Y = rng.standard_normal((m, d)) * rng.uniform(0, 3, d) + rng.standard_normal(d)
    return _weighted(rng, rng.standard_normal((n, d)), Y)


def _mixed_scales(rng: Rng, n: int, m: int, d: int) -> Problem:
    scales = 10.0 ** rng.uniform(-12, 12, d)
    return _weighted(rng, rng.standard_normal((n, d)) * scales, (rng.standard_normal((m, d)) + 1) * scales)


def _shared_outlier(rng: Rng, n: int, m: int, d: int) -> Problem:
    X = rng.standard_normal((n, d))
    Y = X + 0.01 * rng.standard_normal((n, d)) if n == m else rng.standard_normal((m, d))
    X[0], Y[0] = 0.0, 0.0
    X[0, 0] = Y[0, 0] = 10.0 ** rng.uniform(4, 9)
    Y[0, -1] += 0.01
    return _weighted(rng, X, Y)


def _ties(rng: Rng, n: int, m: int, d: int) -> Problem:
    return _weighted(rng, rng.choice([0.0, 0.5, 1.0], (n, d)), rng.choice([0.0, 0.5, 1.0], (m, d)))


def _grid(rng: Rng, n: int, m: int, d: int) -> Problem:
    d = min(d, 3)
    side = max(2, round(min(max(n, 4), 64) ** (1 / d)))
    X = np.stack(np.meshgrid(*[np.arange(side, dtype=float)] * d), axis=-1).reshape(-1, d)
    return _weighted(rng, X * rng.choice([1.0, 0.1, 1e6]), X + rng.choice([0.0, 0.5, 0.1, 1.0], d))


def _one_hot(rng: Rng, n: int, m: int, d: int) -> Problem:
    classes = int(rng.integers(2, 7))
    X, Y = (np.eye(classes)[rng.integers(0, classes, size)] for size in (n, m))
    if rng.random() < 0.5:
        scale = 10.0 ** rng.uniform(-3, 6)
        X, Y = (np.hstack([Z, scale * rng.standard_normal((len(Z), 1))]) for Z in (X, Y))
    return _weighted(rng, X, Y)


def _repeated(rng: Rng, n: int, m: int, d: int) -> Problem:
    X, Y = rng.standard_normal((n, d)), rng.standard_normal((m, d))
    X, Y = X[rng.integers(0, n, n)], Y[rng.integers(0, m, m)]
    shared = min(n, m) // 2
    Y[:shared] = X[:shared]
    return _weighted(rng, X, Y)


def _tiny_weights(rng: Rng, n: int, m: int, d: int) -> Problem:
    problem = _two_laws(rng, n, m, d)
    problem.a, problem.b = np.ones(n), rng.dirichlet(np.ones(m))
    for weights in (problem.a, problem.b):
        few = rng.permutation(len(weights))[: len(weights) // 2]
        weights[few] = rng.choice(_TINY, len(few))
    return problem


def _zero_weights(rng: Rng, n: int, m: int, d: int) -> Problem:
    problem = _two_laws(rng, n, m, d)
    problem.a, problem.b = rng.dirichlet(np.ones(n)), np.ones(m)
    for points, weights in ((problem.X, problem.a), (problem.Y, problem.b)):
        few = rng.permutation(len(weights))[: len(weights) // 2]
        weights[few] = 0.0
        points[few] *= 10.0 ** rng.uniform(0, 9)
    return problem


def _far_and_light(rng: Rng, n: int, m: int, d: int) -> Problem:
    """Points far away whose weight is about 1 / distance^2, or 1e-16."""
    problem = _one_law(rng, n, m, d)
    problem.a, problem.b = np.ones(n), np.ones(m)
    for points, weights in ((problem.X, problem.a), (problem.Y, problem.b)):
        few = rng.permutation(len(weights))[: int(rng.integers(0, len(weights)))]
        scale = 10.0 ** rng.uniform(2, 9)
        points[few] *= scale
        weights[few] = 1e-16 if rng.random() < 0.3 else rng.uniform(0.1, 2) / scale**2
    return problem


def _wide(rng: Rng, n: int, m: int, d: int) -> Problem:
    d, n, m = int(rng.integers(20, 201)), min(n, 10), min(m, 10)
    return _weighted(rng, rng.standard_normal((n, d)), rng.standard_normal((m, d)) + rng.integers(0, 2))


def _as_wide_as_long(rng: Rng, n: int, m: int, d: int) -> Problem:
    """Two samples of one law with as many dimensions as points, or nearly."""
    n = int(rng.integers(15, 101))
    d = int(rng.integers(n // 2, n + 1))
    return Problem("", rng.standard_normal((n, d)), rng.standard_normal((n, d)))


def _single_point(rng: Rng, n: int, m: int, d: int) -> Problem:
    n, m = (1, m) if rng.random() < 0.5 else (n, 1)
    scale = 10.0 ** rng.uniform(-6, 6)
    return _weighted(rng, scale * rng.standard_normal((n, d)), scale * rng.standard_normal((m, d)))


def _far_from_the_origin(rng: Rng, n: int, m: int, d: int) -> Problem:
    offset = 10.0 ** rng.uniform(6, 15, d if rng.random() < 0.5 else 1)
    return _weighted(rng, rng.standard_normal((n, d)) + offset, rng.standard_normal((m, d)) + 1 + offset)


def _float32(rng: Rng, n: int, m: int, d: int) -> Problem:
    problem = _two_laws(rng, n, m, d)
    scale = 10.0 ** rng.uniform(-6, 6)
    problem.X, problem.Y = (problem.X * scale).astype(np.float32), (problem.Y * scale).astype(np.float32)
    return problem


def _big_integers(rng: Rng, n: int, m: int, d: int) -> Problem:
    largest = int(rng.choice([2**20, 2**40, 2**53, 2**62]))
    base = int(rng.integers(0, largest))
    width = int(rng.choice([10, 1000, largest])) if largest < 2**62 else 1000
    X, Y = (base + rng.integers(0, width, (size, d)) for size in (n, m))
    return _weighted(rng, X, Y)


def _time_stamps(rng: Rng, n: int, m: int, d: int) -> Problem:
    """Seconds since 1970 beside a temperature, several rows a day, more on one side than on the other."""
    days, here, there = int(rng.integers(1, 15)), int(rng.integers(1, 5)), int(rng.integers(1, 8))
    start, unit = 1.6e9 + 86400 * int(rng.integers(0, 2000)), float(rng.choice([1.0, 1000.0, 1e6]))
    drop, warmer = int(rng.integers(0, 2)), float(rng.choice([0.0, 1.0, 5.0]))
    sides = []
    for rows, shift in ((here, 0.0), (there, warmer)):
        times = (start + 86400 * np.repeat(np.arange(days), rows)) * unit
        warmth = 10 + shift + (0 if rng.random() < 0.5 else rng.standard_normal(len(times)).round(1))
        sides.append(np.c_[times, np.broadcast_to(warmth, len(times))])
    return Problem("", sides[0], sides[1][drop:] if len(sides[1]) > 1 else sides[1])


def _stairs(rng: Rng, n: int, m: int, d: int) -> Problem:
    """Points far apart in one column that differ by a little in another."""
    t = np.arange(n) * 10.0 ** int(rng.integers(2, 11))
    step = 10.0 ** int(rng.integers(-3, 2))
    return Problem("", np.c_[t, 0 * t], np.c_[t, 0 * t + step][rng.permutation(n)])


def _tiny_coordinates(rng: Rng, n: int, m: int, d: int) -> Problem:
    scale = 10.0 ** rng.choice([-140, -155, -160, -170, -200, -300])
    return _weighted(rng, scale * rng.standard_normal((n, d)), scale * rng.standard_normal((m, d)))


def _huge_coordinates(rng: Rng, n: int, m: int, d: int) -> Problem:
    scale = 10.0 ** rng.choice([90, 120, 140, 149, 150, 200])
    return _weighted(rng, scale * rng.uniform(-1, 1, (n, d)), scale * rng.uniform(-1, 1, (m, d)))


def _equal(rng: Rng, n: int, m: int, d: int) -> Problem:
    """The same measure twice: rows permuted, atoms split in exact shares, points without weight added."""
    X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-3, 9) + 10.0 ** rng.uniform(0, 9)
    how = rng.choice(["permuted", "doubled", "split", "zero"])
    order = rng.permutation(n)
    if how == "permuted":
        a = _weights(rng, n)
        return Problem("", X, X[order], a, None if a is None else a[order])
    if how == "doubled":
        return Problem("", X, np.repeat(X, 2, axis=0)[rng.permutation(2 * n)])
    a = rng.integers(1, 9, n).astype(float)
    if how == "split":
        return Problem("", X, np.vstack([X, X[order]]), a, np.concatenate([0.75 * a, 0.25 * a[order]]))
    return Problem("", X, np.vstack([X, rng.standard_normal((3, d))])[::-1], a, np.append(a, np.zeros(3))[::-1])


def _nearly_equal(rng: Rng, n: int, m: int, d: int) -> Problem:
    X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-3, 6, d)
    moved = rng.random((n, d)) < 0.5
    Y = np.where(moved, np.nextafter(X, np.inf), X) if rng.random() < 0.5 else X * (1 + 1e-9 * moved)
    a, order = _weights(rng, n), rng.permutation(n)
    return Problem("", X, Y[order], a, None if a is None else a[order])


def _planted_roughly(rng: Rng, n: int, m: int, d: int) -> Problem:
    """Y = T(X) with a displacement in a subspace, as in the fragmented hypercube."""
    U = np.linalg.qr(rng.standard_normal((d, int(rng.integers(1, d + 1)))))[0]
    X = rng.standard_normal((n, d))
    a, order = _weights(rng, n), rng.permutation(n)
    return Problem("", X, (X + 2 * np.sign(X @ U) @ U.T)[order], a, None if a is None else a[order])


def planted(rng: Rng, n: int, m: int, d: int) -> Problem:
    """Y = T(X) in integers, so that no rounding blurs the answer.

    In latent coordinates T moves each of the first r by a non-decreasing function of itself: a gradient of a convex
    function, so optimal, and so are its projections. Hence S_k^2 and P_k^2 are at least the sum of the k largest mean
    squared moves, `moments`, and at most the sum of all. An integer matrix M with M^T M = c I turns the coordinates.
    """
    r = int(rng.integers(1, d + 1))
    Z = rng.integers(-50, 51, (n, d)).astype(object)
    moves = np.zeros((n, d), dtype=object)
    for j in range(r):
        slope, jump, shift = int(rng.integers(0, 4)), int(rng.integers(0, 20)), int(rng.integers(-20, 21))
        moves[:, j] = [slope * z + (jump if z > 0 else -jump) + shift for z in Z[:, j]]
    M, square = np.eye(d, dtype=int).astype(object), 1
    for _ in range(int(rng.integers(0, 3)) if d > 1 else 0):
        M, square = M @ _turn(rng, d), square * 25
    a = None if rng.random() < 0.5 else rng.integers(1, 9, n).astype(float)
    weights = [1] * n if a is None else [int(w) for w in a]
    scale = 2.0 ** int(rng.integers(-30, 31))
    unit = Fraction(scale) ** 2 * square / sum(weights)
    squares = [sum(w * z * z for w, z in zip(weights, column, strict=True)) for column in moves.T]
    moments = sorted((unit * total for total in squares), reverse=True)
    order, offset = rng.permutation(n), int(rng.choice([0, 0, 2**30]))
    X, Y = ((points @ M.T + offset).astype(float) * scale for points in (Z, Z + moves))
    return Problem("", X, Y[order], a, None if a is None else a[order], moments)


def _turn(rng: Rng, d: int) -> Array:
    """Return an integer matrix (d, d) with columns of length 5, orthogonal: pairs of coordinates turned by 3-4-5."""
    M, order = 5 * np.eye(d, dtype=int), rng.permutation(d)
    for i, j in zip(order[::2], order[1::2], strict=False):
        M[i, i], M[i, j], M[j, i], M[j, j] = 3, -4, 4, 3
    return M.astype(object)


def _line(rng: Rng, n: int, m: int, d: int) -> Problem:
    """One dimension: scales to 1e12, weights down to 1e-16, and of about 1 / distance^2 on far points."""
    scale = 10.0 ** rng.uniform(0, 12)
    sides = []
    for size in (n, m):
        points = rng.integers(-5, 6, (size, 1)).astype(float) if rng.random() < 0.3 else rng.standard_normal((size, 1))
        weights = rng.choice([1.0, 1.0, rng.uniform(), 1e-8, 1e-16], size)
        far = rng.random(size) < 0.3
        points[far] *= scale
        if rng.random() < 0.7:
            weights[far] = rng.uniform(0.1, 2) / scale**2
        if weights.max() < 1e-3:
            weights[0] = 1.0
        sides.append((points, None if rng.random() < 0.2 else weights))
    (X, a), (Y, b) = sides
    if rng.random() < 0.2:
        Y[: min(n, m)] = X[: min(n, m)]
    return Problem("", X, Y, a, b)


KINDS: dict[str, Callable[[Rng, int, int, int], Problem]] = {
    "one law": _one_law,
    "two laws": _two_laws,
    "mixed scales": _mixed_scales,
    "shared outlier": _shared_outlier,
    "ties": _ties,
    "grid": _grid,
    "one-hot": _one_hot,
    "repeated points": _repeated,
    "tiny weights": _tiny_weights,
    "zero weights": _zero_weights,
    "far and light": _far_and_light,
    "wide": _wide,
    "as wide as long": _as_wide_as_long,
    "single point": _single_point,
    "far from the origin": _far_from_the_origin,
    "float32": _float32,
    "big integers": _big_integers,
    "time stamps": _time_stamps,
    "stairs": _stairs,
    "tiny coordinates": _tiny_coordinates,
    "huge coordinates": _huge_coordinates,
    "equal": _equal,
    "nearly equal": _nearly_equal,
    "planted roughly": _planted_roughly,
    "planted": planted,
    "line": _line,
}


# Calls ----------------------------------------------------------------------------------------------------------------


def _tol(rng: Rng) -> float:
    return float(10.0 ** rng.uniform(-9, -1))


def _spread(problem: Problem) -> float:
    """Return about how large squared distances are, as a positive double."""
    size = max(float(np.ptp(np.vstack([problem.X, problem.Y]).astype(float), axis=0).max()), 1e-150)
    return min(size, 1e150) ** 2


def _srw_options(rng: Rng, problem: Problem) -> dict[str, Any]:
    method = str(rng.choice(METHODS, p=[0.5, 0.15, 0.15, 0.1, 0.1]))
    options = {"k": int(rng.integers(1, problem.X.shape[1] + 1)), "tol": _tol(rng), "method": method}
    if method == "frank-wolfe" or (method in ("auto", "supergradient") and rng.random() < 0.15):
        options["reg"] = _spread(problem) * float(10.0 ** rng.uniform(-3, 0))
    if rng.random() < 0.25:
        options["max_iter"] = int(rng.integers(1, 6))
    elif method in ("supergradient", "frank-wolfe"):
        options["max_iter"] = 60
    return options


def _draw_srw(rng: Rng, drawn: Draw) -> None:
    drawn.options = _srw_options(rng, drawn.problem)


def _draw_wasserstein(rng: Rng, drawn: Draw) -> None:
    drawn.options = {}


def _draw_path(rng: Rng, drawn: Draw) -> None:
    d = drawn.problem.X.shape[1]
    drawn.options = {"tol": max(_tol(rng), 1e-7)}
    if d > 6 or rng.random() < 0.3:
        drawn.options["ks"] = sorted(int(k) + 1 for k in rng.permutation(d)[: int(rng.integers(1, 5))])


def _draw_prw(rng: Rng, drawn: Draw) -> None:
    d = drawn.problem.X.shape[1]
    k = int(rng.choice([1, d, int(rng.integers(1, d + 1))]))
    drawn.options = {"k": k, "p": float(rng.choice(list(POWERS), p=list(POWERS.values()))), "tol": max(_tol(rng), 1e-7)}
    if rng.random() < 0.2:
        drawn.options["n_starts"] = 2


def _draw_pairwise(rng: Rng, drawn: Draw) -> None:
    problem = drawn.problem
    size, d = len(problem.X), problem.X.shape[1]
    shift = np.asarray(rng.integers(0, 3), dtype=problem.X.dtype)
    drawn.third = (problem.X[rng.integers(0, size, size)] + shift, None)
    metric = str(rng.choice(["srw", "prw", "wasserstein"]))
    drawn.options = {"k": int(rng.integers(1, d + 1)), "metric": metric, "tol": max(_tol(rng), 1e-6)}


def _draw_init(rng: Rng, drawn: Draw) -> None:
    drawn.options, drawn.first = _srw_options(rng, drawn.problem), _srw_options(rng, drawn.problem)
    # The earlier result is one of the same data, or of the first measure with itself.
    drawn.first["same"] = bool(rng.random() < 0.3)


_CALLS = {
    "srw": _draw_srw,
    "wasserstein": _draw_wasserstein,
    "srw_path": _draw_path,
    "prw": _draw_prw,
    "pairwise": _draw_pairwise,
    "init": _draw_init,
}


def describe(drawn: Draw) -> str:
    """Return the problem and the call as Python source."""
    problem = drawn.problem
    lines = [f"# {problem.kind}, seed {drawn.seed}, index {drawn.index}: {drawn.function}, strict={drawn.strict}"]
    for name in ("X", "Y", "a", "b"):
        value = getattr(problem, name)
        shown = None if value is None else f"np.array({value.tolist()!r}, dtype={str(value.dtype)!r})"
        lines.append(f"{name} = {shown}")
    lines += [f"options = {drawn.options!r}"]
    lines += [f"first = {drawn.first!r}"] if drawn.first else []
    lines += [f"third = {drawn.third!r}"] if drawn.third else []
    return "\n".join(lines)
