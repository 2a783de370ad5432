"""`srw` on data in chunks: intervals that hold for all rows, and the names of a result."""

import inspect

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.presented import Presented

CHUNKED = sot.Chunked(memory=5e7, cells=256)


@pytest.fixture(scope="module")
def hypercube():
    return sot.instances.fragmented_hypercube(30_000, 8, 2, rng=0, rotate=True)


@pytest.fixture(scope="module")
def result(hypercube):
    return sot.srw(hypercube.X, hypercube.Y, 2, tol=5e-2, method=CHUNKED)


def test_a_planted_answer(hypercube, result):
    assert result.converged
    assert result.gap <= 5e-2
    assert result.rows == (30_000, 30_000)
    assert result.passes == len(result.history) + 1
    exact = sot.srw(hypercube.X, hypercube.Y, 2, tol=5e-3)  # 30,000 points of the law whose S_2^2 is 8
    assert result.lower <= exact.upper
    assert exact.lower <= result.upper
    assert np.linalg.norm(result.omega - hypercube.subspace @ hypercube.subspace.T) < 0.1


def test_names_of_a_result(hypercube, result):
    d = 8
    assert result.lower <= result.cost <= result.upper
    assert result.distance == pytest.approx(np.sqrt(result.cost))
    assert result.omega == pytest.approx(result.factor @ result.factor.T, abs=1e-12)
    assert np.trace(result.omega) == pytest.approx(2)
    assert result.basis.T @ result.basis == pytest.approx(np.eye(2), abs=1e-12)
    assert result.spectrum == pytest.approx([1, 1] + [0] * (d - 2), abs=1e-9)
    assert result.feature_share.sum() == pytest.approx(1)
    assert np.linalg.eigvalsh(result.displacement)[-2:].sum() == pytest.approx(result.upper, rel=1e-6)
    assert result.means[0] == pytest.approx(hypercube.X.mean(axis=0), abs=1e-12)
    assert result.means[1] == pytest.approx(hypercube.Y.mean(axis=0), abs=1e-12)
    assert (result.project(hypercube.X[:5]) == hypercube.X[:5] @ result.basis).all()
    assert "CONVERGED" in repr(result)
    assert repr(result).startswith("ChunkedResult(k=2: distance 2.8")
    table = result.features()
    assert table["share"].sum() == pytest.approx(1)
    assert table.columns == sot.srw([[0.0, 1.0]], [[1.0, 2.0]], 2).features().columns
    text = str(result.summary(("before", "after")))
    assert "before and after: 30000 rows against 30000 rows, 8 columns" in text
    assert "hold for all rows" in text
    assert "mean in before" in text


def test_every_name_of_a_result_is_there_or_says_what_to_use_instead(result):
    internal = {"problem", "certificate", "reg", "selection"}
    names = {n for n in {*dir(sot.Result), *dir(Presented)} if not n.startswith("_")} - internal
    for name in sorted(names):
        if not hasattr(result, name):
            with pytest.raises(AttributeError, match=rf"`{name}.*needs all rows in memory.*`displacement`"):
                getattr(result, name)
    with pytest.raises(AttributeError, match="no attribute 'potential'"):
        _ = result.potential
    assert {n for n in names if hasattr(result, n)} >= {"lower", "upper", "basis", "omega", "features", "summary"}


def test_weights_and_repeated_rows():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((1000, 3)), rng.standard_normal((900, 3)) * [2, 1, 1] + np.array([0, 1, 0])
    counts = rng.integers(0, 4, 1000)
    weighted = sot.srw(X, Y, 2, counts.astype(float), method=CHUNKED, tol=0.1)
    repeated = sot.srw(np.repeat(X, counts, axis=0), Y, 2, method=CHUNKED, tol=0.1)
    assert weighted.lower <= repeated.upper
    assert repeated.lower <= weighted.upper
    exact = sot.srw(X, Y, 2, counts, tol=0.1)
    assert weighted.lower <= exact.upper
    assert exact.lower <= weighted.upper


@pytest.mark.parametrize("kind", ["gaussians", "heavy tails", "clusters", "one law", "one column", "few rows", "far"])
def test_intervals_overlap_those_of_the_dense_solver(kind):
    rng = np.random.default_rng(1)
    X, Y, k = rng.standard_normal((500, 5)), rng.standard_normal((600, 5)), 2
    if kind == "gaussians":
        X, Y = X * [3, 1, 1, 1, 1], Y * [1, 2, 1, 1, 1] + 0.5
    if kind == "heavy tails":
        X, Y = rng.standard_t(1.5, (500, 5)), rng.standard_t(1.5, (600, 5)) + np.array([2, 0, 0, 0, 0])
    if kind == "clusters":
        X += 10 * rng.integers(3, size=(500, 1))
        Y += 10 * rng.integers(2, size=(600, 1)) * [1, 0, -1, 0, 0]
    if kind == "one column":
        X, Y, k = X[:, :1], Y[:, :1] ** 2, 1
    if kind == "few rows":
        X, Y = X[:3], Y[:2]
    if kind == "far":
        X, Y = 1e8 + X, 1e8 + 2 * Y
    found = sot.srw(X, Y, k, tol=5e-2, max_iter=2, method=CHUNKED)
    exact = sot.srw(X, Y, k, tol=5e-2)
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    if kind in ("clusters", "one column"):
        assert found.converged


