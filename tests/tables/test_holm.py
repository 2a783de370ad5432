"""Holm's correction, against values worked out by hand."""

import numpy as np
import pytest

from subspaceot.tables.holm import holm
from subspaceot.tables.pair_tests import enough_labellings


@pytest.mark.parametrize(
    ("given", "corrected"),
    [
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),  # 3 * .01, then 2 * .03 which also bounds 1 * .04
        ([0.01, 0.02, 0.03, 0.005], [0.03, 0.04, 0.04, 0.02]),
        ([0.5, 0.4, 0.9], [1.0, 1.0, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.001, 0.8, 0.04, 0.012], [0.004, 0.8, 0.08, 0.036]),
    ],
)
def test_by_hand(given, corrected):
    before = list(given)
    assert holm(given) == pytest.approx(corrected)
    assert given == before


def test_between_the_p_values_and_bonferroni_and_in_the_same_order():
    p = np.random.default_rng(0).random(50) ** 3
    corrected = holm(p)
    assert np.all(corrected >= p)
    assert np.all(corrected <= np.minimum(50 * p, 1.0))
    assert np.all(np.diff(corrected[np.argsort(p)]) >= 0.0)


def test_enough_labellings_let_every_pair_reach_alpha():
    for count in (2, 10, 11, 20, 40):
        B, pairs = enough_labellings(count, 0.05), count * (count - 1) // 2
        assert B >= 999
        assert pairs / (1 + B) <= 0.05 + 1e-12
        assert B == 999 or pairs / B > 0.05
