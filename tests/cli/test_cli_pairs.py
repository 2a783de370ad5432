"""`pairwise` and `text`: tables, maps, words."""

import csv
import json
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli_files import call, refused

import subspaceot as sot
from subspaceot.tables.mds import metric_mds

WORDS = ["the", "king", "queen", "horse", "cart", "apple", "pear", "plum"]


@pytest.fixture
def tables(tmp_path):
    paths = []
    for i in range(3):
        points = np.random.default_rng(i).standard_normal((12 + i, 4)) + 3.0 * i
        paths.append(tmp_path / f"day {i}.npy")
        np.save(paths[-1], points)
    return paths


@pytest.fixture
def texts(tmp_path):
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((len(WORDS), 5)).round(4)
    lines = [f"{word} {' '.join(map(str, vector))}" for word, vector in zip(WORDS, vectors, strict=True)]
    (tmp_path / "small.vec").write_text("\n".join([f"{len(WORDS)} 5", *lines]) + "\n")
    folder = tmp_path / "tales"
    folder.mkdir()
    (folder / "court.txt").write_text("the king and the queen, a king on a horse")
    (folder / "fruit.txt").write_text("an apple, a pear, a plum; the apple in the cart")
    (folder / "farm.txt").write_text("a horse, a cart, a pear")
    return folder, tmp_path / "small.vec"


def test_pairwise_is_the_librarys(tables, tmp_path):
    files = [tmp_path / name for name in ("pairs.csv", "heat.png", "map.svg")]
    options = ["--table", files[0], "--heatmap", files[1], "--map", files[2]]
    result = call("pairwise", *tables, *options, "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    direct = sot.pairwise([np.load(path) for path in tables], 2)
    np.testing.assert_allclose(answer["distances"], direct.distance, rtol=1e-9)
    np.testing.assert_allclose(answer["lowers"], direct.lower, rtol=1e-9)
    np.testing.assert_allclose(answer["uppers"], direct.upper, rtol=1e-9)
    points, stress = metric_mds(direct.distance)
    np.testing.assert_allclose(answer["map"], points, atol=1e-6)
    assert answer["stress"] == pytest.approx(stress, abs=1e-9)
    with files[0].open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["first"], row["second"]) for row in rows] == [
        ("day 0", "day 1"),
        ("day 0", "day 2"),
        ("day 1", "day 2"),
    ]
    assert float(rows[1]["distance"]) == answer["distances"][0][2]
    assert all(file.stat().st_size > 3000 for file in files[1:])


def test_groups_of_one_file_are_like_files(tables, tmp_path):
    points = [np.load(path) for path in tables]
    frame = pd.DataFrame(np.concatenate(points), columns=list("wxyz"))
    frame.insert(1, "kind", np.repeat(["late", "early", "mid"], [12, 13, 14]))
    frame.to_csv(tmp_path / "all.csv", index=False)
    answer = json.loads(call("pairwise", tmp_path / "all.csv", "--group", "kind", "--json").stdout)
    assert answer["names"] == ["late", "early", "mid"]
    direct = sot.pairwise(frame, 2, group="kind")
    np.testing.assert_allclose(answer["distances"], direct.distance, rtol=1e-9)
    shown = call("pairwise", tmp_path / "all.csv", "--group", "kind", "--test", "--permutations", 19).stdout
    assert shown.startswith("Distances S_2 between 3 groups, 4 columns")
    assert "'size' names no column" in refused("pairwise", tmp_path / "all.csv", "--group", "size")
    assert "--group splits one file; got 2" in refused("pairwise", *tables[:2], "--group", "kind")


def test_pairwise_prints_the_table(tables):
    result = call("pairwise", *tables, "-k", 1)
    assert result.exit_code == 0
    rows = [line for line in result.stdout.splitlines() if line.startswith("  day")]
    assert len(rows) == 3
    assert all(row.count("*") == 1 for row in rows)


def test_pairwise_refuses_what_it_cannot_do(tables, tmp_path):
    assert "at least two files, or one and --group COLUMN" in refused("pairwise", tables[0])
    assert "-k must be between 1 and 4" in refused("pairwise", *tables, "-k", 5)
    same = tmp_path / "x.png"
    assert "file of its own" in refused("pairwise", *tables, "--heatmap", same, "--map", same)
    assert "must end in one of .csv" in refused("pairwise", *tables, "--table", tmp_path / "x.png")


