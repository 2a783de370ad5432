"""The house rules of CONTRIBUTING.md, read off the source: who imports whom, sizes, words, tuned numbers."""

import ast
import re
import tomllib

import house
import literals
import pytest

# Imports from a higher layer within a function, as "importer -> imported": a result calls a front when it is asked to.
CALLED_UPWARDS = {
    "subspaceot.core.shown -> subspaceot.notebook",
    "subspaceot.core.shown -> subspaceot.saving",
    "subspaceot.pairs -> subspaceot.plotting.canvas",
    "subspaceot.pairs -> subspaceot.plotting.pairs",
    "subspaceot.path.curve -> subspaceot.plotting.canvas",
    "subspaceot.path.curve -> subspaceot.plotting.curve",
    "subspaceot.presented -> subspaceot.plotting.bars",
    "subspaceot.presented -> subspaceot.plotting.canvas",
    "subspaceot.presented -> subspaceot.plotting.plane",
    "subspaceot.presented -> subspaceot.inference.interval_result",
    "subspaceot.presented -> subspaceot.report.of_result",
    "subspaceot.presented -> subspaceot.tables.of_result",
}

MOST_LINES, MOST_LOCALS, MOST_LINES_OF_A_FILE = 60, 15, 350

NUMBERED = ("linalg", "transport", "solvers")
MOST_NUMBERS, MOST_NUMBERS_LARGE = 50, 15  # the second for solvers/large

# What breaks a rule today. Nothing may be added; an entry that is no breach any more fails and is to be deleted.
KNOWN = {
    "private": {
        "docs.build_performance -> subspaceot.experiments._plots",
    },
    "size": set(),
    "words": set(),
    "comments": set(),
}


def require_known(found, rule):
    """Pass where what breaks a rule is what is known to do so. `found` maps the names of breaches to what is said."""
    new = [f"{name}{' ' * bool(found[name])}{found[name]}" for name in sorted(set(found) - KNOWN[rule])]
    assert not new, "against the rules of the house:\n" + "\n".join(new)
    gone = sorted(KNOWN[rule] - set(found))
    assert not gone, f"no breach any more, delete from KNOWN[{rule!r}]:\n" + "\n".join(gone)


# Imports -------------------------------------------------------------------------------------------------------------


def test_every_module_has_its_layer():
    placed = [name for layer in house.LAYERS for name in layer.split()]
    assert len(set(placed)) == len(placed)
    assert {house.unit(name) for name in house.modules()} == set(placed)


def test_imports_point_downwards():
    found = house.upwards(house.imports(house.modules()))
    assert not {str(x) for x in found if x.early}
    assert {str(x) for x in found} == CALLED_UPWARDS


def test_private_modules_stay_in_their_folder():
    outside = {}
    for folder in ("benchmarks", "docs", "examples", "fuzz"):
        outside |= house.modules(house.ROOT / folder, folder)
    require_known({str(x): "" for x in house.crossings(house.imports(house.modules(), outside))}, "private")


def test_no_modules_import_each_other():
    assert not house.cycle(house.imports(house.modules()))


@pytest.mark.parametrize(
    ("sources", "breach"),
    [
        ({"core.a": "from ..solvers.b import c"}, "up"),
        ({"core.a": "from ..solvers import b"}, "up"),
        ({"core.a": "import subspaceot.solvers.b"}, "up"),
        ({"core.a": "def f():\n    from ..solvers.b import c"}, "up"),
        ({"solvers.b": "from ..core.a import c"}, ""),
        ({"core.a": "if TYPE_CHECKING:\n    from ..solvers.b import c"}, ""),
        ({"solvers.b": "from ..core._p import c"}, "private"),
        ({"solvers.b": "from ..core import _p"}, "private"),
        ({"core.a": "from ._p import c"}, ""),
        ({"core.a": "from . import _p", "core._p": "from .a import c"}, "cycle"),
        ({"core.a": "from . import _p", "core._p": "def f():\n    from .a import c"}, ""),
        ({"core": "from .a import c", "core.a": "from . import c"}, "cycle"),
        ({"core": "from .a import c"}, ""),
    ],
)
def test_what_breaks_the_rules_of_imports(sources, breach):
    names = {"": "", "core": "", "core.a": "", "core._p": "", "solvers": "", "solvers.b": "", **sources}
    trees = {f"{house.PACKAGE}.{n}".rstrip("."): (n in ("", "core", "solvers"), ast.parse(s)) for n, s in names.items()}
    found = house.imports(trees)
    broken = {"up": house.upwards(found), "private": house.crossings(found), "cycle": house.cycle(found)}
    assert {name for name, breaches in broken.items() if breaches} == {breach} - {""}


