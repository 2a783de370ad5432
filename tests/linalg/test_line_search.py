"""The line search keeps what it promises, on functions of all kinds."""

import numpy as np
import pytest

from subspaceot.linalg.forcing import FORCING
from subspaceot.linalg.line_search import ARMIJO, Trial, line_search

FUNCTIONS = {
    "parabola": (lambda t: (t - 0.3) ** 2, lambda t: 2 * (t - 0.3)),
    "far minimum": (lambda t: (t - 30.0) ** 2, lambda t: 2 * (t - 30.0)),
    "near minimum": (lambda t: (t - 1e-5) ** 2, lambda t: 2 * (t - 1e-5)),
    "crease": (lambda t: abs(t - 0.01) - 0.1 * t, lambda t: np.sign(t - 0.01) - 0.1),
    "wave": (lambda t: -np.sin(40 * t), lambda t: -40 * np.cos(40 * t)),
}


def trials_of(value, slope, trials):
    def along(length):
        trials.append(length)
        return Trial(value(length), slope(length), length)

    return along


@pytest.mark.parametrize("name", FUNCTIONS)
def test_armijo_holds_at_the_length_that_is_returned(name):
    value, slope = FUNCTIONS[name]
    trials = []
    length, trial = line_search(trials_of(value, slope, trials), value(0.0), slope(0.0))
    assert trial.point == length == trials[-1]
    assert trial.value == value(length)
    assert trial.value <= value(0.0) + ARMIJO * length * slope(0.0)
    ratios = np.array(trials[1:]) / np.array(trials[:-1])
    assert np.all((ratios >= FORCING * (1 - 1e-15)) & (ratios <= 0.5))
    assert trials[0] == 1.0


def test_a_flat_end_is_enough_where_values_are_not_to_be_relied_upon():
    def along(length):
        return Trial(1e-3, 2 * (length - 1.05), None)  # a parabola whose value is wrong

    length, _ = line_search(along, 0.0, -2.1, flat=0.1)
    assert length == 1.0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite_are_too_long_steps(bad):
    def along(length):
        return Trial(bad, bad, None) if length > 0.2 else Trial(-length, -1.0, None)

    length, trial = line_search(along, 0.0, -1.0)
    assert length <= 0.2
    assert trial.value == -length


def test_a_rise_all_along_ends_the_search():
    trials = []
    _, trial = line_search(trials_of(lambda t: t, lambda t: 1.0, trials), 0.0, -1.0)
    assert trial.value > 0.0
    assert len(trials) < 60
