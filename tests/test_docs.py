"""README tells the truth: its code runs, its output is what comes out, its tables name what exists."""

import contextlib
import io
import math
import os
import re
import subprocess
import sys
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from subspaceot import Pairwise, ProjectedResult, Result, Status
from subspaceot.solvers import BY_NAME

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [(match[1], match[2]) for match in re.finditer(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)]

RUN_EXAMPLE = '.venv/bin/pip install -q ".[examples]" && .venv/bin/python examples/compare_digits.py'
RUN_TESTS = '.venv/bin/pip install -q -e ".[test]" && .venv/bin/pytest -n 2'

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
# What depends on the machine, or on rounding, by more than its last digits.
VARIES = re.compile(r"(?<=gap )\S+(?=,)|(?<=gradient )[^\s)]+|(?<=after )\d+(?= iterations)|\d[\d.]*(?= s\b)")

# Relative. A certified interval may lie anywhere within `tol` = 1e-3; single points and pixels vary more than sums.
CLOSE = 0.02


def test_readme_has_both_commands():
    commands = [text.strip() for language, text in BLOCKS if language == "bash"]
    assert f"python3 -m venv .venv && {RUN_EXAMPLE}" in commands
    assert f"python3 -m venv .venv && {RUN_TESTS}" in commands


def test_example_prints_what_readme_shows():
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # tests run side by side: more would wait for each other
    command = [sys.executable, "examples/compare_digits.py"]
    run = subprocess.run(command, cwd=ROOT, env=one_thread, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert_same_text(run.stdout, shown_after(RUN_EXAMPLE))


def test_readme_code_prints_what_readme_shows():
    codes = [text for language, text in BLOCKS if language == "python"]
    assert len(codes) >= 2
    names: dict[str, object] = {}
    for code in codes:  # later blocks use the names of earlier ones, as a reader would
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), names)
        assert_same_text(printed.getvalue(), shown_after(code))


def test_readme_names_every_attribute_of_a_result():
    public = {name for name in [*vars(Result), *(field.name for field in fields(Result))] if not name.startswith("_")}
    internal = {"problem", "certificate"}
    assert first_column("attribute") == public - internal


def test_readme_names_every_attribute_of_a_pairwise():
    public = {name for name in [*vars(Pairwise), *(field.name for field in fields(Pairwise))] if name[0] != "_"}
    assert first_column("of a `Pairwise`") == public


def test_readme_names_every_attribute_of_a_projected_result():
    public = {*vars(ProjectedResult), *(field.name for field in fields(ProjectedResult))}
    known = {*vars(Result), *(field.name for field in fields(Result)), "ceiling"}
    assert first_column("of a `ProjectedResult`") == {name for name in public - known if name[0] != "_"}


def test_readme_names_every_method():
    assert first_column("method") == {f'"{name}"' for name in BY_NAME}


def test_readme_names_every_status():
    assert first_column("status") == {status.name for status in Status}


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [
        ("distance 27.009 in 0.8 s\n", "distance 27.01 in 6.1 s\n", True),
        ("gap 9.4e-04, CONVERGED after 19 iterations", "gap 1.2e-04, CONVERGED after 21 iterations", True),
        ("[8.2187, 8.2258]", "[8.2191, 8.2260]", True),
        ("distance 27.9", "distance 27.01", False),
        ("distance 27.0 one", "distance 27.0 two", False),
        ("one\ntwo", "one", False),
    ],
)
def test_comparison_of_outputs(printed, shown, same):
    if same:
        assert_same_text(printed, shown)
    else:
        with pytest.raises(AssertionError):
            assert_same_text(printed, shown)


def shown_after(text):
    """Return the text block that follows the first block that holds `text`."""
    at = next(i for i, (_, block) in enumerate(BLOCKS) if text in block)
    language, shown = BLOCKS[at + 1]
    assert language == "text"
    return shown


@cache
def tables():
    """Return the tables of README: for the title of its first column, the code in the cells below."""
    found = {}
    for table in re.findall(r"^\|.*?\n(?!\|)", README, re.MULTILINE | re.DOTALL):
        title, _, *cells = [line.split("|")[1].strip() for line in table.splitlines()]
        found[title] = cells
    return found


def first_column(title):
    """Return the names in the first column of a table, without the arguments of a method."""
    codes = [code for cell in tables()[title] for code in re.findall(r"`(.+?)`", cell)]
    assert len(codes) == len(set(codes))
    return {re.sub(r"\(.*\)", "", code) for code in codes}


def assert_same_text(printed, shown):
    """Assert that two outputs agree but for times, step counts and the last digits of numbers."""
    printed, shown = (VARIES.sub("~", text.strip()) for text in (printed, shown))
    assert NUMBER.sub("#", printed).split() == NUMBER.sub("#", shown).split()
    numbers = zip(NUMBER.findall(printed), NUMBER.findall(shown), strict=True)
    different = [(p, s) for p, s in numbers if not agree(p, s)]
    assert not different


def agree(printed, shown):
    """Whether two numbers agree: counts and indices exactly, measured ones closely."""
    if "." in printed or "." in shown:
        return math.isclose(float(printed), float(shown), rel_tol=CLOSE)
    return printed == shown
