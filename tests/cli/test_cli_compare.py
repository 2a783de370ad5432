"""`compare` and `path`: the numbers are the library's, the words are true."""

import json
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from cli_files import COLUMNS, call, clouds, frames, refused

import subspaceot as sot
from subspaceot.tables.choice import choose_k


@pytest.fixture
def pair(tmp_path):
    A, B = frames()
    A.to_csv(tmp_path / "a.csv", index=False)
    B.to_csv(tmp_path / "b.csv", index=False)
    return tmp_path / "a.csv", tmp_path / "b.csv"


@pytest.fixture
def grouped(tmp_path):
    A, B = frames()
    rng = np.random.default_rng(1)
    table = pd.concat([A.assign(kind="old"), B.assign(kind="new")])
    table["mass"] = rng.random(len(table))
    table = table.sample(frac=1.0, random_state=0)
    table.to_parquet(tmp_path / "both.parquet")
    return tmp_path / "both.parquet", table


def test_json_is_the_result(pair):
    X, Y = clouds()
    result = call("compare", *pair, "-k", 2, "--json", "--tol", "1e-4")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    direct, whole = sot.srw(X, Y, 2, tol=1e-4), sot.wasserstein(X, Y)
    for name in ("k", "cost", "distance", "lower", "upper", "gap"):
        assert answer[name] == pytest.approx(getattr(direct, name), rel=1e-9, abs=1e-15), name
    assert answer["status"] == direct.status.name
    assert answer["wasserstein_cost"] == pytest.approx(whole.cost)
    assert answer["explained"] == pytest.approx(direct.cost / whole.cost)
    assert answer["explained_lower"] <= answer["explained"] <= answer["explained_upper"]
    shares = dict(zip(answer["features"], answer["feature_shares"], strict=True))
    for name, share in zip(COLUMNS, direct.feature_share, strict=True):
        assert shares.get(name, 0.0) == pytest.approx(share, abs=1e-9)
    assert not any(isinstance(value, dict) for value in answer.values())


def test_the_text_says_the_same(pair):
    X, Y = clouds()
    direct = sot.srw(X, Y, k="auto", tol=1e-6)
    result = call("compare", *pair)
    assert result.exit_code == 0
    assert f"Distance S_{direct.k} " in result.stdout
    assert f"p = {direct.selection.p_values[0]:.4g} (Monte Carlo error" in result.stdout
    assert f"Directions: {direct.selection.k}, found" in result.stdout
    low, high = map(float, re.search(r"S_\d+ +\S+ +solver bounds (\S+) to (\S+)", result.stdout).groups())
    assert low <= np.sqrt(direct.lower)  # both intervals hold the exact value, and this one is much narrower
    assert high >= np.sqrt(direct.upper)
    assert high**2 - low**2 <= 1.1e-3 * high**2
    assert "größe" in result.stdout
    assert "row " in result.stdout
    assert "\x1b" not in result.stdout  # no colours where there is no terminal


def test_what_the_choice_of_k_has_solved_is_not_solved_again(pair, monkeypatch):
    def unwanted(*_, **__):
        raise AssertionError("one solve too many")

    monkeypatch.setattr("subspaceot.distances.srw", unwanted)
    choice = choose_k(*clouds())
    answer = json.loads(call("compare", *pair, "--no-test", "--tol", "1e-2", "--json").stdout)
    assert (answer["lower"], answer["upper"]) == pytest.approx((choice.result.lower, choice.result.upper), rel=1e-9)
    assert answer["wasserstein_cost"] == pytest.approx(choice.path.results[3].cost, rel=1e-9)


def test_a_group_splits_one_file(grouped):
    path, table = grouped
    answer = json.loads(call("compare", path, "--group", "kind", "--ignore", "mass", "-k", 1, "--json").stdout)
    parts = {kind: part[COLUMNS].to_numpy() for kind, part in table.groupby("kind")}
    names = list(dict.fromkeys(table["kind"]))
    assert (answer["first"], answer["second"]) == tuple(f"kind = {name}" for name in names)
    assert answer["cost"] == pytest.approx(sot.srw(*(parts[name] for name in names), 1).cost, rel=1e-9)


