"""The generators: reproducible, with points where they should be and a truth that is recomputed here."""

import doctest

import numpy as np
import pytest
from scipy.linalg import sqrtm

from subspaceot import instances
from subspaceot.instances import disk_to_annulus, fragmented_hypercube, wishart_gaussians, zipf_texts

GENERATORS = [fragmented_hypercube, disk_to_annulus, wishart_gaussians]
SPIKED = [fragmented_hypercube, disk_to_annulus]


def test_docstring_examples():
    results = doctest.testmod(instances)
    assert results.attempted >= 13
    assert results.failed == 0


# --- what all of them share -------------------------------------------------------------------------------


@pytest.mark.parametrize("generate", GENERATORS)
@pytest.mark.parametrize(("n", "m", "expected_m"), [(7, None, 7), (7, 11, 11), (1, 1, 1)])
def test_shapes_and_weights(generate, n, m, expected_m):
    instance = generate(n, 5, 2, 0, m=m)
    assert instance.X.shape == (n, 5)
    assert instance.Y.shape == (expected_m, 5)
    np.testing.assert_array_equal(instance.a, np.full(n, 1 / n))
    np.testing.assert_array_equal(instance.b, np.full(expected_m, 1 / expected_m))
    assert type(instance.truth) is float
    for array in (instance.X, instance.Y, instance.subspace):
        assert array.dtype == np.float64
        assert np.isfinite(array).all()


@pytest.mark.parametrize("generate", GENERATORS)
def test_the_same_seed_gives_the_same_bits(generate):
    one, two = generate(6, 5, 2, 3), generate(6, 5, 2, np.random.default_rng(3))
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.Y, two.Y)
    np.testing.assert_array_equal(one.subspace, two.subspace)
    assert one.truth == two.truth


@pytest.mark.parametrize("generate", GENERATORS)
def test_another_seed_or_a_second_call_gives_other_points(generate):
    rng = np.random.default_rng(3)
    points = [generate(6, 5, 2, rng).X, generate(6, 5, 2, rng).X, generate(6, 5, 2, 4).X]
    assert not any(np.isclose(points[i], points[j]).any() for i, j in ((0, 1), (0, 2), (1, 2)))


@pytest.mark.parametrize("generate", GENERATORS)
def test_more_points_only_add_rows(generate):
    small, large = generate(6, 5, 2, 3, m=4), generate(60, 5, 2, 3, m=40)
    # A product of matrices may round differently for another number of rows.
    np.testing.assert_allclose(small.X, large.X[:6], rtol=0, atol=1e-14)
    np.testing.assert_allclose(small.Y, large.Y[:4], rtol=0, atol=1e-14)
    assert small.truth == large.truth


@pytest.mark.parametrize("generate", GENERATORS)
def test_the_two_samples_are_independent(generate):
    instance = generate(50, 5, 2, 3)
    assert not np.isclose(instance.X, instance.Y, rtol=0, atol=1e-12).any()


@pytest.mark.parametrize("generate", GENERATORS)
def test_an_instance_is_frozen(generate):
    with pytest.raises(AttributeError):
        generate(2, 5, 2, 0).truth = 0.0


@pytest.mark.parametrize("generate", GENERATORS)
@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "message"),
    [
        ((0, 5, 2, 0), {}, ValueError, "`n` must be at least 1; got 0"),
        ((3.0, 5, 2, 0), {}, TypeError, "`n` must be an integer"),
        ((3, 0, 2, 0), {}, ValueError, "`d` must be at least 1; got 0"),
        ((3, 5, 2, 0), {"m": 0}, ValueError, "`m` must be at least 1; got 0"),
        ((3, 5, 2, None), {}, TypeError, "`rng` must be"),
        ((3, 5, 6, 0), {}, ValueError, "between 1 and the dimension d=5; got 6"),
        ((3, 5, 0, 0), {}, ValueError, "between 1 and the dimension d=5; got 0"),
        ((3, 5, True, 0), {}, TypeError, "must be an integer; got True"),
    ],
)
def test_bad_arguments(generate, arguments, keywords, error, message):
    with pytest.raises(error, match=message):
        generate(*arguments, **keywords)


