"""Write docs/performance.md, its figures and the table in docs/benchmarks.md from what a benchmark left behind.

    python -m benchmarks --scans --json benchmarks/results.json
    python docs/build_performance.py

Every number on the page comes from that file.
"""

import argparse
import json
import math
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from build_reproduction import small

from subspaceot.experiments import _plots
from subspaceot.plotting.canvas import rendered

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # where the benchmarks are
from benchmarks import table  # noqa: E402

CURVES = {  # name and colour in figures
    "emd2": ("exact transport (emd2)", _plots.GREEN),
    "1e-2": ("srw, certified 1e-2", _plots.BLUE),
    "1e-3": ("srw, certified 1e-3", _plots.PURPLE),
    "hypercube2-k2-n500": ("hypercube2-k2", _plots.BLUE),
    "wishart5-k5-n500": ("wishart5-k5", _plots.PURPLE),
}
TOLS = ("1e-2", "1e-3")

INTRO = """\
# What it costs

The unit is one exact transport on the same points: `ot.emd2` of POT, cost matrix included. That is what the ordinary
Wasserstein distance costs, which is S_d. A certified answer is one whose interval for the exact S_k^2 is known to be
that narrow, relative to its upper end. This page is written by `docs/build_performance.py` from
`benchmarks/results.json`, which the following command leaves behind:

```bash
python -m benchmarks --scans --json benchmarks/results.json
```
"""

PROBLEMS = """\
`hypercube2-k5` is a cube against the same cube split along 2 hidden directions of 30, solved for k = 5, and
`hypercube3-wide-k3` one in 2,000 dimensions, of which its 1,000 points span 999; `wishart5` are Gaussians in 20
dimensions with covariances of rank 5; `texts` are made-up texts, words as unit vectors in 300 dimensions with weights
by Zipf's law (`instances.zipf_texts`); `plays` are pairs of plays over word vectors in 100 dimensions;
`same-gaussian` are two samples of one Gaussian in 20 dimensions, where no direction stands out.
"""


def main() -> None:
    """Parse the arguments and write the page."""
    parser = argparse.ArgumentParser(description="Write the page on performance from a finished benchmark.")
    results = HERE.parent / "benchmarks" / "results.json"
    parser.add_argument("results", nargs="?", type=Path, default=results, help="what `--json` wrote")
    parser.add_argument("--docs", type=Path, default=HERE, help="where to write; by default beside this file")
    parser.add_argument("--table", type=Path, default=HERE / "benchmarks.md", help="the page whose table to replace")
    arguments = parser.parse_args()
    report = json.loads(arguments.results.read_text(encoding="utf-8"))
    build(report, arguments.docs)
    page = arguments.table.read_text(encoding="utf-8")
    arguments.table.write_text(with_table(page, report["rows"]), encoding="utf-8")


def build(report: dict[str, Any], docs: Path) -> None:
    """Write `performance.md` and `figures/performance-*.png` into `docs`."""
    (docs / "figures").mkdir(parents=True, exist_ok=True)
    parts = [INTRO, machine(report)]
    if report["rows"]:
        parts += [against_transport(report["rows"], docs), against_others(report["rows"])]
    if report["scans"]:
        parts += [growth(report["scans"], docs)]
    parts += [expectation(report)] if report["scans"] else []
    if report["start"]:
        parts += [once(report["start"])]
    (docs / "performance.md").write_text("\n".join(parts), encoding="utf-8")


def with_table(page: str, rows: list[dict[str, Any]]) -> str:
    """Return the page for developers with the lines and the met goals of this run in place of earlier ones."""
    lines = "\n".join([table.header(), *map(table.line, rows)])
    text, count = re.subn(r"(?<=^```text\n)problem .*?(?=\n```$)", lambda _: lines, page, flags=re.M | re.S)
    if count != 1:
        raise ValueError(f"The page must hold one text block that begins with `problem `; it holds {count}.")
    text, count = re.subn(r"^\d+ of \d+ goals are met", goals_met(rows), text, flags=re.M)
    if count != 1:
        raise ValueError(f"The page must hold one line that begins like `15 of 25 goals are met`; it holds {count}.")
    return text


def goals_met(rows: list[dict[str, Any]]) -> str:
    """Return how many of the goals are met, in words."""
    met = [(row[f"ratio {tol}"] <= row[f"goal {tol}"]) for row in rows for tol in TOLS if row[f"goal {tol}"]]
    return f"{sum(met)} of {len(met)} goals are met"


