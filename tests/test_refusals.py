"""Errors of arguments are raised in core only."""

import ast
import pathlib

import subspaceot
from subspaceot.core import validate

SOURCE = pathlib.Path(subspaceot.__file__).parent

# Errors about the content of files are raised where files are read.
READS_FILES = ("text", "cli", "experiments", "saving")

# "file:function" that may raise such an error elsewhere, each with its reason.
ALLOWED: dict[str, str] = {}


def input_errors(path):
    """Yield the name of each function that makes an error of the kinds that refuse an argument."""
    kinds = {"ValueError", "TypeError", "MemoryError"}
    pending = [(ast.parse(path.read_text(encoding="utf-8")), "module")]
    while pending:
        node, function = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        made = node.func if isinstance(node, ast.Call) else node.exc if isinstance(node, ast.Raise) else None
        if isinstance(made, ast.Name) and made.id in kinds:
            yield function
        pending += [(child, function) for child in ast.iter_child_nodes(node)]


def test_arguments_are_refused_in_core_only():
    elsewhere = {
        f"{path.relative_to(SOURCE).as_posix()}:{function}"
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in ("core", *READS_FILES)
        for function in input_errors(path)
    }
    assert elsewhere == set(ALLOWED)


def test_arguments_are_refused_in_core_at_all():
    assert "as_dimension" in input_errors(SOURCE / "core" / "validate" / "dimensions.py")
    assert "rounding_error" in input_errors(SOURCE / "core" / "exact_numbers.py")  # made here, raised elsewhere


def test_every_check_is_public_in_the_package():
    assert all(callable(getattr(validate, name)) for name in validate.__all__)
    used = {
        node.attr
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "validate"
    }
    assert used <= set(validate.__all__)
