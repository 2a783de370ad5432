"""How reg falls: strictly, no faster than its settings allow, and to where the tolerance is predicted to be met."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subspaceot.solvers.schedule import Schedule

ROUNDING = 1e-12  # of numbers that were multiplied a few times

positive = st.floats(1e-9, 1e9)


@st.composite
def schedules(draw):
    """Return settings with 0 < decay <= target < 1."""
    decay, target = sorted(draw(st.floats(0.01, 0.95)) for _ in range(2))
    return Schedule(first=draw(st.floats(1e-3, 1.0)), decay=decay, target=target)


@given(schedules(), positive, positive, positive, positive)
def test_reg_falls_strictly_and_not_below_the_steepest(schedule, reg, blur, gap, allowed):
    following = schedule.next_reg(reg, blur, gap, allowed)
    assert 0.0 < following <= schedule.target * reg < reg
    assert following >= schedule.steepest * reg * (1.0 - ROUNDING)


@given(schedules(), positive, positive, positive, st.floats(0.0, 1.0))
def test_the_predicted_reg_is_reached_in_one_fall_where_it_is_near(schedule, reg, blur, gap, share):
    ratio = schedule.steepest + share * (schedule.target - schedule.steepest)
    predicted = ratio * reg  # where blur and gap make up the target's share of what is allowed
    allowed = predicted * (blur + gap) / schedule.target
    following = schedule.next_reg(reg, blur, gap, allowed * (1.0 + ROUNDING))
    assert following == pytest.approx(predicted, rel=10 * ROUNDING)
    assert (blur + gap) * following <= schedule.target * allowed * (1.0 + 10 * ROUNDING)


@given(schedules(), positive, positive, positive, st.floats(0.0, 0.999))
def test_reg_falls_by_the_usual_share_where_the_predicted_one_is_far(schedule, reg, blur, gap, share):
    allowed = share * schedule.steepest * reg * (blur + gap) / schedule.target
    assert schedule.next_reg(reg, blur, gap, allowed) == schedule.decay * reg


@given(schedules(), positive, positive, positive, st.floats(0.0, 1e3))
def test_reg_falls_even_where_the_tolerance_seems_met(schedule, reg, blur, gap, more):
    allowed = (1.0 + more) * reg * (blur + gap)
    assert schedule.next_reg(reg, blur, gap, allowed) == pytest.approx(schedule.target * reg, rel=ROUNDING)


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        (1e-4, 0.3),  # predicted 9e-5: far, one usual fall
        (0.099, 0.3),  # predicted 0.0891: just too far
        (0.12, 0.108),  # near enough: there in one fall
        (0.5, 0.45),  # a shorter fall than the usual one suffices
        (2.0, 0.9),  # the prediction was wrong, or the stage would have been the last
    ],
)
def test_falls_of_the_default_schedule(allowed, expected):
    assert Schedule().next_reg(1.0, blur=0.6, gap=0.4, allowed=allowed) == pytest.approx(expected)


@given(schedules(), positive, st.floats(1e-6, 0.1))
def test_stages_end_at_the_predicted_reg(schedule, cost, tol):
    """With a blur and a gap of so many reg, the last stage is the first whose sum of both is within the tolerance."""
    blur, gap, reg, falls = 0.6, 0.4, schedule.first * cost, 0
    while (blur + gap) * reg > tol * cost:
        reg = schedule.next_reg(reg, blur, gap, tol * cost)
        falls += 1
    assert falls == 0 or (blur + gap) * reg >= schedule.steepest * schedule.target * tol * cost * (1.0 - ROUNDING)
