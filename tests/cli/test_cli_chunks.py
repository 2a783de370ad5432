"""`compare`, `path` and `pairwise` on folders of Parquet files, and on files larger than memory."""

import json

import numpy as np
import pytest
from cli_files import call, refused

import subspaceot as sot
from subspaceot.cli import _chunks

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

NAMES = ["mass", "height", "age", "speed"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two folders of two Parquet files each, whose second column differs by 3, and their values."""
    folder = tmp_path_factory.mktemp("folders")
    rng = np.random.default_rng(0)
    for name, shift in (("before", 0.0), ("after", 3.0)):
        (folder / name).mkdir()
        for part in range(2):
            X = rng.standard_normal((700, 4)) * 0.3 + [0, shift, 0, 0]
            table = pa.table({**dict(zip(NAMES, X.T, strict=True)), "site": ["a"] * 700})
            pq.write_table(table, folder / name / f"{part}.parquet", row_group_size=300)
    return folder


@pytest.fixture
def chunks(monkeypatch):
    monkeypatch.setattr(_chunks, "MOST_IN_MEMORY", 1e3)


def test_a_folder_is_a_table(folder):
    result = call("compare", folder / "before", folder / "after", "-k", 1, "--no-test", "--json", "--tol", 0.05)
    answer = json.loads(result.stdout)
    assert (answer["n"], answer["m"], answer["d"]) == (1400, 1400, 4)
    assert answer["features"][0] == "height"
    assert "left out, as they are not numbers: 'site'" in result.stderr


def test_compare_in_chunks(folder, chunks):
    files = folder / "before", folder / "after"
    plain = json.loads(call("compare", *files, "-k", 1, "--no-test", "--json", "--tol", 0.05).stdout)
    result = call("compare", *files, "--tol", 0.3, "--permutations", 99)
    assert result.exit_code == 0, result.output
    assert "before and after: 1400 rows against 1400 rows, 4 columns" in result.stdout
    assert "A difference was found: p = 0.01" in result.stdout
    assert "The solver bounds hold for all rows, from 2 passes over them." in result.stdout
    assert "note: left out, as not every file has them as numbers: 'site'" in result.stderr
    assert result.stderr.count("left out") == 1
    assert "--sample" not in result.stderr
    assert result.stdout.split("Columns that contribute most\n")[1].splitlines()[1].split()[0] == "height"
    answer = json.loads(call("compare", *files, "-k", 1, "--no-test", "--json", "--tol", 0.3).stdout)
    assert answer["passes"] == 2
    assert answer["lower"] <= plain["upper"]
    assert plain["lower"] <= answer["upper"]
    assert answer["features"][0] == "height"
    elbow = json.loads(call("compare", *files, "--no-test", "--json", "--tol", 0.5).stdout)
    assert "Chosen on" in elbow["k_reason"]


def test_what_is_not_found_is_not_listed(folder, chunks):
    same = folder / "before", folder / "before"
    options = ["-k", 1, "--tol", 1e-3, "--permutations", 19]
    result = call("compare", *same, *options)
    assert result.exit_code == 1  # of equal samples only an interval down to 0 is proven
    assert "No difference was found" in result.stdout
    assert "Columns that contribute" not in result.stdout
    assert "--force lists them" in result.stdout
    assert "Columns that contribute" in call("compare", *same, *options, "--force").stdout


def test_samples_say_that_they_are(folder, chunks):
    files = folder / "before", folder / "after"
    result = call("compare", *files, "--sample", 50, "-k", 1, "--no-test", "--tol", 0.1)
    assert "note: 50 of 1400 rows of before, chosen at random (--seed 0)" in result.stderr
    assert "50 rows against 50 rows" in result.stdout
    assert "of the sample" in result.stdout
    curve = call("path", *files, "--kmax", 2, "--tol", 0.1, "--sample", 60)
    assert "60 of 1400 rows of after" in curve.stderr


def test_pairs_in_chunks(folder, chunks):
    answer = json.loads(call("pairwise", folder / "before", folder / "after", "-k", 1, "--tol", 0.3, "--json").stdout)
    assert answer["lowers"][0][1] <= 3.05
    assert answer["uppers"][0][1] >= 2.95
    assert answer["converged"]
    text = call("pairwise", folder / "before", folder / "after", "-k", 1, "--tol", 0.3).stdout
    assert "Distances S_1 between 2 files, all rows" in text


def test_what_needs_all_rows_is_refused(folder, chunks, tmp_path):
    files = folder / "before", folder / "after"
    for option in (["--standardize"], ["--drop-missing"], ["--units", "site"]):
        assert f"{option[0]} needs all rows in memory" in refused("compare", *files, *option)
    assert "--plot shows single rows" in refused("compare", *files, "--plot", tmp_path / "a.png")
    assert "--test looks at single rows" in refused("pairwise", *files, "--test")
    assert "--weights 'w' must name a column of numbers" in refused("compare", *files, "--weights", "w")
    assert "must be between 1 and 4" in refused("compare", *files, "-k", 5)
    (tmp_path / "empty").mkdir()
    assert "is a folder without Parquet files" in refused("compare", tmp_path / "empty", files[0])
    np.save(tmp_path / "a.npy", np.eye(2))
    refusal = refused("compare", tmp_path / "a.npy", tmp_path / "a.npy", "--scheduler", "tcp://127.0.0.1:1")
    assert "--scheduler" in refusal


def test_a_running_cluster_reads(folder):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        options = ["-k", 1, "--no-test", "--json", "--tol", 0.3]
        answer = json.loads(
            call("compare", folder / "before", folder / "after", *options, "--scheduler", address).stdout
        )
    assert answer["n"] == 1400
    assert answer["passes"] == 2
    assert sot.Status[answer["status"]].converged