@pytest.mark.parametrize("scale", [1e-60, 1e-3, 1.0, 1e60])
def test_units(scale):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((500, 3)), rng.standard_normal((400, 3)) + 2
    unit = sot.srw(X, Y, 1, tol=0.2, method=CHUNKED)
    found = sot.srw(scale * X, scale * Y, 1, tol=0.2, method=CHUNKED)
    assert (found.lower, found.upper) == pytest.approx((scale**2 * unit.lower, scale**2 * unit.upper), rel=1e-6)


def test_equal_samples_have_an_interval_down_to_zero():
    X = np.random.default_rng(0).standard_normal((600, 2))
    found = sot.srw(X, X, 1, tol=0.1, max_iter=1, method=CHUNKED)
    assert found.lower == 0.0
    assert found.upper >= 0.0
    one = sot.srw(np.ones((30, 2)), np.ones((20, 2)), 1, method=CHUNKED)
    assert one.lower == 0.0
    assert one.upper <= 1e-290
    moved = sot.srw(np.ones((30, 2)), 3 * np.ones((20, 2)), 2, method=CHUNKED)
    assert moved.lower <= 8.0 <= moved.upper
    assert moved.gap <= 1e-12


def test_wasserstein_in_few_dimensions(tmp_path):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((3000, 2)), rng.standard_normal((3000, 2)) + np.array([3, 1])
    np.save(tmp_path / "x.npy", X)
    found = sot.srw(np.load(tmp_path / "x.npy", mmap_mode="r"), Y, 2, tol=5e-2, method=CHUNKED)
    exact = sot.wasserstein(X, Y)
    assert found.converged
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.spectrum == pytest.approx([1, 1])


def test_callbacks_and_progress(hypercube):
    told, seen = [], []

    def stop(iterate):
        seen.append(iterate)
        return True

    settings = sot.Chunked(progress=told.append, cells=64)
    result = sot.srw(hypercube.X, hypercube.Y, 2, tol=1e-9, method=settings, callback=stop)
    assert result.status is sot.Status.STOPPED
    assert (result.lower, result.upper) == (seen[0].lower, seen[0].upper)
    assert len(seen) == result.n_iter == 1
    assert {progress.number for progress in told} == {1, 2}
    assert all(0 <= progress.done <= progress.total for progress in told)
    assert told[-1].done == told[-1].total
    longer = sot.srw(hypercube.X, hypercube.Y, 2, tol=1e-9, max_iter=2, method=settings)
    assert longer.status is sot.Status.MAX_ITER
    assert longer.gap <= result.gap
    assert "Not converged (MAX_ITER)" in str(longer.summary())


def test_a_seed_changes_the_sample_and_not_the_truth(hypercube):
    found = [sot.srw(hypercube.X, hypercube.Y, 2, tol=0.05, method=sot.Chunked(seed=seed)) for seed in (0, 0, 1)]
    assert (found[0].lower, found[0].upper) == (found[1].lower, found[1].upper)
    assert found[2].lower <= found[0].upper
    assert found[0].lower <= found[2].upper


def test_the_call_is_the_one_for_arrays():
    assert list(inspect.signature(sot.srw).parameters)[:5] == ["X", "Y", "k", "a", "b"]
    assert len(inspect.signature(sot.srw).parameters) == 11


def test_pairs_of_files(tmp_path):
    rng = np.random.default_rng(0)
    given = {}
    for name, shift in (("a", 0.0), ("b", 3.0), ("c", 8.0)):
        np.save(tmp_path / f"{name}.npy", 0.1 * rng.standard_normal((500, 3)) + [shift, 0.0, 0.0])
        given[name] = tmp_path / f"{name}.npy"
    found = sot.pairwise(given, 1, tol=0.1, method=sot.Chunked(cells=64))
    assert found.names == ("a", "b", "c")
    assert found.converged
    truth = np.array([[0.0, 3, 8], [3, 0, 5], [8, 5, 0]])
    assert (found.lower <= truth + 0.05).all()
    assert (found.upper >= truth - 0.05).all()
    loaded = sot.pairwise(list(given.values()), metric="wasserstein", tol=0.1)
    assert loaded.distance == pytest.approx(truth, abs=0.05)
    with pytest.raises(ValueError, match="`n_jobs` must be left out for data in chunks"):
        sot.pairwise(given, 1, n_jobs=2)
    with pytest.raises(ValueError, match="`metric` must be left out for data in chunks"):
        sot.pairwise(given, 1, metric="prw")
