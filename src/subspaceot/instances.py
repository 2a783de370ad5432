"""Problems of the paper's experiments (Paty & Cuturi 2019, sections 6, C.1), with their answers, and made-up texts.

Each random one draws X, Y, the rotation and the noise from separate random streams: with the same seed, more
points only add rows, and a rotation or noise changes nothing else.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .core.validate import as_count, as_dimension, as_fraction, as_nonnegative, as_rng
from .runtime.types import Array

Rng = np.random.Generator | int


@dataclass(frozen=True, eq=False, slots=True)
class Instance:
    """Two weighted samples, with the answer for the distributions they were drawn from.

    `truth` is the population value of S_k^2 for every k >= k_star, the dimension of `subspace`. The samples'
    own S_k^2 differs from it by the sampling error.
    """

    X: Array  #: (n, d) sample of the first distribution
    Y: Array  #: (m, d) sample of the second distribution, independent of X
    a: Array  #: (n,)   weights, uniform where points are drawn
    b: Array  #: (m,)   weights
    truth: float | None  #: S_k^2 = W^2 of the two distributions, or None if not known
    subspace: Array | None  #: (d, k_star) orthonormal basis of the directions in which they differ, or None


def fragmented_hypercube(
    n: int, d: int, k_star: int, rng: Rng, *, m: int | None = None, rotate: bool = False
) -> Instance:
    """Return a cube, and the same cube split along its first `k_star` axes (section 6.1).

    The first distribution is uniform on [-1, 1]^d. The second is its image under the map T that adds
    2 sign(x_i) to each of the first `k_star` coordinates. T is a subgradient of a convex function, hence
    optimal, and S_k^2 = 4 k_star for k >= k_star.

    Parameters
    ----------
    n, d : int
        Number of points of `X`, and their dimension.
    k_star : int
        Dimension of the subspace in which the distributions differ, 1..d.
    rng : numpy.random.Generator or int
        Generator or seed.
    m : int, optional
        Number of points of `Y`; `n` if not given.
    rotate : bool
        Whether to apply one random rotation to all points, so that the subspace is not along the axes.

    Examples
    --------
    >>> from subspaceot.instances import fragmented_hypercube
    >>> instance = fragmented_hypercube(100, 30, 2, rng=0)
    >>> instance.X.shape, instance.truth
    ((100, 30), 8.0)
    """
    n, m, d = _sizes(n, m, d)
    k_star = as_dimension(k_star, d, "k_star")
    rng_X, rng_Y, rng_rotation = as_rng(rng).spawn(3)
    X = rng_X.uniform(-1, 1, size=(n, d))
    Y = rng_Y.uniform(-1, 1, size=(m, d))
    Y[:, :k_star] += 2 * np.sign(Y[:, :k_star])
    return _spiked(X, Y, 4.0 * k_star, k_star, rng_rotation if rotate else None)


def disk_to_annulus(n: int, d: int, k_star: int, rng: Rng, *, m: int | None = None, rotate: bool = False) -> Instance:
    """Return a `k_star`-dimensional unit ball, and a shell of radii 2 to 3 around it (appendix C.1).

    Both distributions are uniform; the remaining d - k_star coordinates are uniform on [0, 1]. The optimal
    map keeps everything but the radius, which becomes T(r) = (2^q + (3^q - 2^q) r^q)^(1/q) with q = k_star.
    So S_k^2 is the mean of (T(r) - r)^2 for k >= k_star, 3.48865 for k_star = 2.

    Parameters
    ----------
    n, d : int
        Number of points of `X`, and their dimension.
    k_star : int
        Dimension of the subspace in which the distributions differ, 1..d.
    rng : numpy.random.Generator or int
        Generator or seed.
    m : int, optional
        Number of points of `Y`; `n` if not given.
    rotate : bool
        Whether to apply one random rotation to all points, so that the subspace is not along the axes.

    Examples
    --------
    >>> from subspaceot.instances import disk_to_annulus
    >>> instance = disk_to_annulus(100, 30, 2, rng=0, m=80)
    >>> instance.Y.shape, round(instance.truth, 7)
    ((80, 30), 3.4886543)
    """
    n, m, d = _sizes(n, m, d)
    k_star = as_dimension(k_star, d, "k_star")
    rng_X, rng_Y, rng_rotation = as_rng(rng).spawn(3)
    X = _cylinder(n, d, k_star, rng_X)
    Y = _cylinder(m, d, k_star, rng_Y)
    r = np.linalg.norm(Y[:, :k_star], axis=1, keepdims=True)
    Y[:, :k_star] *= annulus_radius(r**k_star, k_star) / r
    return _spiked(X, Y, _annulus_cost(k_star), k_star, rng_rotation if rotate else None)


def wishart_gaussians(n: int, d: int, rank: int, rng: Rng, *, m: int | None = None, noise: float = 0.0) -> Instance:
    """Return two centred Gaussians with random covariances of rank `rank` (sections 6.2 and 6.3).

    The covariances are Wishart, Sigma_i = G_i G_i^T with G_i (d, rank) standard normal. Together they fill
    min(2 rank, d) dimensions, so S_k = W for k >= 2 rank. Without noise `truth` is

        W^2 = tr Sigma_1 + tr Sigma_2 - 2 tr (Sigma_1^(1/2) Sigma_2 Sigma_1^(1/2))^(1/2)

    and `subspace` spans both supports; with noise both are None.

    Parameters
    ----------
    n, d : int
        Number of points of `X`, and their dimension.
    rank : int
        Rank of each covariance, 1..d.
    rng : numpy.random.Generator or int
        Generator or seed.
    m : int, optional
        Number of points of `Y`; `n` if not given.
    noise : float
        Each point has `noise` times a standard normal vector added. The same seed gives the same vectors.

    Examples
    --------
    >>> from subspaceot.instances import wishart_gaussians
    >>> instance = wishart_gaussians(100, 20, 5, rng=0)
    >>> instance.subspace.shape
    (20, 10)
    >>> wishart_gaussians(100, 20, 5, rng=0, noise=1.0).truth is None
    True
    """
    n, m, d = _sizes(n, m, d)
    rank = as_dimension(rank, d, "rank")
    noise = as_nonnegative(noise, "noise")
    rng_X, rng_Y = as_rng(rng).spawn(2)
    X, G_X = _gaussian(n, d, rank, noise, rng_X)
    Y, G_Y = _gaussian(m, d, rank, noise, rng_Y)
    if noise > 0:
        return Instance(X, Y, _uniform(n), _uniform(m), truth=None, subspace=None)
    # The trace in the last term is the sum of the singular values of G_X^T G_Y, only (rank, rank).
    truth = float(np.sum(G_X**2) + np.sum(G_Y**2) - 2 * np.linalg.norm(G_X.T @ G_Y, ord="nuc"))
    subspace, _ = np.linalg.qr(np.hstack([G_X, G_Y]))
    return Instance(X, Y, _uniform(n), _uniform(m), truth, subspace)


def zipf_texts(
    n: int, d: int, rng: Rng, *, m: int | None = None, topics: int = 20, shared: float = 0.3, noise: float = 1.0
) -> Instance:
    """Return two made-up texts: words as unit vectors around topics, weighted by Zipf's law.

    Each topic is a random direction, and a word is the unit vector along its topic's direction plus noise. The word
    that is the r-th most frequent of its text has a weight in proportion to 1/r. The first text takes topic t = 1, 2,
    ... with a chance in proportion to 1/t, the second does so from the last topic backwards. Words that both texts
    have are the same row of `X` and of `Y`, as frequent in either as chance will have it.

    Parameters
    ----------
    n, d : int
        Number of words of the first text, and the dimension of their vectors.
    rng : numpy.random.Generator or int
        Generator or seed.
    m : int, optional
        Number of words of the second text; `n` if not given.
    topics : int
        How many there are; with one, both texts are about the same.
    shared : float
        The chance, 0..1, that a word of one text is a word of the other, if that is as long. Such words take their
        topics evenly.
    noise : float
        Length of the noise, about, where the topic's direction has length 1.

    Examples
    --------
    >>> from subspaceot.instances import zipf_texts
    >>> instance = zipf_texts(80, 300, rng=0, m=130)
    >>> instance.Y.shape, bool(instance.b.max() > 10 * instance.b.mean())
    ((130, 300), True)
    >>> instance.truth is None
    True
    """
    n, m, d = _sizes(n, m, d)
    topics = as_count(topics, "topics")
    shared = as_fraction(shared, "shared")
    noise = as_nonnegative(noise, "noise")
    rng_topics, *rng_shared, rng_X, rng_Y = as_rng(rng).spawn(5)
    language = _Language.drawn(topics, d, noise, rng_topics)
    X, a = language.text(n, language.chances, rng_X)
    Y, b = language.text(m, language.chances[::-1], rng_Y)
    language.share(X, Y, shared, *rng_shared)
    return Instance(X, Y, a, b, truth=None, subspace=None)


def planar(*, coincide: bool = True) -> Instance:
    """Return two small samples in the plane, for which P_1 and S_1 coincide, or differ.

    They resemble the paper's figure 1 and its companion in the supplement. With `coincide`, the direction of P_1 is
    also the leading one of its own plan; without, P_1^2 is 30 % below S_1^2.

    Examples
    --------
    >>> import subspaceot as sot
    >>> instance = sot.instances.planar(coincide=False)
    >>> P = sot.prw(instance.X, instance.Y, 1, instance.a, instance.b)
    >>> S = sot.srw(instance.X, instance.Y, 1, instance.a, instance.b)
    >>> bool(P.cost < 0.71 * S.lower)
    True
    """
    if coincide:
        X = np.array([[1.4, 0.1], [0.3, 0.9], [0.4, 1.5], [-1.2, 0.9]])
        Y = np.array([[0.5, 1.6], [1.7, 1.2], [-0.1, -0.2], [0.6, -0.2], [-1.5, -1.1]])
        a, b = np.array([4.0, 3.0, 2.0, 3.0]), np.array([2.0, 3.0, 2.0, 1.0, 2.0])
    else:
        X = np.array([[-0.8, -0.6], [-1.6, 2.0], [0.7, -0.6], [-1.7, 1.0]])
        Y = np.array([[-0.7, -1.8], [1.0, 0.9], [-1.1, -0.1], [0.2, -0.3], [-1.3, 2.0]])
        a, b = np.array([4.0, 3.0, 4.0, 1.0]), np.array([4.0, 4.0, 3.0, 4.0, 3.0])
    return Instance(X, Y, a / a.sum(), b / b.sum(), truth=None, subspace=None)


def _sizes(n: object, m: object, d: object) -> tuple[int, int, int]:
    """Return n, m (n if None) and d as valid counts."""
    n_points = as_count(n, "n")
    return n_points, n_points if m is None else as_count(m, "m"), as_count(d, "d")


def _uniform(n: int) -> Array:
    """Return n equal weights of sum 1."""
    return np.full(n, 1.0 / n)


def _spiked(X: Array, Y: Array, truth: float, k_star: int, rng: np.random.Generator | None) -> Instance:
    """Return the instance that differs in its first k_star coordinates, rotated unless `rng` is None."""
    d = X.shape[1]
    Q = np.eye(d)
    if rng is not None:
        Q = _rotation(d, rng)
        X, Y = X @ Q.T, Y @ Q.T
    return Instance(X, Y, _uniform(len(X)), _uniform(len(Y)), truth, Q[:, :k_star].copy())


def _rotation(d: int, rng: np.random.Generator) -> Array:
    """Return a uniformly random orthogonal matrix (d, d)."""
    Q, R = np.linalg.qr(rng.standard_normal((d, d)))
    return Q * np.where(np.diag(R) < 0, -1.0, 1.0)  # QR is unique, hence Q uniform, once diag(R) > 0


def _cylinder(n: int, d: int, k: int, rng: np.random.Generator) -> Array:
    """Return n uniform points (n, d) of the unit ball in the first k coordinates times [0, 1]^(d - k)."""
    rng_ball, rng_rest = rng.spawn(2)
    # The first k coordinates of a uniform point on the sphere of R^(k + 2) are uniform in the ball of R^k.
    sphere = rng_ball.standard_normal((n, k + 2))
    ball = sphere[:, :k] / np.linalg.norm(sphere, axis=1, keepdims=True)
    return np.hstack([ball, rng_rest.uniform(size=(n, d - k))])


def annulus_radius(u: Any, k: int) -> Any:
    """Return T(r) = (2^k + (3^k - 2^k) u)^(1/k) for u = r^k, a number or an array, without overflow."""
    hole = (2 / 3) ** k  # the share of the ball of radius 3 that the shell leaves out
    return 3 * (hole + (1 - hole) * u) ** (1 / k)


def _annulus_cost(k: int) -> float:
    """Return k int_0^1 (T(r) - r)^2 r^(k-1) dr, the mean cost of the optimal map from ball to shell.

    With r^k = e^-s it is int_0^inf (T - e^(-s/k))^2 e^-s ds: smooth on one scale, however large k is.
    """
    from scipy.integrate import quad  # here, because it takes longer to import than the rest of the package

    def integrand(s: float) -> float:
        u = np.exp(-s)
        return float((annulus_radius(u, k) - np.exp(-s / k)) ** 2 * u)

    cost, _ = quad(integrand, 0, np.inf, epsabs=0, epsrel=1e-12)
    return float(cost)


def _gaussian(n: int, d: int, rank: int, noise: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return n points (n, d) of N(0, G G^T + noise^2 I), and G (d, rank)."""
    rng_factor, rng_points, rng_noise = rng.spawn(3)
    G = rng_factor.standard_normal((d, rank))
    points = rng_points.standard_normal((n, rank)) @ G.T
    if noise > 0:
        points += noise * rng_noise.standard_normal((n, d))
    return points, G


