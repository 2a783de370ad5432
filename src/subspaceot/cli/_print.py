"""What is printed: results on stdout, remarks on stderr."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..runtime.digits import above, below, number
from ..runtime.printable import printable
from ._output import print_line
from ._stderr import print_stderr

if TYPE_CHECKING:
    from ..result import Result
    from ..tables.summary import Feature, Summary
    from ._rows import Sample


def note(text: str) -> None:
    """Say on stderr what was done with the input."""
    print_stderr(f"note: {text}")


def heading(text: str) -> None:
    """Print the title of a part of the answer."""
    print_line()
    print_line(text, bold=True)


def sizes_of(samples: "Sequence[Sample]", d: int) -> str:
    """Return the title of an answer: what is compared, and how much of it."""
    first, second = samples
    sizes = f"{_count(len(first.points), 'row')} against {_count(len(second.points), 'row')}"
    return f"{first.name} and {second.name}: {sizes}, {_count(d, 'column')}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' if n > 1 else ''}"


def certified(result: "Result") -> dict[str, Any]:
    """Return what every JSON answer says of a distance."""
    return {
        "k": result.k,
        "cost": result.cost,
        "distance": result.distance,
        "lower": result.lower,
        "upper": result.upper,
        "gap": result.gap,
        "status": result.status.name,
    }


def solver_bounds(low: float, high: float) -> str:
    """Return certified bounds in words, rounded outwards."""
    return f"solver bounds {below(low)} to {above(high)}"


def print_same() -> None:
    """Print that there is nothing to compare."""
    print_line("Both samples are the same: every distance is 0.")


def print_distances(summary: "Summary", reason: str, population: tuple[str, str, str] | None = None) -> None:
    """Print the distance, its interval, what it explains, and why this k; `population` is one more line."""
    result, W = summary.result, summary.W
    low, high = summary.distance_interval
    d = result.problem.frame.d
    rows = [
        (f"Distance S_{result.k}", number(result.distance), solver_bounds(low, high)),
        ("Wasserstein distance W", number(W.distance), f"in all {d} directions" if d > 1 else "in the only direction"),
    ]
    if population is not None:
        rows.insert(1, population)
    least, most = summary.explained_interval or (0.0, 1.0)
    share_bounds = f"solver bounds {below(100 * least, 4)}% to {above(100 * most, 4)}%"
    rows.append(("Share of W^2", f"{summary.explained:.1%}", share_bounds))
    rows.append(("k, directions", str(result.k), reason))
    print_rows(rows)
    print_status(result)


def print_status(result: "Result") -> None:
    """Print why the run stopped where it did not reach what was asked, or solved the regularised problem."""
    if not result.converged:
        reached = f"its relative width is {result.gap:.1e}"
        print_line()
        print_line(f"Not converged ({result.status.name}): the interval is valid, but wider than --tol; {reached}.")
    elif result.reg is not None:
        print_line()
        print_line(result.status.value)


def listed_features(summary: "Summary") -> "list[Feature]":
    """Return the columns that contribute most, up to six."""
    return [feature for feature in summary.features(6) if feature.share >= 0.0005]


def print_features(
    summary: "Summary", names: tuple[str, str], scales: Sequence[float], intervals: tuple[str, Sequence[str]]
) -> None:
    """Print the columns that contribute most with their means as they are in the files.

    `intervals` is the title of one more column, and what stands in it, if anything.
    """
    scale = dict(zip(summary.names, scales, strict=True))
    features = listed_features(summary)
    if not features:
        return
    heading("Columns that contribute most")
    title, cells = intervals
    more = [[cell] for cell in cells] or [[] for _ in features]
    print_table(
        ["", "share", *([title] if cells else []), f"mean in {names[0]}", f"mean in {names[1]}"],
        [
            (f.name, f"{f.share:.1%}", *cell, number(scale[f.name] * f.mean_X), number(scale[f.name] * f.mean_Y))
            for f, cell in zip(features, more, strict=True)
        ],
    )


def print_displacements(summary: "Summary", rows: tuple[Sequence[int], Sequence[int]], names: tuple[str, str]) -> None:
    """Print the largest displacements, by rows in the files."""
    heading(f"Rows of {names[0]} with the largest displacement")
    largest = summary.displacements(3)
    print_table(
        ["", "displacement", f"mostly to, in {names[1]}"],
        [(f"row {rows[0][p.i]}", number(p.length), f"row {rows[1][p.j]} ({p.part:.0%} of it)") for p in largest],
    )


def print_rows(rows: Sequence[tuple[str, str, str]]) -> None:
    """Print name, number and remark in three columns."""
    _print_aligned(rows, "<><")


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, its first column to the left and numbers to the right."""
    _print_aligned([titles, *rows], "<" + ">" * (len(titles) - 1), indent="  ")


def _print_aligned(rows: Sequence[Sequence[str]], sides: str, *, indent: str = "") -> None:
    """Print columns aligned to the left, `<`, or to the right, `>`."""
    lines = [[printable(cell) for cell in row] for row in rows]  # escapes have a width too
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(line, sides, widths, strict=True))
        print_line(f"{indent}{'  '.join(cells)}".rstrip())
