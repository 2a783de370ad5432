"""Answers come back from files bit by bit; a file that is damaged, cut off, foreign or newer is one clear error."""

import io
import json
import pickle
import subprocess
import sys
import zipfile
from dataclasses import fields, replace

import numpy as np
import problems
import pytest
import tolerances
from proof import assert_proven, assert_same_bits

import subspaceot as sot
from subspaceot.core.completed import Completed
from subspaceot.core.coupling import Dense, Sparse
from subspaceot.runtime.files import whole_file
from subspaceot.solvers.large.soft import Soft

X, Y, _, A, B = problems.plain()


def again(answer, folder):
    """Return an answer that was saved and loaded."""
    answer.save(folder / "answer.npz")
    return sot.load(folder / "answer.npz")


def small():
    return sot.srw(X[:5], Y[:4], 1)


# The same bits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", problems.NAMED)
def test_a_result_comes_back_bit_by_bit_and_is_proven_again(problem, tmp_path):
    X, Y, k, a, b = problems.NAMED[problem]()
    result = sot.srw(X, Y, k, a, b)
    loaded = again(result, tmp_path)
    assert type(loaded) is sot.Result
    assert_same_bits(loaded, result)
    assert loaded.history == result.history
    assert repr(loaded) == repr(result)
    assert loaded.check() == result.check()
    assert loaded.check().holds
    assert_proven(loaded, X, Y, k, a, b)


@pytest.mark.parametrize(("k", "p"), [(1, 2.0), (1, 1.0), (2, 2.0), (2, 1.5), (3, 3.0)])
def test_projected_results_too(k, p, tmp_path):
    result = sot.prw(X, Y, k, A, B, p=p)
    loaded = again(result, tmp_path)
    assert type(loaded) is sot.ProjectedResult
    assert_same_bits(loaded, result)
    assert (loaded.p, loaded.gradient_norm) == (result.p, result.gradient_norm)
    np.testing.assert_array_equal(loaded.upper_plan.toarray(), result.upper_plan.toarray())
    assert loaded.check().holds


def test_a_plan_that_is_never_formed_comes_back(tmp_path):
    data = sot.instances.fragmented_hypercube(250, 12, 2, 0, rotate=True)
    result = sot.srw(data.X, data.Y, 5, tol=0.2, method=Soft(sample=250))
    assert isinstance(result.coupling, Completed)
    loaded = again(result, tmp_path)
    assert isinstance(loaded.coupling, Completed)
    np.testing.assert_array_equal(loaded.plan, result.plan)
    check = loaded.check()
    assert check.holds
    assert check.upper == pytest.approx(result.upper, rel=tolerances.SAVED)
    assert check.lower == pytest.approx(result.lower, rel=tolerances.SAVED)


def test_all_other_answers(tmp_path):
    path = again(sot.srw_path(X, Y, a=A, b=B, tol=1e-2), tmp_path)
    assert path.elbow() == sot.srw_path(X, Y, a=A, b=B, tol=1e-2).elbow()
    assert all(result.check().holds for result in path.results.values())
    auto = sot.srw(X, Y + 3.0, "auto")
    loaded = again(auto, tmp_path)
    assert repr(loaded.selection) == repr(auto.selection)
    assert str(loaded.summary()) == str(auto.summary())
    answers = [
        sot.pairwise([X, Y, X + 1.0], 2),
        sot.two_sample_test(X, Y, n_permutations=19),
        sot.null_band(X, Y, [1, 2], n_permutations=19),
        sot.select_k(X, Y, n_permutations=19),
        sot.intervals(X, Y, 1, n_splits=5),
    ]
    for answer in answers:
        loaded = again(answer, tmp_path)
        assert type(loaded) is type(answer)
        assert repr(loaded) == repr(answer)
        for field in fields(answer):
            mine, theirs = getattr(answer, field.name), getattr(loaded, field.name)
            if isinstance(mine, np.ndarray):
                assert mine.dtype == theirs.dtype
                np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(
    "labels",
    [
        [10, 20, 30, 40, 50],
        [0.5, 1.5, 2.5, 3.5, float("nan")],
        ["a", "b\0", "größe", "</script>", "x"],
        ["one", 2, 3.5, None, True],
        [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 3)],
    ],
    ids=str,
)
def test_names_and_labels_come_back(labels, tmp_path):
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_tuples(labels) if isinstance(labels[0], tuple) else labels
    names = ["$cost$", "<img onerror=1>", *(f"c{j}" for j in range(X.shape[1] - 2))]
    frame = pandas.DataFrame(X[:5], columns=names, index=index)
    result = sot.srw(frame, pandas.DataFrame(Y, columns=names), 1)
    loaded = again(result, tmp_path)
    assert loaded.names == result.names == tuple(names)
    rows, before = loaded.matches()["row_X"], result.matches()["row_X"]
    assert repr(list(rows)) == repr(list(before))
    assert repr(loaded.features()) == repr(result.features())