def test_two_texts(texts, tmp_path):
    folder, vectors = texts
    cloud = tmp_path / "cloud.png"
    arguments = ["text", folder / "court.txt", folder / "fruit.txt", "--vectors", vectors, "--skip", 1]
    result = call(*arguments, "--cloud", cloud, "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    points = {line.split()[0]: np.array(line.split()[1:], float) for line in vectors.read_text().splitlines()[1:]}
    X = np.array([points[word] for word in ("king", "queen", "horse")])
    Y = np.array([points[word] for word in ("cart", "apple", "pear", "plum")])
    direct = sot.srw(X, Y, 2, [2, 1, 1], [1, 2, 1, 1], tol=1e-2)
    assert answer["cost"] == pytest.approx(direct.cost, rel=1e-9)
    assert len(answer["first_words"]) == len(answer["second_words"]) == 5
    assert set(answer["first_words"]) <= set(WORDS[1:])
    assert cloud.stat().st_size > 10_000
    said = call(*arguments).stdout
    assert re.search(r"Words of court +4  3 different ones", said)
    assert f"court: {', '.join(answer['first_words'])}" in said


def test_algorithm_2_on_texts(texts):
    folder, vectors = texts
    arguments = ["text", folder / "court.txt", folder / "fruit.txt", "--vectors", vectors, "--skip", 1, "--reg", "0.1"]
    answer = json.loads(call(*arguments, "--json").stdout)
    assert answer["status"] == "CONVERGED_REGULARISED"
    assert answer["lower"] <= answer["cost"] <= answer["upper"]
    assert "regularised problem" in call(*arguments).stdout


def test_a_folder_of_texts(texts, tmp_path):
    folder, vectors = texts
    pictures = ["--map", tmp_path / "map.png", "--heatmap", tmp_path / "heat.png", "--cloud", tmp_path / "cloud.png"]
    result = call("text", folder, "--vectors", vectors, "--skip", 1, *pictures, "--table", tmp_path / "t.csv", "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["names"] == ["court", "farm", "fruit"]
    i, j = np.unravel_index(np.argmax(answer["distances"]), (3, 3))
    assert {answer["first"], answer["second"]} == {answer["names"][i], answer["names"][j]}
    assert answer["distance"] == pytest.approx(answer["distances"][i][j], rel=1e-2)
    result = call("text", folder, "--vectors", vectors, "--skip", 1, "--pair", "farm", "court")
    assert "farm and court" in result.stdout
    assert "between 3 texts" in result.stdout


def test_texts_that_cannot_be_compared(texts, tmp_path):
    folder, vectors = texts
    court = folder / "court.txt"
    assert "at least two texts" in refused("text", court, "--vectors", vectors, "--skip", 1)
    assert "comes again" in refused("text", court, court, "--vectors", vectors)
    assert "No such file" in refused("text", court, folder / "no.txt", "--vectors", vectors)
    assert "No such file" in refused("text", folder, "--vectors", tmp_path / "no.vec")
    assert "more than the 2000 most frequent" in refused("text", folder, "--vectors", vectors)
    assert "-k must be between 1 and 5" in refused("text", folder, "--vectors", vectors, "--skip", 1, "-k", 6)
    assert "--pair must name two of" in refused("text", folder, "--vectors", vectors, "--pair", "court", "no")
    assert "two different" in refused("text", folder, "--vectors", vectors, "--pair", "court", "court")
    two = ["text", court, folder / "farm.txt", "--vectors", vectors, "--skip", 1]
    assert "three texts or more" in refused(*two, "--map", tmp_path / "map.png")
    (folder / "foreign.txt").write_text("Ὀδυσσεύς")
    assert "'foreign'" in refused("text", folder, "--vectors", vectors, "--skip", 1)


@pytest.mark.slow
@pytest.mark.skipif("SUBSPACEOT_TEXT_DATA" not in os.environ, reason="SUBSPACEOT_TEXT_DATA names no folder")
def test_a_pair_of_plays():
    data = Path(os.environ["SUBSPACEOT_TEXT_DATA"])
    plays = [data / "plays" / f"{name}.txt" for name in ("MND", "JC")]
    answer = json.loads(call("text", *plays, "--vectors", next(data.glob("*.vec.gz")), "--json").stdout)
    assert answer["status"] == "CONVERGED"
    assert answer["first_words"][0] == "sweet"
    assert answer["second_words"][0] == "noble"
