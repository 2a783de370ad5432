"""The estimators for scikit-learn: its own checks, pipelines, grids over k, frames, weights, new rows."""

import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
from tolerances import ROUNDING

pytest.importorskip("sklearn")

import pandas as pd
import polars as pl
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import subspaceot as sot
from subspaceot.sklearn import SubspaceRobustProjection, SubspaceTransport

# Checks that scikit-learn leaves out unless SCIPY_ARRAY_API is set before SciPy is loaded: a process of its own makes
# them, in `test_checks_with_the_array_api`. No failure is expected anywhere.
LEFT_OUT = {"check_array_api_input"}
BOTH = [SubspaceRobustProjection, SubspaceTransport]
CHECKS = [
    pytest.param(estimator, check, id=f"{cls.__name__}-{check.func.__name__}-{i}")
    for cls in BOTH
    for i, (estimator, check) in enumerate(estimator_checks_generator(cls()))
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_checks_of_scikit_learn(estimator, check):
    if check.func.__name__ in LEFT_OUT:
        pytest.skip("needs SCIPY_ARRAY_API")
    check(estimator)


def test_few_checks_are_left_out():
    assert len(CHECKS) >= 100
    assert sum(parameters.values[1].func.__name__ in LEFT_OUT for parameters in CHECKS) <= len(BOTH)


@pytest.mark.slow  # a process of its own imports everything anew
def test_checks_with_the_array_api():
    code = (
        "from sklearn.utils.estimator_checks import check_estimator\n"
        "from subspaceot.sklearn import SubspaceRobustProjection, SubspaceTransport\n"
        "for estimator in (SubspaceRobustProjection(), SubspaceTransport()):\n"
        "    print({check['status'] for check in check_estimator(estimator)})"
    )
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert run.stdout.split("\n")[:2] == ["{'passed'}"] * 2, run.stderr


def shifted(n=40, d=6, by=5.0, seed=0):
    """Return rows of two groups, of which "b" is shifted by `by` along the third column."""
    X = np.random.default_rng(seed).standard_normal((2 * n, d))
    y = np.repeat(["b", "a"], n)
    X[y == "b", 2] += by
    return X, y


def mixed(seed=0):
    """Return two groups that differ in two directions, in 5 columns of unlike names, and weights."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((60, 5)), np.repeat([0, 1], [35, 25])
    X[y == 1] += [3.0, 0.0, 1.0, 0.0, 0.0]
    return X, y, rng.integers(1, 4, 60)


# What they find is what `srw` finds --------------------------------------------------------------------------------


def test_projection_is_that_of_srw():
    X, y, _ = mixed()
    found = SubspaceRobustProjection(k=2, tol=1e-6).fit(X, y)
    result = sot.srw(X[y == 0], X[y == 1], 2, tol=1e-6)
    assert max(found.result_.lower, result.lower) <= min(found.result_.upper, result.upper)
    np.testing.assert_allclose(found.components_ @ found.components_.T, np.eye(2), atol=ROUNDING)
    assert np.linalg.svd(found.components_ @ result.basis)[1].min() > 1 - 1e-4
    np.testing.assert_array_equal(found.transform(X), X @ found.components_.T)
    np.testing.assert_array_equal(found.fit_transform(X, y), found.transform(X))


def test_rows_lead_from_the_result_to_the_data():
    X, y, _ = mixed()
    found = SubspaceRobustProjection().fit(X, y)
    for rows, points, label in zip(
        found.rows_, (found.result_.problem.frame.X, found.result_.problem.frame.Y), (0, 1), strict=True
    ):
        np.testing.assert_array_equal(X[rows], points)
        assert set(y[rows]) == {label}


def test_explained_is_the_share_of_the_displacement():
    X, y, _ = mixed()
    found = SubspaceRobustProjection(k=3).fit(X, y)
    V = found.result_.displacement
    shares = np.diag(found.components_ @ V @ found.components_.T) / np.trace(V)
    np.testing.assert_allclose(found.explained_, shares, rtol=1e-9)
    assert SubspaceRobustProjection(k=5).fit(X, y).explained_.sum() == pytest.approx(1.0)


def test_equal_groups_explain_nothing():
    X = np.tile(np.eye(3), (2, 1))
    found = SubspaceRobustProjection(k=1).fit(X, [0, 0, 0, 1, 1, 1])
    assert found.result_.upper == 0.0
    np.testing.assert_array_equal(found.explained_, [0.0])


@pytest.mark.parametrize("cls", BOTH)
def test_equal_rows_count_each_in_the_tests_of_auto(cls):
    """Data of few distinct rows: merged into weighted ones, they would be too few for any test."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (200, 3)).astype(float), np.repeat([0, 1], 100)
    X[y == 1, 0] = rng.random(100) < 0.8
    found = cls(k="auto").fit(X, y)
    selected = sot.select_k(X[y == 0], X[y == 1])
    assert selected.k == 1
    assert found.result_.selection.p_values == selected.p_values
    assert len(found.components_) == 1
    assert np.argmax(np.abs(found.components_)) == 0


def test_auto_with_weights_and_names():
    X, y = shifted()
    frame = pd.DataFrame(X, columns=list("uvwxyz"))
    weights = np.ones(len(X))
    weights[:3] = 0.0
    selection = SubspaceRobustProjection("auto").fit(frame, y, weights).result_.selection
    assert selection.k >= 1
    assert selection.columns == tuple("uvwxyz")
    assert selection.first.p_value <= 0.05


def test_auto_where_there_is_no_difference():
    X, _ = shifted(by=0.0)
    found = SubspaceRobustProjection("auto").fit(X, np.tile([0, 1], len(X) // 2))
    assert found.result_.selection.k == 0
    assert found.components_.shape == (1, 6)


# Weights -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", BOTH)
def test_a_weight_is_a_repeated_row(cls):
    X, y, weights = mixed()
    weights[[3, 50]] = 0
    weighted = cls(k=2).fit(X, y, weights)
    repeated = cls(k=2).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_array_equal(weighted.components_, repeated.components_)
    np.testing.assert_array_equal(weighted.transform(X), repeated.transform(X))


@pytest.mark.parametrize("cls", BOTH)
def test_the_order_of_rows_does_not_matter(cls):
    X, y, weights = mixed()
    order = np.random.default_rng(1).permutation(len(X))
    first, second = cls(k=2).fit(X, y, weights), cls(k=2).fit(X[order], y[order], weights[order])
    np.testing.assert_array_equal(first.components_, second.components_)


def test_score_takes_weights():
    X, y, weights = mixed()
    found = SubspaceTransport(k=1).fit(X, y)
    repeated = found.score(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert found.score(X, y, weights) == pytest.approx(repeated, rel=1e-9)


# Moving rows -------------------------------------------------------------------------------------------------------


def test_rows_move_within_the_subspace_to_the_mean_of_their_images():
    X, y, _ = mixed()
    found = SubspaceTransport(k=2, tol=1e-4).fit(X, y)
    moved = found.transform(X[y == 0])
    beyond = np.eye(5) - found.components_.T @ found.components_
    np.testing.assert_allclose(moved @ beyond, X[y == 0] @ beyond, atol=ROUNDING * 10)
    plan, rows = found.result_.plan, found.rows_
    images = plan @ X[rows[1]] / plan.sum(axis=1, keepdims=True)
    expected = X[rows[0]] + (images - X[rows[0]]) @ found.components_.T @ found.components_
    np.testing.assert_allclose(found.transform(X[rows[0]]), expected, atol=1e-10)


def test_means_agree_in_the_subspace_afterwards():
    X, y, _ = mixed()
    found = SubspaceTransport(k=2).fit(X, y)
    inside = found.components_.T
    np.testing.assert_allclose(
        found.transform(X[y == 0]).mean(axis=0) @ inside, X[y == 1].mean(axis=0) @ inside, atol=1e-10
    )


@pytest.mark.parametrize(("source", "moving", "staying"), [(None, "a", "b"), ("a", "a", "b"), ("b", "b", "a")])
def test_either_group_can_be_moved(source, moving, staying):
    X, y = shifted()
    found = SubspaceTransport(k=1, source=source).fit(X, y)
    moved = found.transform(X[y == moving])
    assert abs(moved[:, 2].mean() - X[y == staying, 2].mean()) < 0.2


def test_new_rows_move_as_the_result_says_whatever_they_are_beyond_the_subspace():
    X, y, _ = mixed()
    found = SubspaceTransport(k=2).fit(X, y)
    new = np.random.default_rng(5).standard_normal((30, 5))
    steps = found.transform(new) - new
    np.testing.assert_array_equal(found.transform(new), found.result_.transport(new))
    np.testing.assert_allclose(steps, steps @ found.components_.T @ found.components_, atol=1e-10)
    beyond = np.linalg.svd(found.components_)[2][2]
    far = new + 100.0 * beyond
    np.testing.assert_allclose(found.transform(far) - far, steps, atol=1e-10)
    assert np.linalg.norm(found.transform(X[found.rows_[0][:1]] + 1e-9) - found.transform(X[found.rows_[0][:1]])) < 1e-6


def test_score_is_the_share_of_the_energy_distance_that_is_gone():
    X, y = shifted(by=8.0)
    found = SubspaceTransport(k=1).fit(X, y)
    new, group = shifted(by=8.0, seed=1)
    moved = np.where((group == "a")[:, None], found.transform(new), new)
    before, after = (energy(Z[group == "a"], Z[group == "b"]) for Z in (new, moved))
    assert found.score(new, group) == pytest.approx(1.0 - after / before, rel=1e-9)
    assert 0.9 < found.score(new, group) < 1.1
    same = np.repeat(new[:5], 2, axis=0)
    assert found.score(same, np.tile(["a", "b"], 5)) == 0.0  # no difference to remove


def energy(X, Y):
    """Return the energy distance over pairs of different rows."""
    n, m = len(X), len(Y)
    return 2.0 * cdist(X, Y).mean() - cdist(X, X).sum() / (n * (n - 1)) - cdist(Y, Y).sum() / (m * (m - 1))


def test_moving_too_far_does_harm():
    new, group = shifted(by=1.0, seed=1)
    assert SubspaceTransport(k=1).fit(*shifted(by=5.0)).score(new, group) < 0.0
    assert SubspaceTransport(k=1).fit(*shifted(by=1.0)).score(new, group) > 0.0


# In the company of other estimators ----------------------------------------------------------------------------------


def test_grid_search_over_k_in_a_pipeline_with_a_scaler():
    X, y = load_breast_cancer(return_X_y=True)
    steps = make_pipeline(StandardScaler(), SubspaceRobustProjection(), LinearDiscriminantAnalysis())
    grid = {"subspacerobustprojection__k": [1, 2, 4]}
    search = GridSearchCV(steps, grid, cv=StratifiedKFold(3, shuffle=True, random_state=0)).fit(X, y)
    assert search.best_score_ > 0.9
    k = search.best_params_["subspacerobustprojection__k"]
    assert search.best_estimator_[:-1].transform(X).shape == (len(X), k)
    assert list(search.best_estimator_[:-1].get_feature_names_out()) == [
        f"subspacerobustprojection{j}" for j in range(k)
    ]


def test_grid_search_over_k_by_its_own_score():
    """Groups that differ in two planted directions: one is too few, and more only move noise."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((240, 20)), np.tile([0, 1], 120)
    X[y == 1, :2] *= 6.0
    search = GridSearchCV(SubspaceTransport(), {"k": [1, 2, 4, 20]}, cv=4).fit(X, y)
    assert search.best_params_ == {"k": 2}
    assert search.best_score_ > 0.8


@pytest.mark.parametrize("cls", BOTH)
def test_clone_and_pickle(cls):
    X, y, weights = mixed()
    estimator = cls(k=3, tol=1e-3)
    found = clone(estimator).set_params(k=2).fit(X, y, weights)
    assert estimator.get_params()["k"] == 3
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.transform(X), found.transform(X))
    assert again.result_.lower == found.result_.lower
    with pytest.raises(NotFittedError):
        clone(found).transform(X)


# Frames --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
@pytest.mark.parametrize("cls", BOTH)
def test_frames_give_the_same_bits_and_keep_names(cls, frame):
    X, y, weights = mixed()
    names = ["height", "mass", "age", "pulse", "steps"]
    table = frame({name: X[:, j] for j, name in enumerate(names)})
    of_array, of_table = cls().fit(X, y, weights), cls().fit(table, y, weights)
    np.testing.assert_array_equal(of_array.components_, of_table.components_)
    np.testing.assert_array_equal(of_array.transform(X), of_table.transform(table))
    assert list(of_table.feature_names_in_) == names
    assert of_table.result_.names == tuple(names)
    with pytest.raises(ValueError, match="feature names should match"):
        of_table.transform(frame({name.upper(): X[:, j] for j, name in enumerate(names)}))


@pytest.mark.parametrize(("kind", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_set_output(kind, frame):
    X, y, _ = mixed()
    table = pd.DataFrame(X, columns=list("abcde"), index=np.arange(100, 160))
    projected = SubspaceRobustProjection(k=2).set_output(transform=kind).fit(table, y).transform(table)
    assert isinstance(projected, frame)
    assert list(projected.columns) == ["subspacerobustprojection0", "subspacerobustprojection1"]
    moved = SubspaceTransport(k=2).set_output(transform=kind).fit(table, y).transform(table)
    assert isinstance(moved, frame)
    assert list(moved.columns) == list("abcde")
    if kind == "pandas":
        assert list(moved.index) == list(table.index)


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize(
    ("settings", "y", "weights", "message"),
    [
        ({"k": 7}, None, None, "`k` must be between 1 and the number of columns, n_features=6; got 7"),
        ({"k": 2.0}, None, None, '`k` must be an integer or "auto"; got'),
        ({"k": True}, None, None, '`k` must be an integer or "auto"; got'),
        ({"tol": 0.0}, None, None, "`tol` must be"),
        ({}, [0, 1, 2, 3], None, "`y` must name two groups, each with rows of positive weight; got 4 classes"),
        (
            {},
            [0, 0, 0, 0],
            None,
            "got 1 class: 0. Select the rows of two groups, or pass `cv=StratifiedKFold()`, whose folds hold both.",
        ),
        ({}, [0, 0, 1, 1], [1, 1, 0, 0], "got 1 class: 0"),
        ({}, None, [-1, 1, 1, 1], "`sample_weight` must not be negative"),
        ({}, None, [1, 1], "`sample_weight` must hold one weight for each of the 80 points of `X`"),
    ],
)
def test_clear_errors(cls, settings, y, weights, message):
    X, groups = shifted()
    y = groups if y is None else np.resize(y, len(X))
    weights = np.resize(weights, len(X)) if weights is not None and len(weights) == 4 else weights
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        cls(**settings).fit(X, y, weights)


def test_a_source_that_is_no_group():
    X, y = shifted()
    with pytest.raises(ValueError, match=re.escape("`source` must be one of the groups, 'a', 'b'; got 'c'")):
        SubspaceTransport(source="c").fit(X, y)


def test_score_of_other_groups():
    X, y = shifted()
    found = SubspaceTransport(k=1).fit(X, y)
    with pytest.raises(ValueError, match="`source` must be one of the groups"):
        found.score(X, np.where(y == "a", "c", "d"))


def test_a_gap_above_tol_is_a_warning():
    X, y = np.random.default_rng(0).standard_normal((16, 4)), np.tile([0, 1], 8)
    with pytest.warns(ConvergenceWarning, match=r"relative gap of .*, more than `tol`"):
        SubspaceRobustProjection(k=2, tol=1e-17).fit(X, y)
