"""Passes on a Dask cluster: the same answers, and workers may die."""

import os
import signal
import warnings

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.chunks import datasets

dask_array = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
pq = pytest.importorskip("pyarrow.parquet")
pa = pytest.importorskip("pyarrow")

N, D = 24_000, 6
CELLS = 256


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two folders of Parquet files with four files each, and the values in them."""
    folder = tmp_path_factory.mktemp("tables")
    data = sot.instances.fragmented_hypercube(N, D, 2, rng=0, rotate=True)
    for name, values in (("x", data.X), ("y", data.Y)):
        (folder / name).mkdir()
        for part, rows in enumerate(np.split(values.astype(np.float32), 4)):
            table = pa.table({f"c{j}": column for j, column in enumerate(rows.T)})
            pq.write_table(table, folder / name / f"{part}.parquet", row_group_size=1500)
    return folder / "x", folder / "y"


@pytest.fixture(scope="module")
def alone(files):
    return sot.srw(*files, 2, tol=5e-2, method=sot.Chunked(cells=CELLS))


@pytest.fixture(scope="module")
def client():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ports in use, where tests run side by side
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(autouse=True)
def many_pieces(monkeypatch):
    monkeypatch.setattr(datasets, "_PIECE_ROWS", 1500)


def solved(files, **settings):
    return sot.srw(*files, 2, tol=5e-2, method=sot.Chunked(cells=CELLS, **settings))


def interval(result):
    return result.lower, result.upper


def test_a_cluster_finds_the_same(files, alone, client):
    pids = set(client.run(os.getpid).values())
    told = []
    found = solved(files, progress=told.append)
    assert found.converged
    assert interval(found) == pytest.approx(interval(alone), rel=1e-2)  # with another sample
    assert interval(found) == interval(solved(files))
    assert [p.done for p in told if p.number == 1][-1] == told[0].total == 32
    assert len([p for p in told if p.number == 2]) > 8
    assert set(client.run(os.getpid).values()) == pids


@pytest.mark.parametrize("number", [1, 2])
def test_a_worker_that_dies_loses_nothing(files, client, number):
    undisturbed = interval(solved(files))
    killed = []

    def kill(progress):
        if progress.number == number and progress.done >= 2 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = solved(files, progress=kill)
    assert killed
    assert interval(found) == undisturbed
    client.wait_for_workers(2)


def test_what_is_not_finite_names_the_file_on_a_cluster_too(files, client, tmp_path):
    table = pa.table({f"c{j}": np.r_[np.ones(70), np.nan if j == 3 else 0.0] for j in range(D)})
    pq.write_table(table, tmp_path / "bad.parquet")
    with pytest.raises(ValueError, match=r"`Y` must hold finite.*NaN in row 70 .*'c3' of .*bad.parquet"):
        sot.srw(files[0], tmp_path / "bad.parquet", 2, method=sot.Chunked(cells=CELLS))


def test_collections(files, alone, client):
    import dask.dataframe

    frames = [dask.dataframe.read_parquet(folder) for folder in files]
    of_frames = sot.srw(*frames, 2, tol=5e-2, method=sot.Chunked(cells=CELLS))
    assert of_frames.names == tuple(f"c{j}" for j in range(D))
    arrays = [frame.to_dask_array(lengths=True) for frame in frames]
    of_arrays = sot.srw(*arrays, 2, tol=5e-2, method=sot.Chunked(cells=CELLS))
    ones = dask_array.ones(N, chunks=1000)
    weighted = sot.srw(*arrays, 2, ones, 3 * ones, tol=5e-2, method=sot.Chunked(cells=CELLS))
    for found in (of_frames, of_arrays, weighted):
        assert found.rows == (N, N)
        assert found.lower <= alone.upper
        assert alone.lower <= found.upper
    renamed = frames[1].rename(columns={"c0": "first"})
    with pytest.raises(ValueError, match="missing in `Y`: 'c0'; missing in `X`: 'first'"):
        sot.srw(frames[0], renamed, 2)
    text = frames[1].assign(c0="text")
    with pytest.raises(TypeError, match=r"`Y` must have numeric columns only; got column 'c0'"):
        sot.srw(frames[0], text, 2)


def test_collections_without_a_client():
    X = np.random.default_rng(0).standard_normal((900, 3))
    x, y = dask_array.from_array(X, chunks=(200, 2)), dask_array.from_array(X + 1, chunks=(300, 3))
    found = sot.srw(x, y, 1, tol=0.5, method=sot.Chunked(cells=64))
    assert found.rows == (900, 900)
    assert found.lower <= 3.0 <= found.upper
    bad = dask_array.from_array(np.where(X > 3, np.nan, X), chunks=(450, 3))
    row, column = np.argwhere(X > 3)[0]
    place = f"in row {row % 450} .*column {column} of partition {row // 450} of `X`"
    with pytest.raises(ValueError, match=place):
        sot.srw(bad, y, 1)
