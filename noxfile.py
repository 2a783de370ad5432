"""The project's checks, each in its own environment: `nox -s tests`, `nox -l` for the list."""

import nox

nox.options.sessions = ["lint", "types", "tests"]


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format."""
    session.install("-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, strictly, in src."""
    session.install("-e", ".[dev]")
    session.run("mypy")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "2", *session.posargs)


@nox.session
def fronts(session: nox.Session) -> None:
    """Run the tests of the fronts with all of their packages installed, and the code of docs/fronts.md."""
    session.install("-e", ".[test]", "torch==2.13.0", "jax", "anndata", "scanpy")
    docs = ("code_prints_what_the_page_shows[fronts]", "every_name_of_the_api_has_an_example")
    quick = ["tests/fronts", "tests/test_import.py", *(f"tests/test_docs.py::test_{name}" for name in docs)]
    session.run("pytest", "-n", "2", *quick, *session.posargs)
    examples = [
        f"tests/test_docs.py::test_every_example_runs[{name}]" for name in ("domain_adaptation", "train_with_loss")
    ]
    session.run("pytest", "-n", "2", "-m", "slow", "tests/fronts", "tests/inference/test_real_data.py", *examples)


@nox.session
def cpus(session: nox.Session) -> None:
    """Run all numerical tests with the kernels of three processors, which round differently; needs AVX-512."""
    session.install("-e", ".[test]")
    other = ["cli", "experiments", "plotting", "runtime", "text", "core/test_validate.py"]
    other += [f"tables/test_{name}.py" for name in ("choice", "summary")]
    whole = ("benchmarks", "docs", "packaging", "house", "import", "isolation", "memory", "pairwise")
    other += [f"test_{name}.py" for name in whole]
    ignored = [f"--ignore=tests/{name}" for name in other]
    for processor in ("Haswell", "SkylakeX", "Nehalem"):
        session.run("pytest", "-n", "2", *ignored, *session.posargs, env={"OPENBLAS_CORETYPE": processor})


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site, without a warning or a network, check the links within it, and run what its pages print."""
    session.install("-e", ".[test,docs]", *session.posargs)
    built = "docs/_build/html"
    session.run("python", "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", built)
    session.run("python", "docs/check_site.py", built)
    session.run("pytest", "-q", "-n", "2", "tests/test_docs.py", "tests/test_import.py")


@nox.session
def slow(session: nox.Session) -> None:
    """Run the slow tests."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "2", "-m", "slow", *session.posargs)


@nox.session
def packaging(session: nox.Session) -> None:
    """Build wheel and sdist, and use each in a clean environment of every Python on this machine from 3.11 on."""
    session.install("-e", ".[test]", "build")
    session.run("pytest", "-m", "packaging", "tests/test_packaging.py", *session.posargs)


@nox.session(venv_backend="uv")
def oldest(session: nox.Session) -> None:
    """Run the tests with the oldest versions that pyproject.toml allows; needs uv."""
    session.install("--resolution", "lowest-direct", "--compile-bytecode", "-e", ".[test]")
    # Old versions of packages give warnings about newer ones of others, which say nothing about us.
    session.run("pytest", "-n", "2", "-W", "ignore::DeprecationWarning", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Solve hostile random problems and referee each result exactly: `nox -s fuzz -- N SEED`."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "fuzz", *(session.posargs or ["1000", "0"]))


@nox.session
def benchmark(session: nox.Session) -> None:
    """Print the time to a certified gap as a ratio to one exact transport solve."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session
def performance(session: nox.Session) -> None:
    """Run the whole benchmark and write the page on performance from it; leave the machine alone meanwhile."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "benchmarks", "--scans", "--json", "benchmarks/results.json")
    session.run("python", "docs/build_performance.py")


@nox.session
def inference(session: nox.Session) -> None:
    """Run what is missing of level, power and coverage, and write their tables: takes hours."""
    session.install("-e", ".[test,benchmarks]")
    session.run("python", "-m", "benchmarks.level", "--jobs", "2")
    session.run("python", "-m", "benchmarks.power", "--jobs", "2")
    session.run("python", "-m", "benchmarks.coverage", "--jobs", "2")
    session.run("python", "docs/build_inference.py")