def test_times_stay_times_and_other_labels_become_text(tmp_path):
    pandas = pytest.importorskip("pandas")
    days = pandas.date_range("2026-01-01", periods=5)
    loaded = again(sot.srw(pandas.DataFrame(X[:5], index=days), pandas.DataFrame(Y), 1), tmp_path)
    np.testing.assert_array_equal(loaded.problem.frame.index[0], days.to_numpy())
    odd = pandas.Index([frozenset({i}) for i in range(5)])
    loaded = again(sot.srw(pandas.DataFrame(X[:5], index=odd), pandas.DataFrame(Y), 1), tmp_path)
    assert list(loaded.problem.frame.index[0]) == [f"frozenset({{{i}}})" for i in range(5)]


# What is proven again ---------------------------------------------------------------------------------------------


def tampered(result, **changes):
    lower, upper = result.certificate.ends
    certificate = replace(result.certificate, lower=replace(lower, **changes.get("lower", {})))
    return replace(result, certificate=replace(certificate, upper=replace(upper, **changes.get("upper", {}))))


def test_masses_below_0_prove_nothing(tmp_path):
    """More mass stays where it is, and what is then too much is taken from long ways: sums stay, V does not."""
    X = np.array([[0.0], [1.0]])
    result = sot.srw(X, X + 0.5, 1)
    cheating = Dense(np.array([[0.9, -0.4], [-0.4, 0.9]]))
    for plan in (cheating, Sparse(cheating.sparse())):
        claimed = 0.9 * 2 * 0.25 - 0.4 * (2.25 + 0.25)
        scaled = claimed / result.problem.frame.unit
        check = again(tampered(result, upper={"plan": plan, "value": scaled}), tmp_path).check()
        assert claimed < result.lower
        assert not check.holds
        assert check.upper >= result.lower


def test_a_bound_that_is_not_proven_does_not_hold(tmp_path):
    result = sot.srw(X, Y, 2, A, B)
    lower, upper = result.certificate.ends
    larger = 1.02 * lower.value
    false = [
        {"lower": {"value": 1.001 * upper.value}},
        {"upper": {"value": 0.999 * lower.value}},
        {"lower": {"f": lower.f + 0.01 * upper.value, "value": lower.value + 0.01 * upper.value}},
        {"lower": {"factor": 1.01 * lower.factor, "f": 1.02 * lower.f, "g": 1.02 * lower.g, "value": larger}},
        {"upper": {"plan": Dense(upper.plan.dense()[::-1])}},
        {"upper": {"plan": Dense(0.5 * upper.plan.dense())}},
    ]
    assert again(result, tmp_path).check().holds
    for changes in false:
        check = again(tampered(result, **changes), tmp_path).check()
        assert not check.holds, changes
        assert "NOT PROVEN" in repr(check)
        assert check.lower <= result.upper  # what is proven is true, whatever the file says
        assert check.upper >= result.lower


# Files that are not what they should be ------------------------------------------------------------------------------


def test_any_damage_is_one_error_or_harmless(tmp_path):
    """Each byte changed, or the file cut off there: an error that names the file, or the same result."""
    result = small()
    result.save(tmp_path / "good.npz")
    good, bad = (tmp_path / "good.npz").read_bytes(), tmp_path / "bad.npz"
    refused = 0
    for at in range(0, len(good), 41):
        for content in (good[:at], good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]):
            bad.write_bytes(content)
            try:
                loaded = sot.load(bad)
            except ValueError as error:
                assert str(bad) in str(error)  # noqa: PT017
                refused += 1
            else:
                assert len(content) == len(good)
                assert_same_bits(loaded, result)
    assert refused > 1.9 * len(range(0, len(good), 41)) * 0.9


def rewritten(path, target, **members):
    """Write a copy of a file with other arrays in it."""
    with np.load(path) as archive:
        np.savez(target, **{**archive, **members})


