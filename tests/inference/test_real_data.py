"""Real data: halves of one class are rejected at the nominal rate, classes are told apart by features that differ."""

import re
from pathlib import Path

import pytest
from scipy.stats import binom

import subspaceot as sot
from benchmarks import real_data

pytestmark = pytest.mark.slow

SPLITS = 200
MOST = int(binom.isf(0.01 / 3, SPLITS, real_data.ALPHA))  # a 99 % bound that holds for the three classes together
PAGE = (Path(__file__).parents[2] / "docs" / "inference.md").read_text(encoding="utf-8")
ROUNDING = 2  # splits in which other kernels of the processor may decide otherwise: p-values beside 0.05
DIFFERENT = {
    "malignant and benign tumours": {"worst perimeter", "worst radius", "mean concave points"},
    "wines of class 0 and 1": {"proline", "alcohol", "color_intensity"},
    "T cells and B cells": {"CD74", "CD79A"},  # markers of B cells
}


@pytest.mark.parametrize("name", ["images of a 3", "benign tumours", "wines of class 1"])
def test_halves_of_one_class(name):
    rejected = real_data.rejected_splits(real_data.halves()[name], SPLITS)
    assert rejected <= MOST
    shown = int(re.search(rf"{name}, d=\d+ +(\d+) rejected", PAGE)[1])
    assert abs(rejected - shown) <= ROUNDING


@pytest.mark.parametrize("name", list(DIFFERENT))
def test_two_classes(name):
    samples = real_data.pairs() | real_data.cells()
    if name not in samples:
        pytest.skip("needs scanpy")
    X, Y = samples[name]
    test = sot.two_sample_test(X, Y)
    assert test.p_value == test.smallest_p
    columns = {column for column, _ in real_data.features(test)}
    assert DIFFERENT[name] <= columns
    shown = PAGE.split(f"{name}: p = {test.p_value:.3f}")[1].split("\n")[1 : 1 + real_data.NAMED]
    assert columns == {re.match(r" +(.+?)  ", line)[1] for line in shown}
