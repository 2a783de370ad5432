"""Draws the pictures of results.md: `python docs/build_results.py` runs its code and saves every figure.

With `--large` it prints instead what drawing, saving, loading and checking a result for many points takes.
"""

import re
import sys
import tempfile
import time
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt

DOCS = Path(__file__).parent
MANY = 100_000  # points a side


def draw():
    """Run the code of the page, block by block, and save the figures in order."""
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    names = {}
    for code in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(code, "results.md", "exec"), names)
    for number in plt.get_fignums():
        plt.figure(number).savefig(DOCS / "figures" / f"results-{number}.png", dpi=80)


def measure():
    """Print seconds of processor time and megabytes for a result of many points."""
    import subspaceot as sot

    data = sot.instances.fragmented_hypercube(MANY, 20, 2, 0, rotate=True)
    result = sot.srw(data.X, data.Y, 2, tol=2e-2)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.npz"
        timed("save", lambda: result.save(file))
        print(f"{file.stat().st_size / 1e6:.0f} MB")
        again = timed("load", lambda: sot.load(file))
    timed("check", again.check)
    timed("draw", lambda: again.plot().figure.canvas.draw())


def timed(name, call):
    """Print the processor time of a call, and return its answer."""
    began = time.process_time()
    answer = call()
    print(f"{name}: {time.process_time() - began:.1f} s")
    return answer


if __name__ == "__main__":
    measure() if "--large" in sys.argv else draw()
