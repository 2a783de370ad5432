"""Texts as measures: what counts as a word, what a file of vectors must hold, what a direction means."""

import gzip
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import subspaceot as sot
from subspaceot.text import (
    TextMeasure,
    WordVectors,
    count_words,
    nearest_words,
    read_documents,
    read_vectors,
    text_measure,
)
from subspaceot.text.meaning import principal_direction

VEC = "4 2\nthe 9 9\nking 1 0\nhorse 0 1\nqueen 1 0.1\n"


@pytest.fixture
def vec(tmp_path):
    path = tmp_path / "small.vec"
    path.write_text(VEC, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("a horse, a horse!", {"horse": 2}),
        ("Horse horse HORSE", {"horse": 1}),  # a capital letter at the beginning: left out
        ("the king's horse", {"horse": 1}),  # "king's" is another word, and not in the vocabulary
        ("1st horse 22 3horse", {"horse": 1}),  # words with digits
        ("'horse' “queen” horse-", {"horse": 2, "queen": 1}),
        ("o\u2019clock o'clock", {"o'clock": 2}),
        ("horse_king", {"horse": 1, "king": 1}),
        ("", {}),
    ],
)
def test_words_that_count(text, counts):
    assert count_words(text, {"horse", "king", "queen", "o'clock", "1st", "st"}) == Counter(counts)


@pytest.mark.parametrize("zipped", [False, True])
def test_vectors_are_read_by_rank(tmp_path, zipped):
    path = tmp_path / ("v.vec.gz" if zipped else "v.vec")
    with gzip.open(path, "wt") if zipped else path.open("w") as file:
        file.write(VEC)
    vectors = read_vectors(path, skip=1, upto=3)
    assert vectors.words == ("king", "horse")
    np.testing.assert_array_equal(vectors.points, np.eye(2))
    assert "horse" in vectors
    assert "queen" not in vectors
    assert read_vectors(path, skip=0, upto=99).words == ("the", "king", "horse", "queen")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("the 1 2\n", "must begin with a line of two numbers"),
        ("2 2\nthe 1 2\nking 1\n", r"line 3 holds 1"),
        ("2 2\nthe 1 2\nking 1 x\n", r"line 3"),
        ("2 2\nthe 1 2\nking 1 nan\n", "finite"),
        ("1 2\nthe 1 2\n", "more than the 1 most frequent"),
    ],
)
def test_bad_vectors_are_refused(tmp_path, content, message):
    path = tmp_path / "bad.vec"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        read_vectors(path, skip=1)


def test_broken_files_of_vectors_are_refused(tmp_path, vec):
    (tmp_path / "cut.vec.gz").write_bytes(gzip.compress(VEC.encode() * 50)[:-30])
    (tmp_path / "no.vec.gz").write_bytes(VEC.encode())
    (tmp_path / "latin.vec").write_bytes("2 2\ncafé 1 2\n".encode("latin-1"))
    for name, message in (("cut.vec.gz", "whole gzip"), ("no.vec.gz", "whole gzip"), ("latin.vec", "UTF-8")):
        with pytest.raises(ValueError, match=message):
            read_vectors(tmp_path / name, skip=0)
    with pytest.raises(ValueError, match="larger than `skip`"):
        read_vectors(vec, skip=3, upto=3)
    with pytest.raises(ValueError, match="`skip` must be at least 1"):
        read_vectors(vec, skip=-1)


def test_a_text_becomes_a_measure(vec):
    vectors = read_vectors(vec, skip=1)
    measure = text_measure("fairy", "a queen, a horse, the queen, a king and a horse; horse", vectors)
    assert measure.words == ("king", "horse", "queen")  # in the order of their ranks
    np.testing.assert_allclose(measure.weights, [1 / 6, 3 / 6, 2 / 6])
    np.testing.assert_array_equal(measure.points, [[1, 0], [0, 1], [1, 0.1]])
    assert measure.total == 6
    assert measure.most_frequent(2) == ["horse", "queen"]
    with pytest.raises(ValueError, match="'empty'"):
        text_measure("empty", "Horse", vectors)


def test_documents_come_from_files_and_folders(tmp_path):
    (tmp_path / "b.txt").write_text("zwei", encoding="utf-8")
    (tmp_path / "a.txt").write_bytes("\ufeffüber".encode())
    (tmp_path / "other.md").write_text("three")
    assert read_documents([tmp_path]) == {"a": "über", "b": "zwei"}
    assert list(read_documents([tmp_path / "other.md", tmp_path / "a.txt"])) == ["other", "a"]
    with pytest.raises(ValueError, match="different names"):
        read_documents([tmp_path, tmp_path / "a.txt"])
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ValueError, match=r"at least one \.txt"):
        read_documents([empty])
    (tmp_path / "latin.txt").write_bytes("über".encode("latin-1"))
    with pytest.raises(ValueError, match="UTF-8"):
        read_documents([tmp_path / "latin.txt"])


def test_the_main_direction_is_where_the_projected_measure_is_widest():
    points = np.array([[5.0, 0.0, 1.0], [-5.0, 0.0, -1.0], [0.0, 9.0, 0.0], [0.0, -9.0, 0.0]])
    measure = TextMeasure("t", ("a", "b", "c", "d"), points, np.full(4, 0.25), 4)
    plane = np.eye(3)[:, [0, 2]]  # the second axis, widest of all, is not in the subspace
    direction = principal_direction(measure, plane)
    assert abs(direction @ [5.0, 0.0, 1.0]) == pytest.approx(np.sqrt(26.0))


def test_of_both_signs_the_one_with_words_of_the_text():
    words = ("east", "further", "west", "north")
    vectors = WordVectors(words, np.array([[1.0, 0.0], [1.0, 0.1], [-1.0, 0.0], [0.0, 1.0]]))
    for text, nearest in (("east north north", ["east", "further"]), ("west north north", ["west", "north"])):
        measure = text_measure("t", text, vectors)
        assert nearest_words(measure, np.eye(2)[:, :1], vectors, count=2) == nearest


@pytest.mark.slow
@pytest.mark.skipif("SUBSPACEOT_TEXT_DATA" not in os.environ, reason="SUBSPACEOT_TEXT_DATA names no folder")
def test_henry_v_is_told_by_its_french():
    data = Path(os.environ["SUBSPACEOT_TEXT_DATA"])
    vectors = read_vectors(next(data.glob("*.vec.gz")))
    documents = read_documents([data / "plays" / "Rom.txt", data / "plays" / "H5.txt"])
    romeo, henry = (text_measure(name, text, vectors) for name, text in documents.items())
    result = sot.srw(romeo.points, henry.points, 2, romeo.weights, henry.weights, tol=1e-2)
    assert result.converged
    assert set(nearest_words(henry, result.basis, vectors)) >= {"le", "et", "les"}
