"""Real data: halves of one class are rejected at the nominal rate, classes are told apart by features that differ."""

import pytest
from scipy.stats import binom

import subspaceot as sot
from benchmarks import real_data

pytestmark = pytest.mark.slow

SPLITS = 200
MOST = int(binom.isf(0.01 / 3, SPLITS, real_data.ALPHA))  # a 99 % bound that holds for the three classes together
DIFFERENT = {
    "malignant and benign tumours": {"worst perimeter", "worst radius", "mean concave points"},
    "wines of class 0 and 1": {"proline", "alcohol", "color_intensity"},
}


@pytest.mark.parametrize("name", ["images of a 3", "benign tumours", "wines of class 1"])
def test_halves_of_one_class(name):
    assert real_data.rejected_splits(real_data.halves()[name], SPLITS) <= MOST


@pytest.mark.parametrize("name", list(DIFFERENT))
def test_two_classes(name):
    X, Y = real_data.pairs()[name]
    test = sot.two_sample_test(X, Y)
    assert test.p_value == test.smallest_p
    assert DIFFERENT[name] <= {column for column, _ in real_data.features(test)}
