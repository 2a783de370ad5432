"""Every way in which a file is no table is one sentence; every way in which it is one gives the same numbers."""

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from cli_files import COLUMNS, call, clouds, frames, refused

import subspaceot as sot


@pytest.fixture
def one(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("x,y\n1,2\n")
    return path


def write_all(folder):
    """Write both tables in every form; return the pairs of files."""
    A, B = frames()
    X, Y = clouds()
    for name, frame in (("a", A), ("b", B)):
        frame.to_csv(folder / f"{name}.csv", index=False)
        frame.to_csv(folder / f"{name}.tsv", index=False, sep="\t")
        frame.to_parquet(folder / f"{name}.parquet")
    np.save(folder / "a.npy", X)
    np.save(folder / "b.npy", Y.astype(np.float64))
    np.savez(folder / "a.npz", X)
    np.savez(folder / "both.npz", first=X, second=Y)
    return [
        ("a.csv", "b.csv"),
        ("a.tsv", "b.parquet"),
        ("a.parquet", "b.tsv"),
        ("a.npy", "b.npy"),
        ("a.npz", "both.npz:second"),
        ("both.npz:first", "b.npy"),
    ]


def test_all_forms_give_the_same_answer(tmp_path):
    X, Y = clouds()
    direct = sot.srw(X, Y, 2)
    for first, second in write_all(tmp_path):
        answer = json.loads(call("compare", tmp_path / first, tmp_path / second, "-k", 2, "--json").stdout)
        assert answer["cost"] == pytest.approx(direct.cost, rel=1e-9)


def test_columns_are_matched_by_name(tmp_path):
    write_all(tmp_path)
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--json")
    answer = json.loads(result.stdout)
    assert answer["features"][0] == "größe"
    assert set(answer["features"]) <= set(COLUMNS)
    assert result.stderr == ""


def test_what_is_left_out_is_listed(tmp_path):
    A, B = frames()
    A.assign(label="x", day=pd.Timestamp("2020-01-01"), only=1.0).to_csv(tmp_path / "a.csv")  # with an index
    B.assign(label="y", day="later", other=1.0).to_parquet(tmp_path / "b.parquet")
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.parquet", "--json")
    assert json.loads(result.stdout)["d"] == 3
    assert "1 column without a name" in result.stderr
    assert "not numbers: 'label', 'day'" in result.stderr
    assert "'only' of" in result.stderr
    assert "'other' of" in result.stderr


def test_a_column_hidden_by_one_typing_error_is_pointed_out(tmp_path, one):
    path = tmp_path / "odd.csv"
    path.write_text("x,y\n1,2\n3,oops\n5,6\n7,8\n")
    result = call("compare", path, one)
    assert result.exit_code == 0
    assert "'y' (row 2 holds 'oops'; 3 others are numbers)" in result.stderr


def test_a_byte_order_mark_and_spaces_are_no_part_of_a_name(tmp_path, one):
    path = tmp_path / "bom.csv"
    path.write_bytes("\ufeffx, y\n4, 6\n".encode())
    assert json.loads(call("compare", path, one, "--json").stdout)["wasserstein_cost"] == pytest.approx(25.0)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("e.csv", b"", "is empty"),
        ("blank.csv", b"\n\n", "only empty lines"),
        ("h.csv", b"x,y\n", "holds no rows, only 2 column names"),
        ("numbers.csv", b"1,2\n3,4\n", "--no-header"),
        ("ragged.csv", b"x,y\n1,2\n3,4,5\n", "same number of values in every row"),
        ("longer.csv", b"x,y\n1,2,3\n3,4,5\n", "longer than the header"),
        ("twice.csv", b"x,y,x\n1,2,3\n", "'x' comes more than once"),
        ("latin.csv", "größe\n1\n".encode("latin-1"), "must be text in UTF-8"),
        ("semi.csv", b"x;y\n1;2\n", "separated by semicolons; add --separator ';'"),
        ("semi2.csv", b'"x, cm";y;z\n1;2;3\n', "separated by semicolons"),
        ("tabs.csv", b"x\ty\n1\t2\n", "separated by tabs"),
        ("commas.tsv", b"x,y\n1,2\n", "separated by commas"),
        ("words.csv", b"p,q\na,b\n", "share no column name"),
        ("text.csv", b"x,y\na,b\n", "share no column of numbers"),
        ("table.xlsx", b"PK", "must end in .csv"),
        ("no-ending", b"x,y\n1,2\n", "must end in .csv"),
        ("bad.parquet", b"hello", "no readable Parquet file"),
        ("bad.npy", b"hello", "no .npy file"),
        ("bad.npz", b"hello", "no .npz file"),
    ],
)
def test_files_that_are_no_table(tmp_path, one, name, content, sentence):
    (tmp_path / name).write_bytes(content)
    said = refused("compare", tmp_path / name, one)
    assert sentence in said
    assert name in said


