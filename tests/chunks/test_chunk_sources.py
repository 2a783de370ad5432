"""Files, datasets, arrays on disk and Dask collections: read in chunks of bounded memory, nothing rounded."""

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.chunks import arrays, datasets, front, opened, source

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

NAMES = ("height", "mass", "age")


def table(values, names=NAMES, **more):
    return pa.table({**dict(zip(names, values.T, strict=True)), **more})


def written(path, values, names=NAMES, *, rows=100, **more):
    pq.write_table(table(values, names, **more), path, row_group_size=rows)
    return str(path)


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of 64 rows and pieces of a few, so that small data come in many."""
    for module in (source, arrays, datasets):
        if hasattr(module, "block_rows"):
            monkeypatch.setattr(module, "block_rows", lambda d: 64)
    monkeypatch.setattr(datasets, "_PIECE_ROWS", 150)


def values(n=1000, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)).astype(np.float32)


def read(given, weights=None):
    found = opened.as_source(given, weights, "X", "a")
    blocks = [block for piece in found.pieces() for block in piece.blocks()]
    assert all(len(block) <= 64 for block in blocks)
    points = np.concatenate([block.points for block in blocks])
    assert points.dtype == np.float64
    return found, blocks, points


def test_every_source_gives_its_rows(tmp_path, small_blocks):
    X = values()
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    written(tmp_path / "folder" / "a.parquet", X[:300])
    written(tmp_path / "folder" / "inner" / "b.parquet", X[300:])
    (tmp_path / "folder" / "_SUCCESS").write_text("")
    one = written(tmp_path / "one.parquet", X)
    import pyarrow.dataset

    given = [one, tmp_path / "folder", tmp_path / "x.npy", np.load(tmp_path / "x.npy", mmap_mode="r"), X]
    given.append(pyarrow.dataset.dataset([one]))
    given.append(pyarrow.dataset.dataset(table(X)))
    given.append(np.asfortranarray(X))
    for each in given:  # in pieces where the source knows parts of itself
        found, blocks, points = read(each)
        assert (points == X).all()
        assert found.rows == 1000
        assert len(found.pieces()) > 1 or "InMemory" in type(each).__name__
        assert found.d == 3
        firsts = {}
        for block in blocks:  # each says where in its file it begins
            assert block.first == firsts.get(block.file, 0)
            firsts[block.file] = block.first + len(block)


def test_arrays_on_disk_are_sent_by_name(tmp_path):
    import pickle

    X = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (5000, 20))
    X[:] = values(5000, 20)
    piece = opened.as_source(X, None, "X", "a").pieces()[0]
    sent = pickle.dumps(piece)
    assert len(sent) < 2000
    assert (next(pickle.loads(sent).blocks()).points == X).all()
    part = opened.as_source(X[100:200], None, "X", "a").pieces()[0]
    assert (next(part.blocks()).points == X[100:200]).all()


def test_columns_of_weights(tmp_path, small_blocks):
    X, w = values(), np.random.default_rng(1).random(1000)
    path = written(tmp_path / "x.parquet", X, w=w)
    found, blocks, points = read(path, "w")
    assert found.labels == NAMES
    assert (points == X).all()
    assert (np.concatenate([block.weights for block in blocks]) == w).all()
    _, blocks, _ = read(X, w)
    assert (np.concatenate([block.weights for block in blocks]) == w).all()


def test_small_data_are_read_into_memory(tmp_path):
    X, Y = values(150), values(200, seed=1) + 1
    first, second = written(tmp_path / "x.parquet", X), written(tmp_path / "y.parquet", Y[:, ::-1], NAMES[::-1])
    result = sot.srw(first, second, 1)
    assert isinstance(result, sot.Result)
    same = sot.srw(X.astype(float), Y.astype(float), 1)
    assert (result.lower, result.upper) == (same.lower, same.upper)
    assert result.names == NAMES
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "y.npy", Y)
    mapped = [np.load(tmp_path / name, mmap_mode="r") for name in ("x.npy", "y.npy")]
    assert sot.wasserstein(*mapped).upper == sot.wasserstein(first, second).upper
    weighted = sot.srw(first, second, 1, "mass", "mass") if (X[:, 1] >= 0).all() else None
    assert weighted is None


def test_columns_are_matched_by_name(tmp_path):
    X = np.abs(values(300))
    first = written(tmp_path / "x.parquet", X)
    turned = written(tmp_path / "y.parquet", X[:, ::-1] + np.float32(1), NAMES[::-1])
    chunked = sot.Chunked()
    result = sot.srw(first, turned, 3, method=chunked)
    assert result.names == NAMES
    assert result.means[1] - result.means[0] == pytest.approx(np.ones(3), abs=1e-6)
    renamed = written(tmp_path / "z.parquet", X, ("height", "weight", "age"))
    with pytest.raises(
        ValueError, match=r"must have the same columns; missing in `Y`: 'mass'; missing in `X`: 'weight'"
    ):
        sot.srw(first, renamed, 1, method=chunked)
    (tmp_path / "folder").mkdir()
    written(tmp_path / "folder" / "a.parquet", X)
    written(tmp_path / "folder" / "b.parquet", X, ("height", "weight", "age"))
    with pytest.raises(ValueError, match=r"same columns.*missing in .*b\.parquet`: 'mass'"):
        sot.srw(first, tmp_path / "folder", 1)
    with pytest.raises(ValueError, match=r"`a` names no column: 'w'.*'height', 'mass', 'age'"):
        sot.srw(first, turned, 1, "w")
    weighted = sot.srw(first, turned, 1, "mass", "mass", method=chunked)
    assert weighted.names == ("height", "age")


@pytest.mark.parametrize("chunked", [False, True])
def test_what_is_not_finite_names_its_file_and_row(tmp_path, chunked, small_blocks):
    X = values()
    X[777, 1] = np.nan
    options = {"method": sot.Chunked()} if chunked else {}
    good = written(tmp_path / "good.parquet", values())
    (tmp_path / "folder").mkdir()
    written(tmp_path / "folder" / "a.parquet", X[:500])
    bad = written(tmp_path / "folder" / "b.parquet", X[500:])
    with pytest.raises(ValueError, match=rf"`Y` must hold finite.* NaN in row 277 .*column 'mass' of {bad}"):
        sot.srw(good, tmp_path / "folder", 1, **options)
    with_null = table(values()).set_column(0, "height", pa.array([*map(float, values()[:-1, 0]), None]))
    pq.write_table(with_null, tmp_path / "null.parquet")
    with pytest.raises(ValueError, match=r"missing values; got one in row 999 .*'height' of .*null.parquet"):
        sot.srw(good, tmp_path / "null.parquet", 1, **options)
    np.save(tmp_path / "x.npy", X)
    with pytest.raises(ValueError, match=r"NaN in row 777 .* column 1 of .*x.npy"):
        sot.srw(np.load(tmp_path / "x.npy", mmap_mode="r"), values(), 1, **options)
    weighted = written(tmp_path / "w.parquet", values(), w=np.r_[np.ones(998), -1.0, 1.0])
    with pytest.raises(ValueError, match=r"weights of `X` must be .* -1.0 in row 998 .*w.parquet"):
        sot.srw(weighted, good, 1, "w", **options)


def test_what_cannot_be_read_is_refused(tmp_path):
    X = values(50)
    good = written(tmp_path / "x.parquet", X)
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.feather").write_text("")
    (tmp_path / "bad.parquet").write_text("no parquet")
    text = written(tmp_path / "text.parquet", X, label=["a"] * 50)
    big = written(tmp_path / "big.parquet", X, id=np.full(50, 2**53 + 1))
    for path, kind, message in [
        (tmp_path / "none.parquet", ValueError, "does not exist"),
        (tmp_path / "empty", ValueError, "folder without Parquet files"),
        (tmp_path / "x.feather", ValueError, "ends otherwise"),
        (tmp_path / "bad.parquet", ValueError, "no readable Parquet"),
        (text, TypeError, "column 'label' of type string"),
    ]:
        with pytest.raises(kind, match=message):
            sot.srw(path, good, 1)
    with pytest.raises(ValueError, match=r"9007199254740993 in row 0 .*'id' of .*big.parquet"):
        sot.srw(big, big, 1)
    chunked = sot.Chunked()
    with pytest.raises(ValueError, match="`X` and `Y` must have the same number of columns"):
        sot.srw(X, values(50, 4), 1, method=chunked)
    with pytest.raises(ValueError, match="one weight for each of the 50 rows of `X`; got shape"):
        sot.srw(X, X, 1, np.ones(3), method=chunked)
    with pytest.raises(ValueError, match="`a` must be an array"):
        sot.srw(X, X, 1, "w", method=chunked)
    with pytest.raises(ValueError, match="`a` must be the name of a column"):
        sot.srw(good, good, 1, np.ones(50))
    with pytest.raises(ValueError, match="`X` must hold at least one row"):
        sot.srw(X[:0], X, 1, method=chunked)
    with pytest.raises(ValueError, match="positive sum"):
        sot.srw(X, X, 1, np.zeros(50), method=chunked)
    with pytest.raises(ValueError, match="`k` must be between 1 and the dimension d=3"):
        sot.srw(X, X, 4, method=chunked)
    for option in ({"reg": 0.1}, {"init": np.eye(3)}):
        with pytest.raises(ValueError, match="must be left out for data in chunks"):
            sot.srw(X, X, 1, method=chunked, **option)
    with pytest.raises(ValueError, match="`k` must be left out"):
        sot.srw(X, X, "auto", method=chunked)


def test_what_is_large_stays_on_disk(monkeypatch, tmp_path):
    monkeypatch.setattr(front, "_LOADED", 1e-9)
    X = values(400)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert isinstance(sot.srw(mapped, X + 1, 1, tol=0.5), sot.ChunkedResult)
    with pytest.raises(ValueError, match="`method` must be left out for data in chunks; got 'quasi-newton'"):
        sot.srw(mapped, X, 1, method="quasi-newton")


@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        ({"memory": 0}, ValueError, "`memory` must be positive"),
        ({"memory": 1e6}, ValueError, r"`memory` must be at least 5e\+07 bytes"),
        ({"memory": "1GB"}, TypeError, "`memory` must be a real number"),
        ({"cells": 1000}, ValueError, "`cells` must be a power of two"),
        ({"cells": 2.0}, TypeError, "`cells` must be an integer"),
        ({"progress": 1}, TypeError, "`progress` must be True or False"),
        ({"seed": -1}, ValueError, "`seed` must not be a negative"),
    ],
)
def test_settings_are_checked_at_once(settings, kind, message):
    with pytest.raises(kind, match=message):
        sot.Chunked(**settings)