def test_the_dimension_is_named_as_the_caller_wrote_it():
    with pytest.raises(ValueError, match="`k_star`"):
        fragmented_hypercube(3, 5, 6, 0)
    with pytest.raises(ValueError, match="`k_star`"):
        disk_to_annulus(3, 5, 6, 0)
    with pytest.raises(ValueError, match="`rank`"):
        wishart_gaussians(3, 5, 6, 0)


# --- rotation ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("generate", SPIKED)
def test_without_rotation_the_subspace_is_along_the_axes(generate):
    np.testing.assert_array_equal(generate(3, 5, 2, 0).subspace, np.eye(5)[:, :2])


@pytest.mark.parametrize("generate", SPIKED)
@pytest.mark.parametrize("k_star", [1, 3, 5])
def test_a_rotation_moves_points_and_subspace_together(generate, k_star):
    plain, rotated = generate(20, 5, k_star, 1, m=30), generate(20, 5, k_star, 1, m=30, rotate=True)
    np.testing.assert_allclose(rotated.subspace.T @ rotated.subspace, np.eye(k_star), atol=1e-14)
    np.testing.assert_allclose(rotated.X @ rotated.subspace, plain.X[:, :k_star], atol=1e-13)
    np.testing.assert_allclose(rotated.Y @ rotated.subspace, plain.Y[:, :k_star], atol=1e-13)
    for moved_points, points in (
        (rotated.X, plain.X),
        (rotated.Y, plain.Y),
    ):  # one rotation, the same for both
        np.testing.assert_allclose(moved_points @ rotated.X.T, points @ plain.X.T, atol=1e-12)
    assert rotated.truth == plain.truth
    assert np.abs(rotated.subspace).max() < 1


def test_rotations_are_uniform():
    d, repeats = 3, 4000
    rng = np.random.default_rng(0)
    Q = np.array([instances._rotation(d, rng) for _ in range(repeats)])
    np.testing.assert_allclose(np.swapaxes(Q, 1, 2) @ Q, np.broadcast_to(np.eye(d), Q.shape), atol=1e-13)
    # Uniform: E Q = 0, E Q_ij^2 = 1/d, E Q_ij^4 = 3/(d (d+2)), each within five standard errors.
    fourth = 3 / (d * (d + 2))
    assert np.abs(Q.mean(axis=0)).max() < 5 * np.sqrt(1 / d / repeats)
    assert np.abs((Q**2).mean(axis=0) - 1 / d).max() < 5 * np.sqrt((fourth - 1 / d**2) / repeats)
    assert np.abs((Q**4).mean(axis=0) - fourth).max() < 5 * np.sqrt(fourth / repeats)
    assert abs(np.mean(np.linalg.det(Q))) < 5 / np.sqrt(repeats)


# --- fragmented hypercube ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("k_star", [1, 2, 4])
def test_hypercube_points_lie_in_their_cubes(k_star, rotate):
    instance = fragmented_hypercube(2000, 4, k_star, 0, rotate=rotate)
    assert instance.truth == 4 * k_star
    X, Y = instance.X @ instance.subspace, instance.Y @ instance.subspace
    slack = 1e-12
    assert np.abs(X).max() <= 1 + slack
    assert np.abs(Y).min() >= 2 - slack
    assert np.abs(Y).max() <= 3 + slack
    # Each coordinate is uniform, and signs are even: means and second moments within five standard errors.
    error = 5 / np.sqrt(2000)
    assert np.abs(X.mean(axis=0)).max() < error * np.sqrt(1 / 3)
    assert np.abs((X**2).mean(axis=0) - 1 / 3).max() < error * np.sqrt(4 / 45)
    assert np.abs(np.sign(Y).mean(axis=0)).max() < error
    assert np.abs(np.abs(Y).mean(axis=0) - 2.5).max() < error * np.sqrt(1 / 12)