@pytest.mark.parametrize(
    ("array", "sentence"),
    [
        (np.arange(3.0), "array of shape (3,)"),
        (np.zeros((2, 2, 2)), "array of shape (2, 2, 2)"),
        (np.array([["a", "b"]]), "real numbers"),
        (np.zeros((2, 2), dtype=complex), "real numbers"),
        (np.zeros((0, 2)), "no rows"),
        (np.zeros((2, 0)), "no columns"),
    ],
)
def test_arrays_that_are_no_table(tmp_path, array, sentence):
    np.save(tmp_path / "bad.npy", array)
    assert sentence in refused("compare", tmp_path / "bad.npy", tmp_path / "bad.npy")


def test_python_objects_are_never_unpickled(tmp_path, one):
    np.save(tmp_path / "bad.npy", np.array([{}, 1], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "bad.npz", X=np.array([{}, 1], dtype=object))
    assert "for safety" in refused("compare", tmp_path / "bad.npy", one)
    assert "no plain array of numbers" in refused("compare", tmp_path / "bad.npz", one)


def test_an_archive_with_several_arrays_asks_which(tmp_path, one):
    np.savez(tmp_path / "many.npz", X=np.eye(2), Y=np.eye(2))
    assert "2 arrays ('X', 'Y')" in refused("compare", tmp_path / "many.npz", one)
    assert "no array 'Z'" in refused("compare", f"{tmp_path / 'many.npz'}:Z", one)


def test_files_that_are_not_there(tmp_path, one):
    assert "does not exist" in refused("compare", tmp_path / "nowhere.csv", one)
    assert "is a folder without Parquet files" in refused("compare", tmp_path, one)


def test_separator_and_header_can_be_told(tmp_path):
    (tmp_path / "a.csv").write_text("1;2\n3;4\n")
    (tmp_path / "b.csv").write_text("1;2\n3;8\n")
    options = ["--separator", ";", "--no-header", "--json"]
    answer = json.loads(call("compare", tmp_path / "a.csv", tmp_path / "b.csv", *options).stdout)
    assert answer["wasserstein_cost"] == pytest.approx(8.0)
    assert answer["features"][0] == "1"
    assert answer["feature_shares"][0] > 0.99
    assert "one character" in refused("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--separator", "ab")
    np.save(tmp_path / "a.npy", np.eye(2))
    assert "--no-header is for text" in refused("compare", tmp_path / "a.npy", tmp_path / "a.npy", "--no-header")


def test_missing_values_are_counted_and_can_be_left_out(tmp_path):
    A, B = frames()
    A.loc[3, "größe"] = np.nan
    A.loc[[3, 7], "height, cm"] = [np.inf, np.nan]
    A.to_csv(tmp_path / "a.csv", index=False)
    B.to_csv(tmp_path / "b.csv", index=False)
    said = refused("compare", tmp_path / "a.csv", tmp_path / "b.csv")
    assert "'height, cm' 2, 'größe' 1" in said
    assert "--drop-missing" in said
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--drop-missing", "-k", 1, "--json")
    assert "left out 2 rows of 30" in result.stderr
    X, Y = clouds()
    direct = sot.srw(np.delete(X, [3, 7], axis=0), Y, 1)
    assert json.loads(result.stdout)["cost"] == pytest.approx(direct.cost, rel=1e-9)
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--drop-missing", "-k", 1)
    rows = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("  row ")]
    kept = np.delete(np.arange(1, 31), [3, 7])
    assert rows == [str(kept[i]) for i in np.argsort(-direct.point_cost)[:3]]  # the rows of the file, not of the rest
    A.loc[::2, "größe"] = np.nan
    A.loc[1::2, "height, cm"] = np.nan
    A.to_csv(tmp_path / "a.csv", index=False)
    said = refused("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--drop-missing")
    assert "would leave none" in said
    assert "'größe' 16" in said


def test_a_column_without_any_value_is_left_out(tmp_path):
    A, B = frames()
    A.assign(size=np.nan).to_csv(tmp_path / "a.csv", index=False)
    B.assign(size=1.0).to_csv(tmp_path / "b.csv", index=False)
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--json")
    assert "left out, as a table has no value in them: 'size'" in result.stderr
    assert json.loads(result.stdout)["d"] == 3


def test_values_too_large_to_square_are_refused(tmp_path, one):
    (tmp_path / "large.csv").write_text("x,y\n1e200,1\n")
    assert "overflow" in refused("compare", tmp_path / "large.csv", one)


