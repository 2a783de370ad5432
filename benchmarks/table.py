"""What was measured as aligned text."""

from typing import Any

EXPLANATION = """\
Times are medians, as multiples of one ot.emd2 on the same data, cost matrix included. "to 1e-2" and "to 1e-3" are
srw(tol=...), which stops at that certified relative gap; "gap" is the one it reached at 1e-3, "MB" its peak memory on
top of the data. "Alg. 2" is the paper's algorithm at the paper's settings; "error" is that of its value against the
middle of our interval. "POT prw" is POT's projection robust solver; "attains" is the share of S_k^2 that exact
transport costs in its basis."""

COLUMNS = (  # header and width
    ("problem", 18),
    ("n", 10),
    ("emd2 ms", 9),
    ("to 1e-2", 9),
    ("goal", 6),
    ("to 1e-3", 9),
    ("goal", 6),
    ("gap", 9),
    ("MB", 6),
    ("Alg. 2", 8),
    ("error", 9),
    ("POT prw", 9),
    ("attains", 9),
)


def header() -> str:
    return _aligned([title for title, _ in COLUMNS])


def line(row: dict[str, Any]) -> str:
    return _aligned(
        [
            row["problem"],
            size(row),
            f"{row['emd2 ms']:.1f}",
            f"{row['ratio 1e-2']:.1f}",
            optional(row["goal 1e-2"]),
            f"{row['ratio 1e-3']:.1f}",
            optional(row["goal 1e-3"]),
            f"{row['gap 1e-3']:.1e}",
            optional(row["peak MB"]["1e-3"], ".0f"),
            f"{row['algorithm 2 ratio']:.1f}",
            f"{row['algorithm 2 error %']:+.1f} %",
            optional(row["POT ratio"], ".1f"),
            attains(row),
        ]
    )


def size(row: dict[str, Any]) -> str:
    """Return n, and m where it differs."""
    return str(row["n"]) if row["m"] == row["n"] else f"{row['n']}x{row['m']}"


def attains(row: dict[str, Any]) -> str:
    """Return what POT's solver attains: NaN where it fails, nothing where it was not run."""
    if row["POT ratio"] is None:
        return ""
    return "NaN" if row["POT attains %"] is None else f"{row['POT attains %']:.1f} %"


def start_line(start: dict[str, Any]) -> str:
    """Return what a process pays once, on one line."""
    parts = [
        f"{name} {entry['seconds']:.2f} s" + (f" (goal {entry['goal']:g} s)" if entry["goal"] else "")
        for name, entry in start.items()
    ]
    return f"once per process: {', '.join(parts)}"


def scan_lines(scan: dict[str, Any]) -> list[str]:
    """Return one scan: the medians in ms for each value, then the exponents."""
    over, names = scan["over"], list(scan["exponents"])
    widths = [12, *(max(12, len(name) + 5) for name in names)]
    rows = [[over, *(f"{name} ms" for name in names)]]
    rows += [[f"{p[over]:g}", *(f"{1e3 * p['median'][name]:.1f}" for name in names)] for p in scan["points"]]
    base = "1/tol" if over == "tol" else over
    rows += [[f"{base} to the", *(optional(scan["exponents"][name]["all"], ".2f") for name in names)]]
    table = ["".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [f"{scan['name']}: {scan['problem']}", *table]


def optional(value: float | None, form: str = "g") -> str:
    """Return a number, or nothing."""
    return "" if value is None else format(value, form)


def _aligned(cells: list[str]) -> str:
    first, *rest = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, (_, width)) in enumerate(zip(cells, COLUMNS, strict=True))
    )
    return first + "".join(rest)
