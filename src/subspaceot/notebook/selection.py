"""A selected number of directions in a notebook."""

from ..inference.selection import SelectedK
from ._parts import beside, card, head, remark, table
from ._pictures import p_values


def html(selected: SelectedK) -> str:
    """Return k and the tests behind it."""
    tests = zip(selected.p_values, selected.deciding, strict=True)
    rows = [[str(at), f"{p:.4g}", name if at <= selected.k else ""] for at, (p, name) in enumerate(tests, start=1)]
    few = f" With so few units no data could have p below {selected.smallest_p:.4g}."
    return card(
        head("Directions in which the samples differ: k =", str(selected.k)),
        remark(f"{selected.summary}.{few if selected.smallest_p > selected.alpha else ''}"),
        beside(p_values(selected.p_values, selected.alpha), table(["test", "p", "found by"], rows)),
    )
