"""What `pip install "subspaceot[cli]"` brings is all that the command needs."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import subspaceot

SOURCE = Path(subspaceot.__file__).parent
PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FRONTS = ("sklearn.py", "torch.py", "jax.py", "anndata")
NAMES = {"ot": "pot", "sklearn": "scikit-learn"}  # of packages, where pip calls them otherwise
# For `to_polars()`, which says so; and for Dask's own collections, where one is passed or a client is running.
OPTIONAL = {"polars", "dask", "distributed"}


def required(extra):
    """Return what pip installs with an extra, without what that itself needs."""
    names = set()
    for requirement in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]:
        own = re.match(r"subspaceot\[(\w+)\]", requirement)
        names |= required(own[1]) if own else {re.match(r"[\w-]+", requirement)[0].lower()}
    return names


def imported():
    """Return the packages that the modules of ours import, but for those of the fronts; and for types alone."""
    packages = set()
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] in FRONTS:
            continue
        pending = [ast.parse(path.read_text(encoding="utf-8"))]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            if isinstance(node, ast.Import):
                packages |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                packages.add(node.module.partition(".")[0])
            pending += ast.iter_child_nodes(node)
    return packages - set(sys.stdlib_module_names) - {"subspaceot"} - OPTIONAL


def test_the_extra_of_the_command_has_every_package_that_is_imported():
    needed = {NAMES.get(package, package) for package in imported()}
    assert {"numpy", "tqdm", "rich", "click"} <= needed
    assert needed <= required("cli")
