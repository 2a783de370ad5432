"""README and the site tell the truth: code runs, its output is what comes out, tables name what exists."""

import contextlib
import doctest
import importlib.util
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

import subspaceot
from subspaceot import Pairwise, ProjectedResult, Result, Status
from subspaceot.cli._main import _COMMANDS
from subspaceot.core.shown import Shown
from subspaceot.presented import Presented
from subspaceot.solvers import BY_NAME

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]}
OPTIONAL = re.compile(r"^(?:import|from) (torch|jax|anndata|scanpy)\b", re.MULTILINE)  # packages of fronts


def blocks(text):
    """Return language and content of the code blocks of a page."""
    return [(match[1], match[2]) for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


BLOCKS = blocks(README)

RUN_DEMO = '.venv/bin/pip install -q ".[cli]" && .venv/bin/subspaceot demo'
RUN_TESTS = '.venv/bin/pip install -q -e ".[test]" && .venv/bin/pytest -n 2'

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
# What depends on the machine, or on rounding, by more than its last digits: steps, times, widths, and, where several
# rows move almost as far, which of them comes first and how a plan within the interval splits it.
VARIES = re.compile(
    r"(?<=gap )\S+(?=,)|(?<=gradient )[^\s)]+|(?<=after )\d+(?= iterations)|\d[\d.]*(?= s\b)|(?<=width at most )\S+"
    r"|\brow \d+ +\d[\d.]* +row \d+ \(\d+% of it\)|\d+% of it"
)

ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # tests run side by side: more would wait for each other

# Relative. A certified interval may lie anywhere within `tol` = 1e-3; single points and pixels vary more than sums.
CLOSE = 0.02


def test_readme_has_both_commands():
    commands = [text.strip() for language, text in BLOCKS if language == "bash"]
    assert f"python3 -m venv .venv && {RUN_DEMO}" == commands[0]
    assert f"python3 -m venv .venv && {RUN_TESTS}" in commands


def test_demo_prints_what_readme_shows(tmp_path):
    printed = in_shell(["subspaceot demo"], tmp_path)
    whole = shown_after(RUN_DEMO, PAGES["start"])
    assert_same_text(printed[0], whole)
    assert whole.startswith(shown_after(RUN_DEMO))  # README shows how it begins


def example(name):
    """Return what an example prints."""
    command = [sys.executable, f"examples/{name}.py"]
    run = subprocess.run(command, cwd=ROOT, env=ONE_THREAD, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_example_of_digits():
    bounds = re.search(r"S_2: ([\d.]+), solver bounds ([\d.]+) to ([\d.]+)", example("compare_digits"))
    distance, low, high = map(float, bounds.groups())
    assert low <= distance <= high


def test_example_of_a_correlation_that_flips():
    alone, together = example("flipped_correlation").split("All sensors together")
    p_values = [float(p) for p in re.findall(r"p = ([\d.]+)", alone)]
    assert len(p_values) == 16
    assert min(p_values) > 0.05  # nothing, even without a correction for there being sixteen
    assert float(re.search(r"p = ([\d.]+)", together)[1]) <= 0.001
    assert {name for name, _ in re.findall(r"^  (\w+) +([\d.]+)%", together, re.M)[:2]} == {"temperature", "pressure"}


def test_every_example_is_in_the_gallery():
    order = (ROOT / "examples" / "order.txt").read_text(encoding="utf-8").split()
    assert sorted(order) == sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [path.stem for path in sorted((ROOT / "examples").glob("*.py"))])
def test_every_example_runs(name):
    code = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    for package in OPTIONAL.findall(code):
        pytest.importorskip(package)
    assert example(name).strip()


def test_every_page_can_be_reached():
    toctrees = re.findall(r"^```{toctree}\n(.*?)^```$", "".join(PAGES.values()), re.MULTILINE | re.DOTALL)
    assert set(PAGES) - {"README", "index"} <= set(" ".join(toctrees).split())


API = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.rst")}


def described():
    """Return what the API pages describe: its full name, and the part of a page that is about it."""
    found = {}
    for page in API.values():
        module = ""
        for part in re.split(r"^(?=\.\. (?:py:|auto))", page, flags=re.MULTILINE)[1:]:
            kind, name = re.match(r"\.\. ([\w:]+):: ([\w.]+)", part).groups()
            opens_module = kind in ("py:module", "py:currentmodule")
            module = name if opens_module else module
            found[name if opens_module else f"{module}.{name}"] = part
    return found


def test_api_describes_every_public_name():
    public = {f"subspaceot.{name}" for name in subspaceot.__all__}
    public |= {f"subspaceot.solvers.{type(solver).__name__}" for solver in BY_NAME.values()}
    public |= {f"subspaceot.fantope.{name}" for name in subspaceot.fantope.__all__}
    for module in (subspaceot.geodesic, subspaceot.instances, subspaceot.planar):
        own = {name for name, value in vars(module).items() if is_own(value, module)} - {"annulus_radius"}
        public |= {f"{module.__name__}.{name}" for name in own}
    assert public <= set(described())


def is_own(value, module):
    """Whether a value is defined in a module and public."""
    return getattr(value, "__module__", "") == module.__name__ and not value.__name__.startswith("_")


@pytest.mark.parametrize("name", sorted(API))
def test_examples_of_the_api_pages(name):
    assert doctest.testfile(str(ROOT / "docs" / "api" / f"{name}.rst"), module_relative=False).failed == 0


def test_every_name_of_the_api_has_an_example():
    missing = {name for name, part in described().items() if not has_example(name, part)}
    assert not missing


def has_example(name, part):
    """Whether there is an example where the API describes a name, or in its docstring."""
    module, _, last = name.rpartition(".")
    if ">>>" in part or part.startswith((".. py:module", ".. py:currentmodule")):
        return True
    try:
        return ">>>" in (getattr(importlib.import_module(module), last).__doc__ or "")
    except ImportError:  # a front whose package is missing
        return True


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if "\n```console\n" in page])
def test_console_blocks_show_what_comes_out(name, tmp_path):
    page = PAGES[name]
    sessions = [
        re.split(r"^\$ ", text, flags=re.MULTILINE)[1:] for language, text in blocks(page) if language == "console"
    ]
    calls = [call.split("\n", 1) for session in sessions for call in session]
    assert any(command.startswith("subspaceot") for command, _ in calls)
    printed = in_shell([command for command, _ in calls], tmp_path)
    for (_, shown), text in zip(calls, printed, strict=True):
        assert_same_text(text, shown)