def as_array(value):
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def test_what_a_file_may_not_be(tmp_path):
    good, bad = tmp_path / "good.npz", tmp_path / "bad.npz"
    small().save(good)
    newer = {"format": "subspaceot", "version": 2, "kind": "Result", "written_by": "9.0"}
    rewritten(good, bad, header=as_array(newer))
    with pytest.raises(ValueError, match=r"bad\.npz was written by a newer subspaceot \(9\.0\).*pip install --upgrade"):
        sot.load(bad)
    for header in ({**newer, "format": "other", "version": 1}, {**newer, "version": "2"}):
        rewritten(good, bad, header=as_array(header))
        with pytest.raises(ValueError, match=r"bad\.npz is no file that `save` of subspaceot wrote\."):
            sot.load(bad)
    np.savez(bad, X=X)
    with pytest.raises(ValueError, match=r"bad\.npz is damaged .* no file that `save` wrote"):
        sot.load(bad)
    for content in (b"", b"text", pickle.dumps(small()), io.BytesIO().getvalue()):
        bad.write_bytes(content)
        with pytest.raises(ValueError, match=r"bad\.npz is damaged"):
            sot.load(bad)
    with np.load(good) as archive:
        arrays = dict(archive)
    tree = json.loads(arrays["content"].tobytes())
    trees = [
        {"Result": {**tree["Result"], "k": 3}},
        {"Popen": {"args": "true"}},
        {"subprocess.Popen": {"args": "true"}},
        {"Result": {**tree["Result"], "status": {"status": "PERFECT"}}},
        {"Result": {**tree["Result"], "status": "CONVERGED"}},
        {"Result": {**tree["Result"], "history": {"tuple": [1, 2]}}},
        {"array": 10_000},
        [],
    ]
    for other in trees:
        rewritten(good, bad, content=as_array(other))
        with pytest.raises(ValueError, match="does not fit together"):
            sot.load(bad)
    for name in (name for name in arrays if name.startswith("array") and arrays[name].dtype == float):
        rewritten(good, bad, **{name: np.full_like(arrays[name], np.nan)})
        with pytest.raises(ValueError, match="does not fit together"):
            sot.load(bad)
    with pytest.raises(FileNotFoundError):
        sot.load(tmp_path / "none.npz")


def test_nothing_in_a_file_is_executed(tmp_path):
    """An array of pickled objects, whose loading would write a file, is refused unread."""
    small().save(tmp_path / "good.npz")
    target = tmp_path / "executed"

    class Evil:
        def __reduce__(self):
            return (open, (str(target), "w"))

    with np.load(tmp_path / "good.npz") as archive:
        names = [name for name in archive.files if archive[name].size]
    for name in names:
        rewritten(tmp_path / "good.npz", tmp_path / "evil.npz", **{name: np.array([Evil()], dtype=object)})
        with pytest.raises(ValueError, match="damaged"):
            sot.load(tmp_path / "evil.npz")
    assert not target.exists()


def test_a_saved_file_holds_plain_arrays_only(tmp_path):
    small().save(tmp_path / "good.npz")
    with zipfile.ZipFile(tmp_path / "good.npz") as archive:
        assert {name.rpartition(".")[2] for name in archive.namelist()} == {"npy"}
    with np.load(tmp_path / "good.npz", allow_pickle=False) as archive:
        assert {archive[name].dtype.kind for name in archive.files} <= set("bifu")


# Writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("result.json", ValueError, r"`path` must end in \.npz; got '.*result\.json'\."),
        ("folder.npz", ValueError, r"`path` must be the name of a file; .* is a folder\."),
        ("missing/result.npz", ValueError, r"`path` must be in a folder that exists; there is no '.*missing'\."),
        (None, TypeError, r"`path` must be the name of a file; got None\."),
    ],
)
def test_names_that_cannot_be_written(name, kind, said, tmp_path):
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(kind, match=said):
        small().save(None if name is None else tmp_path / name)


def test_what_is_no_answer_is_refused(tmp_path):
    from subspaceot.saving import save

    with pytest.raises(ValueError, match="`answer` must be one of"):
        save(object(), tmp_path / "x.npz")
    result = small()
    unknown = replace(result, reg=complex(1.0))
    with pytest.raises(TypeError, match="What holds a complex cannot be saved"):
        unknown.save(tmp_path / "x.npz")
    assert not list(tmp_path.iterdir())
    with pytest.raises(TypeError, match="`path` must be the name of a file"):
        sot.load(3)


def test_an_interrupted_write_leaves_what_was_there(tmp_path):
    target = tmp_path / "result.npz"
    target.write_bytes(b"before")

    def interrupted():
        with whole_file(target) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert target.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["result.npz"]


def test_a_file_of_version_1_is_read_for_ever(tmp_path):
    """Written by the first version of the layout: whoever renames a field has to keep reading it."""
    from pathlib import Path

    loaded = sot.load(Path(__file__).parent / "version_1.npz")
    assert loaded.names == ("height", "mass")
    assert loaded.check().holds
    assert loaded.lower <= 1.309 <= loaded.upper  # as it was when it was written
    assert loaded.selection is None


def test_loading_brings_no_solver_along(tmp_path):
    small().save(tmp_path / "result.npz")
    code = (
        f"import sys, subspaceot as sot; r = sot.load({str(tmp_path / 'result.npz')!r}); r.lower; print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert not {"matplotlib", "torch", "sklearn", "pandas"} & set(run.stdout.split())
