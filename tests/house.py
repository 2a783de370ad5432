"""What the rules of the house are about, read off the source: who imports whom, sizes, names."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "subspaceot"
SOURCE = ROOT / "src" / PACKAGE

# Every module and folder at the top of the package, lowest first. A module imports from its own layer and from lower
# ones. `fantope` is a public name for core/fantope.py, `__init__` and `__main__` are the package's own.
LAYERS = [
    "__init__ runtime",
    "svg",
    "core",
    "linalg",
    "transport",
    "solvers",
    "certify",
    "sparsify geodesic features matches movement presented result projected_result derivatives loadings",
    "chunks",
    "fantope energy distances projection planar path pairs inference",
    "instances",
    "tables text saving",
    "plotting",
    "report",
    "notebook",
    "experiments",
    "cli __main__",
    "sklearn torch jax anndata",
]

# Metaphors that need explaining, and a name of click's that has one of them.
WORDS = ("room", "ways_out", "turned", "bent", "lever", "reaction", "dear", "soon", "eager", "stuck", "lacking")
WORDS += ("settled", "leap", "carried", "summit", "climb")
FOREIGN = {"is_eager"}


def files(*folders):
    """Return relative path -> source of all modules, or of those in some folders."""
    paths = sorted(path for folder in folders or (".",) for path in (SOURCE / folder).rglob("*.py"))
    return {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@dataclass(frozen=True)
class Import:
    """`importer` imports `imported`, on import ("early") or when a function is called."""

    importer: str
    imported: str
    early: bool

    def __str__(self):
        return f"{self.importer} -> {self.imported}"


@cache
def modules(root=SOURCE, package=PACKAGE):
    """Return name -> (is a package, tree) of all modules of a package."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = [package, *path.relative_to(root).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = is_package, ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(trees, others=()):
    """Return the imports among the modules, and of them in others; what is imported for types alone is left out."""
    return {
        Import(name, target, early)
        for name, (is_package, tree) in {**trees, **dict(others)}.items()
        for statement, early in statements_that_import(tree)
        for target in targets(statement, name if is_package else name.rpartition(".")[0], trees)
    }


def statements_that_import(tree, early=True):
    """Yield the import statements that are executed, each with whether that is on import."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, early
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from statements_that_import(ast.Module(node.orelse, []), early)
        else:
            yield from statements_that_import(node, early and not isinstance(node, (ast.FunctionDef, ast.Lambda)))


def targets(statement, package, names):
    """Return the modules among `names` from which a statement of a module in `package` imports."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names if alias.name in names]
    above = package.split(".")[: len(package.split(".")) + 1 - statement.level] if statement.level else []
    base = ".".join([*above, *([statement.module] if statement.module else [])])
    whole = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in names else base for alias in statement.names]
    return [name for name in whole if name in names]


def unit(name):
    """Return the module or folder at the top of the package to which a module belongs."""
    return [*name.split("."), "__init__"][1]


def height(name):
    """Return the number of a module's layer."""
    return next((i for i, layer in enumerate(LAYERS) if unit(name) in layer.split()), None)


def upwards(found):
    """Return the imports from a higher layer."""
    return {x for x in found if height(x.importer) < height(x.imported)}


def crossings(found):
    """Return the imports of private modules, or of what is in private folders, from outside of the folder around."""
    crossed = set()
    for x in found:
        parts = x.imported.split(".")
        private = next((i for i, part in enumerate(parts) if re.match("_[^_]", part)), None)
        if private is not None and not f"{x.importer}.".startswith(".".join(parts[:private]) + "."):
            crossed.add(x)
    return crossed


def cycle(found):
    """Return the names of modules that import each other on import, in order, or nothing.

    Importing a module also imports the packages around it, but for those that the importer is in itself.
    """
    edges = {}
    for x in found:
        if x.early:
            parts = x.imported.split(".")
            around = [".".join(parts[:i]) for i in range(1, len(parts))]
            foreign = [name for name in around if not f"{x.importer}.".startswith(f"{name}.")]
            edges.setdefault(x.importer, set()).update({x.imported, *foreign} - {x.importer})
    done = set()

    def visit(name, way):
        if name in way:
            return way[way.index(name) :]
        if name not in done:
            done.add(name)
            for following in sorted(edges.get(name, ())):
                if found_cycle := visit(following, [*way, name]):
                    return found_cycle
        return []

    return next((ring for name in sorted(edges) if (ring := visit(name, []))), [])


def functions(tree, around=""):
    """Yield name and node of all functions; the name has the classes and functions around it in front."""
    for node in ast.iter_child_nodes(tree):
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        name = f"{around}.{node.name}".lstrip(".") if is_function or isinstance(node, ast.ClassDef) else around
        if is_function:
            yield name, node
        yield from functions(node, name)


def size(function):
    """Return how many lines a function has, its docstring aside, and how many locals, those within it included."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        lines -= function.body[0].end_lineno - function.body[0].lineno + 1
    stored = {x.id for x in ast.walk(function) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    return lines, len(stored)


def names(tree):
    """Return every name that a module defines or uses."""
    found = set()
    for node in ast.walk(tree):
        found |= {getattr(node, field, None) for field in ("id", "attr", "arg", "asname", "name", "module", "rest")}
        found |= set(getattr(node, "names", [])) if isinstance(node, (ast.Global, ast.Nonlocal)) else set()
    return {part for name in found if isinstance(name, str) for part in name.split(".")} - FOREIGN


def words_of(name):
    """Return which of the words are a name, or parts of it: of snake_case, of CamelCase, of CAPITALS."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return [word for word in WORDS if f"_{word}_" in f"_{snake}_"]
