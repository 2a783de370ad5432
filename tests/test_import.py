"""Importing the package is fast and brings nothing heavy along; the examples in its docstrings are true."""

import doctest
import importlib.util
import inspect
import pkgutil
import statistics
import subprocess
import sys
import typing

import pytest

import subspaceot

HEAVY = ["ot", "numba", "torch", "sklearn", "matplotlib", "pandas", "scipy.integrate", "scipy.stats", "scipy.optimize"]
HEAVY += ["narwhals", "polars", "pyarrow", "joblib", "dask", "tqdm", "threadpoolctl"]
MISSING = {name for name in ("torch", "jax", "anndata") if importlib.util.find_spec(name) is None}  # fronts need them
FOUND = pkgutil.walk_packages(subspaceot.__path__, "subspaceot.", onerror=lambda name: None)
MODULES = ["subspaceot", *(module.name for module in FOUND if module.name.split(".")[1] not in MISSING)]


def python(code):
    """Return what a fresh interpreter prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout.strip()


def test_import_loads_nothing_heavy():
    loaded = python("import sys, subspaceot; print(*sys.modules)").split()
    assert "subspaceot" in loaded
    assert not set(HEAVY) & set(loaded)


FUNCTIONS = [name for name in subspaceot.__all__ if inspect.isfunction(getattr(subspaceot, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_of_public_functions_have_types(name):
    function = getattr(subspaceot, name)
    types = {parameter.name: parameter.annotation for parameter in inspect.signature(function).parameters.values()}
    assert not [name for name, annotation in types.items() if annotation in (typing.Any, inspect.Parameter.empty)]


def test_names_are_loaded_on_first_use_without_pot():
    loaded = python("import sys, subspaceot as sot; sot.srw, sot.wasserstein, sot.Result; print(*sys.modules)").split()
    assert "subspaceot.distances" in loaded
    assert not {"ot", "torch", "sklearn", "matplotlib"} & set(loaded)


@pytest.mark.slow
def test_import_is_fast():
    code = "import time; t = time.perf_counter(); import subspaceot; print(time.perf_counter() - t)"
    times = [float(python(code)) for _ in range(7)]
    assert statistics.median(times) < 0.4


def test_a_first_solve_is_possible_from_the_bare_import():
    code = "import subspaceot as sot; print(sot.srw([[0.0, 0.0]], [[3.0, 4.0]], k=1).distance)"
    assert float(python(code)) == pytest.approx(5)


def test_no_module_hides_a_function_of_the_same_name():
    code = "import importlib, pkgutil, subspaceot as sot\n"
    code += f"names = [module.name for module in pkgutil.iter_modules(sot.__path__) if module.name not in {MISSING}]\n"
    code += "for name in names: importlib.import_module(f'subspaceot.{name}')\n"
    code += "print(all(getattr(sot, name).__class__.__name__ != 'module' for name in sot._EXPORTS))"
    assert python(code) == "True"


@pytest.mark.parametrize("name", subspaceot.__all__)
def test_public_names_exist(name):
    assert getattr(subspaceot, name) is not None
    assert name in dir(subspaceot)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"subspaceot.*no_such_name"):
        _ = subspaceot.no_such_name


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


def test_the_main_functions_have_examples():
    fronts = [subspaceot.srw, subspaceot.wasserstein, subspaceot.srw_path, subspaceot.pairwise]
    for function in (*fronts, subspaceot.instances.fragmented_hypercube):
        assert ">>>" in function.__doc__
