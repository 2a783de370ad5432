"""A front whose package is missing says in one line what to install; the package alone does without all of them."""

import subprocess
import sys

import pytest

BLOCKED = """
import sys
sys.modules[{package!r}] = None  # what `import` takes for a package that is not there
try:
    import subspaceot.{front}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("front", "package", "message"),
    [
        (
            "sklearn",
            "sklearn",
            "`subspaceot.sklearn` needs scikit-learn 1.6 or later: pip install 'subspaceot[sklearn]'.",
        ),
        ("torch", "torch", "`subspaceot.torch` needs PyTorch: pip install 'subspaceot[torch]'."),
        ("jax", "jax", "`subspaceot.jax` needs JAX: pip install 'subspaceot[jax]'."),
        ("anndata", "anndata", "`subspaceot.anndata` needs anndata: pip install 'subspaceot[anndata]'."),
    ],
)
def test_what_to_install(front, package, message):
    code = BLOCKED.format(package=package, front=front)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == (f"{message}\n", "")
