"""Write docs/reproduction.md and its figures from the folders that `subspaceot reproduce --out DIR` made.

    python docs/build_reproduction.py DIR [DIR ...]

The paper's claim and our number stand side by side. An experiment that was not run is listed as such.
"""

import argparse
import csv
import io
import json
from pathlib import Path

from subspaceot.experiments import EXPERIMENTS

HERE = Path(__file__).parent
OWN = {"scripts", "vectors", "digest", "texts"}  # settings that name files of whoever ran it

INTRO = """\
# The paper's experiments, reproduced

Every figure and table of François-Pierre Paty and Marco Cuturi, *Subspace Robust Wasserstein Distances* (ICML 2019),
beside what this package finds. Each number comes from rows that carry a certified interval for the exact value.
This page is written by `docs/build_reproduction.py` from what the following command leaves behind:

```bash
subspaceot reproduce all --preset paper --jobs 2 --out runs
subspaceot reproduce text --preset paper --jobs 2 --out runs --scripts plays --vectors glove.vec.gz
subspaceot reproduce text --preset paper --jobs 2 --out runs --scripts plays --vectors glove.vec.gz --reg 0.1
```

Repeats have seeds of their own, spawned from `--seed`, and within a repeat all settings (n, k*, noise) share one: they
see the same points wherever the problem lets them. Each figure is drawn from the rows alone.
"""


def main() -> None:
    """Parse the arguments and write the page."""
    parser = argparse.ArgumentParser(description="Write the page of results from finished runs.")
    parser.add_argument("runs", nargs="+", type=Path, help="folders given to `subspaceot reproduce --out`")
    parser.add_argument("--docs", type=Path, default=HERE, help="where to write; by default beside this file")
    arguments = parser.parse_args()
    build(arguments.runs, arguments.docs)


def build(runs: list[Path], docs: Path) -> None:
    """Write `reproduction.md` and `figures/` into `docs`."""
    folders = {folder.name: folder for run in runs for folder in sorted(run.iterdir()) if is_finished(folder)}
    ordered = sorted(folders.items(), key=lambda item: (list(EXPERIMENTS).index(experiment_of(item[1])), item[0]))
    (docs / "figures").mkdir(parents=True, exist_ok=True)
    parts = [INTRO, table(dict(ordered))]
    parts += [section(name, folder, docs) for name, folder in ordered]
    parts += error_of_regularised({name: folder for name, folder in ordered if experiment_of(folder) == "text"})
    (docs / "reproduction.md").write_text("\n".join(parts), encoding="utf-8")


def is_finished(folder: Path) -> bool:
    """Return whether a folder holds a run with its summary."""
    return (folder / "summary.txt").exists() and (folder / "run.json").exists()


def record_of(folder: Path) -> dict:
    """Return what decided the rows of a run."""
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))


def experiment_of(folder: Path) -> str:
    """Return the name of the experiment whose run this is."""
    return record_of(folder)["experiment"]


def summary_of(folder: Path) -> tuple[str, str]:
    """Return the two lines of a summary: what the paper says, and what was found."""
    paper, found = (folder / "summary.txt").read_text(encoding="utf-8").splitlines()
    return paper.removeprefix("paper: "), found.removeprefix("found: ")


def table(folders: dict[str, Path]) -> str:
    """Return the claims and the findings side by side."""
    lines = ["| experiment | the paper says | we find |", "|---|---|---|"]
    for name, folder in folders.items():
        paper, found = (cell.replace("|", "\\|") for cell in summary_of(folder))
        lines.append(f"| [{name}](#{name.replace('.', '')}) | {sentence(paper)} | {sentence(found)} |")
    done = {experiment_of(folder) for folder in folders.values()}
    lines += [
        f"| {name} | {sentence(EXPERIMENTS[name].claim)} | not run yet |" for name in EXPERIMENTS if name not in done
    ]
    return "\n".join(lines) + "\n"


def section(name: str, folder: Path, docs: Path) -> str:
    """Return the section of one run, and copy its figures."""
    record, experiment = record_of(folder), EXPERIMENTS[experiment_of(folder)]
    paper, found = summary_of(folder)
    lines = [f"## {name}", "", f"{experiment.shows}.", ""]
    for picture in experiment.plots:
        file = f"figures/{name}.png" if len(experiment.plots) == 1 else f"figures/{name}-{picture}.png"
        (docs / file).write_bytes(small(folder / f"{picture}.png"))
        lines += [f"![{name}: {picture}]({file})", ""]
    lines += [
        f"- The paper: {sentence(paper)}",
        f"- Found: {sentence(found)}",
        f"- Different here: {experiment.differs}",
    ]
    settings = ", ".join(f"{key} = {shown(value)}" for key, value in record["config"].items() if key not in OWN)
    lines += [f"- Settings: {settings}; seed {record['seed']}, version {record['version']}, {effort(folder)}", ""]
    return "\n".join(lines)


def error_of_regularised(texts: dict[str, Path]) -> list[str]:
    """Return how far Algorithm 2's distances between texts are from the exact ones, where both were run."""
    exact = {name: folder for name, folder in texts.items() if record_of(folder)["config"]["reg"] is None}
    if not exact:
        return []
    (true,) = map(distances_of, exact.values())
    parts = []
    for name, folder in texts.items():
        if name in exact:
            continue
        found = distances_of(folder)
        errors = [100 * (float(found[pair]["cost"]) / float(row["cost"]) - 1) for pair, row in true.items()]
        above = sum(float(found[pair]["cost"]) > float(row["upper"]) for pair, row in true.items())
        parts.append(
            f"Against the exact table, the squared distances of {name} are off by {min(errors):+.1f} % to "
            f"{max(errors):+.1f} %; {above} of {len(errors)} lie above the certified upper bound of the exact value.\n"
        )
    return parts


def distances_of(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    """Return the row of each pair of texts."""
    with open(folder / "rows.csv", encoding="utf-8", newline="") as file:
        return {(row["first"], row["second"]): row for row in csv.DictReader(file) if row["kind"] == "distance"}


def effort(folder: Path) -> str:
    """Return how many rows there are and how long they took."""
    with open(folder / "seconds.csv", encoding="utf-8", newline="") as file:
        tasks = list(csv.DictReader(file))
    rows, seconds = (sum(float(task[column]) for task in tasks) for column in ("rows", "seconds"))
    time = f"{seconds / 60:.0f} minutes" if seconds > 120 else f"{seconds:.0f} seconds"
    return f"{rows:.0f} rows in {time} of one core's time."


def small(file: Path) -> bytes:
    """Return a picture with as few colours as it needs: a third of the size, for the repository."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(file).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(out, "png", optimize=True)
    return out.getvalue()


def shown(value: object) -> str:
    """Return a setting as a person writes it."""
    return ", ".join(map(str, value)).join("()") if isinstance(value, list) else str(value)


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter, unless it begins with a symbol."""
    return text if text[:2] in ("S_", "P_", "W'") else text[0].upper() + text[1:]


if __name__ == "__main__":
    main()