def test_hypercube_other_coordinates_are_the_same_cube():
    instance = fragmented_hypercube(2000, 6, 2, 0)
    for points in (instance.X, instance.Y):
        rest = points[:, 2:]
        assert np.abs(rest).max() <= 1
        assert np.abs((rest**2).mean(axis=0) - 1 / 3).max() < 5 * np.sqrt(4 / 45 / 2000)


# --- disk to annulus --------------------------------------------------------------------------------------


def test_disk_truth_in_the_plane_has_a_closed_form():
    closed_form = 14 / 5 + 8 / (5 * np.sqrt(5)) * np.log((3 + np.sqrt(5)) / 2)
    assert disk_to_annulus(1, 3, 2, 0).truth == pytest.approx(closed_form, rel=1e-12)


@pytest.mark.parametrize(
    ("k_star", "truth"), [(1, 4.0), (2, 3.4886543), (4, 3.2437404), (7, 3.2762564), (10, 3.3830084)]
)
def test_disk_truth_by_another_quadrature(k_star, truth):
    assert disk_to_annulus(1, 10, k_star, 0).truth == pytest.approx(truth, abs=1e-7)
    # Both radii are quantile functions of the same uniform variable u: the mean of their squared difference.
    nodes, weights = np.polynomial.legendre.leggauss(80)
    t = (nodes + 1) / 2
    u = t**k_star  # makes the integrand smooth at 0
    difference = (2.0**k_star + (3.0**k_star - 2.0**k_star) * u) ** (1 / k_star) - u ** (1 / k_star)
    quadrature = np.sum(weights / 2 * difference**2 * k_star * t ** (k_star - 1))
    assert disk_to_annulus(1, 10, k_star, 0).truth == pytest.approx(quadrature, rel=1e-10)


def test_disk_truth_tends_to_four_in_high_dimension():
    # All mass then lies near the surfaces of radius 1 and 3; 3^k would overflow.
    truth = instances._annulus_cost(10**6)
    assert truth == pytest.approx(4, abs=1e-5)
    assert np.isfinite(disk_to_annulus(3, 2000, 2000, 0).Y).all()


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("k_star", [1, 2, 5])
def test_disk_and_annulus_points_lie_where_they_should(k_star, rotate):
    instance = disk_to_annulus(3000, 5, k_star, 0, rotate=rotate)
    slack = 1e-12
    r_X = np.linalg.norm(instance.X @ instance.subspace, axis=1)
    r_Y = np.linalg.norm(instance.Y @ instance.subspace, axis=1)
    assert r_X.max() <= 1 + slack
    assert r_Y.min() >= 2 - slack
    assert r_Y.max() <= 3 + slack
    # Volumes enclosed are uniform on [0, 1]: Kolmogorov's distance at the 1e-6 level.
    for volume in (r_X**k_star, (r_Y**k_star - 2**k_star) / (3**k_star - 2**k_star)):
        empirical = (np.arange(3000) + 0.5) / 3000
        assert np.abs(np.sort(volume) - empirical).max() < 2.7 / np.sqrt(3000)
    # Directions are uniform: no preferred one.
    for points, r in ((instance.X, r_X), (instance.Y, r_Y)):
        direction = (points @ instance.subspace) / r[:, None]
        assert np.abs(direction.mean(axis=0)).max() < 5 / np.sqrt(k_star * 3000)
        assert np.abs(direction.T @ direction / 3000 - np.eye(k_star) / k_star).max() < 5 / np.sqrt(3000)


def test_disk_other_coordinates_are_uniform_on_the_unit_interval():
    instance = disk_to_annulus(3000, 6, 2, 0)
    for points in (instance.X, instance.Y):
        rest = points[:, 2:]
        assert rest.min() >= 0
        assert rest.max() <= 1
        assert np.abs(rest.mean(axis=0) - 0.5).max() < 5 * np.sqrt(1 / 12 / 3000)


