"""What follows a step of the ascent: a table with the reason of each row, and what more of something cannot undo."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subspaceot.core.fantope import SoftProjector
from subspaceot.core.problem import Problem
from subspaceot.solvers.cost_model import POLISH_STEPS, SWITCH_REG, Choice, Facts, choose, polish_work
from subspaceot.solvers.directions import Spectrum
from subspaceot.solvers.step import Event

INNER, EXHAUSTED, END = Event.INNER, Event.SUBSPACE_EXHAUSTED, Event.STAGE_END
ASCENT, EXACT, POLISH = Choice.ASCENT, Choice.EXACT, Choice.POLISH

# In 6 directions of 6, at a reg of a hundredth of what the ascent begins with: a polish takes the work of 12.4 steps.
SMALL = Facts(
    n=40,
    m=40,
    r=6,
    k=2,
    tol=1e-3,
    directions=6,
    steps=3,
    reg=0.002,
    cost=1.0,
    expands=False,
    event=Event.INNER,
    failures=0,
)
# A polish takes the work of 23.0 steps here, in 24 directions, and of 174 with all of the 100.
LARGE = replace(SMALL, n=2000, m=2000, r=100, directions=12)

TABLE = [
    ("reg is too large for few candidates", replace(SMALL, steps=1000, reg=0.011), ASCENT),
    ("not even at a stage that ends at once", replace(SMALL, steps=1, reg=0.011, event=END), ASCENT),
    ("at the limit it is small enough", replace(SMALL, steps=1000, reg=0.01), POLISH),
    ("what is small is a share of the cost", replace(SMALL, steps=1000, reg=0.011, cost=2.0), POLISH),
    ("Omega stood still for a whole stage", replace(SMALL, steps=1, event=END), EXACT),
    (
        "exact transport pays where Omega changes directions too",
        replace(SMALL, steps=1, event=END, expands=True),
        EXACT,
    ),
    ("Omega moved in this stage", replace(SMALL, steps=2, event=END), ASCENT),
    ("one step within a stage says nothing", replace(SMALL, steps=1), ASCENT),
    ("nor where directions join", replace(SMALL, steps=1, event=EXHAUSTED), ASCENT),
    ("a projector has directions left", replace(SMALL, steps=1000, expands=True), ASCENT),
    ("at the end of a stage too", replace(SMALL, steps=1000, expands=True, event=END), ASCENT),
    ("few steps have been taken yet", replace(SMALL, steps=12), ASCENT),
    ("as many steps as a polish takes", replace(SMALL, steps=13), POLISH),
    ("the next stage costs about twice this one", replace(SMALL, steps=7, event=END), POLISH),
    ("which was short enough for two", replace(SMALL, steps=6, event=END), ASCENT),
    ("reg is where it will end", replace(SMALL, steps=7, reg=0.001, event=END), ASCENT),
    ("and below it no stage gets cheaper than the last", replace(SMALL, steps=13, reg=1e-5, event=END), POLISH),
    ("a tighter tolerance needs smaller regs", replace(SMALL, steps=2, tol=1e-4, event=END), POLISH),
    ("the ascent is cheaper at n = 2000", replace(LARGE, steps=22), ASCENT),
    ("there, too, it may take too many steps", replace(LARGE, steps=23), POLISH),
    ("more directions make a polish larger", replace(LARGE, steps=23, directions=60), ASCENT),
    ("all directions are as many as there will be", replace(LARGE, steps=25, r=20, directions=20), POLISH),
    ("some of them would ask for others", replace(LARGE, steps=25, directions=20), ASCENT),
    ("as many as there are at most", replace(LARGE, steps=25, r=22, directions=20), POLISH),
    ("one polish failed", replace(SMALL, steps=49, failures=1), ASCENT),
    ("the next one waits four times as long", replace(SMALL, steps=50, failures=1), POLISH),
    ("two polishes failed", replace(SMALL, steps=198, failures=2), ASCENT),
    ("the third waits sixteen times as long", replace(SMALL, steps=199, failures=2), POLISH),
    ("the measures coincide", replace(SMALL, steps=1000, reg=1e-300, cost=0.0), ASCENT),
]


@pytest.mark.parametrize(("facts", "choice"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_what_follows_a_step(facts, choice):
    assert choose(facts) is choice


@st.composite
def any_facts(draw):
    r = draw(st.integers(1, 200))
    return Facts(
        n=draw(st.integers(1, 3000)),
        m=draw(st.integers(1, 3000)),
        r=r,
        k=draw(st.integers(1, r)),
        tol=10.0 ** draw(st.floats(-9.0, -0.5)),
        directions=draw(st.integers(1, r)),
        steps=draw(st.integers(2, 2000)),  # a first step at the end of a stage asks for exact transport
        reg=10.0 ** draw(st.floats(-9.0, 0.0)),
        cost=10.0 ** draw(st.floats(-1.0, 1.0)),
        expands=draw(st.booleans()),
        event=draw(st.sampled_from([INNER, EXHAUSTED, END])),
        failures=draw(st.integers(0, 5)),
    )


@given(any_facts(), st.integers(1, 1000))
def test_more_steps_never_speak_for_the_ascent(facts, more):
    assert choose(facts) is ASCENT or choose(replace(facts, steps=facts.steps + more)) is POLISH


@given(any_facts(), st.integers(1, 100))
def test_more_directions_never_speak_for_a_polish(facts, more):
    assert choose(facts) is POLISH or choose(replace(facts, directions=facts.directions + more)) is ASCENT


@given(any_facts(), st.integers(1, 5))
def test_failures_never_speak_for_a_polish(facts, more):
    assert choose(facts) is POLISH or choose(replace(facts, failures=facts.failures + more)) is ASCENT


@given(any_facts())
def test_a_tighter_tolerance_never_speaks_for_the_ascent(facts):
    assert choose(facts) is ASCENT or choose(replace(facts, tol=facts.tol / 10.0)) is POLISH


@given(any_facts(), st.floats(0.1, 10.0))
def test_units_do_not_matter(facts, unit):
    """Unless the comparison is decided by rounding."""
    if facts.reg == pytest.approx(SWITCH_REG * facts.cost) or facts.event is END:
        return
    assert choose(facts) is choose(replace(facts, reg=unit * facts.reg, cost=unit * facts.cost))


@given(any_facts())
def test_the_ascent_is_given_up_only_after_the_work_of_a_polish(facts):
    """Within a stage: no more than twice the work of the better choice is done, whatever was left."""
    if choose(replace(facts, event=INNER)) is POLISH:
        assert facts.steps * facts.n * facts.m > polish_work(facts)


@given(any_facts())
def test_a_polish_takes_both_bounds_at_each_step(facts):
    assert polish_work(facts) > 2 * POLISH_STEPS * facts.n * facts.m


# --- facts ----------------------------------------------------------------------------------------------------------


def step(eigenvalues, event, reg=0.1):
    return SimpleNamespace(
        omega=SoftProjector(np.diag(eigenvalues), np.eye(5)[:, : len(eigenvalues)]), event=event, reg=reg
    )


def test_facts_count_the_steps_since_something_changed():
    X, Y = np.random.default_rng(0).standard_normal((2, 9, 5))
    facts = Facts.of(Problem.of(X, Y[:7], 2), 1e-3)
    assert (facts.n, facts.m, facts.r, facts.k, facts.tol) == (9, 7, 5, 2, 1e-3)
    spectrum, counts = Spectrum.of(np.diag([5.0, 4.0, 3.0, 2.0, 1.0]), 2), []
    for event in (INNER, INNER, END, INNER, EXHAUSTED, INNER, INNER, END, END, END):
        facts = facts.after(step([1.0, 1.0], event), spectrum)
        counts.append(facts.steps)
    assert counts == [1, 2, 3, 1, 2, 1, 2, 3, 1, 1]
    assert (facts.cost, facts.reg, facts.event) == (9.0, 0.1, END)


@pytest.mark.parametrize(
    ("eigenvalues", "expands"),
    [
        ([1.0, 1.0, 0.0], True),
        ([1.0, 0.97, 0.03], True),  # nearly a projector
        ([1.0, 0.5, 0.5], False),
        ([1.0, 1.0, 0.0, 0.0, 0.0], False),  # no directions left
    ],
)
def test_facts_know_a_projector_with_directions_left(eigenvalues, expands):
    X, Y = np.random.default_rng(0).standard_normal((2, 9, 5))
    facts = Facts.of(Problem.of(X, Y, 2), 1e-3)
    facts = facts.after(step(eigenvalues, INNER), Spectrum.of(np.eye(5), 2))
    assert facts.expands == expands
    assert facts.directions == len(eigenvalues)