# --- sections -------------------------------------------------------------------------------------------------------


def machine(report: dict[str, Any]) -> str:
    """Return what the times depend on."""
    of = report["machine"]
    versions = ", ".join(f"{name} {of[name]}" for name in ("Python", "numpy", "scipy", "POT", "numba", "subspaceot"))
    size = "" if of["memory GB"] is None else f" and {of['memory GB']:.0f} GB"
    return (
        f"Measured on {of['processor']} with {of['cores']} cores{size}, {of['system']}, {of['BLAS']} with "
        f"{threads(of['BLAS threads'])}; {versions}. Times are medians of {report['repeats']} runs, taken in turn, or "
        f"of fewer where they take more than a minute; compiling does not count."
        + (" POT's projection robust solver was timed in an earlier run." if "POT projection" in report else "")
        + "\n"
    )


def threads(count: int) -> str:
    """Return a number of threads in words."""
    return "one thread" if count == 1 else f"{count} threads"


def against_transport(rows: list[dict[str, Any]], docs: Path) -> str:
    """Return the ratios with their goals, and the memory."""
    save(ratios_figure(rows), docs / "figures" / "performance-ratios.png")
    lines = [
        "## Against one exact transport",
        "",
        "![Time in units of one exact transport](figures/performance-ratios.png)",
        "",
        f"Ratios to `emd2`, with the goal in brackets; {goals_met(rows)}, in bold. The gap is the "
        "one certified in the end at `tol=1e-3`. Peak memory is what a process of its own holds during the call on top "
        "of its data, libraries and compiled code.",
        "",
        "| problem | n | d | k | `emd2` | to 1e-2 | to 1e-3 | gap | peak memory | of `emd2` |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = [row["problem"], table.size(row).replace("x", " x "), row["d"], row["k"], time(row["emd2 ms"] / 1e3)]
        cells += [ratio_cell(row, tol) for tol in TOLS]
        cells += [f"{row['gap 1e-3']:.1e}", memory(row["peak MB"]["1e-3"]), memory(row["peak MB"]["emd2"])]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, "", PROBLEMS, arrays(rows)])


def ratio_cell(row: dict[str, Any], tol: str) -> str:
    """Return a ratio, bold where it meets its goal, and what happened where the gap was not reached."""
    ratio, goal = row[f"ratio {tol}"], row[f"goal {tol}"]
    status = row["status"][TOLS.index(tol)]
    shown = significant(ratio) + ("" if status == "CONVERGED" else f", {status}")
    if goal is None:
        return shown
    return f"**{shown}** ({goal:g})" if ratio <= goal else f"{shown} ({goal:g})"


def arrays(rows: list[dict[str, Any]]) -> str:
    """Return how memory relates to arrays of all pairs, from the problems where these dominate."""
    large = [row for row in rows if row["n"] * row["m"] >= 500**2 and row["peak MB"]["1e-3"] is not None]
    if not large:
        return ""
    counts = [row["peak MB"]["1e-3"] * 1e6 / (8 * row["n"] * row["m"]) for row in large]
    return (
        f"From 500 points on, a call needs between {min(counts):.1f} and {max(counts):.1f} times what one array of all "
        "n x m pairs takes in double precision.\n"
    )