# --- Wishart Gaussians ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "rank", "k_star"), [(20, 5, 10), (6, 1, 2), (5, 3, 5), (4, 4, 4)])
def test_gaussian_points_lie_in_the_subspace(d, rank, k_star):
    instance = wishart_gaussians(50, d, rank, 0)
    U = instance.subspace
    assert U.shape == (d, k_star)
    np.testing.assert_allclose(U.T @ U, np.eye(k_star), atol=1e-14)
    for points in (instance.X, instance.Y):
        assert np.linalg.matrix_rank(points) == rank
        np.testing.assert_allclose(points @ U @ U.T, points, atol=1e-12)


@pytest.mark.parametrize(("d", "rank"), [(4, 1), (5, 3), (6, 6)])
def test_gaussian_truth_by_matrix_square_roots(d, rank):
    seed, n = 2, 200_000
    instance = wishart_gaussians(n, d, rank, seed)
    factors = [instances._gaussian(1, d, rank, 0.0, rng)[1] for rng in np.random.default_rng(seed).spawn(2)]
    Sigma_X, Sigma_Y = (G @ G.T for G in factors)
    # These are the covariances of the points ...
    for points, Sigma in ((instance.X, Sigma_X), (instance.Y, Sigma_Y)):
        np.testing.assert_allclose(points.T @ points / n, Sigma, atol=5 * np.sqrt(2 / n) * Sigma.max())
    # ... and this is Bures' formula, with a small ridge: square roots of singular matrices are delicate.
    root = np.real(sqrtm(Sigma_X + 1e-12 * np.eye(d)))
    cross = np.real(sqrtm(root @ Sigma_Y @ root + 1e-12 * np.eye(d)))
    bures = np.trace(Sigma_X) + np.trace(Sigma_Y) - 2 * np.trace(cross)
    assert instance.truth == pytest.approx(bures, abs=1e-4)


def test_gaussian_truth_on_a_line_is_the_difference_of_standard_deviations():
    instance = wishart_gaussians(100_000, 1, 1, 5)
    expected = (instance.X.std() - instance.Y.std()) ** 2
    assert instance.truth == pytest.approx(expected, rel=0.05)


def test_wishart_factors_are_standard_normal():
    G = np.array([instances._gaussian(1, 4, 3, 0.0, np.random.default_rng(seed))[1] for seed in range(500)])
    assert np.abs(G.mean(axis=0)).max() < 5 / np.sqrt(500)
    assert np.abs((G**2).mean(axis=0) - 1).max() < 5 * np.sqrt(2 / 500)


def test_noise_is_added_to_the_same_points():
    clean, one, two = (wishart_gaussians(4000, 6, 2, 3, noise=noise) for noise in (0.0, 1.0, 2.0))
    np.testing.assert_allclose(two.X - clean.X, 2 * (one.X - clean.X), atol=1e-12)
    np.testing.assert_allclose(two.Y - clean.Y, 2 * (one.Y - clean.Y), atol=1e-12)
    added = np.hstack([one.X - clean.X, one.Y - clean.Y])
    np.testing.assert_allclose(added.T @ added / 4000, np.eye(12), atol=5 * np.sqrt(2 / 4000))
    assert one.truth is None
    assert one.subspace is None


@pytest.mark.parametrize(
    ("noise", "error"), [(-1, ValueError), (np.nan, ValueError), ("1", TypeError), (None, TypeError)]
)
def test_bad_noise(noise, error):
    with pytest.raises(error, match="`noise` must be"):
        wishart_gaussians(3, 5, 2, 0, noise=noise)


# --- texts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m"), [(8, None), (8, 13), (13, 8), (1, 1)])
def test_words_are_unit_vectors_with_weights_of_zipf(n, m):
    instance = zipf_texts(n, 6, 0, m=m)
    for words, weights, count in ((instance.X, instance.a, n), (instance.Y, instance.b, m or n)):
        assert words.shape == (count, 6)
        np.testing.assert_allclose(np.linalg.norm(words, axis=1), 1, atol=1e-14)
        law = 1 / np.arange(1, count + 1)
        np.testing.assert_allclose(np.sort(weights)[::-1], law / law.sum(), atol=1e-15)
    assert instance.truth is None
    assert instance.subspace is None