# Sizes ---------------------------------------------------------------------------------------------------------------


def test_files_and_functions_fit_on_a_screen():
    found = {}
    for path, source in house.files().items():
        if (lines := len(source.splitlines())) > MOST_LINES_OF_A_FILE:
            found[path] = f"has {lines} lines"
        for name, function in house.functions(ast.parse(source)):
            lines, stored = house.size(function)
            if lines > MOST_LINES or stored > MOST_LOCALS:
                found[f"{path}: {name}"] = f"has {lines} lines and {stored} locals"
    require_known(found, "size")


def test_what_is_the_size_of_a_function():
    source = 'class A:\n    def f(self, x):\n        """One.\n\n        Two.\n        """\n        y = [z for z in x]\n'
    source += "        def g():\n            w, self.v = y\n        return g\n"
    assert {name: house.size(node) for name, node in house.functions(ast.parse(source))} == {
        "A.f": (5, 3),
        "A.f.g": (2, 1),
    }


# Words ---------------------------------------------------------------------------------------------------------------


def test_names_are_words_of_textbooks():
    found = {}
    for path, source in house.files().items():
        for name in sorted(house.names(ast.parse(source)) | set(path.removesuffix(".py").split("/"))):
            for word in house.words_of(name):
                found[f"{path}: {word}"] = f"{found.get(f'{path}: {word}', 'in')} {name}"
    require_known(found, "words")


def test_what_is_part_of_a_name():
    inside = ["room", "_room", "least_room_of", "WorkRoom", "LEAST_ROOM", "ROOMLeft", "Room2Room"]
    assert [house.words_of(name) for name in inside] == [["room"]] * 6 + [["room"]]
    assert house.words_of("other_ways_out_of_it") == ["ways_out"]
    assert not any(house.words_of(name) for name in ("mushroom", "rooms", "ways", "out_of", "climber", "turn", "clear"))


# Tuned numbers -------------------------------------------------------------------------------------------------------


def formulas():
    return tomllib.loads((house.ROOT / "tests" / "formulas.toml").read_text(encoding="utf-8"))


def tuned(path, source, fragments):
    """Return the tuned numbers of a module, and which of the fragments of formulas hold none of its literals."""
    lines = [line.encode() for line in source.splitlines()]  # columns are counted in bytes
    left, unused = [], set(fragments)
    for literal in literals.counted(source):
        line = lines[literal.line - 1]
        holding = {
            fragment
            for fragment in fragments
            for found in re.finditer(re.escape(fragment.encode()), line)
            if found.start() <= literal.start and literal.end <= found.end()
        }
        unused -= holding
        if not holding:
            left.append(literal)
    return left, unused


def numbers():
    """Return (path, line, literal) of all tuned numbers."""
    mathematics = formulas()
    return [
        (path, source.splitlines()[literal.line - 1].strip(), literal)
        for path, source in house.files(*NUMBERED).items()
        for literal in tuned(path, source, mathematics.get(path, {}))[0]
    ]


def test_tuned_numbers_are_few():
    found = numbers()
    large = [number for number in found if number[0].startswith("solvers/large/")]
    listing = "\n".join(f"{path}:{literal.line}: {literal.value:g} in {line}" for path, line, literal in found)
    assert len(large) <= MOST_NUMBERS_LARGE, listing
    assert len(found) - len(large) <= MOST_NUMBERS, f"{len(found)} tuned numbers:\n{listing}"


