"""A curve over k in a notebook."""

from ..path.curve import Path
from ..runtime.digits import above, below, number
from ._parts import beside, card, head, remark, table
from ._pictures import curve

_MOST_ROWS = 12


def html(path: Path) -> str:
    """Return S_k^2 for each k with its solver bounds, as a curve and as a table, and the elbow."""
    first, last = path.ks[0], path.ks[-1]
    rows = [
        [f"{k}", number(result.distance), number(result.cost), below(result.lower), above(result.upper)]
        for k, result in list(path.results.items())[:_MOST_ROWS]
    ]
    left_out = len(path.ks) - len(rows)
    ends = [number(float(value)) for value in (path.cost[0], path.cost[-1])]
    asked = f"for k = {first} to {last}" if last > first else f"for k = {first}"
    return card(
        head("Squared distance S_k²", " to ".join(ends) if last > first else ends[0]),
        remark(f"{asked}; {'CONVERGED' if path.converged else 'NOT CONVERGED'}. {_elbow(path)}"),
        beside(
            curve(path.ks, path.cost, (path.lower, path.upper), None),
            table(["k", "S_k", "S_k²", "solver bounds: at least", "at most"], rows),
        ),
        *([remark(f"... and {left_out} more k")] if left_out else []),
    )


def _elbow(path: Path) -> str:
    """Return where the elbow is, for curves that may have one."""
    if len(path.ks) < 2 or path.ks[-1] - path.ks[0] != len(path.ks) - 1:
        return ""
    elbow = path.elbow()
    return f"Elbow: {'none' if elbow.k is None else f'k = {elbow.k}'}. {elbow.reason}"
