"""Draws the pictures of results.md: `python docs/build_results.py` runs its code and saves every figure."""

import re
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt

DOCS = Path(__file__).parent


def main():
    """Run the code of the page, block by block, and save the figures in order."""
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    names = {}
    for code in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(code, "results.md", "exec"), names)
    for number in plt.get_fignums():
        plt.figure(number).savefig(DOCS / "figures" / f"results-{number}.png", dpi=80)


if __name__ == "__main__":
    main()