def test_readme_fits_on_three_screens():
    assert len(README.splitlines()) <= 200


def test_every_command_is_in_readme():
    assert first_column("command") == {f"subspaceot {name}" for name in _COMMANDS}


def in_shell(commands, folder):
    """Return what each command prints, stderr included as on a terminal, one after another in one folder."""
    programs = folder / "bin"
    programs.mkdir()
    for name, call in (("subspaceot", "-m subspaceot"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
        (programs / name).chmod(0o755)
    environment = {**ONE_THREAD, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    printed = []
    for command in commands:
        options = {"shell": True, "cwd": folder, "env": environment, "text": True}
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        assert run.returncode == 0, run.stdout
        printed.append(run.stdout)
    return printed


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if "\n```python\n" in page])
def test_code_prints_what_the_page_shows(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for what a page writes
    page = runnable(PAGES[name])
    codes = [text for language, text in blocks(page) if language == "python"]
    names: dict[str, object] = {}
    for code in codes:  # later blocks use the names of earlier ones, as a reader would
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "page", "exec"), names)
        if printed.getvalue():
            assert_same_text(printed.getvalue(), shown_after(code, page))


def runnable(page):
    """Return a page without the sections that need a package of a front which is not installed."""
    sections = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    return "".join(part for part in sections if all(importlib.util.find_spec(name) for name in OPTIONAL.findall(part)))


def test_tables_name_every_attribute_of_a_result():
    members = [*vars(Shown), *vars(Presented), *vars(Result), *(field.name for field in fields(Result))]
    public = {name for name in members if not name.startswith("_")}
    internal = {"problem", "certificate"}
    assert first_column("attribute") == public - internal


def test_tables_name_every_attribute_of_a_pairwise():
    members = [*vars(Shown), *vars(Pairwise), *(field.name for field in fields(Pairwise))]
    public = {name for name in members if name[0] != "_"}
    assert first_column("of a `Pairwise`") == public


def test_tables_name_every_attribute_of_a_projected_result():
    public = {*vars(ProjectedResult), *(field.name for field in fields(ProjectedResult))}
    known = {*vars(Result), *(field.name for field in fields(Result)), "optimal"}
    assert first_column("of a `ProjectedResult`") == {name for name in public - known if name[0] != "_"}


def test_tables_name_every_method():
    assert first_column("method") == {f'"{name}"' for name in BY_NAME}


def test_tables_name_every_status():
    assert first_column("status") == {status.name for status in Status}


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [
        ("distance 27.009 in 0.8 s\n", "distance 27.01 in 6.1 s\n", True),
        ("gap 9.4e-04, CONVERGED after 19 iterations", "gap 1.2e-04, CONVERGED after 21 iterations", True),
        ("[8.2187, 8.2258]", "[8.2191, 8.2260]", True),
        ("distance 27.9", "distance 27.01", False),
        ("distance 27.0 one", "distance 27.0 two", False),
        ("  row 3  4.2  row 7 (56% of it)", "  row 5  4.1  row 9 (61% of it)", True),
        ("  row 3, column 4  12.9%", "  row 5, column 4  12.9%", False),
        ("one\ntwo", "one", False),
    ],
)
def test_comparison_of_outputs(printed, shown, same):
    if same:
        assert_same_text(printed, shown)
    else:
        with pytest.raises(AssertionError):
            assert_same_text(printed, shown)


def shown_after(text, page=README):
    """Return the text block that follows the first block of a page that holds `text`."""
    found = blocks(page)
    at = next(i for i, (_, block) in enumerate(found) if text in block)
    language, shown = found[at + 1]
    assert language == "text"
    return shown


@cache
def tables():
    """Return the tables of these pages: for the title of its first column, the code in the cells below."""
    found = {}
    pages = "\n".join(PAGES[name] for name in ("README", "python", "reference"))
    for table in re.findall(r"^\|.*?\n(?!\|)", pages, re.MULTILINE | re.DOTALL):
        title, _, *cells = [line.split("|")[1].strip() for line in table.splitlines()]
        found[title] = cells
    return found


def first_column(title):
    """Return the names in the first column of a table, without the arguments of a method or command."""
    codes = [code for cell in tables()[title] for code in re.findall(r"`(.+?)`", cell)]
    assert len(codes) == len(set(codes))
    return {re.sub(r"\(.*\)|(?<=[a-z]) [A-Z].*", "", code) for code in codes}


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