def test_weights_come_from_a_column_and_are_no_feature(grouped):
    path, table = grouped
    answer = json.loads(call("compare", path, "--group", "kind", "--weights", "mass", "-k", 2, "--json").stdout)
    (X, a), (Y, b) = (
        (part[COLUMNS].to_numpy(), part["mass"].to_numpy()) for _, part in table.groupby("kind", sort=False)
    )
    assert answer["d"] == 3
    assert answer["cost"] == pytest.approx(sot.srw(X, Y, 2, a, b).cost, rel=1e-9)


def test_numeric_groups_are_no_feature(tmp_path):
    pd.DataFrame({"x": [0.0, 1.0, 5.0, 6.0], "g": [0, 0, 1, 1]}).to_csv(tmp_path / "g.csv", index=False)
    answer = json.loads(call("compare", tmp_path / "g.csv", "--group", "g", "--json").stdout)
    assert (answer["d"], answer["distance"]) == (1, pytest.approx(5.0))


def test_standardize_divides_and_leaves_constants_out(tmp_path):
    X, Y = clouds()
    for name, Z in (("a", X), ("b", Y)):
        pd.DataFrame(Z, columns=COLUMNS).assign(constant=5.0).to_csv(tmp_path / f"{name}.csv", index=False)
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--standardize", "-k", 2, "--json")
    assert "constant: 'constant'" in result.stderr
    centre = (X.mean(axis=0) + Y.mean(axis=0)) / 2
    scale = np.sqrt((((X - centre) ** 2).mean(axis=0) + ((Y - centre) ** 2).mean(axis=0)) / 2)
    assert json.loads(result.stdout)["cost"] == pytest.approx(sot.srw(X / scale, Y / scale, 2).cost, rel=1e-9)
    (tmp_path / "c.csv").write_text("x\n1\n")
    assert "Every column is constant" in refused("compare", tmp_path / "c.csv", tmp_path / "c.csv", "--standardize")


def test_sample_is_random_but_repeatable(pair):
    answers = [call("compare", *pair, "-k", 1, "--sample", 10, "--seed", seed, "--json").stdout for seed in (0, 0, 1)]
    assert answers[0] == answers[1] != answers[2]
    assert json.loads(answers[0])["n"] == json.loads(answers[0])["m"] == 10
    result = call("compare", *pair, "-k", 1, "--sample", 25, "--json")
    assert "25 of 30 rows of a" in result.stderr
    assert json.loads(result.stdout)["m"] == 20
    assert "leaves all rows" in call("compare", *pair, "-k", 1, "--sample", 99).stderr


def test_one_row_against_one_row(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.csv").write_text("x,y\n4,6\n")
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.csv")
    assert result.exit_code == 0
    assert "Distance S_1                 5  solver bounds 4.99999 to 5.00001" in result.stdout
    assert "row 1 (100% of it)" in result.stdout


def test_a_file_against_itself(pair):
    result = call("compare", pair[0], pair[0])
    assert result.exit_code == 0
    assert "every distance is 0" in result.stdout
    answer = json.loads(call("compare", pair[0], pair[0], "--json").stdout)
    assert answer["explained"] is None
    assert answer["cost"] == pytest.approx(0.0, abs=1e-9)


def test_unreached_tolerance_is_exit_code_1_with_the_answer(pair, monkeypatch):
    monkeypatch.setattr("subspaceot.distances.srw", partial(sot.srw, max_iter=1))
    result = call("compare", *pair, "-k", 2, "--tol", "1e-9")
    assert result.exit_code == 1
    assert "solver bounds" in result.stdout
    assert "Not converged" in result.stdout
    answer = call("compare", *pair, "-k", 2, "--tol", "1e-9", "--json")
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["converged"] is False


def test_many_rows_are_not_refused_and_need_no_sample(tmp_path):
    pd.DataFrame({"x": np.arange(200_000.0)}).to_parquet(tmp_path / "large.parquet")
    result = call("compare", tmp_path / "large.parquet", tmp_path / "large.parquet", "--no-test")
    assert result.exit_code == 0
    assert "every distance is 0" in result.stdout
    assert "--sample" not in result.stderr
    result = call("compare", tmp_path / "large.parquet", tmp_path / "large.parquet", "--sample", 50)
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-k", "0"], "at least 1, or auto"),
        (["-k", "two"], "at least 1, or auto"),
        (["-k", "4"], "-k must be between 1 and 3"),
        (["--tol", "0"], "positive number"),
        (["--tol", "nan"], "positive number"),
        (["--sample", "0"], "--sample"),
        (["--weights", "mass"], "--weights 'mass' names no column"),
        (["--weights", "größe"], "must not be negative"),
        (["--ignore", "mass"], "--ignore 'mass' names no column"),
        (["--group", "größe"], "--group splits one file; got 2"),
        (["--plot", "picture.jpg"], "must end in one of .png, .svg, .pdf"),
        (["--plot", "nowhere/picture.png"], "The folder nowhere does not exist"),
    ],
)
def test_bad_options_are_one_sentence(pair, options, sentence):
    assert sentence in refused("compare", *pair, *options)