def against_others(rows: list[dict[str, Any]]) -> str:
    """Return the competitors beside our default."""
    lines = [
        "## Beside other solvers",
        "",
        "Algorithm 2 is the paper's, at the settings the paper times it with (`reg=0.1`, threshold 0.05), in this "
        "package's own version of it. It solves a regularised problem: its error is that of its value against the "
        "middle of our interval. POT's projection robust solver (`reg=0.2`, `tau=1e-3`, at most 500 steps) maximises "
        "over projectors, which gives P_k <= S_k, and returns a basis but no value; what it attains is the cost of "
        "exact transport in that basis, as a share of S_k^2. NaN is what it returned. All ratios are to `emd2`.",
        "",
        "| problem | n | to 1e-2 | to 1e-3 | Algorithm 2 | error | inside our interval | POT's solver | attains |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        pot = "not run" if row["POT ratio"] is None else significant(row["POT ratio"])
        cells = [row["problem"], table.size(row).replace("x", " x ")]
        cells += [significant(row[f"ratio {tol}"]) for tol in TOLS]
        cells += [significant(row["algorithm 2 ratio"]), f"{row['algorithm 2 error %']:+.1f} %"]
        cells += ["yes" if row["algorithm 2 inside"] else "no", pot, table.attains(row)]
        lines.append(f"| {' | '.join(cells)} |")
    slower = sum(row["algorithm 2 ratio"] > row["ratio 1e-2"] for row in rows)
    inside = sum(row["algorithm 2 inside"] for row in rows)
    worst = max((row["algorithm 2 error %"] for row in rows), key=abs)
    sentence = (
        f"Algorithm 2 takes longer than a certified 1e-2 on {slower} of {len(rows)} problems, its value lies in our "
        f"interval on {inside}, and its largest error is {worst:+.1f} %."
    )
    shares = [row["POT attains %"] for row in rows if row["POT ratio"] is not None]
    if shares:
        finite = [share for share in shares if share is not None]
        span = f"; elsewhere it attains between {min(finite):.0f} % and {max(finite):.0f} %" if finite else ""
        sentence += f" POT's solver returns NaN on {len(shares) - len(finite)} of {len(shares)}{span}."
    return "\n".join([*lines, "", sentence, ""])


def growth(scans: list[dict[str, Any]], docs: Path) -> str:
    """Return the scans, a figure and a paragraph for each of n, d, k and tol."""
    titles = {"n": "More points", "d": "More dimensions", "k": "A larger subspace", "tol": "A smaller gap"}
    lines = [
        "## How cost grows",
        "",
        "Dashed lines are the power laws that fit best, and the legends hold their exponents: 2 means that twice as "
        "much takes four times as long.",
        "",
    ]
    for over, title in titles.items():
        chosen = [scan for scan in scans if scan["over"] == over]
        if chosen:
            save(growth_figure(chosen), docs / "figures" / f"performance-{over}.png")
            lines += [f"### {title}", "", f"![Time over {over}](figures/performance-{over}.png)", ""]
            lines += [line for scan in chosen for line in finding(scan)]
    return "\n".join(lines)


def finding(scan: dict[str, Any]) -> list[str]:
    """Return one scan as a table of exponents and times, and what it says about the goal."""
    over, points = scan["over"], scan["points"]
    first, last = points[0], points[-1]
    lines = [
        f"{sentence_case(scan['problem'])}:",
        "",
        f"| | grows like | its upper half | at {over} = {first[over]:g} | at {over} = {last[over]:g} |",
        "|---|---|---|---|---|",
    ]
    for name, power in scan["exponents"].items():
        times = [time(point["median"][name]) for point in (first, last)]
        laws = [law(over, power[part]) for part in ("all", "upper half")]
        lines.append(f"| {CURVES[name][0]} | {' | '.join([*laws, *times])} |")
    remarks = []
    if len(scan["fitted"]) < len(points):
        remarks.append(f"The fit ends at {over} = {scan['fitted'][-1]:g}, as {last[over]:g} is one exact transport.")
    if scan["goal"] is not None:
        ours = [power["all"] for name, power in scan["exponents"].items() if name != "emd2"]
        met = all(power is not None and power <= scan["goal"] for power in ours)
        remarks.append(f"The goal is an exponent of at most {scan['goal']:g}: {'met' if met else 'missed'}.")
    late = [(name, point) for point in points for name, status in point["status"].items() if status != "CONVERGED"]
    if late:
        cases = ", ".join(f"{CURVES[name][0]} at {over} = {point[over]:g}" for name, point in late)
        remarks.append(f"Stopped before the gap was reached: {cases}.")
    return [*lines, "", *([" ".join(remarks), ""] if remarks else [])]


def law(over: str, power: float | None) -> str:
    """Return a power of n, d, k or tol, in which smaller gaps cost more."""
    if power is None:
        return ""
    return f"tol^{-power:.2f}" if over == "tol" else f"{over}^{power:.2f}"


def expectation(report: dict[str, Any]) -> str:
    """Return what somebody with data of their own may count on."""
    scans = {scan["name"]: scan for scan in report["scans"]}
    lines = ["## What to expect", ""]
    if "scan-n" in scans:
        scan = scans["scan-n"]
        last, powers = scan["points"][-1], scan["exponents"]
        times = {name: time(last["median"][name]) for name in powers}
        lines.append(
            f"- **Points.** At n = {last['n']:g} a certified 1e-2 takes {times['1e-2']} and 1e-3 {times['1e-3']}, "
            f"where one exact transport takes {times['emd2']}. Twice the points take {twice(powers['1e-2'])} and "
            f"{twice(powers['1e-3'])} times as long, and exact transport {twice(powers['emd2'])} times."
        )
    if "scan-d-same-points" in scans and "scan-d-more-noise" in scans:
        same, noisy = (scans[f"scan-d-{kind}"] for kind in ("same-points", "more-noise"))
        first, last = same["points"][0]["d"], same["points"][-1]["d"]
        factors = [factor(scan, "1e-3") for scan in (same, noisy)]
        lines.append(
            f"- **Dimensions.** The same points in d = {last:g} instead of {first:g} dimensions take {factors[0]} "
            f"times as long to 1e-3: the work is done in their span. If each of the new dimensions is noise of its "
            f"own, it takes {factors[1]} times as long, as more and more directions compete with those that were "
            f"planted."
        )
    if "scan-tol" in scans:
        scan = scans["scan-tol"]
        digits = [f"{10 ** power['all']:.1f} ({CURVES[name][0]})" for name, power in scan["exponents"].items()]
        lines.append(f"- **Digits.** Each further digit of the gap multiplies the time by {' or '.join(digits)}.")
    rows = {row["name"]: row for row in report["rows"]}
    clear, none = (rows.get(f"{name}-k2-n100") for name in ("hypercube2", "same-gaussian"))
    if clear and none:
        lines.append(
            f"- **Directions.** How clearly k directions stand out matters, not only size. With 100 points a "
            f"certified 1e-2 takes {significant(clear['ratio 1e-2'])} exact transports where two directions do, and "
            f"{significant(none['ratio 1e-2'])} where none does."
        )
    lines.append(
        "- **Threads.** `subspaceot` and `emd2` always use one thread; POT's projection robust solver uses the number "
        "of BLAS threads given above."
    )
    return "\n".join([*lines, ""])


def twice(power: dict[str, float | None]) -> str:
    """Return the factor for twice as much."""
    return "?" if power["all"] is None else f"{2 ** power['all']:.1f}"


def factor(scan: dict[str, Any], name: str) -> str:
    """Return how many times as long the last value takes as the first."""
    return significant(scan["points"][-1]["median"][name] / scan["points"][0]["median"][name])


def once(start: dict[str, Any]) -> str:
    """Return what a process pays once."""
    meanings = {
        "import subspaceot": "`import subspaceot`, which loads nothing heavy",
        "import POT": "`import ot`, which a first solve does",
        "later process": "the package and its first calls, on top of importing POT and of the same calls again",
        "first process": "everything up to three answers of different kinds, when nothing was compiled before",
    }
    lines = ["## Once per process", "", "| what | seconds | goal |", "|---|---|---|"]
    lines += [
        f"| {meanings[name]} | {entry['seconds']:.2f} | {table.optional(entry['goal'])} |"
        for name, entry in start.items()
    ]
    return "\n".join(
        [
            *lines,
            "",
            "Small kernels are compiled by numba in the first process that needs them and kept on disk for later ones.",
            "",
        ]
    )


# --- figures --------------------------------------------------------------------------------------------------------


def ratios_figure(rows: list[dict[str, Any]]) -> Any:
    """Return the ratios of all problems beside their goals and the competitors."""
    figure, [ax] = _plots.panels(size=(8.4, 1.6 + 0.34 * len(rows)))
    drawn = (  # what, its name, colour and marker; the certified ones above the others
        ("POT ratio", "POT's projection robust solver", "#999999", "x"),
        ("algorithm 2 ratio", "Algorithm 2, uncertified", _plots.ORANGE, "^"),
        ("ratio 1e-2", CURVES["1e-2"][0], _plots.BLUE, "o"),
        ("ratio 1e-3", CURVES["1e-3"][0], _plots.PURPLE, "s"),
        ("goal 1e-2", "goal at 1e-2", _plots.BLUE, "|"),
        ("goal 1e-3", "goal at 1e-3", _plots.PURPLE, "|"),
    )
    places = list(range(len(rows)))[::-1]
    for key, label, colour, marker in drawn:
        shown = [(row[key], place) for row, place in zip(rows, places, strict=True) if row[key] is not None]
        size = {"markersize": 13, "mew": 1.6} if marker == "|" else {"markersize": 5.5}
        if shown:
            ax.plot(*zip(*shown, strict=True), marker, color=colour, label=label, **size)
    for row, place in zip(rows, places, strict=True):
        if table.attains(row) == "NaN":
            ax.annotate(
                "NaN", (row["POT ratio"], place), (5, 4), textcoords="offset points", color="#777777", fontsize=8
            )
    ax.axvline(1, color=_plots.GREEN, linewidth=1.6, label=CURVES["emd2"][0], zorder=1)
    ax.set_yticks(places, [f"{row['problem']}, n = {table.size(row).replace('x', ' x ')}" for row in rows])
    ax.set_ylim(-0.7, len(rows) - 0.3)
    ax.set(xscale="log", xlabel="time in units of one exact transport", title="Time to a certified answer")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return figure


def growth_figure(scans: list[dict[str, Any]]) -> Any:
    """Return the seconds of one or more scans over the same letter, side by side, on one scale."""
    figure, axes = _plots.panels(len(scans), size=(7.0 if len(scans) == 1 else 10.4, 4.4))
    bottom, top = extent(scans)
    for ax, scan in zip(axes, scans, strict=True):
        over = scan["over"]
        values = [point[over] for point in scan["points"]]
        for name, power in scan["exponents"].items():
            label, colour = CURVES[name]
            power_of = "" if power["all"] is None else f": {symbol(over, power['all'])}"
            seconds = [point["median"][name] for point in scan["points"]]
            ax.plot(values, seconds, "o-", color=colour, markersize=4, linewidth=1.6, label=label + power_of)
            if power["all"] is not None:
                fitted = scan["fitted"]
                ax.plot(fitted, power_law(fitted, seconds, power["all"], over), "--", color=colour, linewidth=0.9)
        ax.set_ylim(bottom, top)
        ax.set(xlabel=AXES[over], ylabel="seconds", title=wrapped(scan["problem"]))
        _plots.log_axes(ax, spaced(values))
        if over == "tol":
            ax.invert_xaxis()
        ax.legend(fontsize=9, loc="upper left")
    return figure


def symbol(over: str, power: float) -> str:
    """Return a power as it is set in a legend."""
    base, power = (r"\mathrm{tol}", -power) if over == "tol" else (over, power)
    return f"${base}^{{\\,{power:.2f}}}$"


AXES = {
    "n": "points n of each cloud",
    "d": "dimension d of the data",
    "k": "dimension k of the subspace",
    "tol": "certified relative gap",
}


def extent(scans: list[dict[str, Any]]) -> tuple[float, float]:
    """Return the limits of the seconds, with room for the legend above."""
    seconds = [value for scan in scans for point in scan["points"] for value in point["median"].values()]
    low, high = min(seconds), max(seconds)
    return low / 1.5, high * (high / low) ** 0.35


def spaced(values: list[float]) -> list[float]:
    """Return the values far enough from each other, on a logarithmic axis, to be ticks that can be read."""
    ticks = sorted(values)[:1]
    reach = math.log(max(values) / min(values)) or 1.0
    for value in sorted(values)[1:]:
        if math.log(value / ticks[-1]) > 0.08 * reach:
            ticks.append(value)
    return ticks


def power_law(fitted: list[float], seconds: list[float], power: float, over: str) -> list[float]:
    """Return the best power law at the fitted values: a line through the middle of the points."""
    x = [-math.log(value) if over == "tol" else math.log(value) for value in fitted]
    y = [math.log(value) for value in seconds[: len(fitted)]]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    return [math.exp(middle_y + power * (at - middle_x)) for at in x]


def save(figure: Any, file: Path) -> None:
    """Write a picture of few colours, for the repository."""
    file.write_bytes(rendered(figure, "png"))
    file.write_bytes(small(file))


# --- words ----------------------------------------------------------------------------------------------------------


def time(seconds: float) -> str:
    """Return a time as a person says it."""
    return f"{significant(1e3 * seconds)} ms" if seconds < 1 else f"{significant(seconds)} s"


def significant(value: float) -> str:
    """Return a number to two digits, or as a whole."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def memory(megabytes: float | None) -> str:
    """Return an amount of memory, or that it is not known."""
    if megabytes is None:
        return "not measured"
    return "< 1 MB" if megabytes < 1 else f"{megabytes:.0f} MB"


def wrapped(text: str) -> str:
    """Return a title on lines of at most about 50 letters."""
    return textwrap.fill(sentence_case(text), 52)


def sentence_case(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[0].upper() + text[1:]


if __name__ == "__main__":
    main()