def test_parquet_columns_of_one_name_are_refused(tmp_path, one):
    pd.DataFrame([[1.0, 2.0]], columns=["x", "y"]).to_parquet(tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet").rename_columns(["x", "x"])
    pq.write_table(table.replace_schema_metadata(), tmp_path / "twice.parquet")
    assert "Multiple matches" in refused("compare", tmp_path / "twice.parquet", one)


def test_decimal_commas_are_pointed_out_and_read(tmp_path):
    (tmp_path / "a.csv").write_text("x;y\n1,5;2\n3,25;4\n")
    (tmp_path / "b.csv").write_text("x;y\n4,5;6\n6,25;8\n")
    pair = [tmp_path / "a.csv", tmp_path / "b.csv", "--separator", ";"]
    assert "'x' (row 1 holds '1,5': a decimal comma, which --decimal ',' reads)" in call("compare", *pair).stderr
    result = call("compare", *pair, "--decimal", ",", "--json")
    assert result.stderr == ""
    assert json.loads(result.stdout)["wasserstein_cost"] == pytest.approx(3.0**2 + 4.0**2)
    for wrong in (";", "3", ",,"):
        assert "--decimal must be one character" in refused("compare", *pair, "--decimal", wrong)
    np.save(tmp_path / "a.npy", np.eye(2))
    assert "--decimal is for text" in refused("compare", tmp_path / "a.npy", tmp_path / "a.npy", "--decimal", ",")


def test_large_integers_beside_decimal_commas_are_not_rounded(tmp_path):
    (tmp_path / "a.csv").write_text(f"x;id\n1;0,5\n2;{2**53 + 1}\n")
    options = ["--separator", ";", "--decimal", ","]
    assert "would round: row 2 is" in refused("compare", tmp_path / "a.csv", tmp_path / "a.csv", *options)


def test_categories_become_indicator_columns(tmp_path):
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "kind": ["a", "a", "b", "b"], "name": list("stuv")})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.assign(kind=["b"] * 4).to_csv(tmp_path / "b.csv", index=False)
    result = call("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--encode", "--no-test", "--json")
    assert "'kind' became 2 indicator columns" in result.stderr
    answer = json.loads(result.stdout)
    assert answer["d"] == 3
    assert set(answer["features"][:2]) == {"kind=a", "kind=b"}
    assert "too few rows for each: 'name' (4)" in result.stderr
    assert answer["wasserstein_cost"] == pytest.approx(1.0)  # half of the rows, at a squared distance of 2


def test_identifiers_dates_and_scales_are_pointed_out(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": np.arange(20), "day": 20260101 + np.arange(20), "x": rng.standard_normal(20)})
    frame.to_csv(tmp_path / "a.csv", index=False)
    said = call("compare", tmp_path / "a.csv", tmp_path / "a.csv").stderr
    assert "note: column 'id' looks like an identifier, by its name; if it is no measurement, leave it out with" in said
    assert "column 'day' looks like dates written as numbers (20260101 to 20260120)" in said
    frame.assign(day=frame["x"] * 1000).to_csv(tmp_path / "b.csv", index=False)
    said = call("compare", tmp_path / "b.csv", tmp_path / "b.csv", "--ignore", "id").stderr
    assert "column 'day' has 99.9 % of the spread of all columns together" in said
    assert "--standardize gives all of them one scale" in said
    options = ["--ignore", "id", "--standardize"]
    assert call("compare", tmp_path / "b.csv", tmp_path / "b.csv", *options).stderr == ""


def test_the_command_and_prepare_give_the_same_bits(tmp_path):
    rng = np.random.default_rng(3)
    months = {}
    for name in ("may", "june"):
        frame = pd.DataFrame(rng.standard_normal((30, 3)) * [1.0, 50.0, 0.1], columns=["a", "b", "c"])
        frame["kind"] = rng.choice(["x", "y"], 30)
        frame.loc[4, "b"] = np.nan
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        months[name] = pd.read_csv(tmp_path / f"{name}.csv")
    options = ["--standardize", "--encode", "--drop-missing", "-k", 2, "--no-test", "--json"]
    answer = json.loads(call("compare", tmp_path / "may.csv", tmp_path / "june.csv", *options).stdout)
    prepared = sot.prepare(months, encode=True)
    result = sot.srw(prepared.X, prepared.Y, 2)
    assert (answer["lower"], answer["cost"], answer["upper"]) == (result.lower, result.cost, result.upper)
    assert answer["features"] == [row["name"] for row in result.features()][: len(answer["features"])]