def test_two_of_many_groups_are_chosen_by_value(tmp_path):
    pd.DataFrame({"x": [0.0, 1.0, 5.0, 6.0, 9.0], "g": [1, 1, 2, 2, 3]}).to_csv(tmp_path / "g.csv", index=False)
    chosen = ["--group", "g", "--value", 2, "--value", 1]
    answer = json.loads(call("compare", tmp_path / "g.csv", *chosen, "--json").stdout)
    assert (answer["first"], answer["second"], answer["distance"]) == ("g = 2", "g = 1", pytest.approx(5.0))
    said = refused("compare", tmp_path / "g.csv", "--group", "g", "--value", 4, "--value", 1)
    assert "--value '4' is no value of column 'g'" in said
    assert "it holds '1', '2', '3'" in said
    assert "exactly two different values" in refused("compare", tmp_path / "g.csv", "--group", "g", "--value", 1)
    assert "add --group COLUMN" in refused("compare", *[tmp_path / "g.csv"] * 2, "--value", 1)


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ("label", "it holds 3: 'p', 'q', 'r'. Choose two of them with --value."),
        ("same", "it holds only"),
        ("gap", "1 missing value"),
        ("x,", "no column"),
    ],
)
def test_groups_must_be_two(tmp_path, column, sentence):
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0], "label": list("pqr"), "same": list("aaa"), "gap": ["a", None, "b"]})
    table.to_csv(tmp_path / "g.csv", index=False)
    assert sentence in refused("compare", tmp_path / "g.csv", "--group", column)
    assert "or one file and --group" in refused("compare", tmp_path / "g.csv")


def test_weights_without_mass_are_refused(tmp_path):
    (tmp_path / "w.csv").write_text("x,w\n1,0\n2,0\n")
    assert "positive somewhere" in refused("compare", tmp_path / "w.csv", tmp_path / "w.csv", "--weights", "w")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plot_writes_a_picture(pair, tmp_path, ending):
    picture = tmp_path / f"picture.{ending}"
    result = call("compare", *pair, "--plot", picture)
    assert result.exit_code == 0
    assert picture.read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    assert str(picture) in result.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.csv", picture.name]


# path ----------------------------------------------------------------------------------------------------------------


def test_path_is_the_librarys(pair):
    X, Y = clouds()
    answer = json.loads(call("path", *pair, "--json").stdout)
    direct = sot.srw_path(X, Y, tol=1e-2)
    assert answer["k"] == [1, 2, 3]
    assert answer["cost"] == pytest.approx(direct.cost, rel=1e-9)
    assert answer["lower"] == pytest.approx(direct.lower, rel=1e-9)
    assert answer["upper"] == pytest.approx(direct.upper, rel=1e-9)
    assert answer["elbow"] == 1
    assert answer["explained"][-1] == pytest.approx(1.0)


def test_path_prints_a_table_and_draws_it(pair, tmp_path):
    picture = tmp_path / "curve.png"
    result = call("path", *pair, "--kmax", 2, "--plot", picture)
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines() if re.match(r"  \d", line)]
    assert [row[0] for row in rows] == ["1", "2"]
    assert all(float(row[3]) <= float(row[2]) * (1 + 1e-4) <= float(row[4]) * (1 + 2e-4) for row in rows)
    assert "Elbow: 1." in result.stdout
    assert picture.stat().st_size > 5000


def test_path_of_one_k(pair):
    result = call("path", *pair, "--kmax", 1)
    assert result.exit_code == 0
    assert "Elbow: 1. One direction explains 99." in result.stdout
    assert "--kmax must be between 1 and 3" in refused("path", *pair, "--kmax", 4)
