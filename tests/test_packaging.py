"""What is shipped: versions and requirements agree everywhere, and wheel and sdist work in a clean environment."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import pytest

import subspaceot

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = (ROOT / "recipe" / "meta.yaml").read_text(encoding="utf-8")
CONDA_NAMES = {"POT": "pot", "matplotlib": "matplotlib-base"}  # where conda's differ from PyPI's


def test_every_file_has_one_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    versions = {
        "pyproject.toml": PROJECT["version"],
        "subspaceot": subspaceot.__version__,
        "CITATION.cff": re.search(r"^version: (\S+)$", citation, re.M)[1],
        "recipe": re.search(r'^  version: "(\S+)"$', RECIPE, re.M)[1],
    }
    assert len(set(versions.values())) == 1, versions


def test_the_licence_is_an_expression_with_its_file():
    assert PROJECT["license"] == "BSD-3-Clause"
    assert PROJECT["license-files"] == ["LICENSE"]
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("BSD 3-Clause")
    assert "license: BSD-3-Clause" in RECIPE
    assert "urls" not in PROJECT  # none is better than an invented one


def recipe_requirements(kind):
    """Return the requirements of one kind in the recipe."""
    block = re.search(rf"^  {kind}:\n((?:    - .*\n)+)", RECIPE, re.M)[1]
    return {line.removeprefix("    - ").strip() for line in block.splitlines()}


def for_conda(requirement):
    """Return a requirement as the recipe writes it."""
    name, least = re.fullmatch(r"([\w-]+)(>=[\d.]+)", requirement).groups()
    return f"{CONDA_NAMES.get(name, name)} {least}"


def test_the_recipe_requires_what_the_project_does():
    python = f"python {PROJECT['requires-python']}"
    assert recipe_requirements("run") == {python, *map(for_conda, PROJECT["dependencies"])}
    extras = PROJECT["optional-dependencies"]
    command_line = [line for line in extras["cli"] + extras["report"] if not line.startswith("subspaceot")]
    assert recipe_requirements("run_constrained") == set(map(for_conda, command_line))


@cache
def interpreters():
    """Return an interpreter for each Python that the project supports and that is on this machine."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for minor in (11, 12, 13, 14):
        candidates = [shutil.which(f"python3.{minor}"), *versions.glob(f"3.{minor}.*/bin/python")]
        works = (path for path in candidates if path and is_python(path, minor))
        if (first := next(works, None)) is not None:
            found[f"3.{minor}"] = str(first)
    return found


def is_python(path, minor):
    """Whether a path is an interpreter of Python 3.`minor` that runs."""
    code = f"import sys; sys.exit(sys.version_info[:2] != (3, {minor}))"
    return subprocess.run([path, "-c", code], capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The sdist and the wheel that is built from it."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    run = subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], capture_output=True)
    assert run.returncode == 0, run.stdout.decode()
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.mark.packaging
def test_the_wheel_has_the_package_and_the_sdist_the_tests(archives):
    wheel, sdist = archives
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
    tracked = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {path.removeprefix("src/") for path in tracked.split()} <= names
    assert not [name for name in names if not name.startswith(("subspaceot/", "subspaceot-"))]
    with tarfile.open(sdist) as files:
        inside = {name.partition("/")[2] for name in files.getnames()}
    assert {"tests/test_packaging.py", "docs/conf.py", "examples/order.txt", "LICENSE", "CITATION.cff"} <= inside


@pytest.mark.packaging
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_wheel_and_sdist_work_in_a_clean_environment(version, archives, tmp_path):
    if version not in interpreters():
        pytest.skip(f"Python {version} is not on this machine")
    subprocess.run([interpreters()[version], "-m", "venv", str(tmp_path / "clean")], check=True)
    python = str(tmp_path / "clean" / "bin" / "python")
    for archive, options in zip(archives, ([], ["--force-reinstall", "--no-deps"]), strict=True):
        install(python, f"{archive}[cli]", *options)
        call = [python, "-W", "error::DeprecationWarning:subspaceot", str(ROOT / "tests" / "smoke.py")]
        run = subprocess.run([*call, PROJECT["version"]], cwd=tmp_path, capture_output=True, text=True, env=clean())
        assert run.returncode == 0, run.stderr
        assert "works on" in run.stdout


def install(python, what, *options):
    """Install a file into the environment of an interpreter."""
    call = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *options, what]
    run = subprocess.run(call, capture_output=True, text=True, env=clean())
    assert run.returncode == 0, run.stderr


def clean():
    """Return the environment variables without those that would show the sources to Python."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYENV_VERSION"))}