@dataclass(frozen=True, eq=False, slots=True)
class _Language:
    """Topics, and how far words scatter around them."""

    directions: Array  #: (topics, d) a unit vector for each topic
    noise: float  #: length, about, of what is added to a topic's direction

    @classmethod
    def drawn(cls, topics: int, d: int, noise: float, rng: np.random.Generator) -> "_Language":
        """Return a language with random topics."""
        directions = rng.standard_normal((topics, d))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return cls(directions, noise)

    @property
    def chances(self) -> Array:
        """Zipf's law over the topics: 1, 1/2, 1/3, ..."""
        return 1.0 / np.arange(1, len(self.directions) + 1)

    def text(self, n: int, chances: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """Return n words (n, d) whose topics have these chances, and weights (n,) by Zipf's law in random order."""
        rng_topic, rng_noise, rng_order = rng.spawn(3)
        steps = np.cumsum(chances / chances.sum())
        topic = np.searchsorted(steps[:-1], rng_topic.uniform(size=n), side="right")
        d = self.directions.shape[1]
        words = self.directions[topic] + self.noise / np.sqrt(d) * rng_noise.standard_normal((n, d))
        words /= np.linalg.norm(words, axis=1, keepdims=True)
        rank = np.empty(n)
        rank[np.argsort(rng_order.uniform(size=n))] = np.arange(1, n + 1)
        return words, 1.0 / rank / np.sum(1.0 / rank)

    def share(
        self, X: Array, Y: Array, share: float, rng_which: np.random.Generator, rng_words: np.random.Generator
    ) -> None:
        """Replace words of both texts by words that they have in common, each row with the chance `share`.

        As many are drawn as the longer text has, so that more words only add rows.
        """
        longest = max(len(X), len(Y))
        common, _ = self.text(longest, np.ones(len(self.directions)), rng_words)
        chosen = rng_which.uniform(size=longest) < share
        for words in (X, Y):
            rows = np.flatnonzero(chosen[: len(words)])
            words[rows] = common[rows]
