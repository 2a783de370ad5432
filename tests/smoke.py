"""A first use of an installed package: run with the interpreter of a clean environment, away from the sources.

    python smoke.py VERSION

Nothing but the package and what it requires may be needed, the extra `cli` for the last part.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import subspaceot as sot

(version,) = sys.argv[1:]
assert sot.__version__ == version, sot.__version__
assert "site-packages" in sot.__file__, sot.__file__

data = sot.instances.fragmented_hypercube(60, 6, 2, rng=0)
result = sot.srw(data.X, data.Y, k=2)
assert result.converged
assert result.lower <= result.cost <= result.upper <= sot.wasserstein(data.X, data.Y).upper
assert sot.prw(data.X, data.Y, k=1).cost <= result.upper
assert sot.two_sample_test(data.X, data.Y, n_permutations=19).p_value == 0.05
assert all(getattr(sot, name) is not None for name in sot.__all__)

command = [sys.executable, "-m", "subspaceot"]
with tempfile.TemporaryDirectory() as folder:
    rows = ["side,a,b,c", *(f"{k % 2},{k % 5},{k % 7},{k % 3 + k % 2}" for k in range(60))]
    Path(folder, "table.csv").write_text("\n".join(rows), encoding="utf-8")
    compare = [*command, "compare", "table.csv", "--group", "side", "-k", "1"]
    for call in ([*command, "--version"], compare):
        run = subprocess.run(call, cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
    assert "solver bounds" in run.stdout, run.stdout
print(f"subspaceot {version} works on Python {sys.version.split()[0]}")
