"""The rows as aligned text."""

from typing import Any

EXPLANATION = """\
Times are medians, as multiples of one ot.emd2 on the same data, cost matrix included. "to 1e-2" and "to 1e-3" are
srw(tol=...), which stops at that certified relative gap; "gap" is the one it reached at 1e-3, "steps" its outer
iterations for both. "Alg. 2" is the paper's algorithm at the paper's settings; "error" is that of its value against
the middle of our interval, "inside" whether its value lies in it."""

COLUMNS = (  # header and width
    ("problem", 17),
    ("n", 5),
    ("emd2 ms", 9),
    ("to 1e-2", 9),
    ("goal", 6),
    ("to 1e-3", 9),
    ("goal", 6),
    ("gap", 9),
    ("steps", 8),
    ("Alg. 2", 9),
    ("error", 9),
    ("inside", 8),
)


def header() -> str:
    return _aligned([title for title, _ in COLUMNS])


def line(row: dict[str, Any]) -> str:
    return _aligned(
        [
            row["problem"],
            str(row["n"]),
            f"{row['emd2 ms']:.1f}",
            f"{row['ratio 1e-2']:.1f}",
            _goal(row["goal 1e-2"]),
            f"{row['ratio 1e-3']:.1f}",
            _goal(row["goal 1e-3"]),
            f"{row['gap 1e-3']:.1e}",
            "/".join(map(str, row["iterations"])),
            f"{row['algorithm 2 ratio']:.1f}",
            f"{row['algorithm 2 error %']:+.1f} %",
            "yes" if row["algorithm 2 inside"] else "no",
        ]
    )


def _aligned(cells: list[str]) -> str:
    first, *rest = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, (_, width)) in enumerate(zip(cells, COLUMNS, strict=True))
    )
    return first + "".join(rest)


def _goal(goal: float | None) -> str:
    return "" if goal is None else f"{goal:g}"