def test_formulas_are_where_they_are_said_to_be():
    sources = house.files(*NUMBERED)
    for path, fragments in formulas().items():
        assert path in sources, f"tests/formulas.toml: there is no {path}"
        unused = tuned(path, sources[path], fragments)[1]
        assert not unused, f"tests/formulas.toml: no literal in {path} is in {sorted(unused)}"
        bare = [text for text in fragments if not re.search("[A-Za-z]", re.sub(r"\d[\d._]*(e-?\d+)?", "", text))]
        assert not bare, f"tests/formulas.toml: a number alone is no formula: {bare}"
        assert all(fragments.values())


def test_numbers_are_in_modules_alone():
    kept = {".py", ".pyi", ".pyc", ".nbi", ".nbc"}
    found = [path for folder in NUMBERED for path in (house.SOURCE / folder).rglob("*") if path.is_file()]
    assert not [path for path in found if path.suffix not in kept]


def test_named_numbers_say_what_they_are():
    found = {}
    for path, source in house.files(*NUMBERED).items():
        left = tuned(path, source, formulas().get(path, {}))[0]
        for literal in literals.uncommented(source, left):
            line = source.splitlines()[literal.line - 1].strip()
            found[f"{path}: {line}"] = ""
    require_known(found, "comments")


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("x = y * 0.5 + 1e-3", [0.5, 1e-3]),
        ("def f(x):\n    return 2 * x + 1 - 0 * -1", []),
        ("def f(x):\n    return 3 * x - -2", [3, -2]),
        ("A = 1", [1]),
        ("A: int = 0", [0]),
        ("class A:\n    x: float = 2.0", [2]),
        ("class A:\n    x: B = field(default=1)", [1]),
        ("def f(x=1, *, y=2):\n    return x", [2]),
        ("f(x > 0, x < 1.0, x == 2, 2 * x < y)", [2, 2]),
        ("f(p == 2, a.ndim != 2, 2.0 < p)", []),
        ("f(x[7], x[i + 3], x[:2], x[-2:], x[3, -4])", []),
        ("f(x[:12], x[: k + 8], x[9 * i])", [12, 8, 9]),
        ("f(np.empty((3, n)), np.zeros(4), x.reshape(n, 5), x.sum(axis=3), f(shape=(6, n)))", []),
        ("f(np.full(3, 0.3))", [0.3]),
        ("f(x**3, x ** (0.5 * y))", []),
        ("f(3**x, 2.0**-20, 10**6 * x)", [3, 2.0**-20, 10**6]),
        ("f(True, None, '3', -(4))", [-4]),
        ("@lru_cache(maxsize=4)\ndef f():\n    pass", [4]),
    ],
)
def test_what_is_a_tuned_number(source, values):
    assert [literal.value for literal in literals.counted(source)] == values


@pytest.mark.parametrize(
    ("source", "silent"),
    [
        ("A = 3", [3]),
        ("A = 3  # times", []),
        ("# times\nA = 3", []),
        ("B = x  # other\nA = 3", [3]),
        ("# times\n\nA = 3", [3]),
        ("A = (  # of the cost\n    3,\n    4,\n)", []),
        ("class A:\n    x: int = 3\n    y: int = 4  # times", [3]),
        ("def f(x):\n    return 3 * x", []),
    ],
)
def test_which_numbers_do_not_say_what_they_are(source, silent):
    assert [literal.value for literal in literals.uncommented(source, literals.counted(source))] == silent


def test_a_fragment_exempts_what_is_within_it():
    source = "def f(A):\n    return 0.5 * (A + A.T) + 0.5 * A\n"
    left, unused = tuned("", source, {"0.5 * (A + A.T)": "", "3 * A": ""})
    assert [literal.start for literal in left] == [29]
    assert unused == {"3 * A"}