def test_texts_are_drawn_from_streams_of_their_own():
    small, again, other = zipf_texts(6, 5, 3, m=4), zipf_texts(6, 5, 3, m=4), zipf_texts(6, 5, 4, m=4)
    large = zipf_texts(60, 5, 3, m=40)
    np.testing.assert_array_equal(small.X, again.X)
    np.testing.assert_array_equal(small.a, again.a)
    assert not np.isclose(small.X, other.X).any()
    # More words only add rows, and those there were keep their order of frequency.
    np.testing.assert_allclose(small.X, large.X[:6], rtol=0, atol=1e-14)
    np.testing.assert_allclose(small.Y, large.Y[:4], rtol=0, atol=1e-14)
    np.testing.assert_array_equal(np.argsort(small.a), np.argsort(large.a[:6]))
    # Other noise, and other shares, change neither topics nor frequencies.
    quiet, none = zipf_texts(60, 5, 3, noise=0.0), zipf_texts(60, 5, 3, shared=0.0, noise=0.0)
    same = np.isclose(quiet.X, none.X, rtol=0, atol=1e-14).all(axis=1)
    assert 0.5 < same.mean() < 1
    np.testing.assert_array_equal(quiet.a, none.a)


@pytest.mark.parametrize(("shared", "least", "most"), [(0.0, 0, 0), (0.3, 0.2, 0.4), (1.0, 1, 1)])
def test_shared_words_are_the_same_rows(shared, least, most):
    instance = zipf_texts(400, 7, 0, m=500, shared=shared)
    same = (instance.Y[:400] == instance.X).all(axis=1)
    assert least <= same.mean() <= most
    assert (instance.X[:, None, 0] == instance.Y[:, 0]).sum() == same.sum()
    # As frequent in either as chance will have it.
    assert same.sum() == 0 or abs(np.corrcoef(instance.a[same], instance.b[:400][same])[0, 1]) < 0.5


def test_without_noise_words_are_topics_and_each_text_prefers_its_own():
    n, topics = 4000, 5
    instance = zipf_texts(n, 30, 0, topics=topics, shared=0.0, noise=0.0)
    directions, topic_X = np.unique(instance.X.round(12), axis=0, return_inverse=True)
    assert len(directions) == topics
    topic_Y = np.argmax(instance.Y @ directions.T, axis=1)
    shares_X, shares_Y = (np.bincount(topic, minlength=topics) / n for topic in (topic_X, topic_Y))
    order = np.argsort(-shares_X)
    law = 1 / np.arange(1, topics + 1) / sum(1 / t for t in range(1, topics + 1))
    error = 5 * np.sqrt(0.25 / n)
    np.testing.assert_allclose(shares_X[order], law, atol=error)
    np.testing.assert_allclose(shares_Y[order], law[::-1], atol=error)


def test_noise_has_the_length_it_says():
    instance = zipf_texts(500, 4000, 0, topics=1, shared=0.0, noise=0.75)
    [direction] = np.unique(zipf_texts(1, 4000, 0, topics=1, noise=0.0).X, axis=0)
    np.testing.assert_allclose(instance.X @ direction, 1 / np.hypot(1, 0.75), atol=0.06)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"n": 0}, ValueError, "`n` must be at least 1; got 0"),
        ({"d": 2.0}, TypeError, "`d` must be an integer"),
        ({"rng": None}, TypeError, "`rng` must be"),
        ({"m": 0}, ValueError, "`m` must be at least 1; got 0"),
        ({"topics": 0}, ValueError, "`topics` must be at least 1; got 0"),
        ({"shared": 1.5}, ValueError, "`shared` must be between 0 and 1; got 1.5"),
        ({"noise": -1}, ValueError, "`noise` must be finite and not negative"),
    ],
)
def test_bad_texts(keywords, error, message):
    with pytest.raises(error, match=message):
        zipf_texts(**{"n": 3, "d": 5, "rng": 0, **keywords})
